import math
from dataclasses import replace

import numpy as np
import pytest

from tests.contracts.test_families import FAMILIES
from warmer import (
    CertificateError,
    HypothesisError,
    InvalidValueError,
    LeastSquares,
    Optimistic,
    Problem,
    ProtocolError,
    Session,
    Thompson,
    analysis,
    dissimilarity_dimension,
    environments,
    problems,
    simulate,
)
from warmer.analysis.run_statistics import estimates
from warmer.claims import analyse_trace, as_runs
from warmer.claims.lemma_check import Constants


def coin_runs(problem, target, alpha, horizon=150, runs=3):
    learner = LeastSquares(problem, alpha=alpha)
    return simulate(learner, environments.Coin(problem, target), horizon=horizon, runs=runs, seed=2)


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("name", ["needle", "treasure:side=5", "parities:n_bits=3", "circle"])
def test_every_run_obeys_the_proof(name, epsilon):
    problem = problems.catalog.parse(name).build()
    runs = coin_runs(problem, problem.targets[2], 1.0)
    for run in range(3):
        for form in ("coloured", "repaired"):
            proof = analyse_trace(runs, alpha=1.0, epsilon=epsilon, run=run, form=form)
            proof.check()
            assert proof.n_bad == analysis.bad_queries(runs, alpha=1.0, epsilon=epsilon)[run]
            assert all(interval.is_clique_largest for interval in proof.intervals)
            assert sum(interval.most_rounds for interval in proof.intervals) <= proof.bound + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_with_forbidden_queries_on_a_square_table_honest_runs_obey_the_proof(seed):
    """A target whose own query is forbidden is asked about by another: the dimension is that of pairs."""
    rng = np.random.default_rng(seed)
    for _ in range(25):
        n = int(rng.integers(3, 6))
        is_allowed = rng.random(n) < 0.6
        if not is_allowed.any():
            continue
        table = Problem.from_similarity(rng.integers(-4, 5, (n, n)), denominator=4)
        problem, target = replace(table, is_allowed=is_allowed), int(rng.integers(n))
        alpha = float(problem.self_evaluations[target])
        learner = LeastSquares(problem, alpha=alpha)
        runs = simulate(learner, environments.Exact(problem, target), horizon=12, seed=seed)
        for epsilon in (0.5, 1.0):
            analyse_trace(runs, alpha=alpha, epsilon=epsilon).check()


def test_a_forbidden_query_makes_the_alternatives_pairs():
    """One query of five is forbidden, and an honest run makes a bad query: no proof has d = 1."""
    rows = [[1, 2, 4, 1, -1], [-4, 0, -2, 1, -4], [3, 4, -3, 3, -1], [-4, 4, 4, -4, 1], [3, 3, -1, 3, 3]]
    table = Problem.from_similarity(rows, denominator=4)
    problem = replace(table, is_allowed=np.array([True, True, True, False, True]))
    runs = simulate(LeastSquares(problem, alpha=0.75), environments.Exact(problem, 4), horizon=12, seed=0)
    proof = analyse_trace(runs, alpha=0.75, epsilon=0.5)
    proof.check()
    assert (proof.n_bad, proof.constants.dimension) == (1, 3)


def test_optimism_on_a_random_table_obeys_the_proof():
    problem = problems.random_table(8, 25)
    runs = simulate(Optimistic(problem, sigma=0.5), environments.Coin(problem, 3), horizon=200, seed=1)
    analyse_trace(runs, alpha=float(problem.self_evaluations[3]), epsilon=0.1).check()


def test_the_intervals_have_the_repaired_ratio_and_cover_what_is_bad():
    problem = Problem.from_table(np.eye(8))
    proof = analyse_trace(coin_runs(problem, 5, 1.0), alpha=1.0, epsilon=0.25, form="repaired")
    first, second = proof.intervals[:2]
    assert first.ratio == second.ratio == pytest.approx(1 + 1 / 3)  # d + 1 = 9
    assert (first.high, first.low) == pytest.approx((0.75, 1 - 0.25 * 4 / 3))
    assert second.high == pytest.approx(first.low)
    assert proof.intervals[-1].low <= problem.reward_range[0]
    assert first.center == pytest.approx((first.low + first.high) / 2)


def test_an_edge_joins_rounds_of_which_the_later_predicts_the_earlier():
    problem = problems.needle(n_arms=6)
    runs = simulate(LeastSquares(problem, alpha=1.0), environments.Exact(problem, 4), horizon=6, seed=0)
    proof = analyse_trace(runs, alpha=1.0, epsilon=0.5)
    interval = next(interval for interval in proof.intervals if interval.rounds.size)
    # arms 1 to 4 are tried and found empty; each later candidate predicted that of the earlier ones
    assert (interval.n_edges, interval.clique, interval.constants.error_budget) == (6, (1, 2, 3, 4), 0.0)
    assert interval.fewest_edges == 6
    assert interval.most_edges == pytest.approx((1 - 1 / 5) * 16 / 2)


