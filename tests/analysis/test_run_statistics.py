"""Histories against the truth."""

import numpy as np
import pytest

from tests.learners.reference import loss
from warmer import (
    InvalidValueError,
    LeastSquares,
    Optimistic,
    Problem,
    ProtocolError,
    Runs,
    Thompson,
    UntilCertified,
    analysis,
    environments,
    families,
    goals,
    noise,
    simulate,
)
from warmer.analysis import run_statistics

TABLE = np.random.default_rng(2).integers(-8, 9, (5, 7)) / 8


def bandit_runs(learner, **options):
    return simulate(learner, environments.Coin(learner.problem, 3), **{"horizon": 25, "runs": 2, "seed": 1, **options})


def test_cumulative_regret_ends_at_the_regret():
    runs = bandit_runs(LeastSquares(Problem.from_table(TABLE), alpha=0.25))
    curve = analysis.cumulative_regret(runs, alpha=0.75)
    assert curve.shape == (2, 25)
    assert curve[:, -1] == pytest.approx(runs.regret(0.75))


def test_bad_queries_are_strictly_bad():
    problem = Problem.from_table([[0.8], [0.7], [0.6875]])
    runs = Runs(Thompson(problem), environments.Exact(problem, 0), 3, 0, np.array([[0, 1, 2]]), np.zeros((1, 3)))
    # 0.8 - 0.1 is a hair above 0.7 in floating point: the query worth 0.7 is not bad
    assert analysis.bad_queries(runs, alpha=0.8, epsilon=0.1).tolist() == [1]
    assert analysis.bad_queries(runs, alpha=0.8, epsilon=0.0625).tolist() == [2]
    with pytest.raises(InvalidValueError, match="epsilon must be greater than 0"):
        analysis.bad_queries(runs, alpha=0.8, epsilon=0)


@pytest.mark.parametrize("square", [True, False])
@pytest.mark.parametrize("make", [lambda p: LeastSquares(p, alpha=0.25), lambda p: Optimistic(p, 2.0)])
def test_estimation_errors_are_the_sums_of_definition_3(make, square):
    problem = Problem.from_similarity(TABLE[:5, :5]) if square else Problem.from_table(TABLE)
    runs = bandit_runs(make(problem))
    targets, errors = run_statistics.estimates(runs), analysis.estimation_errors(runs)
    for run in range(2):
        for t in range(25):
            past = runs.queries[run, :t]
            expected = ((problem.rho[past, targets[run, t]] - problem.rho[past, 3]) ** 2).sum()
            assert errors[run, t] == pytest.approx(expected, abs=1e-12)


def test_the_estimate_behind_a_query_is_the_least_squares_target():
    problem = Problem.from_table(TABLE)
    runs = bandit_runs(LeastSquares(problem, alpha=-1.0))
    history = list(zip(runs.queries[0], runs.rewards[0], strict=True))
    for t, target in enumerate(run_statistics.estimates(runs)[0]):
        losses = [loss(z, lambda q, z: problem.rho[q, z], history[:t]) for z in range(7)]
        assert losses[target] == pytest.approx(min(losses))
        assert problem.best_queries[target] == runs.queries[0, t]


def test_a_run_on_the_sphere_has_every_statistic():
    sphere, truth = families.Sphere(3), np.array([0.6, 0.0, 0.8])
    runs = simulate(LeastSquares(sphere, alpha=1.0), environments.UniformNoise(sphere, truth), horizon=30, seed=1)
    estimates, errors = run_statistics.estimates(runs)[0], analysis.estimation_errors(runs)[0]
    np.testing.assert_allclose(estimates, runs.queries[0], atol=1e-9)  # the best query of a point is the point itself
    for t in range(30):
        past = runs.queries[0, :t]
        assert errors[t] == pytest.approx(((past @ estimates[t] - past @ truth) ** 2).sum(), abs=1e-9)
    assert analysis.has_large_self_evaluations(runs, alpha=1.0).all()
    values = runs.queries[0] @ truth
    assert analysis.bad_queries(runs, epsilon=0.1).tolist() == [(values < 0.9).sum()]
    assert analysis.success_rate(runs, epsilon=0.1).estimate == (values[-1] >= 0.9)


