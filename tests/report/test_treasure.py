import numpy as np
import pytest

from warmer import InvalidValueError, Problem, environments, problems
from warmer.report import treasure_run


def test_a_run_lies_on_the_map_as_the_labels_say() -> None:
    problem = problems.treasure(side=6)
    run = treasure_run(environments.Exact(problem, "E2"), np.array([problem.queries.position("B5")]))
    assert (run.visits[0].column, run.visits[0].row) == (1, 4)
    assert np.unravel_index(run.warmth.argmax(), run.warmth.shape) == (run.row, run.column) == (1, 4)


def test_only_square_maps_have_treasure_runs() -> None:
    with pytest.raises(InvalidValueError, match="square map"):
        treasure_run(environments.Exact(Problem.from_similarity(np.eye(3)), 0), np.array([0]))
