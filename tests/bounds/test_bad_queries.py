"""Numbers of bad queries, regret, and the budgets that go into them."""

import math
from fractions import Fraction

import numpy as np
import pytest

from warmer import HypothesisError, Problem, bounds, dissimilarity_dimension
from warmer.bounds.rungs import count, fewest_rounds, rungs


def repaired_count(d, budget, epsilon, alpha):
    """The sum of the repaired proof as it is written: one interval after another."""
    total, gap = 0.0, epsilon
    while gap < 1 + alpha:
        total += (d - 1) + 8 * (d * d - 1) * budget / gap**2
        gap *= 1 + 1 / math.sqrt(d + 1)
    return total


@pytest.mark.parametrize("dimension", [1, 2, 3, 7, 40, 199])
def test_the_repaired_count_is_its_sum_and_at_most_062_of_the_printed_one(dimension):
    for epsilon in (0.01, 0.1, 0.3, 1.0, 1.7):
        for budget in (0.0, 1.0, 50.0, 2000.0):
            sharp = bounds.bad_queries_bound(form="repaired", dimension=dimension, error_budget=budget, epsilon=epsilon)
            assert sharp == pytest.approx(repaired_count(dimension, budget, epsilon, 1.0))
            printed = bounds.bad_queries_bound(
                form="printed", dimension=dimension, error_budget=budget, epsilon=epsilon
            )
            assert sharp <= 0.62 * printed


@pytest.mark.parametrize("dimension", [1, 2, 7, 199])
def test_the_second_form_of_the_count_is_never_less_than_the_first(dimension):
    for epsilon in (0.01, 0.3, 1.0, 3.9):
        for horizon in (1, 10, 10**6):
            asked = {"dimension": dimension, "error_budget": math.log(2 * horizon), "epsilon": epsilon}
            assert bounds.bad_queries_bound(form="printed", **asked) <= bounds.bad_queries_bound(
                form="short", **asked, horizon=horizon
            )


def test_a_dimension_of_one_means_no_bad_query_and_so_does_a_gap_that_nothing_can_have():
    for form in ("coloured", "repaired"):
        assert bounds.bad_queries_bound(form=form, dimension=1, error_budget=99.0, epsilon=0.1) == 0.0
        assert bounds.bad_queries_bound(form=form, dimension=5, error_budget=99.0, epsilon=2.0) == 0.0


@pytest.mark.parametrize("epsilon", [2.0, 3.999, 4.0, 5.0, 1e6])
@pytest.mark.parametrize("budget", [0.0, 0.01, 7.0])
def test_no_count_is_negative_where_no_query_can_be_bad(epsilon, budget):
    assert bounds.bad_queries_bound(form="printed", dimension=3, error_budget=budget, epsilon=epsilon) >= 0.0
    assert bounds.bad_queries_bound(dimension=3, error_budget=budget, epsilon=epsilon) == 0.0


def test_the_repaired_count_is_at_most_the_printed_one_over_wide_ranges():
    """Each inequality between them that the errata use, and the two counts themselves."""
    for dimension in (*range(1, 400), *(10**k for k in range(3, 8))):
        d, root = float(dimension), math.sqrt(dimension + 1)
        assert (d - 1) * root <= d**1.5
        assert d - 1 <= 2 * d**1.5 * math.log(2)
        assert (d**2 - 1) * root <= d**2.5 + d**1.5 / 2
        assert 8 * (d**2 - 1) * (1 + root / 2) <= 12 * d**2.5
        assert 1 / math.log1p(1 / root) <= root + 1
        for epsilon in (1e-9, 1e-3, 0.1, 0.7, 1.0, 1.5, 1.9, 1.999999, 2.0, 3.0):
            for budget in (0.0, 1e-6, 1.0, 1e4) if dimension < 10**5 else ():
                asked = {"dimension": dimension, "error_budget": budget, "epsilon": epsilon}
                coloured, repaired, printed = (
                    bounds.bad_queries_bound(form=form, **asked) for form in ("coloured", "repaired", "printed")
                )
                assert coloured <= repaired <= printed


def test_without_a_reach_every_alpha_of_the_range_is_covered():
    """Two arms worth 5 or 0 on (-5, 5): dimension 2, and asking the wrong one once is 3-bad with no error at all."""
    problem = Problem.from_similarity([[5, 0], [0, 5]], reward_range=(-5, 5))
    assert dissimilarity_dimension(problem, alpha=5, epsilon=3, monotone=True).value == 2
    assert bounds.bad_queries_bound(dimension=2, error_budget=0.0, epsilon=3.0, scale=5.0) >= 1
    assert bounds.bad_queries_bound(dimension=2, error_budget=0.0, epsilon=3.0, scale=5.0, form="repaired") == 3.0
    assert bounds.bad_queries_bound(dimension=2, error_budget=0.0, epsilon=3.0, scale=5.0) == 1.0
    whole = bounds.sample_sizes.sharper_pac_horizon(dimension=2, error_budget=9.0, epsilon=3.0, scale=5.0, reach=10.0)
    assert bounds.sample_sizes.sharper_pac_horizon(dimension=2, error_budget=9.0, epsilon=3.0, scale=5.0) == whole


