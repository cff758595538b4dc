"""Statements of the appendix against what they speak of: games, enumerations, matrices and runs."""

from fractions import Fraction
from functools import cache
from math import floor, isqrt

import numpy as np
import pytest

from warmer import Optimistic, Problem, bounds, environments, simulate
from warmer.analysis import estimation_errors, has_large_self_evaluations
from warmer.bounds.games import max_min_proportions
from warmer.claims.instances.tables import hypotheses, nearly_orthogonal
from warmer.claims.statements.adversarial import most_excluded, total_variation
from warmer.dimensions import decision_estimation_coefficient, dissimilarity_dimension, strong_sq_dimension
from warmer.dimensions.dissimilarity.rank import rank_at_most
from warmer.problems import conference, parities

TOLERANCES = [Fraction(1, 12), Fraction(1, 4), Fraction(1, 3), Fraction(49, 100)]


def n_queries_of_the_game(rows, width):
    """The queries that single out a target, each answer being the one that costs most; infinite if it never ends."""
    keeps = [
        {sum(1 << k for k, value in enumerate(row) if start <= value <= start + width) for start in row}
        for row in map(list, rows)
    ]

    @cache
    def needed(left):
        if left.bit_count() == 1:
            return 0
        worst = ({left & kept for kept in windows if left & kept} for windows in keeps)
        return min(1 + max(map(needed, after)) if left not in after else float("inf") for after in worst)

    return needed((1 << len(rows[0])) - 1)


@pytest.mark.parametrize("tau", TOLERANCES)
def test_no_algorithm_beats_the_adversarial_lower_bound(tau):
    """The best algorithm against the worst oracle, by playing the whole game, on small classes."""
    games = set()
    for seed in range(60):
        instance = hypotheses(np.random.default_rng(seed))
        found = strong_sq_dimension(instance.problem, epsilon=2 * instance.epsilon)
        if not 3 <= found.value <= 7:
            continue
        numerators, denominator = instance.problem.rational
        rows = numerators[:, list(found.witness.targets)].astype(int) * tau.denominator
        needed = n_queries_of_the_game(rows.tolist(), 2 * tau.numerator * denominator)
        bound = bounds.statistical_queries.adversarial_sq_lower_bound(strong_sq=found.value, tau=tau)
        assert bound <= needed
        excluded = most_excluded(instance.problem, found.witness.targets, tau=tau)
        assert needed == float("inf") if excluded == 0 else excluded * needed >= found.value - 1
        games.add(needed / bound)
    assert min(games) <= 2  # so that three times the bound would fail


@pytest.mark.parametrize("n_queries", [1, 2, 5, 8])
def test_simulated_samples_are_as_far_from_true_ones_as_the_formula_says(n_queries):
    """All outcomes of the coins, enumerated: random means, answers off by tau; and sure coins, where it is tight."""
    rng = np.random.default_rng(n_queries)
    for delta in (Fraction(1, 2), Fraction(1, 8), Fraction(1, 100)):
        tau = 2 * delta / n_queries
        assert bounds.statistical_queries.simulation_tolerance(
            n_queries=n_queries, delta=float(delta)
        ) == pytest.approx(float(tau))
        means = [Fraction(int(mean), 8) for mean in rng.integers(-8, 9, n_queries)]
        answers = [mean + tau if mean <= 0 else mean - tau for mean in means]
        distance = bounds.statistical_queries.simulation_distance(n_queries=n_queries, tau=float(tau))
        assert total_variation(means, answers) <= delta
        assert distance == pytest.approx(float(delta))
        sure = total_variation([Fraction(1)] * n_queries, [1 - tau] * n_queries)
        assert sure == 1 - (1 - tau / 2) ** n_queries
        assert 0.78 * distance <= float(sure) <= distance


