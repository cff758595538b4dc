"""Lower bounds for statistical queries, and the lemmas of the appendix."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warmer import HypothesisError, bounds


@given(st.integers(11, 10**9))
def test_the_printed_lower_bound_is_rounded_exactly(size):
    m = bounds.statistical_queries.sq_lower_bound(strong_sq=size)
    assert (12 * m) ** 3 > size >= (12 * (m - 1)) ** 3


@given(st.integers(16, 10**9))
def test_the_three_lower_bounds_are_in_order(size):
    sharper = bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=size)
    cube = bounds.statistical_queries.cube_root_sq_lower_bound(strong_sq=size)
    assert bounds.statistical_queries.sq_lower_bound(strong_sq=size) <= cube <= sharper
    assert 27 * cube**3 > 4 * size >= 27 * (cube - 1) ** 3


@given(st.integers(3, 10**9))
def test_the_sharper_lower_bound_is_the_least_number_that_its_formula_allows(size):
    m = bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=size)
    square = 4 * (Fraction(2, 3) - Fraction(1, size)) ** 2 * size / (Fraction(3, 2) + Fraction(1, size - 1))
    assert m**2 >= square > (m - 1) ** 2


def test_the_eigenvalue_of_the_sharper_lower_bound_is_a_bound():
    """Random Gram matrices with correlations within 1/s of each other: the centred one is at most 3/2 + 1/(s-1)."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        size = int(rng.integers(3, 12))
        middle = rng.uniform(-1 / (size - 1), 1)
        noise = np.triu(rng.uniform(-0.5 / size, 0.5 / size, (size, size)), 1)
        gram = middle + noise + noise.T
        np.fill_diagonal(gram, 1.0)
        if np.linalg.eigvalsh(gram)[0] < 0:
            continue
        center = np.eye(size) - 1 / size
        assert np.linalg.eigvalsh(center @ gram @ center)[-1] <= 1.5 + 1 / (size - 1)


@given(st.integers(3, 10**6), st.integers(1, 200))
def test_the_adversarial_lower_bound_is_rounded_exactly(size, percent):
    tau = Fraction(2, math.isqrt(size)) * Fraction(percent, 100)
    m = bounds.statistical_queries.adversarial_sq_lower_bound(strong_sq=size, tau=tau)
    assert 3 * m > size * tau**2 >= 3 * (m - 1)


@given(st.integers(1, 1000), st.floats(1e-6, 1.0))
def test_a_simulation_at_its_tolerance_has_its_distance(n_queries, delta):
    tau = bounds.statistical_queries.simulation_tolerance(n_queries=n_queries, delta=delta)
    assert bounds.statistical_queries.simulation_distance(n_queries=n_queries, tau=tau) == pytest.approx(delta)
    if delta <= 0.25:
        assert delta**2 / n_queries <= tau / 8 * (1 + 1e-12)


@given(st.integers(1, 40), st.integers(1, 10))
def test_turans_bound_is_never_below_the_graph_that_attains_it(n_vertices, parts):
    parts = min(parts, n_vertices)
    colors = np.arange(n_vertices) % parts
    edges = int((colors[:, None] != colors[None, :]).sum()) // 2
    bound = bounds.lemmas.turan_edges(n_vertices=n_vertices, clique_number=parts)
    assert edges <= bound
    if n_vertices % parts == 0:
        assert edges == bound


@given(st.integers(1, 10**6))
def test_a_perturbed_identity_has_more_than_half_its_rank(size):
    rank = bounds.lemmas.perturbed_identity_rank(size=size)
    assert rank == size // 2 + 1


@given(st.floats(0, 100), st.floats(0, 1), st.integers(0, 1000))
def test_the_sums_grow_with_kappa(kappa, tau, horizon):
    low = bounds.lemmas.geometric_sum_bound(kappa=kappa, tau=tau, horizon=horizon, ceiling=2.0)
    assert horizon * tau <= low <= horizon * tau + 2 * kappa + 1e-9
    assert bounds.lemmas.root_sum_bound(kappa=kappa, tau=tau, horizon=horizon) >= horizon * tau


