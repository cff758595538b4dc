"""Searches in continuous classes: what they must find, and bounds that must not be broken."""

import math
from functools import partial

import numpy as np
import pytest

from warmer.bounds import linear_dimension_bound, sphere_dimension_bound
from warmer.dimensions import continuous as module
from warmer.dimensions.continuous import search_vectors
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness, VectorWitness
from warmer.model.errors import CertificateError, InvalidValueError
from warmer.problems.extremal import linear_counterexample, linear_geometric


@pytest.mark.parametrize(
    ("n", "epsilon", "expected"),
    [(1, 0.5, 2), (2, 1.25, 5), (2, 4, 2), (2, 7, 1), (3, 8 / 3, 4), (4, 9 / 8, 9)],
)
def test_the_sphere_attains_its_bound_where_that_is_known(n, epsilon, expected):
    bracket = search_vectors("sphere", n, epsilon=epsilon)
    assert bracket.value == expected
    assert bracket.reason == "bounds.sphere_dimension_bound"
    assert bracket.witness.check() >= -1e-9
    assert np.allclose(np.linalg.norm(bracket.witness.parameters, axis=1), 1)


@pytest.mark.parametrize(("epsilon", "expected"), [(0.5, 3), (1.0, 4), (1.2499, 4), (2.0, 4), (3.0, 3), (3.549, 3)])
def test_the_circle_has_the_values_of_its_closed_form(epsilon, expected):
    bracket = search_vectors("sphere", 2, epsilon=epsilon, starts=10)
    assert bracket.lower == expected <= bracket.upper


def test_the_octahedron_is_found():
    assert search_vectors("sphere", 3, epsilon=1.5, starts=3).lower == 6


@pytest.mark.parametrize("n", [2, 3, 6])
def test_the_simplex_is_found_at_its_largest_scale(n):
    epsilon = (1 + 1 / n) / (1 - 1 / math.sqrt(n + 1))
    assert search_vectors("sphere", n, epsilon=epsilon, starts=0).lower == n + 1


def test_the_sphere_keeps_its_bound_below_alpha_one():
    bracket = search_vectors("sphere", 2, alpha=0.5, epsilon=0.7, starts=5)
    assert 3 <= bracket.lower <= bracket.upper == 5
    assert bracket.witness.sequence.alpha == 0.5
    assert search_vectors("sphere", 2, alpha=1.5, epsilon=1).value == 0


def test_linear_classes_break_the_bound_of_the_paper():
    one = search_vectors("ball", 1, alpha=1 / 128, epsilon=3 / 512, starts=0)
    assert one.lower >= 8 > 4 * 1 + 3
    assert one.witness.check() >= 0


def test_linear_classes_at_alpha_one_are_spheres():
    bracket = search_vectors("ball", 2, alpha=1, epsilon=1.25)
    assert bracket.value == 5
    assert (bracket.witness.parameters == bracket.witness.actions).all()


def test_no_known_sequence_exceeds_the_bounds():
    for n in (1, 2, 3):
        extremal = linear_counterexample(n)
        assert extremal.length <= linear_dimension_bound(
            n=n, alpha=float(extremal.alpha), epsilon=float(extremal.epsilon)
        )
    for n, k in ((1, 4), (1, 12), (2, 8), (3, 10), (5, 6)):
        extremal = linear_geometric(n, k)
        assert n * k <= linear_dimension_bound(n=n, alpha=float(extremal.alpha), epsilon=float(extremal.epsilon))
    for n in range(2, 9):
        for epsilon in (0.1, 0.5, 1.0, (1 + 1 / n) / (1 - 1 / math.sqrt(n + 1))):
            assert n + 1 <= sphere_dimension_bound(n=n, epsilon=epsilon) <= 2 * n + 1
    for n in (2, 3, 4):  # the cross-polytope
        assert 2 * n <= sphere_dimension_bound(n=n, epsilon=math.sqrt(n / 2))


