"""Linear bandits with finitely many actions: exact fits, and ellipsoids that match their definition."""

import numpy as np
import pytest

from tests.families.reference import best_feasible, quadratic_loss
from warmer import InvalidValueError, LeastSquares, Optimistic, environments, simulate
from warmer.families import Linear
from warmer.families.kernels import quadratic


def random_bandit(rng, n_actions, n, **options):
    actions = rng.standard_normal((n_actions, n))
    actions /= np.linalg.norm(actions, axis=1, keepdims=True)
    return Linear(actions * rng.uniform(0.5, 1, (n_actions, 1)), **options)


def random_answers(rng, n_actions, n_answers):
    return [(int(rng.integers(n_actions)), rng.uniform(-1, 1), int(rng.integers(1, 5))) for _ in range(n_answers)]


def told(fit_or_ball, state, answers):
    for answer in answers:
        state = fit_or_ball.update(state, *answer)
    return state


@pytest.mark.parametrize(
    ("n_actions", "n", "share"), [(1, 1, 0.5), (6, 2, 0.9), (8, 3, 0.5), (5, 4, 0.99), (8, 3, -0.2)]
)
def test_no_better_parameter_is_found(n_actions, n, share):
    rng = np.random.default_rng(n_actions)
    for n_answers in [0, 1, n, 5 * n]:
        bandit = random_bandit(rng, n_actions, n)
        alpha, fit = share * bandit.longest_action, bandit.fit()
        state = told(fit, fit.start(alpha), random_answers(rng, n_actions, n_answers))
        estimate = fit.estimate(state)
        assert np.linalg.norm(estimate) <= 1 + 1e-9
        assert (bandit.matrix @ estimate).max() >= alpha - 1e-9

        def loss(theta, state=state):
            return quadratic_loss(state.gram, state.sums, theta)

        best = min(
            best_feasible(loss, n, [lambda x: 1 - x @ x, lambda x, a=a, alpha=alpha: x @ a - alpha], rng, n_starts=3)
            for a in bandit.matrix
        )
        assert loss(estimate) <= best + 1e-7


def test_the_lower_bounds_prune_almost_every_action_and_never_the_best():
    rng = np.random.default_rng(5)
    bandit = random_bandit(rng, 300, 5)
    fit, level, solved = bandit.fit(), 0.95, []
    for n_answers in (3, 30, 300):
        gram, sums, *_ = told(fit, fit.start(), random_answers(rng, 300, n_answers))
        point, n_solved = quadratic.minimum(bandit.columns, bandit.lengths, gram, sums, level, 1.0)
        each = [
            quadratic_loss(gram, sums, quadratic.on_plane(gram, sums, action, level, 1.0))
            for action in bandit.matrix
            if level <= np.linalg.norm(action)
        ]
        assert quadratic_loss(gram, sums, point) == pytest.approx(min(each), abs=1e-9)
        assert (bandit.matrix @ point).max() == pytest.approx(level)
        solved.append(n_solved)
    assert 0 < max(solved) < 60


def test_without_alpha_it_is_least_squares_in_the_ball():
    bandit = Linear([[1.0, 0.0], [0.0, 1.0]])
    fit = bandit.fit()
    assert fit.estimate(told(fit, fit.start(), [(0, 0.5, 1), (1, -0.25, 3)])) == pytest.approx([0.5, -0.25])
    assert fit.estimate(told(fit, fit.start(), [(0, 1.0, 1), (1, 1.0, 1)])) == pytest.approx([np.sqrt(0.5)] * 2)


@pytest.mark.parametrize("radius", [0.0, 1.0, "anytime", "paper"])
def test_the_index_is_the_largest_value_over_the_ellipsoid(radius):
    rng = np.random.default_rng(2)
    bandit = random_bandit(rng, 40, 3, ridge=0.5)
    fit = bandit.fit()
    ball = {
        "anytime": lambda: fit.anytime_ball(delta=0.05, sigma=0.5),
        "paper": lambda: fit.paper_ball(delta=0.05, horizon=100),
    }.get(radius, lambda: fit.ball(radius))()
    answers = random_answers(rng, 40, 60)
    state = told(ball, ball.start(), answers)
    matrix = 0.5 * np.eye(3) + sum(c * np.outer(bandit.matrix[q], bandit.matrix[q]) for q, _, c in answers)
    sums = sum(c * r * bandit.matrix[q] for q, r, c in answers)
    if radius == "paper":
        center, size = fit.estimate(told(fit, fit.start(), answers)), ball.ellipsoid.radius.radius
    else:
        center, size = np.linalg.solve(matrix, sums), ball.radius.at(0, np.linalg.slogdet(matrix / 0.5)[1])
    widths = np.einsum("ki,ij,kj->k", bandit.matrix, np.linalg.inv(matrix), bandit.matrix)
    indices = bandit.matrix @ center + np.sqrt(size * widths)
    found = ball.most_optimistic(state)
    assert fit.family.best_query(found) == indices.argmax()
    assert (bandit.matrix @ found).max() == pytest.approx(indices.max())
    assert (found - center) @ matrix @ (found - center) == pytest.approx(size, rel=1e-9, abs=1e-12)


