"""Whatever the numbers, a bound answers with a number or with one of our errors: no NaN, no traceback."""

import ast
import doctest
import inspect
import math
from fractions import Fraction

import numpy as np
import pytest

from tests.bounds.catalog import EVERY_BOUND
from warmer import WarmerError, bounds

ODD = (0, -1, -0.5, 2, 1.5, 40, math.nan, math.inf, -math.inf, Fraction(1, 3), Fraction(-7, 2), True)
EXTREME = (5e-324, 1e-300, 1e-200, 1e-160, 1e-17, 1e160, 1e300, 3000, 10**15, 10**200, 10**400)
STRANGE = ("x", "1/0", None, [], [1.0], (1, 0), (0.0, math.nan), [-5], [0], [[0.5, math.nan]], {"a": 1}, 1j)
CALLED = ("pac_horizon", "error_budget")  # a function
INFINITE = {("two_point_divergence", math.inf)}  # where no pair of noisy answers can be told apart, as documented


def an_example(name):
    """The arguments of the first call in the docstring, where every public name has one."""
    known = {"np": np, "epsilon": 0.1, "n": 2, "s": 16, "budget": lambda horizon: 5.0}
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(EVERY_BOUND[name]) or ""):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
                values = [eval(ast.unparse(value), dict(known)) for value in node.args]
                return values, {word.arg: eval(ast.unparse(word.value), dict(known)) for word in node.keywords}
    raise AssertionError(f"{name} has no example")


def places(name):
    """The arguments of the example, and where each stands: a number for those given by place, else a keyword."""
    values, words = an_example(name)
    return values, words, [place for place in (*range(len(values)), *words) if (name, place) != CALLED]


def asked(name, values, words, changes):
    """The numbers that a bound gives with some arguments changed; none where it raises one of our errors."""
    changed = [changes.get(place, value) for place, value in enumerate(values)]
    try:
        found = EVERY_BOUND[name](*changed, **{word: changes.get(word, value) for word, value in words.items()})
    except WarmerError:
        return []
    return [float(number) for number in np.ravel(np.asarray(found, dtype=object)) if isinstance(number, float)]


@pytest.mark.parametrize("name", EVERY_BOUND)
def test_odd_numbers_give_numbers_or_our_errors(name):
    values, words, everywhere = places(name)
    EVERY_BOUND[name](*values, **words)
    for place in everywhere:
        for odd in (*ODD, *STRANGE):
            assert not any(map(math.isnan, asked(name, values, words, {place: odd}))), (place, odd)


@pytest.mark.parametrize("name", EVERY_BOUND)
def test_extreme_numbers_give_finite_numbers_or_our_errors(name):
    values, words, everywhere = places(name)
    for place in everywhere:
        for extreme in EXTREME:
            for other in everywhere:
                for second in (words[other] if isinstance(other, str) else values[other], 1e-300, 10**200):
                    changes = {other: second, place: extreme}
                    found = asked(name, values, words, changes)
                    assert not any(map(math.isnan, found)), changes
                    assert all(map(math.isfinite, found)) or (name, found[-1]) in INFINITE, changes


