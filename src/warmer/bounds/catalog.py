"""Every bound by its name: those that the room makes public and those of its modules. Who lists bounds reads this."""

import inspect
from collections.abc import Callable
from typing import Any

from warmer.bounds import (
    bad_queries,
    budgets,
    class_dimensions,
    coverings,
    eluder_dimensions,
    lemmas,
    pac,
    radii,
    sample_sizes,
    statistical_queries,
    strong_sq,
)

ROOMS = (
    *(bad_queries, budgets, class_dimensions, coverings, eluder_dimensions, lemmas),
    *(pac, radii, sample_sizes, statistical_queries, strong_sq),
)
"""The modules whose public functions are bounds. `characteristic_time`, which needs a problem, is none of them."""

BOUNDS: dict[str, Callable[..., Any]] = {
    name: value
    for room in ROOMS
    for name, value in sorted(vars(room).items())
    if inspect.isfunction(value) and value.__module__.startswith(room.__name__) and not name.startswith("_")
}


def short_name(name: str) -> str:
    """What a bound is called where people type it: without `_bound`, with hyphens.

    Examples
    --------
    >>> short_name("bad_queries_bound"), short_name("pac_horizon")
    ('bad-queries', 'pac-horizon')
    """
    return name.removesuffix("_bound").replace("_", "-")