@pytest.mark.parametrize("size", range(1, 10))
def test_no_perturbed_identity_has_a_smaller_rank(size):
    """Whole numbers: 60 on the diagonal, others of at most 60/sqrt(d), made to depend on each other."""
    rng, unit = np.random.default_rng(size), 60
    most = int(np.sqrt(unit**2 / size) + 1e-9)
    assert size * most**2 <= unit**2
    for _ in range(60):
        signs = rng.choice([-1, 1], (size, size))
        matrix = np.triu(signs * rng.choice([most, most // 2, 0], p=[0.8, 0.1, 0.1]), 1)
        matrix = matrix + matrix.T + unit * np.eye(size, dtype=int)
        assert rank_at_most(matrix, bounds.lemmas.perturbed_identity_rank(size=size) - 1) is None


@pytest.mark.parametrize("q", [9, 25])
def test_conference_matrices_have_the_rank_of_the_perturbed_identity(q):
    core = np.where(np.eye(q, dtype=bool), 0, np.where(conference(q).problem.rho > 0, 1, -1))
    matrix = core + round(q**0.5) * np.eye(q, dtype=int)
    assert rank_at_most(matrix, q) == bounds.lemmas.perturbed_identity_rank(size=q) == q // 2 + 1


def test_inner_products_minus_a_constant_have_rank_n_plus_1_and_the_dimension_follows():
    rng = np.random.default_rng(0)
    ranks = set()
    for _ in range(40):
        n, size = int(rng.integers(1, 4)), int(rng.integers(2, 9))
        vectors = rng.integers(-3, 4, (size, n))
        gram, unit = vectors @ vectors.T, 9 * n
        shifted = gram - int(rng.integers(-unit, unit))
        assert rank_at_most(gram, n) is not None
        rank = rank_at_most(shifted, n + 1)
        assert rank is not None
        ranks.add(rank - n)
        problem = Problem.from_similarity(gram, denominator=unit)
        alpha = Fraction(int(gram.diagonal().min()), unit)
        for epsilon in (Fraction(1, 8), Fraction(1, 2), Fraction(1)):
            found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon, monotone=True).value
            assert found <= bounds.class_dimensions.symmetric_dimension_bound(rank=n)
    assert max(ranks) == 1
    for q in (5, 9, 13):
        extremal = conference(q)
        found = dissimilarity_dimension(extremal.problem, alpha=extremal.alpha, epsilon=extremal.epsilon)
        assert found.value == bounds.class_dimensions.symmetric_dimension_bound(rank=(q - 1) // 2) == q


@pytest.mark.parametrize("values", [[-1, 1], [-1, 1, 0]])
def test_algorithm_3_keeps_its_budget_and_uses_a_quarter_of_it(values):
    """The truth earns -1, and the optimist hopes for 1 as long as its ball of radius R allows."""
    problem, horizon = Problem.from_table([values]), 420
    learner = Optimistic(problem, radius="paper", delta=0.1, horizon=horizon)
    runs = simulate(learner, environments.Coin(problem, problem.targets[0]), horizon=horizon, seed=0)
    radius = bounds.paper_radius(n_targets=len(values), horizon=horizon, delta=0.1)
    worst = estimation_errors(runs).max()
    assert 0.98 * radius < worst <= learner.error_budget(horizon=horizon, delta=0.1) <= 4 * radius
    assert has_large_self_evaluations(runs, alpha=-1.0).all()


@pytest.mark.parametrize("n_bits", [2, 3, 5])
def test_the_coefficient_of_parities_is_0_and_that_of_their_hull_is_not(n_bits):
    """With a parity as reference, asking it is free; with their mean, by the game itself, hardly any query tells."""
    problem, size = parities(n_bits), 2**n_bits
    assert decision_estimation_coefficient(problem, gamma=1).upper == pytest.approx(0, abs=1e-9)
    assert decision_estimation_coefficient(problem, gamma=0.5).lower > 0.1
    gamma, rho = 2, np.asarray(problem.rho)
    losses = 1 - rho - gamma * (rho - rho.mean(axis=1, keepdims=True)) ** 2
    shares, _ = max_min_proportions((losses - losses.min()).T)
    assert (shares @ losses.T).min() >= 1 - (1 + gamma) / size - 1e-9


def test_with_32_for_64_the_strong_sq_bound_is_refuted_by_a_given_class():
    (instance,) = nearly_orthogonal()
    found = strong_sq_dimension(instance.problem, epsilon=instance.epsilon).value
    wide = dissimilarity_dimension(instance.problem, alpha=1, epsilon=4 * instance.epsilon).value
    assert (found, wide) == (3, 17)
    assert isqrt(floor(wide / (64 * instance.epsilon**2))) == 3
    assert isqrt(floor(wide / (32 * instance.epsilon**2))) == 4
    # such hypotheses exist: signs of normal variables have the correlation 2/pi arcsin of theirs
    table = np.sin(np.pi / 2 * np.asarray(instance.problem.rho))
    assert np.linalg.eigvalsh(table).min() > 0.05
