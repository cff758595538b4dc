"""`python -m benchmarks [NAME...]`: run the measurements; all of them where none is named.

With `--document FILE` each runs in a process of its own and what it prints replaces its section of the file. `--quick`
runs small versions, of those that have one. Other options are those of `dimensions`, `choose` and `storm`.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import peers, process
from benchmarks.document import Measured, machine, with_section
from benchmarks.document import peers as peers_here
from benchmarks.figures import FOLDER
from benchmarks.sections import SECTIONS

OPTIONED = ("dimensions", "choose", "storm")
QUICK = [name for name, section in SECTIONS.items() if section.quick is not None]
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""Peers and ours are compared on one core where nothing else is said; small products gain nothing from two."""
_SHARE, _SLACK = 3, 3
"""A section ends after three times the minutes that it should take and three more."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(SECTIONS)}")
    parser.add_argument("--document", type=Path, help="the page whose sections are replaced")
    parser.add_argument("--quick", action="store_true", help=f"small versions of {', '.join(QUICK)}")
    chosen, options = parser.parse_known_args()
    for unknown in set(chosen.names) - set(SECTIONS):
        parser.error(f"there is no benchmark {unknown!r}; choose from {', '.join(SECTIONS)}")
    if chosen.quick and (large := set(chosen.names) - set(QUICK)):
        parser.error(f"there is no small version of {', '.join(sorted(large))}; leave --quick out.")
    names = chosen.names or (QUICK if chosen.quick else list(SECTIONS))
    if chosen.document is None:
        for name in names:
            play(name, options if chosen.names else [], is_quick=chosen.quick)
        return
    try:
        failed = write_all(chosen.document, names, options, is_quick=chosen.quick)
    except KeyboardInterrupt:
        sys.exit(f"interrupted; what was measured before is in {chosen.document}")
    sys.exit(bool(failed))


def play(name: str, options: Sequence[str], *, is_quick: bool) -> None:
    """Run one benchmark here."""
    section = SECTIONS[name]
    if is_quick and section.quick is not None:
        section.quick()
    elif name in OPTIONED:
        section.main(options)
    else:
        section.main()


def write_all(document: Path, names: Sequence[str], options: Sequence[str], *, is_quick: bool) -> list[str]:
    """Run some benchmarks, one after the other, into the document; those that failed."""
    start, failed = time.perf_counter(), []
    expected = sum(SECTIONS[name].expected(is_quick=is_quick) for name in names if not SECTIONS[name].lacks())
    print(f"{len(names)} sections, about {expected:.0f} minutes on two free cores", flush=True)
    for number, name in enumerate(names, start=1):
        print(f"[{number} of {len(names)}] ", end="")
        if not write(document, name, options, is_quick=is_quick):
            failed.append(name)
    words = f"; these failed and stayed as they were: {', '.join(failed)}" if failed else ""
    print(f"wrote {document} in {(time.perf_counter() - start) / 60:.1f} minutes{words}")
    return failed


def write(document: Path, name: str, options: Sequence[str], *, is_quick: bool) -> bool:
    """Run one benchmark in a process of its own, and put what it printed into the document; whether it ended well."""
    section = SECTIONS[name]
    if reason := section.lacks():
        print(f"{name}: left as it is; {reason}", flush=True)
        return True
    expected, here, start = section.expected(is_quick=is_quick), machine(), time.perf_counter()
    print(f"{name}: about {expected:.1f} minutes", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks", name, *(["--quick"] if is_quick else options)]
        settings = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb", **ONE_THREAD, FOLDER: folder}
        done = process.run(command, env=settings, name=name, expected=expected, most=_SHARE * expected + _SLACK)
        drawn = sorted(Path(folder).glob("*.svg"))
        if not done.failure:
            images = document.parent / document.stem
            images.mkdir(exist_ok=True, parents=True)
            for path in drawn:
                (images / path.name).write_text(path.read_text())
    minutes = (time.perf_counter() - start) / 60
    print(f"{name}: {done.failure or 'done'} in {minutes:.1f} minutes", flush=True)
    if done.failure:
        print(done.complaint, file=sys.stderr, flush=True)
        return False
    words = f"{here}; {minutes:.1f} minutes. Peers: {peers_here(peers.names())}"
    figures = [f"{document.stem}/{path.name}" for path in drawn]
    found = Measured(name, is_quick, section.title, section.goal, words, done.printed, figures)
    before = document.read_text() if document.exists() else ""
    document.write_text(with_section(before, found, SECTIONS))
    return True


if __name__ == "__main__":
    main()
