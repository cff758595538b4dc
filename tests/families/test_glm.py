"""Generalised linear bandits: nothing better is found, and the ellipsoids contain what they say."""

import numpy as np
import pytest

from tests.families.reference import best_feasible
from warmer import InvalidValueError, LeastSquares, Optimistic, environments, simulate
from warmer.bounds.radii import smooth_radius
from warmer.families import GLM, Link, logistic, probit
from warmer.families.solvers.answers import Observed
from warmer.families.solvers.gauss_newton import HalfBalls, least_losses, losses

identity = Link(lambda x: x, np.ones_like, slopes=(1.0, 1.0))


def random_bandit(rng, n_actions, n, link, norm, lengths=(1, 1)):
    actions = rng.standard_normal((n_actions, n))
    scaled = rng.uniform(*lengths, (n_actions, 1)) * actions
    return GLM(scaled / np.linalg.norm(actions, axis=1, keepdims=True), link, norm)


def told(fit_or_ball, state, answers):
    for answer in answers:
        state = fit_or_ball.update(state, *answer)
    return state


def answers_of(rng, bandit, theta, n_answers):
    means = bandit.evaluate(slice(None), theta)
    chosen = rng.integers(len(means), size=n_answers)
    return [(int(a), float(rng.random() < means[a]), int(rng.integers(1, 4))) for a in chosen]


@pytest.mark.parametrize(
    ("link", "norm", "share", "lengths"),
    [
        (logistic, 1.0, None, (1, 1)),
        (logistic, 4.0, 0.8, (1, 1)),
        (probit, 2.0, 0.9, (1, 1)),
        (logistic, 8.0, None, (1, 1)),
        (logistic, 3.0, 0.4, (0.3, 3)),
        (probit, 8.0, 0.7, (0.3, 2)),
    ],
)
def test_no_better_parameter_is_found(link, norm, share, lengths):
    """Every answer is 0 or 1; the reference holds each action that can at the level, in turn."""
    rng = np.random.default_rng(0)
    for n_answers in (0, 2, 8, 60):
        bandit = random_bandit(rng, 6, 3, link, norm, lengths=lengths)
        fit = bandit.fit()
        alpha = None if share is None else share * link.value(norm)
        theta = rng.standard_normal(3)
        answers = answers_of(rng, bandit, norm * theta / np.linalg.norm(theta), n_answers)
        estimate = fit.estimate(told(fit, fit.start(alpha), answers))
        assert np.linalg.norm(estimate) <= norm * (1 + 1e-9)
        if alpha is not None:
            assert bandit.evaluate(slice(None), estimate).max() >= alpha - 1e-9
        assert loss_of(bandit, answers)(estimate) <= best_reaching(bandit, alpha, answers, rng) + 1e-6


def loss_of(bandit, answers):
    def loss(x):
        values = bandit.link.function(bandit.linear.matrix @ x)
        return sum(count * (values[action] - reward) ** 2 for action, reward, count in answers)

    return loss


def best_reaching(bandit, alpha, answers, rng):
    matrix, norm = bandit.linear.matrix, bandit.norm
    level = None if alpha is None else bandit.link.preimage(alpha, bandit.reach)
    planes = [None] if level is None else matrix[level <= norm * np.linalg.norm(matrix, axis=1)]
    ball = [lambda x: norm**2 - x @ x]
    return min(
        best_feasible(
            loss_of(bandit, answers),
            matrix.shape[1],
            ball + ([] if a is None else [lambda x, a=a: x @ a - level]),
            rng,
            n_starts=6,
            size=norm,
        )
        for a in planes
    )