def test_a_dimension_that_is_too_small_is_found_out():
    problem = problems.needle(n_arms=6)
    runs = simulate(LeastSquares(problem, alpha=1.0), environments.Exact(problem, 4), horizon=6, seed=0)
    with pytest.raises(CertificateError, match="a clique of 4 is larger than d - 1 = 2"):
        analyse_trace(runs, alpha=1.0, epsilon=0.5, dimension=3).check()


def test_an_error_budget_that_is_too_small_is_found_out():
    problem = problems.treasure(side=5)
    runs = coin_runs(problem, "C3", 1.0)
    with pytest.raises(HypothesisError, match=r"error of the run is .+ at round 2, more than the error budget of 0"):
        analyse_trace(runs, alpha=1.0, epsilon=0.1, error_budget=0.0)
    proof = analyse_trace(runs, alpha=1.0, epsilon=0.1)
    assert analyse_trace(runs, alpha=1.0, epsilon=0.1, error_budget=proof.constants.error_budget).bound == proof.bound
    thrifty = proof.constants._replace(error_budget=0.0)
    intervals = tuple(replace(interval, constants=thrifty) for interval in proof.intervals)
    with pytest.raises(
        CertificateError, match=r"a round is not joined to \d+ earlier ones, more than the errors allow"
    ):
        replace(proof, constants=thrifty, intervals=intervals).check()


def test_the_rungs_are_those_of_the_bound_and_a_colour_has_a_clique():
    problem = problems.treasure(side=5)
    runs = coin_runs(problem, "C3", 1.0)
    proof = analyse_trace(runs, alpha=1.0, epsilon=0.1)
    constants = proof.constants
    budget, x = constants.error_budget, (constants.dimension + 1) ** -0.5
    for interval in proof.intervals:
        e = (interval.high - interval.low) / 2 + 1 - interval.high  # the middle of the gaps: e' = e / (1 - theta x)
        theta = (1 - interval.gap / e) / x
        assert interval.tolerance == pytest.approx((1 - theta) * x * e)
        assert interval.most_strangers == math.floor(budget / interval.tolerance**2)
        for colour in range(interval.colours.max(initial=-1) + 1):
            members = np.flatnonzero(interval.colours == colour)
            assert interval.edges[np.ix_(members, members)].sum() == members.size * (members.size - 1)
    assert max(interval.colours.max(initial=0) for interval in proof.intervals) >= 1  # there is something to colour


def test_forged_colours_do_not_check():
    problem = problems.treasure(side=5)
    proof = analyse_trace(coin_runs(problem, "C3", 1.0), alpha=1.0, epsilon=0.1)
    place, interval = max(enumerate(proof.intervals), key=lambda pair: pair[1].rounds.size)
    for colours, words in (
        (np.zeros_like(interval.colours), "two rounds of one colour are not joined"),
        (np.arange(interval.rounds.size) + 10**6, "colours are too many"),
    ):
        intervals = list(proof.intervals)
        intervals[place] = replace(interval, colours=colours)
        with pytest.raises(CertificateError, match=words):
            replace(proof, intervals=tuple(intervals)).check()


def test_a_learner_that_expects_less_than_alpha_is_blamed_and_not_the_proof():
    problem = Problem.from_table([[0.2, 0.2], [0.2, 1.0]])
    runs = simulate(LeastSquares(problem, alpha=0.0), environments.Exact(problem, 1), horizon=8, seed=0)
    with pytest.raises(HypothesisError, match=r"at round 1 the learner expected 0\.2 of its query"):
        analyse_trace(runs, alpha=1, epsilon=0.5)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"run": 3}, "the runs are numbered from 0 to 2, got run 3"),
        ({"run": -1}, "run must be at least 0"),
        ({"run": "x"}, "run must be a whole number"),
        ({"alpha": "x"}, "alpha must be a number, got 'x'"),
        ({"alpha": float("nan")}, "alpha must be a finite number"),
        ({"epsilon": "x"}, "epsilon must be a number"),
        ({"error_budget": "x"}, "error_budget must be a number"),
    ],
)
def test_what_cannot_be_analysed_is_refused(words, reason):
    runs = coin_runs(problems.needle(n_arms=3), "needle in arm 2", 1.0, horizon=5)
    with pytest.raises(InvalidValueError, match=reason):
        analyse_trace(runs, **{"alpha": 1.0, "epsilon": 0.5, **words})


