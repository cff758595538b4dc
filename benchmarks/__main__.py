"""`python -m benchmarks [NAME...]`: run the measurements; all of them where none is named."""

import argparse

from benchmarks import memory, page, regret, steps

SECTIONS = {"regret": regret.main, "steps": steps.main, "memory": memory.main, "page": page.main}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(SECTIONS)}")
    chosen = parser.parse_args().names or list(SECTIONS)
    for unknown in set(chosen) - set(SECTIONS):
        parser.error(f"there is no benchmark {unknown!r}; choose from {', '.join(SECTIONS)}")
    for name in chosen:
        SECTIONS[name]()
