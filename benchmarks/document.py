"""`docs/benchmarks.md`: one section per benchmark, each replaced alone when it is measured again.

A section is what the benchmark printed, between two comments that name it. Lines that `verdict` printed become a table
of goals; figures that `benchmarks.figures` drew are linked.
"""

import os
import platform
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePosixPath
from typing import NamedTuple

_HEAD = """# Benchmarks

`make bench` installs the peers, measures everything side by side and writes this page, in about 35 minutes on two free
cores; `make bench-quick` measures small versions of some sections in under three minutes, and leaves sections of full
size as they are. `python -m benchmarks --document docs/benchmarks.md NAME` measures one section again. Read ratios, not
times: both sides of a ratio ran on the same machine in the same minutes. A peer that is ended at its cap is shown as
"> seconds (> ratio)".
"""
_SECTION = re.compile(r"<!-- section (\S+) (full|quick) -->\n(.*?)<!-- end \1 -->\n", re.DOTALL)
_VERDICT = "goal"


class Measured(NamedTuple):
    """One section, as it was measured."""

    name: str
    is_quick: bool
    title: str
    goal: str
    machine: str
    printed: str
    figures: Sequence[str] = ()
    """Where they are, seen from the document."""


def verdict(what: str, measured: str, wanted: str) -> None:
    """Print one goal of a benchmark: what was measured, and what was wanted."""
    print(f"{_VERDICT} | {what} | {measured} | {wanted}", flush=True)


def with_section(document: str, section: Measured, order: Iterable[str]) -> str:
    """The document with a section put in its place; a quick one never replaces one of full size.

    Examples
    --------
    >>> section = Measured("steps", False, "One step", "Within 1.5x of a pass.", "2 cores", "1.2")
    >>> print(with_section("", section, ["engine", "steps"]).splitlines()[-1])
    <!-- end steps -->
    """
    kept = {name: (size, body) for name, size, body in _SECTION.findall(document)}
    if not (section.is_quick and kept.get(section.name, ("quick",))[0] == "full"):
        kept[section.name] = ("quick" if section.is_quick else "full", _body(section))
    names = [name for name in order if name in kept]
    parts = [f"<!-- section {name} {kept[name][0]} -->\n{kept[name][1]}<!-- end {name} -->\n" for name in names]
    return "\n".join([_HEAD, *parts])


def machine() -> str:
    """The machine in general words: cores, versions, and how busy it is."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba"))
    busy = os.getloadavg()[0]
    others = f"; shared, with a load average of {busy:.0f} when it began" if busy >= 1 else ""
    return f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, {packages}{others}"


def peers(names: Iterable[str]) -> str:
    """Which peers are installed, with their versions, and which are missing."""
    found = {name: _version(name) for name in names}
    here = ", ".join(f"{name} {number}" for name, number in found.items() if number)
    missing = ", ".join(name for name, number in found.items() if not number)
    return f"{here or 'none'}{f'; not installed: {missing}' if missing else ''}"


def linked(body: str) -> list[str]:
    """The figures of a section, seen from the document."""
    return re.findall(r"!\[[^]]*\]\(([^)]+)\)", body)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _body(section: Measured) -> str:
    lines = section.printed.splitlines()
    verdicts = [line.split(" | ")[1:] for line in lines if line.startswith(f"{_VERDICT} | ")]
    printed = "\n".join(line.rstrip() for line in lines if not line.startswith(f"{_VERDICT} | ")).strip("\n")
    size = "small version" if section.is_quick else "full size"
    parts = [f"## {section.title} (`{section.name}`)", f"Goal: {section.goal}"]
    if verdicts:
        rows = [f"| {what} | {measured} | {wanted} |" for what, measured, wanted in verdicts]
        parts.append("\n".join(["| what | measured | goal |", "|---|---|---|", *rows]))
    parts += [f"![{PurePosixPath(path).stem}]({path})" for path in section.figures]
    if printed:
        parts.append(f"```text\n{printed}\n```")
    return "\n\n".join([*parts, f"*Measured in {size}: {section.machine}.*"]) + "\n"