def test_counts_and_regret_in_other_units_are_the_same_statement():
    plain = {"dimension": 3, "error_budget": 20.0, "epsilon": 0.25}
    wide = {"dimension": 3, "error_budget": 20.0 * 50**2, "epsilon": 12.5, "scale": 50.0}
    assert bounds.bad_queries_bound(form="printed", **plain) == pytest.approx(
        bounds.bad_queries_bound(form="printed", **wide)
    )
    assert bounds.bad_queries_bound(**plain) == pytest.approx(bounds.bad_queries_bound(**wide))
    for form in ("coloured", "printed"):
        plain_regret = bounds.regret_bound(form=form, dimension=3, error_budget=20.0, horizon=100)
        wide_regret = bounds.regret_bound(form=form, dimension=3, error_budget=20.0 * 2500, horizon=100, scale=50.0)
        assert wide_regret == pytest.approx(50 * plain_regret)
    assert bounds.exact_regret_bound(dimension=4, scale=50.0, form="repaired") == 50 * 65.0
    assert bounds.exact_regret_bound(dimension=8, scale=50.0) == 50 * 29.0


def test_the_papers_budgets_agree_with_each_other():
    general = bounds.budgets.covering_error_budget(beta=2, beta_prime=4, covering_number=30, horizon=70, delta=0.1)
    assert general == pytest.approx(bounds.paper_error_budget(n_targets=30, horizon=70, delta=0.1))
    assert bounds.budgets.covering_error_budget(beta=0, beta_prime=1, covering_number=3, horizon=7, delta=0.1) == 0.0
    anytime = bounds.anytime_error_budget(n_targets=30, delta=0.1, sigma=1.0)
    assert anytime < general / 16


def test_optimism_over_the_loss_ball_has_twelve_times_the_logarithm():
    radius = bounds.anytime_radius(n_targets=30, delta=0.05, sigma=0.5)
    budget = bounds.budgets.loss_ball_error_budget(n_targets=30, radius=radius, delta=0.05, sigma=0.5)
    assert budget == pytest.approx(12 * 0.5**2 * math.log(2 * 30 / 0.1))


def test_the_oracle_radii_are_their_formulas():
    paper = bounds.radii.paper_oracle_radius(regression_regret=3, horizon=90, delta=0.1, beta=0.5, beta_prime=2)
    assert paper == pytest.approx(8 * 3 + 64 * 0.5 * 2 * math.log(900))
    anytime = bounds.radii.anytime_oracle_radius(regression_regret=3, delta=0.1, sigma=0.5)
    assert anytime == pytest.approx(2 * 3 + 8 * 0.25 * math.log(10))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.bad_queries_bound(form="printed", dimension=0, error_budget=0, epsilon=1), "alpha exceeds"),
        (
            lambda: bounds.bad_queries_bound(form="printed", dimension=1, error_budget=-1, epsilon=1),
            "at least 0, got -1",
        ),
        (
            lambda: bounds.bad_queries_bound(form="short", dimension=1, error_budget=1, epsilon=1, horizon=99),
            r"at least ln\(2T\) = 5.28827, got 1",
        ),
        (
            lambda: bounds.regret_bound(form="printed", dimension=1, error_budget=1, horizon=99),
            r"at least ln\(2T\) = 5.28827, got 1",
        ),
        (
            lambda: bounds.budgets.covering_error_budget(beta=1, beta_prime=1, covering_number=1, horizon=1, delta=0.1),
            "at least twice beta",
        ),
        (
            lambda: bounds.budgets.covering_error_budget(
                beta=-1, beta_prime=1, covering_number=1, horizon=1, delta=0.1
            ),
            "beta must be at least 0",
        ),
        (
            lambda: bounds.budgets.loss_ball_error_budget(n_targets=1, radius=-1, delta=0.1, sigma=1),
            "radius must be at least 0",
        ),
        (
            lambda: bounds.radii.anytime_oracle_radius(regression_regret=-1, delta=0.1, sigma=1),
            "regression_regret must be at least 0",
        ),
    ],
)
def test_outside_its_hypotheses_a_theorem_is_silent(call, message):
    with pytest.raises(HypothesisError, match=message):
        call()


