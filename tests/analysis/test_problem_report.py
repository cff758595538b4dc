import sys

import numpy as np
import pytest

from warmer import Problem, environments, problems
from warmer.analysis import Task, analyse_problem, compare, neighbours
from warmer.analysis.outcomes import regret_bounds
from warmer.dimensions.covering import prediction_distance


def test_the_closest_pairs_come_first_with_the_query_that_tells_them_apart():
    problem = problems.random_table(4, 9)
    near = neighbours(problem, n_pairs=5)
    expected = [[prediction_distance(problem, first, second) for first in range(9)] for second in range(9)]
    np.testing.assert_allclose(near.distances, expected)
    found = [pair.distance for pair in near.pairs]
    everything = np.sort(near.distances[np.triu_indices(9, 1)])
    assert found == everything[:5].tolist()
    for first, second, distance, query in near.pairs:
        assert abs(problem.rho[query, first] - problem.rho[query, second]) == distance


def test_one_target_has_no_neighbours():
    assert neighbours(Problem.from_table([[0.5]])).pairs == ()


def test_many_targets_are_thinned_out(monkeypatch):
    monkeypatch.setattr("warmer.analysis.neighbourhood._MOST_TARGETS", 4)
    near = neighbours(problems.random_table(3, 10))
    assert (near.labels, near.n_targets) == ((0, 3, 6, 9), 10)


def test_no_learner_exceeds_the_regret_bounds():
    problem = problems.treasure(side=4)
    played = [environments.Coin(problem, "B2")] * 4
    played = compare(played, ["least-squares", "uniform"], Task(epsilon=0.1), horizon=60, seed=0)
    theorem, anytime, worst = regret_bounds(played, dimension=9)
    assert (theorem.values >= anytime.values).all()
    assert (played["least-squares"].regrets <= anytime.values).all()
    assert (played["uniform"].regrets <= worst.values + 1e-9).all()


@pytest.mark.parametrize(("alpha", "level"), [(None, 0.3), (0.5, 0.5)])
def test_the_measures_stand_at_the_level_that_all_reach_unless_one_is_declared(alpha, level):
    problem = Problem.from_table([[0.9, 0.0, 0.1], [0.0, 0.5, 0.1], [0.1, 0.1, 0.3]])
    parts = []
    report = analyse_problem(
        problem, Task(0.1, 0.05, 0.5, alpha), learners=["uniform"], runs=2, horizon=10, tell=parts.append
    )
    assert (report.level, report.complexity.alpha) == (level, level)
    assert parts == ["profile", "complexity measures", "regret of learners", "budget"]


def test_a_report_without_time_is_still_honest():
    problem = problems.random_table(12, 40)
    report = analyse_problem(
        problem, Task(0.1, 0.05, 0.5, 0.2), learners=["uniform"], runs=1, horizon=5, time_limit=1e-3
    )
    assert report.complexity.dissimilarity.lower <= report.complexity.dissimilarity.upper
    assert report.dimension <= 40
    assert "time ran out" in report.dimension_reason


@pytest.mark.parametrize(
    ("table", "dimension", "reason"),
    [
        ([[0.9, 0.1], [0.1, 0.9]], 2, "the monotone one at one over the horizon"),
        ([[0.9, 0.1], [0.1, 0.5]], 2, "the best value differs from truth to truth"),
    ],
)
def test_the_dimension_behind_the_regret_has_a_reason(table, dimension, reason):
    report = analyse_problem(Problem.from_table(table), Task(0.1, 0.05, 0.5), learners=["uniform"], runs=1, horizon=5)
    assert report.dimension == dimension
    assert reason in report.dimension_reason


def test_one_search_for_the_dimension_serves_a_whole_report(monkeypatch):
    """The profile knows the dimension at every epsilon, so neither the measures nor the budget look again."""
    searches = []
    for module, name in (
        ("learners.dimension", "table_dimension"),
        ("dimensions.complexity", "dissimilarity_dimension"),
    ):
        monkeypatch.setattr(sys.modules[f"warmer.{module}"], name, lambda *_, **__: searches.append(1))
    problem = Problem.from_table(np.eye(4))
    report = analyse_problem(problem, Task(0.5, sigma=0.5), learners=["uniform"], runs=1, horizon=5)
    assert searches == []
    assert (report.complexity.dissimilarity.value, report.budget.dimension.value, report.dimension) == (4, 4, 4)
