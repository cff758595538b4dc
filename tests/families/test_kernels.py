"""The compiled loops of the families agree with their plain twins on random states."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.families import twins
from tests.families.reference import quadratic_loss
from warmer.bounds.radii import arm_radius
from warmer.families import ReLU
from warmer.families.kernels import arms, ellipsoid, quadratic, relu
from warmer.families.solvers.answers import Observed

many = settings(max_examples=300, deadline=None)
eighths = st.integers(-8, 8).map(lambda k: k / 8)


def vectors(n):
    return arrays(float, n, elements=eighths)


@st.composite
def pulls(draw):
    """Counts, sums of rewards, and a level."""
    n = draw(st.integers(1, 6))
    counts = draw(arrays(float, n, elements=st.integers(0, 5)))
    return counts, counts * draw(vectors(n)), draw(eighths)


@st.composite
def moments(draw, full=False):
    """The second moments of a few answers, of full rank where that is asked for, their products with the rewards."""
    n = draw(st.integers(1, 4))
    rows = draw(arrays(float, (draw(st.integers(0, 6)), n), elements=eighths))
    gram = rows.T @ rows + (0.5 * np.eye(n) if full else 0.0)
    return gram, rows.T @ draw(vectors(len(rows)))


@st.composite
def actions(draw, n):
    """Columns, none of which vanishes."""
    columns = draw(arrays(float, (n, draw(st.integers(1, 6))), elements=eighths))
    assume(columns.any(axis=0).all())
    return columns


@st.composite
def heard_answers(draw):
    """A vector of the shell, the least length, and points, counts, means and bias of some ReLU answers."""
    n, n_answers = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    points = draw(arrays(float, (n_answers, n), elements=eighths)) / np.sqrt(n)
    assume(np.abs(points).max(axis=1).all())
    counts = draw(arrays(float, n_answers, elements=st.integers(1, 4)))
    theta = draw(vectors(n))
    assume(theta.any())
    shortest = draw(st.sampled_from([0.0, 0.5, 1.0]))
    length = max(shortest, draw(st.sampled_from([0.25, 1.0])))
    data = points, counts, draw(vectors(n_answers)), draw(st.sampled_from([0.0, 0.125, 0.5]))
    return length * theta / np.linalg.norm(theta), shortest, data


@given(pulls())
@many
def test_one_arm_is_lifted_where_that_costs_least(state):
    counts, sums, level = state
    for low, high in [(0.0, 1.0), (-0.5, 1.0)]:
        found = arms.lifted(counts, sums, low, high, level)
        expected = twins.lifted(counts, sums, low, high, level)
        cost = [
            sum(n * (f - s / n) ** 2 for n, s, f in zip(counts, sums, means, strict=True) if n)
            for means in (found, expected)
        ]
        assert cost[0] == pytest.approx(cost[1], abs=1e-12)
        assert found.max() == max(expected)
        assert found.tolist() == expected or np.unique(sums / np.maximum(counts, 1)).size < counts.size


@given(pulls(), st.integers(0, 40))
@many
def test_indices_are_the_largest_means_of_their_sets(state, eighth):
    counts, sums, _ = state
    radius, variance, log_arms = eighth / 8, 0.25, np.log(counts.size / 0.05)
    found = arms.distance_tops(counts, sums, 0.0, 1.0, radius)
    anytime = arms.anytime_tops(counts, sums, -1.0, 1.0, variance, log_arms)
    for k, (n, total) in enumerate(zip(counts, sums, strict=True)):
        center = twins.clipped(n, total, 0.0, 1.0, 1.0)
        inside = twins.top(lambda f, n=n, c=center: f <= c or n * (f - c) ** 2 <= radius, 0.0, 1.0)
        assert found[k] == pytest.approx(inside, abs=1e-12)
        if n:
            width = arm_radius(int(n), n_arms=counts.size, delta=0.05, sigma=0.5)
            mean = total / n
            inside = twins.top(lambda f, n=n, m=mean, w=width: f <= m or n * (f - m) ** 2 <= w, -1.0, 1.0)
            assert anytime[k] == pytest.approx(inside, abs=1e-9)
        else:
            assert anytime[k] == 1.0


@given(st.data())
@many
def test_rank_one_updates_are_the_inverse_from_scratch(data):
    n = data.draw(st.integers(1, 4))
    columns = data.draw(actions(n))
    matrix, sums, log_det = np.eye(n), np.zeros(n), 0.0
    inverse, center, means, widths = np.eye(n), np.zeros(n), np.zeros(columns.shape[1]), (columns**2).sum(axis=0)
    for query, reward, count in data.draw(
        st.lists(st.tuples(st.integers(0, columns.shape[1] - 1), eighths, st.integers(1, 3)), max_size=6)
    ):
        before, sums_before = matrix.copy(), sums.copy()
        ellipsoid.observe(columns, matrix, sums, query, reward, count)
        assert matrix == pytest.approx(before + count * np.outer(columns[:, query], columns[:, query]))
        assert sums == pytest.approx(sums_before + count * reward * columns[:, query])
        log_det += ellipsoid.absorb(columns, inverse, center, means, widths, query, reward, count)
    assert inverse == pytest.approx(np.linalg.inv(matrix), abs=1e-10)
    assert center == pytest.approx(np.linalg.solve(matrix, sums), abs=1e-10)
    assert means == pytest.approx(center @ columns, abs=1e-10)
    assert widths == pytest.approx(np.einsum("ik,ij,jk->k", columns, inverse, columns), abs=1e-10)
    assert log_det == pytest.approx(np.linalg.slogdet(matrix)[1], abs=1e-10)
    assert ellipsoid.combined(columns, center) == pytest.approx(columns.T @ center, abs=1e-12)
    values = ellipsoid.combined(columns, center)
    assert ellipsoid.best_column(columns, center) == min(np.flatnonzero(values == values.max()))


@given(moments(full=True), st.data(), st.integers(0, 16))
@many
def test_the_highest_point_is_the_largest_value_over_the_ellipsoid(state, data, quarter):
    """The largest <a, x> over the ellipsoid around c is <a, c> + |L^-1 a| sqrt(R), with V = LL'."""
    matrix, center = state
    columns, radius = data.draw(actions(len(center))), quarter / 4
    inverse, root = np.linalg.inv(matrix), np.linalg.inv(np.linalg.cholesky(matrix))
    widths = np.array([a @ inverse @ a for a in columns.T])
    found = ellipsoid.highest_point(columns, inverse, center, center @ columns, widths, radius)
    tops = [a @ center + np.sqrt(radius) * np.linalg.norm(root @ a) for a in columns.T]
    assert (found @ columns).max() == pytest.approx(max(tops), abs=1e-9)
    assert (found - center) @ matrix @ (found - center) == pytest.approx(radius, abs=1e-9)


