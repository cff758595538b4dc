"""`python -m benchmarks [NAME...]`: run the measurements; all of them where none is named.

With `--document FILE` each runs in a process of its own and what it prints replaces its section of the file. `--quick`
runs small versions, of those that have one. Other options are those of `dimensions` and `choose`, which take some.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import peers
from benchmarks.document import Measured, machine, with_section
from benchmarks.document import peers as peers_here
from benchmarks.figures import FOLDER
from benchmarks.sections import SECTIONS

OPTIONED = ("dimensions", "choose")
QUICK = [name for name, section in SECTIONS.items() if section.quick is not None]


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
    failed = [name for name in names if not write(chosen.document, name, options, is_quick=chosen.quick)]
    print(f"wrote {chosen.document}" + (f"; these failed: {', '.join(failed)}" if failed else ""))
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


def write(document: Path, name: str, options: Sequence[str], *, is_quick: bool) -> bool:
    """Run one benchmark in a process of its own, and put what it printed into the document; whether it ended well."""
    if reason := SECTIONS[name].lacks():
        print(f"{name}: left as it is; {reason}", flush=True)
        return True
    start, here = time.perf_counter(), machine()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks", name, *(["--quick"] if is_quick else options)]
        settings = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb", FOLDER: folder}
        done = subprocess.run(command, env=settings, stdout=subprocess.PIPE, text=True, check=False)
        drawn = sorted(Path(folder).glob("*.svg"))
        if done.returncode == 0:
            images = document.parent / document.stem
            images.mkdir(exist_ok=True, parents=True)
            for path in drawn:
                (images / path.name).write_text(path.read_text())
    minutes = (time.perf_counter() - start) / 60
    print(f"{name}: {'done' if done.returncode == 0 else 'FAILED'} in {minutes:.1f} minutes", flush=True)
    if done.returncode:
        return False
    section = SECTIONS[name]
    words = f"{here}; {minutes:.1f} minutes. Peers: {peers_here(peers.names())}"
    figures = [f"{document.stem}/{path.name}" for path in drawn]
    found = Measured(name, is_quick, section.title, section.goal, words, done.stdout, figures)
    before = document.read_text() if document.exists() else ""
    document.write_text(with_section(before, found, SECTIONS))
    return True


if __name__ == "__main__":
    main()
