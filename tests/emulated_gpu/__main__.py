"""`python -m tests.emulated_gpu` says where the compiler for the kernels is, or that there is none."""

import sys

from tests.emulated_gpu.emulator import COMPILER, NO_COMPILER

if __name__ == "__main__":
    if COMPILER is None:
        sys.exit(NO_COMPILER)
    print(COMPILER)
