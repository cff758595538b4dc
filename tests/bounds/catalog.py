"""Every bound, by its name: those of the top list and those of the rooms below it."""

import inspect

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
EVERY_BOUND = {
    name: value
    for room in ROOMS
    for name, value in sorted(vars(room).items())
    if inspect.isfunction(value) and value.__module__.startswith(room.__name__) and not name.startswith("_")
}
