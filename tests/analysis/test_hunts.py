import numpy as np
import pytest

from warmer import InvalidValueError, Problem, environments, problems
from warmer.analysis import hunt


def test_a_hunt_lies_on_the_map_as_the_labels_say() -> None:
    problem = problems.treasure(side=6)
    trip = hunt(environments.Exact(problem, "E2"), np.array([problem.queries.position("B5")]))
    assert (trip.stops[0].column, trip.stops[0].row) == (1, 4)
    assert np.unravel_index(trip.warmth.argmax(), trip.warmth.shape) == (trip.row, trip.column) == (1, 4)


def test_only_square_maps_have_hunts() -> None:
    with pytest.raises(InvalidValueError, match="square map"):
        hunt(environments.Exact(Problem.from_similarity(np.eye(3)), 0), np.array([0]))
