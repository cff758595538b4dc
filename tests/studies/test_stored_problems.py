"""A problem comes back from its bytes exactly as it was."""

from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import problems
from warmer import InvalidValueError, Problem, StorageError
from warmer.families import KArms
from warmer.studies.formats.stored_problems import digest_of, pack, unpack

RICH = Problem.from_table(
    [[Fraction(1, 3), Fraction(1, 2)], [Fraction(2, 3), Fraction(-1, 7)]],
    queries=["left", ("right", 2)],
    targets=[Fraction(1, 3), "sun"],
    forbidden=[False, True],
    costs=[1.5, 2.0],
    reward_range=(-2, 3),
    tolerance=0.25,
)
RICH = replace(RICH, parameters={"rate": np.array([0.1, 0.7]), "kind": np.array(["wet", "dry"])})


def assert_same(one, other):
    for field in fields(Problem):
        first, second = getattr(one, field.name), getattr(other, field.name)
        if field.name == "rational" and first is not None:
            assert first.denominator == second.denominator
            first, second = first.numerators, second.numerators
        if field.name == "parameters" and first is not None:
            assert list(first) == list(second)
            for name in first:
                assert first[name].dtype == second[name].dtype
                assert first[name].tolist() == second[name].tolist()
        elif isinstance(first, np.ndarray):
            assert first.dtype == second.dtype
            assert np.array_equal(first, second)
        else:
            assert first == second
            assert type(first) is type(second)


def test_everything_comes_back():
    silent = [field.name for field in fields(Problem) if getattr(RICH, field.name) is field.default]
    assert silent == ["is_square"]  # a new field must be kept too: give it a value in RICH
    assert_same(RICH, unpack(pack(RICH)))
    assert digest_of(unpack(pack(RICH))) == digest_of(RICH)
    assert unpack(pack(RICH)).entry(0, 0) == Fraction(1, 3)


@given(problems(), st.sampled_from([np.float32, np.float64]))
def test_every_table_comes_back(problem, dtype):
    table = replace(problem, rho=problem.rho.astype(dtype))
    assert_same(table, unpack(pack(table)))


def test_numerators_beyond_64_bits_come_back():
    problem = Problem.from_table([[Fraction(1, 3**50), Fraction(1, 2)]])
    assert problem.rational.numerators.dtype == object
    assert_same(problem, unpack(pack(problem)))


def test_labels_that_look_like_numbers_stay_what_they_are():
    problem = Problem.from_table(np.eye(2), queries=[False, True], targets=["0", "1"])
    back = unpack(pack(problem))
    assert [type(label) for label in back.queries] == [bool, bool]
    assert list(back.targets) == ["0", "1"]


def test_any_change_changes_the_digest():
    changed = [
        replace(RICH, rho=RICH.rho + 1e-12),
        replace(RICH, costs=None),
        replace(RICH, is_allowed=None),
        replace(RICH, reward_range=(-2.0, 4.0)),
        replace(RICH, tolerance=None),
        replace(RICH, rational=None),
        replace(RICH, is_square=True),
        replace(RICH, parameters=None),
        replace(RICH, queries=RICH.targets),
    ]
    assert len({digest_of(problem) for problem in [RICH, *changed]}) == 10


def test_damaged_bytes_are_refused():
    payload, digest = pack(RICH), digest_of(RICH)
    with pytest.raises(StorageError, match="the stored problem is damaged"):
        unpack(payload[: len(payload) // 2], digest)
    other = pack(replace(RICH, tolerance=0.5))
    with pytest.raises(StorageError, match="not the one the study was made for"):
        unpack(other, digest)


def test_what_a_study_cannot_keep_is_refused():
    with pytest.raises(InvalidValueError, match="needs a problem with a table, got KArms"):
        pack(KArms(3))
    with pytest.raises(InvalidValueError, match=r"cannot keep frozenset\(\{1\}\) \(frozenset\)"):
        pack(Problem.from_table([[0.5]], queries=[frozenset({1})]))
    huge = np.broadcast_to(np.float64(0.0), (10_000, 10_000))
    with pytest.raises(InvalidValueError, match="at most 512 MB; this one has 762"):
        pack(replace(RICH, rho=huge))