def test_forged_objects_do_not_check():
    problem = problems.needle(n_arms=6)
    runs = simulate(LeastSquares(problem, alpha=1.0), environments.Exact(problem, 4), horizon=6, seed=0)
    proof = analyse_trace(runs, alpha=1.0, epsilon=0.5, form="repaired")
    place = next(k for k, interval in enumerate(proof.intervals) if interval.rounds.size)
    interval = proof.intervals[place]

    def forged(**changes):
        intervals = list(proof.intervals)
        intervals[place] = replace(interval, **changes)
        return replace(proof, intervals=tuple(intervals))

    with pytest.raises(CertificateError, match="do not partition"):
        forged(rounds=interval.rounds[1:], values=interval.values[1:], edges=interval.edges[1:, 1:], clique=()).check()
    with pytest.raises(CertificateError, match="are not joined"):
        forged(edges=np.zeros_like(interval.edges)).check()
    with pytest.raises(CertificateError, match="lies above"):
        forged(values=interval.values + 0.9).check()
    with pytest.raises(CertificateError, match="lies below"):
        forged(values=interval.values - 0.9).check()
    with pytest.raises(CertificateError, match="leave a gap"):
        replace(proof, intervals=(proof.intervals[0], *proof.intervals[2:])).check()
    with pytest.raises(CertificateError, match="more than 1"):
        replace(proof, bound=1.0).check()
    mild = replace(interval, constants=Constants(1.0, 0.5, 4, 0.0), clique=(), gap=interval.gap)
    with pytest.raises(CertificateError, match="Turán"):
        mild.check()


def test_a_dimension_of_one_allows_no_bad_query():
    problem = Problem.from_table([[0.75, 0.5], [0.0, 0.25]])
    runs = coin_runs(problem, 0, 0.5)
    proof = analyse_trace(runs, alpha=0.5, epsilon=0.25)
    proof.check()
    assert (proof.constants.dimension, proof.n_bad, proof.bound) == (1, 0, 0.0)


def test_a_session_can_be_analysed_too():
    problem = problems.needle(n_arms=4)
    learner, environment = LeastSquares(problem, alpha=1.0), environments.Exact(problem, 2)
    session, rng = Session(learner, seed=0), np.random.default_rng(0)
    for count in (1, 2, 1, 3):
        query = session.ask()
        session.tell(query, environment.respond(query, rng), count=count)
    runs = as_runs(learner, environment, session.history)
    assert runs.queries.tolist() == [[0, 1, 1, 2, 2, 2, 2]]
    assert estimates(runs).tolist() == [[0, 1, 1, 2, 2, 2, 2]]  # what it had in mind when it asked
    proof = analyse_trace(runs, alpha=1.0, epsilon=0.5)
    proof.check()
    assert proof.n_bad == 3


def test_an_alpha_above_the_truth_is_refused():
    problem = problems.random_table(4, 5)
    with pytest.raises(InvalidValueError, match="the truth must reach alpha"):
        analyse_trace(coin_runs(problem, 0, 0.1), alpha=0.9, epsilon=0.1)
    runs = simulate(Thompson(problem), environments.Coin(problem, 0), horizon=5, seed=0)
    with pytest.raises(ProtocolError, match="without a target in mind"):
        analyse_trace(runs, alpha=0.1, epsilon=0.1)


@pytest.mark.parametrize("form", ["coloured", "repaired"])
@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "relu in space"])  # which takes ten seconds
def test_the_proof_is_carried_out_on_every_continuous_class(name, form):
    family, target = FAMILIES[name]
    environment = environments.UniformNoise(family, target, width=0.25)
    alpha = float(environment.alpha_star)
    runs = simulate(LeastSquares(family, alpha=alpha), environment, horizon=12, seed=3)
    proof = analyse_trace(runs, alpha=alpha, epsilon=0.1, form=form)
    proof.check()
    assert proof.n_bad == analysis.bad_queries(runs, alpha=alpha, epsilon=0.1)[0]
    assert proof.constants.error_budget == analysis.estimation_errors(runs).max()


def test_the_dimension_of_a_continuous_class_is_that_of_what_was_played_and_of_the_truth():
    family = FAMILIES["arms"][0]
    environment = environments.Exact(family, [0.125, 0.5, 0.75, 0.25])
    runs = simulate(LeastSquares(family, alpha=0.75), environment, horizon=10, seed=0)
    proof = analyse_trace(runs, alpha=0.75, epsilon=0.2)
    asked, targets = runs.queries[0], estimates(runs)[0]
    pairs = dict.fromkeys((int(q), tuple(t)) for q, t in zip(asked, targets, strict=True))
    pairs[2, (0.125, 0.5, 0.75, 0.25)] = None
    table = Problem.from_similarity([[family.evaluate(q, np.array(t)) for _, t in pairs] for q, _ in pairs])
    found = dissimilarity_dimension(table, alpha=0.75, epsilon=0.2, monotone=True)
    assert proof.constants.dimension == found.value == 3
    with pytest.raises(CertificateError):  # with less than that the proof does not go through
        analyse_trace(runs, alpha=0.75, epsilon=0.2, dimension=1).check()


def test_a_round_of_a_continuous_class_below_alpha_is_named():
    family = FAMILIES["arms"][0]
    environment = environments.Exact(family, [0.125, 0.5, 0.75, 0.25])
    runs = simulate(LeastSquares(family, alpha=0.5), environment, horizon=6, seed=0)
    with pytest.raises(HypothesisError, match=r"at round 1 the learner expected 0\.5 of its query"):
        analyse_trace(runs, alpha=0.75, epsilon=0.2)
