"""Models in code: every entry is the function's own value, whatever the blocks, and labels can be read."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warmer import InvalidValueError, Problem, read_problem
from warmer.problems import from_model, models


def logit(x, delay, k, slope):
    return 1 / (1 + np.exp(-slope * (x - k * delay)))


DESIGNS = {"x": [0.0, 0.5], "delay": [1, 3, 30]}
PARAMETERS = {"k": [0.1, 0.2, 0.3], "slope": [1.0, 5.0]}


def by_definition(function, designs, parameters):
    """One call for each entry."""
    rows = [dict(zip(designs, values, strict=True)) for values in product(*designs.values())]
    columns = [dict(zip(parameters, values, strict=True)) for values in product(*parameters.values())]
    return [[float(function(**row, **column)) for column in columns] for row in rows]


@given(st.integers(1, 40), st.integers(1, 3), st.integers(1, 4))
def test_every_entry_is_the_value_of_the_function_whatever_the_blocks(block, n_designs, n_parameters):
    designs = {f"x{k}": np.linspace(0, 1, k + 1) for k in range(n_designs)}
    parameters = {f"p{k}": np.linspace(-1, 0, k + 1) for k in range(n_parameters)}

    def function(**values):
        return sum(np.sin((3 + place) * value) for place, value in enumerate(values.values())) / len(values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "_BLOCK_ENTRIES", block)
        problem = from_model(function, designs=designs, parameters=parameters)
    assert problem.rho.tolist() == by_definition(function, designs, parameters)


def test_labels_and_parameters_name_the_values():
    problem = from_model(logit, designs=DESIGNS, parameters=PARAMETERS, reward_range=(0, 1))
    assert problem.queries[4] == "x=0.5, delay=3"
    assert problem.queries.position("x=0.5, delay=3") == 4
    assert list(problem.targets)[:2] == ["k=0.1, slope=1", "k=0.1, slope=5"]
    assert {name: values.tolist() for name, values in problem.parameters.items()} == {
        "k": [0.1, 0.1, 0.2, 0.2, 0.3, 0.3],
        "slope": [1.0, 5.0] * 3,
    }
    assert problem.rho[4, 3] == logit(0.5, 3, 0.2, 5.0)


def test_parameters_follow_their_targets_when_some_are_dropped_or_added():
    problem = from_model(logit, designs=DESIGNS, parameters=PARAMETERS, reward_range=(0, 1))
    some = problem.drop(targets=["k=0.1, slope=1", "k=0.2, slope=5"])
    assert some.parameters["slope"].tolist() == [5, 1, 1, 5]
    more = from_model(logit, designs=DESIGNS, parameters={"k": [0.4], "slope": [2.0]}, reward_range=(0, 1))
    assert some.append(more).parameters["k"].tolist() == [0.1, 0.2, 0.3, 0.3, 0.4]
    plain = Problem.from_table(np.zeros((6, 1)), queries=problem.queries, targets=["none"], reward_range=(0, 1))
    assert some.append(plain).parameters is None


def test_values_that_print_alike_are_told_apart():
    problem = from_model(lambda x, p: x * p, designs={"x": [0.1 + 0.2, 0.3]}, parameters={"p": [1]})
    assert list(problem.queries) == ["x=0.30000000000000004", "x=0.3"]
    assert from_model(lambda x, p: 0, designs={"x": [0.1 + 0.2]}, parameters={"p": ["a b"]}).queries[0] == "x=0.3"


def test_a_memory_map_holds_the_same_table_and_can_be_read_again(tmp_path):
    path = tmp_path / "grid.npy"
    plain = from_model(logit, designs=DESIGNS, parameters=PARAMETERS, reward_range=(0, 1))
    options = {"memory_map": path, "dtype": "float32", "costs": [1] * 6, "forbidden": [True] + [False] * 5}
    mapped = from_model(logit, designs=DESIGNS, parameters=PARAMETERS, reward_range=(0, 1), tolerance=0.1, **options)
    assert mapped.rho.dtype == np.float32
    assert np.allclose(mapped.rho, plain.rho, atol=1e-6)
    assert (mapped.tolerance, mapped.costs.tolist(), mapped.is_allowed.sum()) == (0.1, [1.0] * 6, 5)
    assert (read_problem(path, reward_range=(0, 1)).rho == mapped.rho).all()
    with pytest.raises(InvalidValueError, match=r"grid\.npy' exists already; remove it, or name a new file"):
        from_model(logit, designs=DESIGNS, parameters=PARAMETERS, memory_map=path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"designs": {}}, "designs must map names to values"),
        ({"designs": [0, 1]}, "designs must map names to values"),
        ({"designs": {"k": [0], "delay": [1]}}, "'k' names a design and a parameter"),
        ({"designs": {"x": [0.5, 0.5], "delay": [1]}}, r"the value x=0\.5 is given twice"),
        ({"designs": {"x": [[0, 1]], "delay": [1]}}, r"x of the designs must be a list of values, got shape \(1, 2\)"),
        ({"designs": {"x y": [0]}}, "must be a Python name, got 'x y'"),
        ({"designs": {"x": [0.5]}}, "the model must take x, k, slope as arrays .*missing 1 required"),
        ({"function": lambda **all: np.zeros(4)}, r"here of shape \(6, 6\)"),
        ({"function": lambda **all: "warm"}, "the model must take x, delay, k, slope as arrays"),
        (
            {"function": lambda **all: 2.0},
            r"the entry of query 'x=0, delay=1' and target 'k=0\.1, slope=1' must lie in",
        ),
        ({"dtype": int}, "dtype must be float64 or float32, got int64"),
        ({"memory_map": "no/such/folder/x.npy"}, "cannot be written"),
        ({"parameters": {"k": range(10**7), "slope": [1, 2]}}, "too large to keep in memory unasked; give memory_map="),
    ],
)
def test_what_is_no_model_on_two_grids_is_refused(options, message):
    with pytest.raises(InvalidValueError, match=message):
        from_model(**{"function": logit, "designs": DESIGNS, "parameters": PARAMETERS} | options)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
def test_a_model_that_returns_complex_numbers_is_refused_and_none_loses_its_imaginary_part(kind):
    def wave(x, k):
        return np.exp(1j * x * k).astype(kind)

    with pytest.raises(InvalidValueError, match=r"real numbers are needed, got complex.*by np.real or np.abs\."):
        from_model(wave, designs={"x": [0.0, 1.0]}, parameters={"k": [1.0, 2.0]})
    table = from_model(lambda x, k: wave(x, k).real, designs={"x": [0.0, 1.0]}, parameters={"k": [1.0, 2.0]})
    assert table.rho[1, 1] == pytest.approx(np.cos(2.0), abs=1e-6)


def test_a_model_that_returns_text_is_refused():
    with pytest.raises(InvalidValueError, match="real numbers are needed, got <U3"):
        from_model(lambda x, k: np.full((2, 1), "0.5"), designs={"x": [0.0, 1.0]}, parameters={"k": [1.0]})
