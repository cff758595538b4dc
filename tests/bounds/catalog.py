"""Every bound, by its name: those of the top list and those of the rooms below it."""

import inspect

from warmer.bounds import (
    bad_queries,
    budgets,
    class_dimensions,
    coverings,
    lemmas,
    pac,
    radii,
    sample_sizes,
    statistical_queries,
    strong_sq,
)

ROOMS = (
    *(bad_queries, budgets, class_dimensions, coverings, lemmas),
    *(pac, radii, sample_sizes, statistical_queries, strong_sq),
)
EVERY_BOUND = {
    name: getattr(room, name) for room in ROOMS for name in room.__all__ if not inspect.isclass(getattr(room, name))
}