@given(moments(), st.sampled_from([0.25, 1.0, 3.0]))
@many
def test_in_the_ball_both_kernels_and_the_twin_agree(state, radius):
    gram, sums = state
    expected = twins.in_ball(gram, sums, radius)
    values, basis = np.linalg.eigh(gram)
    rotated, mu = quadratic.in_ball(np.maximum(values, 0.0), sums @ basis, radius)
    point, other_mu, low = quadratic.ball_minimum(gram, sums, radius)
    for found in (basis @ rotated, point):
        assert np.linalg.norm(found) <= radius * (1 + 1e-9)
        assert quadratic_loss(gram, sums, found) == pytest.approx(quadratic_loss(gram, sums, expected), abs=1e-9)
    assert mu == pytest.approx(other_mu, abs=1e-6)
    assert low @ low.T == pytest.approx(gram + other_mu * np.eye(len(sums)), abs=1e-9)


@given(moments(), st.sampled_from([0.25, 1.0, 3.0]))
@many
def test_on_the_sphere_the_loss_is_that_of_the_dual(state, radius):
    gram, sums = state
    values, basis = np.linalg.eigh(gram)
    point, missing = quadratic.on_sphere(values, sums @ basis, radius)
    flat = np.flatnonzero(values - values[0] <= 1e-14 * np.abs(values).max())
    assert missing == 0 or not point[flat].any()
    point[flat[0]] += missing
    assert np.linalg.norm(point) == pytest.approx(radius, rel=1e-9)
    found = quadratic_loss(gram, sums, basis @ point)
    assert found == pytest.approx(twins.least_on_sphere(gram, sums, radius), abs=1e-7)