def test_the_linear_bound_holds_for_random_determinants():
    """The inequality itself: a bound on the sum of ln(1 + a V^-1 a) for vectors of the unit ball."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        n, length, lam = int(rng.integers(1, 5)), int(rng.integers(2, 40)), float(rng.uniform(0.01, 2))
        inverse_sum, gram = 0.0, lam * np.eye(n)
        for _ in range(length - 1):
            a = rng.normal(size=n)
            a /= max(1.0, np.linalg.norm(a))
            inverse_sum += math.log1p(a @ np.linalg.solve(gram, a))
            gram += np.outer(a, a)
        assert inverse_sum <= n * math.log1p((length - 1) / (n * lam)) + 1e-9


def test_bounds_at_the_edges():
    assert linear_dimension_bound(n=3, alpha=1, epsilon=0.5) == 7
    assert linear_dimension_bound(n=3, alpha=0.5, epsilon=6) == 1
    assert linear_dimension_bound(n=3, alpha=2, epsilon=1) == 0
    assert sphere_dimension_bound(n=3, alpha=1.1, epsilon=1) == 0
    assert search_vectors("ball", 2, alpha=1.5, epsilon=1).reason == "no alternative reaches alpha"
    values = [linear_dimension_bound(n=2, alpha=0.5, epsilon=epsilon) for epsilon in (1e-6, 1e-4, 1e-2, 0.5)]
    assert values == sorted(values, reverse=True)


def test_a_larger_scale_than_two_products_allow_leaves_one():
    bracket = search_vectors("ball", 2, alpha=0.5, epsilon=6)
    assert bracket.value == len(bracket.witness) == 1
    assert bracket.witness.problem.n_targets == 1


def test_the_same_seed_gives_the_same_vectors():
    first, second = (search_vectors("ball", 2, alpha=0.5, epsilon=0.3, starts=4, seed=3) for _ in range(2))
    assert (first.witness.parameters == second.witness.parameters).all()
    assert first.lower == second.lower >= 5


def test_wrong_vectors_name_what_fails():
    unit = np.eye(2)
    sequence = DissimilarityWitness((0, 1), (0, 1), center=0.0, alpha=1.0, epsilon=1.0)
    assert VectorWitness(unit, unit, sequence).check() == pytest.approx(1 / math.sqrt(2))
    with pytest.raises(CertificateError, match=r"parameter number 1 has length 2, above 1"):
        VectorWitness(unit * [[1], [2]], unit, sequence).check()
    with pytest.raises(CertificateError, match=r"action number 0 has length 1.5, above 1"):
        VectorWitness(unit, unit * [[1.5], [1]], sequence).check()
    with pytest.raises(CertificateError, match="must earn at least alpha"):
        VectorWitness(unit, unit[::-1], sequence).check()


def test_parameters_that_mean_nothing_are_refused():
    for call in (partial(search_vectors, "sphere"), sphere_dimension_bound):
        with pytest.raises(InvalidValueError, match="epsilon must be greater than 0"):
            call(n=2, epsilon=0)
        with pytest.raises(InvalidValueError, match="n must be at least 1"):
            call(n=0, epsilon=1)
    with pytest.raises(InvalidValueError, match="alpha must be a finite number"):
        search_vectors("ball", 2, alpha=float("nan"), epsilon=1)
    with pytest.raises(InvalidValueError, match="starts must be at least 0"):
        search_vectors("sphere", 2, epsilon=1, starts=-1)
    with pytest.raises(InvalidValueError, match="time_limit must be"):
        search_vectors("sphere", 2, epsilon=1, time_limit=0)


def test_a_time_limit_and_an_interrupt_keep_what_was_found(monkeypatch):
    limited = search_vectors("sphere", 5, epsilon=1.0, time_limit=1e-9)
    assert (limited.lower, limited.reason) == (1, "time limit; upper bound: bounds.sphere_dimension_bound")

    def interrupt(lower, upper):
        assert upper == 11
        if lower == 4:
            raise KeyboardInterrupt

    stopped = search_vectors("sphere", 5, epsilon=1.0, progress=interrupt)
    assert (stopped.lower, stopped.reason) == (4, "interrupted; upper bound: bounds.sphere_dimension_bound")
    monkeypatch.setattr(module, "_POLISHED", 0)
    assert search_vectors("sphere", 2, epsilon=1.2, starts=2).lower == 4


@pytest.mark.parametrize("on_sphere", [True, False])
def test_the_values_of_the_descent_are_those_of_the_definition_and_their_slopes_are_right(on_sphere):
    rng = np.random.default_rng(1)
    for _ in range(20):
        length, n = int(rng.integers(2, 6)), int(rng.integers(1, 4))
        shape = module.Shape(n, float(rng.uniform(0, 1)), float(rng.uniform(0.1, 1)), on_sphere)
        unknowns, center = rng.normal(size=(1 if on_sphere else 2) * length * n), float(rng.normal())
        plain = plain_values(shape, unknowns.reshape(-1, n), length, center)
        assert module._values(shape, length, unknowns, center) == pytest.approx(plain)
        slopes = module._slopes(shape, length, unknowns)
        for k, step in enumerate(1e-6 * np.eye(unknowns.size)):
            ends = (module._values(shape, length, unknowns + sign * step, center) for sign in (1, -1))
            assert np.subtract(*ends) / 2e-6 == pytest.approx(slopes[:, k], rel=1e-3, abs=1e-3)


def plain_values(shape, vectors, length, center):
    sizes = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors / (sizes if shape.on_sphere else np.maximum(1, sizes))
    parameters, actions = (vectors, vectors) if shape.on_sphere else (vectors[:length], vectors[length:])
    forward = [actions[i] @ parameters[j] - center for i in range(length) for j in range(i + 1, length)]
    own = [actions[i] @ parameters[i] - shape.alpha for i in range(length)]
    return np.array(forward + own) / shape.epsilon
