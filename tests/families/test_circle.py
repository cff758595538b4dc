"""The circle: trigonometric polynomials, ReLU bandits in the plane, and the separation class."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from tests.families.reference import best_feasible
from warmer import HypothesisError, InvalidValueError, LeastSquares, Optimistic, environments, problems, simulate
from warmer.estimation import TableFit
from warmer.families import ReLU, Separation, SeparationTarget
from warmer.families.solvers.circle import least_on_arcs, square_terms, values
from warmer.families.solvers.gauss_newton import loss

FINE = np.linspace(0, 2 * np.pi, 20_001)


def told(fit, state, answers):
    for query, reward, count in answers:
        state = fit.update(state, np.asarray(query), reward, count)
    return state


@pytest.mark.parametrize("seed", range(30))
def test_the_least_value_on_an_arc_is_that_of_a_fine_grid(seed):
    rng = np.random.default_rng(seed)
    coefficients = rng.standard_normal((1, 5)) * [1, 1, 1, rng.integers(2), rng.integers(2)]
    start = rng.uniform(0, 6)
    end = start + rng.uniform(0.01, 2 * np.pi)
    angle, least = least_on_arcs(coefficients, np.array([start]), np.array([end]))
    grid = values(coefficients, np.linspace(start, end, 20_001)[None])
    assert start <= angle <= end
    assert least == pytest.approx(values(coefficients, np.array([[angle]]))[0, 0])
    assert grid.min() - 1e-6 <= least <= grid.min() + 1e-12


def test_squares_are_polynomials():
    terms = square_terms([0.3, 2.0], lengths=[1.0, 0.5], levels=[0.2, -0.4], counts=[3, 1])
    direct = 3 * (np.cos(FINE - 0.3) - 0.2) ** 2 + (0.5 * np.cos(FINE - 2.0) + 0.4) ** 2
    assert values(terms.sum(axis=0, keepdims=True), FINE[None])[0] == pytest.approx(direct)


@pytest.mark.parametrize("bias", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("n_answers", [0, 1, 5, 30])
def test_in_the_plane_the_relu_fit_is_exact(bias, n_answers):
    rng = np.random.default_rng(n_answers)
    fit = ReLU(2, bias).fit()
    for _ in range(5):
        angles, lengths = rng.uniform(0, 2 * np.pi, n_answers), rng.uniform(0.2, 1, n_answers)
        queries = lengths[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        answers = [(q, rng.uniform(-0.2, 1), int(rng.integers(1, 4))) for q in queries]
        state = told(fit, fit.start(alpha=1 - bias), answers)
        estimate, observed = fit.estimate(state), state.tally.observed(fit.family.n)
        assert np.linalg.norm(estimate) == pytest.approx(1)
        grid = np.stack([np.cos(FINE), np.sin(FINE)], axis=1)
        residuals = fit.response(grid @ observed.points.T)[0] - observed.means
        assert loss(estimate, observed, fit.response) <= ((residuals**2) @ observed.counts).min() + 1e-9


@pytest.mark.parametrize(("n", "bias", "alpha"), [(2, 0.2, None), (2, 0.2, 0.3), (3, 0.3, 0.7), (4, 0.1, 0.2)])
def test_no_better_relu_is_found(n, bias, alpha):
    rng = np.random.default_rng(n)
    fit = ReLU(n, bias).fit()
    theta = rng.standard_normal(n)
    theta /= np.linalg.norm(theta)
    for n_answers in (1, 6, 30):
        queries = rng.standard_normal((n_answers, n))
        queries /= np.linalg.norm(queries, axis=1, keepdims=True)
        answers = [(q, max(q @ theta - bias, 0) + rng.uniform(-0.2, 0.2), 1) for q in queries]
        state = told(fit, fit.start(alpha), answers)
        estimate, observed = fit.estimate(state), state.tally.observed(fit.family.n)
        inner = 0.0 if alpha is None else alpha + bias
        assert inner - 1e-9 <= np.linalg.norm(estimate) <= 1 + 1e-9

        def target(x, observed=observed):
            return loss(x, observed, fit.response)

        best = best_feasible(
            target, n, [lambda x: 1 - x @ x, lambda x, inner=inner: x @ x - inner**2], rng, n_starts=30
        )
        assert target(estimate) <= best + 1e-8


def test_the_longest_relu_in_the_ball_is_inside_it():
    rng = np.random.default_rng(2)
    fit = ReLU(3, 0.2).fit()
    queries = rng.standard_normal((40, 3))
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    truth = np.array([0.6, 0.0, 0.0])
    answers = [(q, max(q @ truth - 0.2, 0), 1) for q in queries]
    lengths = []
    for radius in (0.0, 0.01, 0.1, 10.0):
        ball = fit.ball(radius)
        state = told(ball, ball.start(), answers)
        found, observed = ball.most_optimistic(state), state.tally.observed(fit.family.n)
        gaps = fit.response(observed.points @ found)[0] - fit.response(observed.points @ fit.estimate(state))[0]
        assert gaps @ gaps <= radius + 1e-12
        lengths.append(np.linalg.norm(found))
    assert lengths == sorted(lengths)
    assert lengths[0] == pytest.approx(0.6, abs=1e-3)
    assert lengths[-1] == pytest.approx(1.0)


def test_relu_in_the_plane_is_found_by_exact_answers():
    family = ReLU(2, 0.5)
    target = np.array([np.cos(4.0), np.sin(4.0)])
    runs = simulate(LeastSquares(family, alpha=0.5), environments.Exact(family, target), horizon=30, seed=0)
    assert runs.means[0, -1] == pytest.approx(0.5, abs=1e-9)
    runs = simulate(Optimistic(family, 1e-6), environments.Exact(family, target), horizon=30, seed=0)
    assert runs.means[0, -1] == pytest.approx(0.5, abs=1e-2)


def separation_loss(family, answers, target):
    return sum(n * (float(family.evaluate(np.asarray(q), target)) - r) ** 2 for q, r, n in answers)


@pytest.mark.parametrize("n_bumps", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_the_separation_fit_is_the_best_of_all_functions_on_a_fine_grid(n_bumps, seed):
    """Reference: every semicircle, every angle of a grid, every choice of bumps among the answered angles."""
    rng = np.random.default_rng(seed)
    family = Separation(n_bumps, epsilon=0.25)
    places = rng.uniform(0, 2 * np.pi, 5)
    answers = [([rng.choice(places)], rng.uniform(-1, 1), int(rng.integers(1, 4))) for _ in range(8)]
    fit = family.fit()
    estimate = fit.estimate(told(fit, fit.start(1.0), answers))
    found = separation_loss(family, answers, family.targets.position(estimate))
    best = np.inf
    for j in (0, 1):
        arc = np.linspace(np.pi / 2, 3 * np.pi / 2, 401) if j == 0 else np.linspace(np.pi, 2 * np.pi - 1e-12, 401)
        inside = [q for q in places if np.cos(q if j == 0 else q - np.pi / 2) > 0]
        outside = [(q, r, n) for q, r, n in answers if q[0] not in inside]
        linear = min(sum(n * (np.cos(q[0] - v) - r) ** 2 for q, r, n in outside) for v in arc)
        for size in range(min(n_bumps, len(inside)) + 1):
            for chosen in combinations(inside, size):
                for signs in product((-0.25, 0.25), repeat=size):
                    bumps = dict(zip(chosen, signs, strict=True))
                    odd = sum(n * (bumps.get(q[0], 0.0) - r) ** 2 for q, r, n in answers if q[0] in inside)
                    best = min(best, linear + odd)
    assert found <= best + 1e-9
    assert found >= best - 1e-3


def test_exact_answers_find_the_best_angle_whatever_the_number_of_bumps():
    regrets = []
    for n_bumps in (1, 4, 16):
        family = Separation(n_bumps, epsilon=0.25)
        bumps = tuple((float(a), 1.0) for a in np.linspace(0.1, 3.0, n_bumps))
        environment = environments.Exact(family, SeparationTarget(1, 4.0, bumps))
        runs = simulate(LeastSquares(family, alpha=1.0), environment, horizon=40, seed=0)
        assert runs.means[0, -1] == pytest.approx(1.0, abs=1e-9)
        regrets.append(float(runs.regret(1.0)[0]))
    assert max(regrets) <= 1 + 8 * 10**1.5  # 1 + 8 d^1.5 with a monotone dimension of at most 2 * 5, for every N


def test_on_the_grid_the_continuous_class_fits_no_worse():
    grid = problems.separation(1, n_points=12)
    finite, family = TableFit(grid), Separation(1, epsilon=0.25)
    fit, rng = family.fit(), np.random.default_rng(0)
    points = [[float(Fraction(part)) for part in name.strip("()").split(", ")] for name in grid.queries]
    angles = [float(np.arctan2(y, x) % (2 * np.pi)) for x, y in points]
    answers = [(int(rng.integers(12)), rng.uniform(-1, 1)) for _ in range(15)]
    losses, state = finite.start(), fit.start()
    for query, reward in answers:
        losses = finite.update(losses, query, reward)
        state = fit.update(state, np.array([angles[query]]), reward)
    best = sum((grid.rho[q, losses.best] - r) ** 2 for q, r in answers)
    assert separation_loss(family, [([angles[q]], r, 1) for q, r in answers], fit.estimate(state)) <= best + 1e-9


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ReLU(2, 1.0), r"bias must lie in \[0, 1\), got 1"),
        (lambda: LeastSquares(ReLU(2, 0.5), alpha=0.6), "the best is 0.5, got 0.6"),
        (lambda: Separation(0), "n_bumps must be at least 1"),
        (lambda: Separation(1, epsilon=0.0), r"epsilon must lie in \(0, 1\]"),
        (lambda: environments.Exact(Separation(1), "east"), "a target must be a SeparationTarget"),
        (lambda: environments.Exact(Separation(1), SeparationTarget(0, 0.0, ((0.1, 1),))), "an angle outside it"),
        (
            lambda: environments.Exact(Separation(1), SeparationTarget(0, 3.0, ())),
            "a target needs 1 bumps at distinct angles",
        ),
        (
            lambda: environments.Exact(Separation(1), SeparationTarget(0, 3.0, ((2.0, 1),))),
            "a target needs 1 bumps at distinct angles",
        ),
        (lambda: Separation(1).queries.position("east"), "an angle must be a number, got 'east'"),
    ],
)
def test_what_means_nothing_is_refused(make, message):
    with pytest.raises(InvalidValueError, match=message):
        make()


def test_the_separation_class_has_no_paper_radius():
    with pytest.raises(HypothesisError, match="need a finite cover"):
        Optimistic(Separation(1), "paper", horizon=10)