def sideways(gram, sums, point):
    """What a step of 1e-7 changes: where the level leaves one point of the ball, its last bit moves it nearly so far.

    The plane cuts a circle of radius sqrt(1 - share^2), which rounding makes as large as sqrt(1e-15) at share 1.
    """
    return 1e-7 * max(1.0, 2 * float(np.linalg.norm(gram @ point - sums)))


@given(moments(), st.data(), st.sampled_from([-0.5, 0.25, 0.75, 1.0]))
@many
def test_where_a_column_must_reach_a_level_every_column_is_as_good_as_tried(state, data, share):
    gram, sums = state
    columns = data.draw(actions(len(sums)))
    lengths = np.linalg.norm(columns, axis=0)
    level = share * float(lengths.max())
    point, _ = quadratic.minimum(columns, lengths, gram, sums, level, 1.0)
    assert np.linalg.norm(point) <= 1 + 1e-9
    assert (point @ columns).max() >= level - 1e-9
    expected = twins.reaching(columns, gram, sums, level, 1.0)
    assert quadratic_loss(gram, sums, point) == pytest.approx(
        quadratic_loss(gram, sums, expected), abs=sideways(gram, sums, expected)
    )


@given(moments(), st.data(), st.sampled_from([-np.inf, -0.5, 0.25, 0.75, 1.0]))
@many
def test_above_a_plane_the_kernel_is_the_one_for_a_single_column(state, data, share):
    gram, sums = state
    columns = data.draw(actions(len(sums)))
    level = share * float(np.linalg.norm(columns, axis=0).min())
    repeated = np.tile(gram, (columns.shape[1], 1, 1)), np.tile(sums, (columns.shape[1], 1))
    points = quadratic.each_above(*repeated, columns.T.copy(), level, 1.0)
    for point, column in zip(points, columns.T, strict=True):
        assert np.linalg.norm(point) <= 1 + 1e-9
        assert point @ column >= level - 1e-9
        expected = twins.reaching(column[:, None], gram, sums, level, 1.0)
        assert quadratic_loss(gram, sums, point) == pytest.approx(
            quadratic_loss(gram, sums, expected), abs=sideways(gram, sums, expected)
        )


@given(moments(), st.data(), st.sampled_from([-0.5, 0.0, 0.75]))
@many
def test_on_a_plane_the_kernel_is_the_ball_of_the_plane(state, data, share):
    gram, sums = state
    normal = data.draw(actions(len(sums)))[:, 0].copy()
    level = share * float(np.linalg.norm(normal))
    point = quadratic.on_plane(gram, sums, normal, level, 1.0)
    expected = twins.on_plane(gram, sums, normal, level, 1.0)
    assert point @ normal == pytest.approx(level, abs=1e-9)
    assert np.linalg.norm(point) <= 1 + 1e-9
    assert quadratic_loss(gram, sums, point) == pytest.approx(quadratic_loss(gram, sums, expected), abs=1e-7)


@given(heard_answers(), st.data(), st.sampled_from([0.0, 0.01, 10.0]))
@many
def test_the_quadratic_of_the_heard_queries_is_solved_on_the_plane_of_the_held(state, data, damping):
    theta, shortest, (points, counts, means, bias) = state
    heard = data.draw(arrays(bool, counts.size))
    held = np.array(data.draw(st.lists(st.integers(0, counts.size - 1), unique=True, max_size=theta.size)), dtype=int)
    assume(len(held) == 0 or np.linalg.svd(points[held])[1][-1] > 1e-3)
    nearest = np.linalg.norm(twins.foot(points[held], bias))
    assume(
        min(abs(nearest - 1), abs(nearest - shortest)) > 1e-6 or nearest == 0
    )  # else rounding decides what is possible
    found, is_possible = relu.settled(theta, damping, heard, held, relu.Data(points, counts, means, bias, shortest))
    expected = twins.settled(theta, damping, heard, held, (points, counts, means, bias), shortest)
    assert is_possible == (expected is not None)
    if expected is not None:
        pull = damping * (counts[heard] @ (points[heard] ** 2).sum(axis=1)) / theta.size

        def value(x):
            return counts[heard] @ (points[heard] @ x - bias - means[heard]) ** 2 + pull * (x - theta) @ (x - theta)

        assert points[held] @ found == pytest.approx(np.full(len(held), bias), abs=1e-9)
        assert shortest - 1e-9 <= np.linalg.norm(found) <= 1 + 1e-9
        assert value(found) == pytest.approx(value(expected), abs=1e-8)