@pytest.mark.parametrize("name", EVERY_BOUND)
def test_what_a_theorem_is_asked_is_named(name):
    """After two arrays of means or counts at the most, everything is given by keyword."""
    parameters = inspect.signature(EVERY_BOUND[name]).parameters.values()
    positional = [each.name for each in parameters if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert set(positional) <= {"counts", "means", "first", "second"}


@pytest.mark.parametrize(
    ("bound", "reason"),
    [
        (lambda: bounds.class_dimensions.relu_dimension_lower_bound(n=3000, epsilon=0.001), "too large or too small"),
        (lambda: bounds.relu_dimension_bound(n=3000, epsilon=0.001), "too large or too small"),
        (
            lambda: bounds.bad_queries_bound(form="printed", dimension=10**200, error_budget=1, epsilon=0.1),
            "too large or too small",
        ),
        (
            lambda: bounds.bad_queries_bound(form="printed", dimension=2, error_budget=1, epsilon=1e-200),
            "too large or too small",
        ),
        (
            lambda: bounds.sample_sizes.many_point_lower_bound(guess=0.1, distance=5e-324, delta=0.1),
            "too large or too small",
        ),
        (lambda: bounds.coverings.ball_covering_bounds(n=3000, radius=0.001), "too large or too small"),
        (lambda: bounds.pac_repeats(epsilon=1e-300, delta=0.1, n_candidates=3), "too large or too small"),
        (lambda: bounds.class_dimensions.relu_circle_dimension(epsilon=1e-30), "floats cannot tell"),
        (
            lambda: bounds.radii.self_normalised_radius(log_det_ratio="x", delta=0.1, sigma=1, ridge=1, norm=1),
            "log_det_ratio is a number",
        ),
        (lambda: bounds.class_dimensions.union_dimension_bound(dimensions=3), "must be a list of whole numbers, got 3"),
        (lambda: bounds.radii.arm_radius([-5], n_arms=2, delta=0.1, sigma=1), "counts must be at least 1, got -5"),
        (lambda: bounds.radii.arm_radius([4, 0], n_arms=2, delta=0.1, sigma=1), "counts must be at least 1, got 0"),
        (
            lambda: bounds.sample_sizes.two_point_divergence(math.nan, 0, sigma=1, reward_range=(-1, 1)),
            "first must be finite",
        ),
        (
            lambda: bounds.sample_sizes.two_point_divergence(0, 1.5, sigma=1, reward_range=(-1, 1)),
            r"second must lie .* \[-1, 1\]",
        ),
        (
            lambda: bounds.class_dimensions.equal_correlations_dimension(size=5, correlation=-3, epsilon=1),
            "between -1 and 1, got -3",
        ),
        (
            lambda: bounds.sample_sizes.many_point_distance([[2.0, 0.0]], sigma=1, reward_range=(-1, 1)),
            "means must lie",
        ),
        (
            lambda: bounds.sample_sizes.many_point_distance([[math.nan]], sigma=1, reward_range=(-1, 1)),
            "means must be finite",
        ),
        (lambda: bounds.sample_sizes.many_point_distance([[0.5]], sigma=1, reward_range=(1, 0)), "with low < high"),
        (lambda: bounds.sample_sizes.many_point_distance([0.5], sigma=1, reward_range=(-1, 1)), "queries by targets"),
    ],
)
def test_what_is_out_of_reach_is_said(bound, reason):
    with pytest.raises(WarmerError, match=reason):
        bound()


def test_small_scales_and_large_numbers_have_their_values():
    assert bounds.bad_queries_bound(form="printed", dimension=1, error_budget=0, epsilon=1e-200) == pytest.approx(
        2 * math.log(4e200)
    )
    assert bounds.class_dimensions.relu_circle_dimension(epsilon=1e-17) == pytest.approx(
        2 * math.pi / math.sqrt(2e-17), rel=1e-4
    )
    assert bounds.relu_dimension_bound(n=2, epsilon=1e-17) == bounds.class_dimensions.relu_circle_dimension(
        epsilon=1e-17
    )
    assert bounds.class_dimensions.relu_dimension_lower_bound(n=2, epsilon=1e-17) == pytest.approx(
        math.pi / math.sqrt(2e-17), rel=1e-8
    )
    m = bounds.statistical_queries.sq_lower_bound(strong_sq=10**400)
    assert (12 * (m - 1)) ** 3 <= 10**400 < (12 * m) ** 3


@pytest.mark.parametrize("dimension", [1, 2, 3, 10, 1000, 10**6])
@pytest.mark.parametrize(("epsilon", "reach"), [(0.5, None), (0.001, 1.3), (1.9, None), (0.3, 0.2)])
def test_the_closed_form_of_the_bad_queries_is_the_sum(dimension, epsilon, reach):
    q, span = 1 + 1 / math.sqrt(dimension + 1), (2.0 if reach is None else reach) / epsilon
    n = math.ceil(math.log(span) / math.log(q)) if span > 1 else 0
    squares = math.fsum((epsilon * q**i) ** -2 for i in range(n))
    asked = {"dimension": dimension, "error_budget": 7.0, "epsilon": epsilon, "reach": reach}
    found = bounds.bad_queries_bound(**asked, form="repaired")
    assert found == pytest.approx(n * (dimension - 1) + 8 * (dimension**2 - 1) * 7.0 * squares, rel=1e-12)


def test_a_dimension_of_any_size_takes_no_time():
    small, large = (bounds.bad_queries_bound(dimension=d, error_budget=1, epsilon=1e-3) for d in (10**13, 10**15))
    assert large / small == pytest.approx(100**2.5, rel=1e-5)  # of the order d^(5/2)


@pytest.mark.parametrize("n", [1, 2, 40])
def test_the_logarithm_of_a_cover_is_that_of_its_bound(n):
    for width in (0.01, 0.5, 4.0):
        bound = bounds.coverings.linear_covering_bound(n=n, radius=width)
        assert bounds.coverings.log_cover_of_ball(dimension=n, width=width) == pytest.approx(math.log(bound), rel=1e-12)
