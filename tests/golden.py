"""The golden instances: tables whose dimensions are known exactly."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any


@cache
def golden() -> dict[str, dict[str, Any]]:
    """Every golden instance by name."""
    text = (Path(__file__).parent / "data" / "golden.json").read_text()
    return {instance["name"]: instance for instance in json.loads(text)["instances"]}


def golden_table(name: str) -> list[list[Any]]:
    """The table of an instance, a row for each query, entries as fractions where they are exact."""
    instance = golden()[name]
    rows = instance["rho"] if instance["kind"] == "rho" else zip(*instance["F"], strict=True)
    return [[Fraction(entry) if isinstance(entry, str) else entry for entry in row] for row in rows]