@given(heard_answers())
@many
def test_a_relu_walk_never_climbs_and_stays_in_the_shell(state):
    theta, shortest, data = state
    free = np.zeros(len(data[1]), dtype=bool)
    told = relu.Data(*data, shortest)
    assert relu.loss(theta, free, told) == pytest.approx(twins.relu_loss(theta, *data))
    for point, value in (relu.descended(theta, free, told), relu.flipped(theta, free, told)):
        assert shortest - 1e-9 <= np.linalg.norm(point) <= 1 + 1e-9
        assert value == pytest.approx(twins.relu_loss(point, *data))
        assert value <= twins.relu_loss(theta, *data) + 1e-12


@given(heard_answers(), st.data())
@many
def test_a_bowl_lies_above_the_loss_and_its_bound_below_it(state, data):
    """And on the vectors for which just its set is heard, the bowl is the loss."""
    theta, shortest, (points, counts, means, bias) = state
    chosen = data.draw(arrays(bool, counts.size)) & (means > 0)
    quieted = np.where(chosen, means, np.minimum(means, 0.0))
    silent = counts @ (means**2 - quieted**2)
    quiet = relu.Data(points, counts, quieted, bias, shortest)
    (bottom,), (bound,) = relu.bowls(chosen[None], relu.Data(points, counts, means, bias, shortest))
    lowest, least = relu.descended(bottom, chosen, quiet)
    for x, value in ((theta, relu.loss(theta, chosen, quiet)), (lowest, least)):
        expected = twins.relu_loss(x, points, counts, means, bias)
        assert bound - 1e-9 <= value + silent
        assert expected <= value + silent + 1e-9
        if ((points @ x > bias) & (means > 0) == chosen).all():
            assert value + silent == pytest.approx(expected)
    assert least <= relu.loss(theta, chosen, quiet) + 1e-7 or shortest > 0


@given(heard_answers())
@many
def test_the_best_bowl_is_as_good_as_every_set_tried(state):
    """Without a least length and without corners every bowl is a smooth convex problem: no walk does better."""
    theta, _, (points, counts, means, bias) = state
    data = relu.Data(points, counts, np.abs(means), bias, 0.0)
    louder = np.flatnonzero(means)
    sets = np.zeros((2 ** len(louder), len(counts)), dtype=bool)
    sets[:, louder] = list(product([False, True], repeat=len(louder)))
    _, value, _ = relu.best_of_bowls(theta, sets, data)
    assert value <= relu.flipped(theta, np.zeros(len(counts), dtype=bool), data)[1] + 1e-8


def test_on_a_sphere_both_ends_of_a_bowl_are_tried():
    """Two answers leave vectors at either end of a line; from the one that the third speaks against a walk is stuck."""
    points = np.array([[0.388, 0.646, -0.657], [-0.296, 0.218, -0.93], [-0.069, 0.921, -0.384]])
    data = relu.Data(points, np.array([3.0, 4.0, 4.0]), np.array([0.039, 0.064, -0.024]), 0.677, 0.82)
    sets = np.array([[True, True, False]])
    (bottom,), (bound,) = relu.bowls(sets, data)
    assert relu.descended(bottom, sets[0], data)[1] > bound + 1e-4
    assert relu.best_of_bowls(bottom, sets, data)[1] == pytest.approx(bound, abs=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.integers(1, 8), st.sampled_from([None, 0.75, 1.0]))
@settings(max_examples=100, deadline=None)
def test_nothing_near_the_relu_fit_is_better(seed, n, n_answers, shortest):
    """One walk may end too early in a corner; the best of all of them does not."""
    rng = np.random.default_rng(seed)
    bias = rng.choice([0.125, 0.5])
    points, counts = rng.standard_normal((n_answers, n)) / np.sqrt(n), rng.integers(1, 4, n_answers).astype(float)
    data = Observed(points, counts, rng.uniform(-1, 1, n_answers))
    point = ReLU(n, bias).fit().nearest(data, None if shortest is None else shortest - bias)
    near = point + 1e-4 * rng.standard_normal((50, n))
    lengths = np.linalg.norm(near, axis=1, keepdims=True)
    near *= np.clip(lengths, shortest or 0.0, 1.0) / lengths
    assert min(twins.relu_loss(x, *data, bias) for x in near) >= twins.relu_loss(point, *data, bias) - 1e-9
