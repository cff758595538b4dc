import numpy as np
import pytest

from warmer import InvalidValueError
from warmer.problems import build, treasure
from warmer.problems.treasure import places


def test_warmth_is_one_on_the_spot_zero_at_the_reach_and_falls_with_distance() -> None:
    problem = treasure(side=9, reach=3)
    assert problem.rho[0, 0] == 1
    assert problem.rho[problem.queries.position("D1"), 0] == 0
    distances = np.linalg.norm(places(9) - places(9)[0], axis=1)
    order = np.argsort(distances, kind="stable")
    assert (np.diff(problem.rho[order, 0]) <= 0).all()
    assert problem.rho.min() > -1
    assert (problem.rho == problem.rho.T).all()


def test_places_are_named_by_column_letters_and_row_numbers() -> None:
    problem = build("treasure", side=28)
    assert [problem.queries[k] for k in (0, 25, 26, 27, 28)] == ["A1", "Z1", "AA1", "AB1", "A2"]


@pytest.mark.parametrize(
    ("side", "reach", "reason"),
    [(0, 3.0, "side must be at least 1"), (3, 0.0, "reach must be greater than 0"), (57, 3.0, "lower side")],
)
def test_a_map_that_cannot_be_is_refused(side: int, reach: float, reason: str) -> None:
    with pytest.raises(InvalidValueError, match=reason):
        treasure(side, reach=reach)