def test_a_step_does_not_jump_to_another_action():
    """Once the fit stopped at [1.548, -0.299, -0.059], where a step to the other action looked better and was not."""
    bandit = GLM([[-2.6, 0.4, -0.6], [-0.5, -0.2, -2.0]], logistic, norm=3.0)
    answers = [(1, 0.0)] * 4 + [(0, 0.0), (1, 1.0), (0, 0.0), (1, 0.0), (0, 0.0), (1, 0.0)]
    fit = bandit.fit()
    estimate = fit.estimate(told(fit, fit.start(0.355), answers))
    assert estimate == pytest.approx([2.9156, -0.6018, -0.3702], abs=1e-3)
    assert loss_of(bandit, [(*answer, 1) for answer in answers])(estimate) == pytest.approx(1.17218, abs=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_no_half_ball_holds_a_loss_below_its_bound(seed):
    rng = np.random.default_rng(seed)
    bandit = random_bandit(rng, 5, 3, logistic, 3.0, lengths=(0.3, 3))
    observed = Observed(bandit.linear.matrix[:4], rng.integers(1, 4, 4).astype(float), rng.uniform(-0.2, 1.2, 4))
    level = rng.uniform(-1, 0.8) * bandit.reach
    thetas = rng.standard_normal((4000, 3))
    thetas *= rng.uniform(0, 3, (4000, 1)) / np.linalg.norm(thetas, axis=1, keepdims=True)
    normals = bandit.linear.matrix[level <= 3 * bandit.linear.lengths]

    def response(inner):
        return logistic.function(inner), logistic.derivative(inner)

    values = losses(thetas, observed, response)
    bounds = least_losses(HalfBalls(normals, level, 3.0), observed, response)
    for normal, bound in zip(normals, bounds, strict=True):
        assert values[thetas @ normal >= level].min(initial=np.inf) >= bound - 1e-12
    assert least_losses(HalfBalls(np.eye(1, 3), -np.inf, 3.0), observed, response)[0] <= values.min()


def test_the_identity_link_is_the_linear_class():
    rng = np.random.default_rng(4)
    actions = rng.standard_normal((7, 3))
    actions /= np.linalg.norm(actions, axis=1, keepdims=True)
    bandit = GLM(actions, identity, reward_range=(-1, 1))
    fit, linear = bandit.fit(), bandit.linear.fit()
    for alpha in (None, 0.7):
        answers = [(int(rng.integers(7)), rng.uniform(-1, 1), 2) for _ in range(12)]
        expected = linear.estimate(told(linear, linear.start(alpha), answers))
        assert fit.estimate(told(fit, fit.start(alpha), answers)) == pytest.approx(expected, abs=1e-5)


def test_the_ellipsoids_contain_the_distance_ball():
    rng = np.random.default_rng(1)
    bandit = random_bandit(rng, 8, 2, logistic, 2.0)
    fit = bandit.fit()
    radius = 0.3
    ball = fit.paper_ball(delta=0.1, horizon=50)
    answers = answers_of(rng, bandit, np.array([1.0, 1.0]), 30)
    state = told(fit, fit.start(), answers)
    center = fit.estimate(state)
    size = radius / bandit.slopes[0] ** 2 + 4 * bandit.ridge * bandit.norm**2
    matrix = np.eye(2) + sum(c * np.outer(bandit.linear.matrix[a], bandit.linear.matrix[a]) for a, _, c in answers)
    for theta in rng.uniform(-2, 2, (2000, 2)):
        gaps = bandit.evaluate(slice(None), theta) - bandit.evaluate(slice(None), center)
        if np.linalg.norm(theta) <= 2 and state.tally.counts @ gaps**2 <= radius:
            assert (theta - center) @ matrix @ (theta - center) <= size
    assert ball.ellipsoid.radius.at(0, 0.0) > size


def test_the_smooth_radius_covers_the_truth():
    """300 runs; more than 5% + 4 standard errors of failures would refute the bound (it is far from tight)."""
    missed = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        bandit = random_bandit(rng, 10, 2, logistic, 2.0)
        theta = rng.standard_normal(2)
        theta *= 2 / np.linalg.norm(theta)
        fit = bandit.fit()
        state = fit.start()
        for t in range(1, 31):
            state = told(fit, state, answers_of(rng, bandit, theta, 1))
            n_answers = int(state.tally.counts.sum())
            if t % 10 == 0:
                gaps = bandit.evaluate(slice(None), fit.estimate(state)) - bandit.evaluate(slice(None), theta)
                missed += state.tally.counts @ gaps**2 > smooth_radius(
                    n_answers=n_answers,
                    loss=float(n_answers),
                    dimension=2,
                    lipschitz=0.25,
                    norm=2.0,
                    delta=0.05,
                    sigma=0.5,
                )
    assert missed / 300 <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize("maker", [lambda b, a: LeastSquares(b, alpha=a), lambda b, a: Optimistic(b, 0.05)])
def test_the_best_action_is_found(maker):
    rng = np.random.default_rng(3)
    bandit = random_bandit(rng, 12, 2, logistic, 3.0)
    theta = np.array([1.8, 2.4])
    best = float(bandit.evaluate(slice(None), theta).max())
    runs = simulate(maker(bandit, best), environments.Coin(bandit, theta), horizon=150, runs=2, seed=0)
    assert best - runs.means[:, -50:].mean() < 0.1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: GLM([[1.0]], Link(np.cos, lambda x: -np.sin(x))),
            "a link must increase with slopes between its bounds",
        ),
        (
            lambda: GLM([[1.0]], Link(np.tanh, lambda x: 1 - np.tanh(x) ** 2)),
            "reward range must contain every expected",
        ),
        (
            lambda: GLM([[1.0]], Link(np.exp, np.exp, slopes=(0.5, 2.0))),
            r"they are \(0.5, 2\), and on \[-1, 1\] the slope",
        ),
        (
            lambda: GLM([[1.0, 0.0], [0.0]], logistic),
            r"numbers in rows of the same length, got \[\[1.0, 0.0\], \[",
        ),
        (lambda: GLM("ab", logistic), "actions must be numbers in rows of the same length, got 'ab'"),
        (lambda: GLM(None, logistic), r"actions must be numbers in rows of the same length, got None"),
        (
            lambda: GLM([[1.0], [np.nan]], logistic),
            r"actions must be finite numbers in rows of the same length, got nan in row 1",
        ),
        (lambda: GLM([[1.0]], logistic, norm="a"), "norm must be a number, got 'a'"),
        (lambda: GLM([[1.0]], logistic, norm=-1), "norm must be greater than 0, got -1"),
        (lambda: GLM([[1.0]], None), "link must be logistic, probit or a Link of your own, got None"),
        (
            lambda: GLM([[1.0]], Link(lambda x: -5 * x, np.ones_like, slopes=(1, 1))),
            "x = -0.99 it goes from 5 to 4.95",
        ),
        (lambda: GLM([[1.0]], Link(np.zeros_like, np.ones_like, slopes=(1, 1))), "it goes from 0 to 0"),
        (
            lambda: GLM([[1.0]], Link(lambda x: np.where(abs(x) < 0.5, np.nan, x), np.ones_like, slopes=(1, 1))),
            "a link's function at 201 numbers must be finite numbers, a vector of 201, got nan",
        ),
        (lambda: GLM([[1.0]], Link(lambda x: None, np.ones_like)), "at 201 numbers must be numbers, .* got None"),
        (lambda: GLM([[1.0]], Link(lambda x: "high", np.ones_like)), "at 201 numbers must be numbers, .* got 'high'"),
        (
            lambda: GLM([[1.0]], Link(np.tanh, lambda x: 1.0)),
            r"must be numbers, a vector of 201, got shape \(\)",
        ),
        (lambda: Link(np.tanh, np.ones_like, slopes=1.0), r"slopes must be numbers, a vector of 2, got shape \(\)"),
        (
            lambda: Link(np.tanh, np.ones_like, slopes=(1, 2, 3)),
            r"must be numbers, a vector of 2, got shape \(3,\)",
        ),
        (lambda: Link(np.tanh, np.ones_like, slopes="12"), r"slopes must be numbers, a vector of 2, got '12'"),
        (lambda: Link(np.tanh, np.ones_like, slopes=(0, 1)), r"with 0 < low <= high, got \(0, 1\)"),
        (
            lambda: Optimistic(GLM([[1.0]], probit, norm=30.0)),
            "its slope falls to 1.47365e-196",
        ),
        (lambda: GLM([[10**400]], logistic), "actions must be numbers in rows of the same length, got"),
        (lambda: Link(np.tanh, None), "a link's derivative must be a function on arrays, got None"),
        (lambda: LeastSquares(GLM([[1.0]], logistic), alpha=0.9), "the best is 0.731059, got 0.9"),
    ],
)
def test_what_means_nothing_is_refused(make, message):
    with pytest.raises(InvalidValueError, match=message):
        make()
