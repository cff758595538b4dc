"""The catalogue: complete, described, and clear about what it does not know."""

import re
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from warmer import problems
from warmer.model.errors import InvalidValueError
from warmer.problems import build
from warmer.problems.catalog import CATALOG, Recipe, parse

ONE_SIDED = {"linear_counterexample", "linear_geometric"}
"""Sequences in which later actions are better for everyone; they are about dimensions, and nobody plays them."""


@pytest.mark.parametrize("name", CATALOG)
def test_every_entry_builds_with_its_defaults_and_describes_itself(name: str) -> None:
    assert build(name).n_targets >= 2
    assert build(name).valid_targets.all() or name in ONE_SIDED
    assert CATALOG[name].description.endswith(".")
    rooms = (problems, problems.hypotheses, problems.extremal)
    assert CATALOG[name].builder in [getattr(room, name, None) for room in rooms]


@pytest.mark.parametrize("name", CATALOG)
def test_every_default_survives_the_round_trip_through_text(name: str) -> None:
    recipe = Recipe(name, CATALOG[name].parameters)
    assert parse(str(recipe)) == recipe
    assert np.array_equal(parse(str(recipe)).build().rho, build(name).rho)


def test_the_catalogue_holds_what_the_paper_speaks_of_the_treasure_and_the_extremes() -> None:
    assert list(CATALOG) == [
        "arms",
        "linear",
        "glm",
        "needle",
        "random_table",
        "relu",
        "dictators",
        "halfspaces",
        "monotone_conjunctions",
        "parities",
        "thresholds",
        "circle",
        "sphere",
        "separation",
        "treasure",
        "conference",
        "linear_counterexample",
        "linear_geometric",
        "linear_greedy_counterexample",
    ]


def test_values_are_read_as_the_builder_wants_them() -> None:
    assert parse("parities") == Recipe("parities", {})
    assert parse(" parities: n_bits = 2 , negations=yes ").parameters == {"n_bits": 2, "negations": True}
    assert parse("separation:epsilon=0.1").parameters == {"epsilon": Fraction(1, 10)}
    assert parse("random_table:low=-1,seed=7").parameters == {"low": -1.0, "seed": 7}
    assert parse("parities:negations=False").build().n_targets == 8
    assert str(parse("arms:n_arms=2")) == "arms:n_arms=2"
    assert str(parse("arms")) == "arms"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("parity", "there is no problem 'parity' in the catalogue; perhaps 'parities' was meant"),
        ("zzz", "there is no problem 'zzz' in the catalogue; there are arms, linear, glm, needle"),
        ("", "there is no problem '' in the catalogue"),
        ("parities:bits=3", "parities has no parameter 'bits'; perhaps 'n_bits' was meant"),
        ("arms:colour=3", "arms has no parameter 'colour'; there are n_arms, levels."),
        ("parities:n_bits=three", "n_bits of parities must be a whole number, got 'three'."),
        ("parities:negations=maybe", "negations of parities must be true or false, got 'maybe'."),
        ("random_table:low=cold", "low of random_table must be a number, got 'cold'."),
        ("separation:epsilon=1/0", "epsilon of separation must be a number or a fraction such as 1/4, got '1/0'."),
        ("parities:n_bits", "'parities:n_bits' must read NAME:key=value,key=value, got 'n_bits' for a key=value."),
        ("parities:n_bits=2,", "got '' for a key=value."),
        ("parities:n_bits=2,n_bits=3", "n_bits is given twice in 'parities:n_bits=2,n_bits=3'; give it once."),
    ],
)
def test_text_that_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        parse(text)


def test_extremes_are_exact_and_stand_beside_the_other_builders() -> None:
    for name in list(CATALOG)[-4:]:
        assert build(name).rational is not None
    assert problems.conference(9).epsilon == Fraction(9, 8)
    assert build("conference", q=5).n_targets == 5
    assert parse("linear_geometric:n=1,k=3").build().self_evaluations.tolist() == [1 / 4] * 3
    assert list(build("linear_counterexample").targets[:2]) == ["z1", "z2"]
    table = parse("linear_counterexample:n=2,product=true").build()
    assert (table.queries[0], table.targets[11], table.is_square) == ("a1", "theta12", False)
    assert table.valid_targets.all()


def test_build_refuses_what_it_does_not_know() -> None:
    with pytest.raises(InvalidValueError, match="there is no problem 'parity' in the catalogue"):
        build("parity")
    with pytest.raises(InvalidValueError, match="parities has no parameter 'bits'; perhaps 'n_bits' was meant"):
        build("parities", bits=2)
    with pytest.raises(InvalidValueError, match="n_bits must be at least 1, got 0"):
        build("parities", n_bits=0)


def test_the_catalogue_needs_no_heavy_packages() -> None:
    heavy = "{'pandas', 'sklearn', 'scipy.stats', 'matplotlib', 'numba'}"
    code = f"import sys, warmer.problems; print({heavy} & set(sys.modules))"
    path = [entry for entry in sys.path if entry]
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(path)}
    )
    assert run.stdout.strip() == "set()"