def test_a_run_that_ended_early_is_judged_by_what_it_settled_on():
    problem = Problem.from_table([[0.75, 0.0], [0.5, 0.0], [0.0, 0.25]])
    learner = UntilCertified(LeastSquares(problem, alpha=0.25), goals.BestQuery(0.125), noise=noise.SubGaussian(0.25))
    played = [environments.UniformNoise(problem, target, width=0.25) for target in (0, 1)]
    runs = simulate(learner, played, horizon=200, seed=0, until=learner.is_done)
    assert runs.n_answers.max() < 200
    assert analysis.success_rate(runs, epsilon=0.125).estimate == 1
    assert run_statistics.final_values(runs).tolist() == [0.75, 0.25]
    for k in range(2):
        assert analysis.bad_queries(runs, epsilon=0.125)[k] == (runs.queries[k, : runs.n_answers[k]] != [0, 2][k]).sum()
    assert np.isnan(analysis.cumulative_regret(runs)[:, -1]).sum() == (runs.n_answers < runs.n_answers.max()).sum()


def test_exact_answers_leave_no_estimation_error():
    problem = Problem.from_table(TABLE)
    runs = simulate(LeastSquares(problem, alpha=0.25), environments.Exact(problem, 3), horizon=25, seed=0)
    assert analysis.estimation_errors(runs).max() == 0.0


def test_the_self_evaluation_property_holds_for_algorithm_1_and_fails_above_its_alpha():
    problem = Problem.from_table(TABLE)
    runs = bandit_runs(LeastSquares(problem, alpha=0.5))
    assert analysis.has_large_self_evaluations(runs, alpha=0.5).all()
    assert not analysis.has_large_self_evaluations(runs, alpha=1.5).any()


def test_a_learner_without_an_estimate_is_told_so():
    with pytest.raises(ProtocolError, match="Thompson queries without a target in mind"):
        analysis.estimation_errors(bandit_runs(Thompson(Problem.from_table(TABLE))))


def test_the_success_rate_counts_last_queries_within_epsilon():
    problem = Problem.from_table([[0.75], [0.5]])
    queries = np.array([[1, 0]] * 8 + [[0, 1]] * 2)
    runs = Runs(Thompson(problem), environments.Exact(problem, 0), 2, 0, queries, np.zeros((10, 2)))
    rate = analysis.success_rate(runs, alpha=0.75, epsilon=0.125)
    assert rate.estimate == 0.8
    assert (rate.low, rate.high) == pytest.approx((0.4439, 0.9748), abs=1e-4)


def test_clopper_pearson_limits_are_the_binomial_quantiles():
    from scipy.stats import binomtest

    for successes in range(11):
        exact = binomtest(successes, 10).proportion_ci(0.9, method="exact")
        interval = run_statistics.clopper_pearson(successes, 10, confidence=0.9)
        assert (interval.low, interval.high) == pytest.approx((exact.low, exact.high))
    with pytest.raises(InvalidValueError, match="successes must lie between 0 and 10, got 11"):
        run_statistics.clopper_pearson(11, 10)


def test_the_mean_interval_is_students():
    from scipy.stats import t as student

    values = np.random.default_rng(0).random(12)
    low, high = student.interval(0.95, 11, values.mean(), values.std(ddof=1) / np.sqrt(12))
    interval = run_statistics.mean_interval(values)
    assert (interval.low, interval.estimate, interval.high) == pytest.approx((low, values.mean(), high))
    assert run_statistics.mean_interval(np.array([2.0])) == (-np.inf, 2.0, np.inf)
