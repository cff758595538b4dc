"""Whatever the numbers, a bound answers with a number or with one of our errors: no NaN, no traceback."""

import ast
import doctest
import inspect
import math
from fractions import Fraction

import numpy as np
import pytest

from warmer import WarmerError, bounds

ODD = (0, -1, -0.5, 2, 1.5, 40, math.nan, math.inf, -math.inf, Fraction(1, 3), Fraction(-7, 2), True)
OTHER_THINGS = {("many_point_distance", "reward_range"), ("two_point_divergence", "reward_range")} | {
    ("union_dimension_bound", "dimensions"),
    ("pac_horizon", "error_budget"),
}
NAMES = [name for name in bounds.__all__ if not inspect.isclass(getattr(bounds, name))]


def an_example(name):
    """The arguments of the first call in the docstring, where every public name has one."""
    known = {"np": np, "epsilon": 0.1, "n": 2, "s": 16, "budget": lambda horizon: 5.0}
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(getattr(bounds, name)) or ""):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
                values = [eval(ast.unparse(value), dict(known)) for value in node.args]
                return values, {word.arg: eval(ast.unparse(word.value), dict(known)) for word in node.keywords}
    raise AssertionError(f"{name} has no example")


@pytest.mark.parametrize("name", NAMES)
def test_odd_numbers_give_numbers_or_our_errors(name):
    bound = getattr(bounds, name)
    values, words = an_example(name)
    bound(*values, **words)
    for word in words:
        if (name, word) in OTHER_THINGS:
            continue
        for odd in ODD:
            try:
                found = bound(*values, **{**words, word: odd})
            except WarmerError:
                continue
            numbers = [number for number in np.ravel(np.asarray(found, dtype=object)) if isinstance(number, float)]
            assert not any(map(math.isnan, numbers)), (word, odd)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_theorem_is_asked_is_named(name):
    """After two arrays of means or counts at the most, everything is given by keyword."""
    parameters = inspect.signature(getattr(bounds, name)).parameters.values()
    positional = [each.name for each in parameters if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert set(positional) <= {"counts", "means", "first", "second"}