def test_a_budget_scaled_to_other_units_and_back_is_still_large_enough():
    """ln 2T in squared units of the reward, by every way of computing it: no rounding makes the theorem silent."""
    rng = np.random.default_rng(0)
    for scale, horizon in zip(10 ** rng.uniform(-4, 6, 2000), rng.integers(1, 10**9, 2000).tolist(), strict=True):
        least = math.log(2 * horizon)
        for budget in (least * scale**2, least * scale * scale, least / (1 / scale) ** 2, least * (1 / scale) ** -2):
            asked = {"dimension": 2, "error_budget": budget, "horizon": horizon, "scale": scale}
            expected = scale * bounds.regret_bound(dimension=2, error_budget=least, horizon=horizon, form="printed")
            assert bounds.regret_bound(**asked, form="printed") == pytest.approx(expected)
            assert bounds.bad_queries_bound(**asked, epsilon=scale, form="short") == pytest.approx(36 * 2**2.5 * least)


def test_the_coloured_count_is_several_times_smaller_and_a_logarithm_where_rewards_are_exact():
    """1.69 d^2.5 C/eps^2 where the repaired form has 4 and the printed one 12; d-1 for each rung at C = 0."""
    for dimension in (10**4, 10**6, 10**8):
        asked = {"dimension": dimension, "error_budget": 1.0, "epsilon": 1e-3}
        leading = bounds.bad_queries_bound(**asked) / (dimension**2.5 * 1e6)
        assert 27 / 16 <= leading <= 27 / 16 * (1 + 3 / math.sqrt(dimension))
    for dimension, known in {2: 4, 3: 10, 4: 15, 5: 24, 6: 30, 8: 49}.items():
        assert bounds.bad_queries_bound(dimension=dimension, error_budget=0.0, epsilon=0.02) == known


def test_whole_logarithms_are_decided_in_whole_numbers():
    """At d = 3, 8 and 15 the ratio of a rung is 3, 2 and 5/3: its powers are no more rungs than they must be."""
    for dimension, ratio in ((3, Fraction(3)), (8, Fraction(2)), (15, Fraction(5, 3))):
        for n in range(1, 30):
            for nudge, more in ((0, 0), (Fraction(1, 10**12), 0), (-Fraction(1, 10**12), 1)):
                epsilon = 2 / ratio**n * (1 + nudge)
                count = bounds.bad_queries_bound(dimension=dimension, error_budget=0.0, epsilon=epsilon)
                assert count == (dimension - 1) * (n + more), (dimension, n, nudge)


def test_every_number_of_rungs_gives_at_least_the_count_of_the_best():
    for dimension, per_square in ((2, 0.4), (5, 3.0), (30, 100.0)):
        asked = {"dimension": dimension, "per_square": per_square, "span": Fraction(40)}
        least, n = fewest_rounds(**asked)
        counts = [count(**asked, n=m) for m in range(1, 400)]
        assert min(counts) == least == counts[n - 1]


def test_counts_of_many_rungs_are_hardly_above_the_sum_over_them():
    """Past 10,000 rungs the colours are not rounded one by one."""
    asked = {"dimension": 10**6, "span": Fraction(10**4), "n": 10_000}
    for per_square in (1e-3, 1.0, 1e9):
        exact = (10**6 - 1) * float(rungs(per_square=per_square, **asked).colours.sum())
        assert exact == pytest.approx(count(per_square=per_square, **asked))
        assert exact <= count(per_square=per_square, **(asked | {"n": 10_001})) * 1.001


@pytest.mark.parametrize("dimension", [1, 2, 5, 40])
def test_every_number_that_is_planned_with_is_at_most_the_papers(dimension):
    for horizon in (1, 10, 1000, 10**6):
        for more in (0.0, 5.0, 500.0):
            asked = {"dimension": dimension, "error_budget": math.log(2 * horizon) + more, "horizon": horizon}
            assert bounds.regret_bound(**asked) <= bounds.regret_bound(**asked, form="printed")
    for epsilon in (0.01, 0.1, 0.7, 1.0, 1.9):
        exact = {"dimension": dimension, "epsilon": epsilon}
        assert bounds.exact_pac_horizon(**exact) <= bounds.exact_pac_horizon(**exact, form="printed")
        for budget in (lambda t: 0.0, lambda t: 7.0, lambda t: 128 * math.log(40 * t)):
            plan = bounds.pac_horizon(**exact, error_budget=budget)
            assert plan <= bounds.pac_horizon(**exact, error_budget=budget, form="printed")
    assert bounds.exact_regret_bound(dimension=dimension) <= bounds.exact_regret_bound(
        dimension=dimension, form="repaired"
    )
