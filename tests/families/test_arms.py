"""K arms with means anywhere in an interval: the closed form against least squares on a fine grid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warmer import InvalidValueError, LeastSquares, Optimistic, environments, problems, simulate
from warmer.bounds.radii import arm_radius
from warmer.estimation import TableFit
from warmer.families import KArms

LEVELS = 9  # k/8, so that averages of eighths are on the grid and all sums are exact
GRIDS = {k: problems.arms(k, levels=LEVELS) for k in (1, 2, 3)}

states = st.integers(1, 3).flatmap(
    lambda k: st.lists(st.tuples(st.integers(0, 6), st.integers(-8, 8)), min_size=k, max_size=k)
)


def grid_losses(grid, pulls):
    """The definition: every function of the grid, every answer."""
    losses = np.zeros(grid.n_targets)
    for arm, (count, eighths) in enumerate(pulls):
        losses += count * (grid.rho[arm] - eighths / 8) ** 2
    return losses


def told(fit_or_ball, state, pulls):
    for arm, (count, eighths) in enumerate(pulls):
        if count:
            state = fit_or_ball.update(state, arm, eighths / 8, count)
    return state


def test_the_closed_form_agrees_with_the_grid_on_thousands_of_random_states():
    rng = np.random.default_rng(7)
    for _ in range(4000):
        pulls = [(int(rng.integers(7)), int(rng.integers(-8, 9))) for _ in range(rng.integers(1, 4))]
        assert_least_squares(pulls, int(rng.integers(-8, 9)))


@given(states, st.integers(-8, 8))
@settings(max_examples=200, deadline=None)
def test_the_estimate_is_a_least_squares_function_of_the_grid(pulls, eighths):
    assert_least_squares(pulls, eighths)


def assert_least_squares(pulls, eighths):
    grid, alpha = GRIDS[len(pulls)], eighths / 8
    fit = KArms(len(pulls)).fit()
    estimate = fit.estimate(told(fit, fit.start(alpha), pulls))
    losses = grid_losses(grid, pulls)
    viable = np.asarray(grid.self_evaluations) >= alpha
    least = losses[viable].min()
    assert estimate.max() >= alpha
    assert sum(n * (f - m / 8) ** 2 for (n, m), f in zip(pulls, estimate, strict=True)) == pytest.approx(
        least, abs=1e-12
    )
    minimisers = np.flatnonzero(viable & (losses <= least + 1e-12))
    if len(minimisers) == 1:
        assert fit.family.best_query(estimate) == grid.best_queries[minimisers[0]]
    else:
        top = fit.family.best_query(estimate)
        assert any(grid.rho[top, f] == grid.self_evaluations[f] for f in minimisers)


@given(states)
@settings(max_examples=200, deadline=None)
def test_without_alpha_the_estimate_is_the_grids_own(pulls):
    grid = GRIDS[len(pulls)]
    fit, finite = KArms(len(pulls)).fit(), TableFit(grid)
    estimate = fit.estimate(told(fit, fit.start(), pulls))
    expected = finite.estimate(told(finite, finite.start(), pulls))
    assert estimate.tolist() == grid.rho[:, expected].tolist()


@given(states, st.integers(0, 24))
@settings(max_examples=300, deadline=None)
def test_the_index_is_the_largest_mean_in_the_distance_ball(pulls, quarter):
    """On the grid the largest mean inside is the index rounded down to the grid."""
    grid, radius = GRIDS[len(pulls)], quarter / 4
    ball, finite = KArms(len(pulls)).fit().ball(radius), TableFit(grid).ball(radius)
    indices = ball.indices(told(ball, ball.start(), pulls))
    inside = finite.mask(told(finite, finite.start(), pulls))
    largest = np.asarray(grid.rho)[:, inside].max(axis=1)
    assert largest.tolist() == (np.floor(indices * 8 + 1e-9) / 8).tolist()


def test_the_corrected_rule_pulls_the_first_arm_where_the_printed_one_pulls_the_second():
    learner = LeastSquares(KArms(2), alpha=0.75)
    state = learner.init(np.random.default_rng(0))
    state = learner.tell(learner.tell(state, 0, -1.0), 1, 0.05, count=5)
    assert learner.ask(state, np.random.default_rng(0)) == 0


def test_ties_go_to_the_lowest_arm_and_unpulled_arms_come_before_bad_ones():
    learner, rng = LeastSquares(KArms(3), alpha=0.5), np.random.default_rng(0)
    state = learner.init(rng)
    assert learner.ask(state, rng) == 0
    state = learner.tell(state, 0, 0.25)
    assert learner.ask(state, rng) == 1
    state = learner.tell(state, 2, 0.5)
    assert learner.ask(state, rng) == 1  # unpulled counts as alpha exactly: a tie with arm 2
    state = learner.tell(state, 2, 1.0)
    assert learner.ask(state, rng) == 2


def test_the_anytime_intervals_hold_at_all_times():
    """5,000 runs of 300 pulls; more than 5% + 4 standard errors would refute the bound."""
    rng = np.random.default_rng(3)
    counts = np.arange(1, 301)
    averages = (2.0 * rng.integers(0, 2, (5000, 300)) - 1).cumsum(axis=1) / counts
    ball = KArms(1).fit().anytime_ball(delta=0.05, sigma=1.0)
    missed = (counts * averages**2 > arm_radius(counts, n_arms=1, delta=0.05, sigma=1.0)).any(axis=1)
    assert missed.mean() <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 5000)
    assert ball.indices(ball.update(ball.start(), 0, -0.5, 9))[0] == pytest.approx(
        -0.5 + np.sqrt(arm_radius(9, n_arms=1, delta=0.05, sigma=1.0) / 9), abs=1e-12
    )


def test_the_paper_radius_covers_the_cube_by_a_grid():
    radius = KArms(4).fit().paper_ball(delta=0.05, horizon=800).radius
    assert radius == pytest.approx(128 * np.log(2 * 800 * 100**4 / 0.05))


@pytest.mark.parametrize("learner", [lambda p: LeastSquares(p, alpha=0.9), lambda p: Optimistic(p, sigma=0.5)])
def test_the_best_arm_is_found(learner):
    arms = KArms(5, labels=list("abcde"), reward_range=(0, 1))
    runs = simulate(learner(arms), environments.Coin(arms, [0.1, 0.3, 0.9, 0.5, 0.2]), horizon=2000, runs=5, seed=0)
    assert (runs.queries[:, -100:] == 2).mean() > 0.9


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KArms(0), "n_arms must be at least 1, got 0"),
        (lambda: KArms(2, means=(1.0, 0.0)), r"means must be a pair with low < high, got \(1, 0\)"),
        (lambda: KArms(2, means=(0, 1, 2)), r"means must be a pair \(low, high\), got \(0, 1, 2\)"),
        (lambda: KArms(2, means="ab"), "the low end of means must be a number, got 'a'"),
        (lambda: KArms(2, means=None), r"means must be a pair \(low, high\), got None"),
        (lambda: KArms(2, means=(0.0, 2.0)), "the reward range must contain every expected reward"),
        (lambda: KArms(2, labels=["a"]), "the table needs 2 query labels, got 1"),
        (lambda: KArms(2, reward_range=(1, 0)), "reward_range must be a pair with low < high"),
        (lambda: LeastSquares(KArms(2), alpha=1.5), "the best is 1, got 1.5. Lower alpha or use Optimistic"),
        (lambda: environments.Exact(KArms(2), [0.5]), r"a target must be numbers, a vector of 2, got shape"),
        (lambda: environments.Exact(KArms(2), [0.5, 1.5]), r"a target must be a vector of numbers in \[0, 1\]"),
        (
            lambda: environments.Exact(KArms(2), [0.5, np.nan]),
            "a target must be finite numbers, a vector of 2, got nan",
        ),
        (lambda: environments.Exact(KArms(2), "warm"), "a target must be numbers, a vector of 2, got 'warm'"),
    ],
)
def test_what_means_nothing_is_refused(make, message):
    with pytest.raises(InvalidValueError, match=message):
        make()


@pytest.mark.parametrize("reward_range", [(0.0, 1.0), (-1.0, 2.0)], ids=["coins", "Gaussian"])
def test_drawn_means_have_the_posterior_of_a_uniform_prior(reward_range: tuple[float, float]) -> None:
    arms, sigma, rng = KArms(2, reward_range=reward_range), 0.5, np.random.default_rng(0)
    fit = arms.fit()
    state = fit.update(fit.update(fit.start(), 0, 1.0, count=3), 0, 0.0, count=2)
    drawn = np.array([fit.draw(state, sigma, rng) for _ in range(4000)])
    grid = (np.arange(2000) + 0.5) / 2000
    likelihood = grid**3 * (1 - grid) ** 2 if reward_range == (0.0, 1.0) else np.exp(-5 * (grid - 0.6) ** 2 / 0.5)
    cumulative = np.cumsum(likelihood) / likelihood.sum()
    for arm, expected in ((0, cumulative), (1, grid)):
        shares = np.searchsorted(np.sort(drawn[:, arm]), grid) / len(drawn)
        # Dvoretzky-Kiefer-Wolfowitz: a distance of 0.035 has probability below 2 exp(-2 * 4000 * 0.035**2) = 1.2e-4
        assert np.abs(shares - expected).max() < 0.035
