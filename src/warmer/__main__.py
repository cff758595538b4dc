"""`python -m warmer`: the command line."""

import sys

from warmer.cli import main

if __name__ == "__main__":
    sys.exit(main())
