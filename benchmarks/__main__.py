"""`python -m benchmarks [NAME...] [OPTIONS]`: run the measurements; all of them where none is named.

Options are those of `dimensions` and `choose`, which take some.
"""

import argparse

from benchmarks import (
    adaptive_design,
    arms,
    choice,
    dimensions,
    engine,
    fits,
    gpu,
    large_study,
    linear,
    memory,
    mistakes,
    outages,
    pages,
    regret,
    separation,
    steps,
    stopping,
    storm,
    studies,
)

SECTIONS = {
    "regret": regret.main,
    "steps": steps.main,
    "engine": engine.main,
    "gpu": gpu.main,
    "memory": memory.main,
    "linear": linear.main,
    "fits": fits.main,
    "dimensions": dimensions.main,
    "separation": separation.main,
    "choose": choice.main,
    "stopping": stopping.main,
    "arms": arms.main,
    "adaptive-design": adaptive_design.main,
    "studies": studies.main,
    "large-study": large_study.main,
    "storm": storm.main,
    "outages": outages.main,
    "mistakes": mistakes.main,
    "pages": pages.main,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(SECTIONS)}")
    chosen, options = parser.parse_known_args()
    for unknown in set(chosen.names) - set(SECTIONS):
        parser.error(f"there is no benchmark {unknown!r}; choose from {', '.join(SECTIONS)}")
    for name in chosen.names or SECTIONS:
        if name in ("dimensions", "choose"):
            SECTIONS[name](options if chosen.names else [])
        else:
            SECTIONS[name]()