@given(st.lists(st.floats(0, 0.999), min_size=1, max_size=40), st.sampled_from([0.0, 0.01, 0.3]))
def test_gaps_add_up_to_no_more_than_their_counts_allow(gaps, tau):
    """With the least kappa that the hypotheses allow: at the k-th largest gap there are k of at least its size."""
    ordered = sorted((gap for gap in gaps if gap >= max(tau, 1e-9)), reverse=True)
    root = max((k * gap**2 for k, gap in enumerate(ordered, start=1)), default=0.0)
    log = max((k / math.log(1 / gap) for k, gap in enumerate(ordered, start=1)), default=0.0)
    total, shared = sum(gaps), {"tau": tau, "horizon": len(gaps)}
    assert total <= bounds.lemmas.root_sum_bound(kappa=root, **shared) + 1e-6
    assert total <= bounds.lemmas.geometric_sum_bound(kappa=log, ceiling=1.0, **shared) + 1e-6


@pytest.mark.parametrize("kappa", [2.0, 9.0])
def test_the_extreme_gaps_come_close_to_both_sums(kappa):
    k = np.arange(1, 10_001)
    roots, powers = np.sqrt(kappa / k), np.exp(-k / kappa)
    assert roots.sum() > 0.98 * bounds.lemmas.root_sum_bound(kappa=kappa, tau=0, horizon=10_000)
    assert powers.sum() > 0.8 * bounds.lemmas.geometric_sum_bound(kappa=kappa, tau=0, horizon=10_000, ceiling=1.0)


def test_a_graph_without_vertices_has_no_edges():
    assert bounds.lemmas.turan_edges(n_vertices=0, clique_number=0) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.statistical_queries.sq_lower_bound(strong_sq=10), "strong SQ dimension of at least 11, got 10"),
        (lambda: bounds.statistical_queries.cube_root_sq_lower_bound(strong_sq=15), "at least 16, got 15"),
        (lambda: bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=2), "at least 3, got 2"),
        (
            lambda: bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=3, success="1/3"),
            "a probability above 1/3",
        ),
        (
            lambda: bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=3, success="11/10"),
            "a probability above 1/3, got 11/10",
        ),
        (
            lambda: bounds.statistical_queries.dissimilarity_sq_lower_bound(dissimilarity=2, epsilon="1/99"),
            "at least 3, got 2",
        ),
        (
            lambda: bounds.statistical_queries.dissimilarity_sq_lower_bound(dissimilarity=4, epsilon="1/31"),
            r"1/\(16 sqrt\(4\)\), got 1/31",
        ),
        (lambda: bounds.statistical_queries.adversarial_sq_lower_bound(strong_sq=2, tau="1/3"), "at least 3, got 2"),
        (lambda: bounds.statistical_queries.simulation_distance(n_queries=1, tau=3), "between 0 and 2, got 3"),
        (lambda: bounds.statistical_queries.simulation_tolerance(n_queries=1, delta=0), r"lies in \(0, 1\], got 0"),
        (lambda: bounds.lemmas.turan_edges(n_vertices=3, clique_number=0), "a clique of one"),
        (lambda: bounds.lemmas.root_sum_bound(kappa=-1, tau=0, horizon=1), "kappa must be at least 0"),
        (
            lambda: bounds.lemmas.geometric_sum_bound(kappa=1, tau=-1, horizon=1, ceiling=1),
            "tau must be at least 0",
        ),
        (lambda: bounds.lemmas.freedman_bound(variance=-1, eta=0.5, reach=1, delta=0.1), "variance must be at least 0"),
        (lambda: bounds.lemmas.freedman_bound(variance=1, eta=1, reach=1, delta=0.1), "strictly between 0 and 1/R = 1"),
    ],
)
def test_outside_its_hypotheses_a_theorem_is_silent(call, message):
    with pytest.raises(HypothesisError, match=message):
        call()