def test_a_radius_of_one_is_linucb_round_by_round():
    rng = np.random.default_rng(6)
    bandit = random_bandit(rng, 60, 4)
    learner, inverse, sums = Optimistic(bandit, 1.0), np.eye(4), np.zeros(4)
    state = learner.init(rng)
    for _ in range(1500):
        spread = np.einsum("ki,ij,kj->k", bandit.matrix, inverse, bandit.matrix)
        query = learner.ask(state, rng)
        assert query == (bandit.matrix @ (inverse @ sums) + np.sqrt(spread)).argmax()
        reward = rng.uniform(-0.3, 0.3) + bandit.matrix[query] @ [0.5, 0.5, 0.0, 0.0]
        state = learner.tell(state, query, reward)
        inverse = np.linalg.inv(np.linalg.inv(inverse) + np.outer(bandit.matrix[query], bandit.matrix[query]))
        sums = sums + reward * bandit.matrix[query]


def test_rank_one_updates_stay_with_the_factorisation_from_scratch():
    rng = np.random.default_rng(8)
    bandit = random_bandit(rng, 30, 4)
    ball = bandit.fit().ball(1.0)
    state = told(ball, ball.start(), random_answers(rng, 30, 2500))
    assert state.age < 1000
    assert state.inverse == pytest.approx(np.linalg.inv(state.matrix), rel=1e-9, abs=1e-14)
    assert state.center == pytest.approx(np.linalg.solve(state.matrix, state.sums), rel=1e-9)
    assert state.means == pytest.approx(bandit.matrix @ state.center, rel=1e-9, abs=1e-12)
    assert state.log_det_ratio == pytest.approx(np.linalg.slogdet(state.matrix)[1], rel=1e-9)


@pytest.mark.parametrize(
    "learner",
    [lambda b, a: LeastSquares(b, alpha=a), lambda b, a: Optimistic(b, 1.0), lambda b, a: Optimistic(b, sigma=0.3)],
)
def test_the_best_action_is_found(learner):
    rng = np.random.default_rng(1)
    bandit = random_bandit(rng, 50, 3)
    theta = np.array([0.6, 0.0, 0.8])
    best = float((bandit.matrix @ theta).max())
    runs = simulate(learner(bandit, best), environments.UniformNoise(bandit, theta), horizon=600, runs=4, seed=0)
    late = np.asarray(runs.means)[:, -100:]
    assert (best - late).mean() < 0.05


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Linear([[2.0, 0.0]]),
            r"expected reward; those of this class run from -2 to 2, the range from -1 to 1",
        ),
        (
            lambda: Linear([1.0, 0.0]),
            r"actions must be numbers in rows of the same length, at least one, got shape \(2,\)",
        ),
        (lambda: Linear([[1.0], [1.0, 0.0]]), r"in rows of the same length, got \[\[1.0\], \[1.0, 0.0\]\]"),
        (
            lambda: Linear([[1.0], [np.nan]]),
            r"actions must be finite numbers in rows of the same length, got nan in row 1",
        ),
        (lambda: Linear([[0.0]]), "some action must differ from 0"),
        (lambda: Linear([[1.0]], norm=0), "norm must be greater than 0"),
        (lambda: Linear([[1.0]], ridge=-1), "ridge must be greater than 0"),
        (lambda: Linear([[1.0]], labels=["a", "b"]), "the table needs 1 query labels, got 2"),
        (lambda: LeastSquares(Linear([[0.5]]), alpha=0.6), "the best is 0.5, got 0.6. Lower alpha or use Optimistic"),
        (lambda: environments.Exact(Linear([[1.0]]), [1.5]), "a target must be a vector no longer than 1, got one of"),
    ],
)
def test_what_means_nothing_is_refused(make, message):
    with pytest.raises(InvalidValueError, match=message):
        make()
