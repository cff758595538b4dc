"""`warmer dimension` and `warmer profile`."""

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Command
from tests.dimensions.graphs import hamming


def test_the_dimension_is_told_with_its_witness(warmer: Command) -> None:
    said = warmer("dimension", "parities:n_bits=2", "--epsilon", "1/2")
    assert said.code == 0
    assert "Dissimilarity dimension of parities:n_bits=2 at alpha = 1, epsilon = 1/2: 4" in said.out
    assert "0, x1, x2, x1^x2" in said.out
    assert max(map(len, said.out.splitlines())) <= 80


def test_a_bandit_witness_names_actions_and_functions(warmer: Command) -> None:
    said = warmer("dimension", "needle:n_arms=3", "--epsilon", "0.5", "--alpha", "1")
    assert "(arm 1, needle in arm 1)" in said.out


@pytest.mark.parametrize(
    ("measure", "value", "key"),
    [
        ("dissimilarity", 3, "center"),
        ("eluder", 3, "pairs"),
        ("strong-sq", 2, "targets"),
        ("star", 2, "reference"),
        ("covering", 3, "targets"),
    ],
)
def test_every_measure_speaks_json(warmer: Command, measure: str, value: int, key: str) -> None:
    form = warmer("dimension", "thresholds", "--epsilon", "1/2", "--measure", measure, "--json").form
    assert (form["lower"], form["upper"], form["is_exact"]) == (value, value, True)
    assert form["witness"]["margin"] >= 0
    assert key in form["witness"]


def test_all_measures_stand_side_by_side(warmer: Command) -> None:
    said = warmer("dimension", "thresholds", "--epsilon", "1/2", "--measure", "all")
    assert "monotone dissimilarity dimension  4" in said.out
    form = warmer("dimension", "thresholds", "--epsilon", "1/2", "--measure", "all", "--json").form
    assert {row["measure"]: row["value"] for row in form["measures"]}["strong SQ dimension"] == "2"
    line = ("dimension", "arms:n_arms=2", "--epsilon", "1/4", "--alpha", "1", "--measure", "all", "--gamma", "4")
    rows = {row["measure"]: row["value"] for row in warmer(*line, "--json").form["measures"]}
    assert rows["decision-estimation at gamma=4"] == "0.05"


def test_a_time_limit_gives_an_honest_bracket(warmer: Command) -> None:
    rng = np.random.default_rng(0)
    table = np.triu(rng.integers(0, 2, (200, 200)), 1)
    np.save("graph.npy", (1.0 - (table + table.T)))
    form = warmer("dimension", "graph.npy", "--square", "--epsilon", "1", "--time-limit", "0.05", "--json").form
    assert form["lower"] <= form["upper"]
    assert form["is_exact"] == (form["lower"] == form["upper"])
    assert len(form["witness"]["queries"]) == form["lower"]


def test_a_graph_in_a_file_gives_its_clique_number(warmer: Command) -> None:
    np.save("hamming.npy", 1.0 - hamming(6, 4))
    form = warmer("dimension", "hamming.npy", "--square", "--epsilon", "1", "--json").form
    assert (form["lower"], form["upper"]) == (4, 4)


def test_figures_are_drawn(warmer: Command) -> None:
    assert warmer("dimension", "parities", "--epsilon", "1/2", "--figure", "witness.png").code == 0
    assert warmer("profile", "parities:n_bits=2", "--figure", "profile.svg").code == 0
    assert Path("witness.png").stat().st_size > 1000
    assert Path("profile.svg").stat().st_size > 1000


def test_the_profile_is_a_table_of_steps(warmer: Command) -> None:
    said = warmer("profile", "circle")
    assert said.code == 0
    assert max(map(len, said.out.splitlines())) <= 80
    pieces = warmer("profile", "circle", "--json").form["pieces"]
    assert [piece["value"] for piece in pieces] == [2, 3, 4, 3, 2, 1]
    assert (pieces[2]["low"], pieces[2]["high"]) == (1.0, 2.0)
    assert pieces[-1]["high"] is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("dimension parities --epsilon 0", "epsilon must be greater than 0"),
        ("dimension parities --epsilon x", "epsilon must be a finite number such as 0.5"),
        ("dimension parities --epsilon 1 --measure size", "there is no measure 'size'; choose one of dissimilarity"),
        ("dimension parities --epsilon 1 --measure covering --monotone", "--monotone does not apply to covering"),
        ("dimension parities --epsilon 1 --measure eluder --alpha 1", "--alpha does not apply to eluder"),
        ("dimension parities --epsilon 1 --gamma 2", "--gamma does not apply to dissimilarity, only to all"),
        ("dimension parities --epsilon 1 --sided three", "there is no choice 'three'; choose one of one, two"),
        (
            "dimension arms --epsilon 1",
            "best values range from 0 to 1; choose the optimality level with --alpha",
        ),
        ("dimension arms --epsilon 1 --measure strong-sq", "strong SQ"),
        ("dimension parities --epsilon 1 --time-limit 0", "time_limit must be greater than 0"),
        ("profile parities --alpha x", "alpha must be a finite number"),
    ],
)
def test_what_means_nothing_is_refused(warmer: Command, line: str, reason: str) -> None:
    said = warmer(*line.split())
    assert said.code == 2
    assert said.err.startswith("error: ")
    assert reason in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "measure", "elements"),
    [
        ("dimension parities --epsilon 1/2 --convert strong-sq", "strong SQ dimension (epsilon 1/8)", "0, x1"),
        (
            "dimension parities --epsilon 1/2 --measure strong-sq --convert dissimilarity",
            "dissimilarity dimension (epsilon 1/2)",
            "0, x1, x2",
        ),
        ("dimension needle --epsilon 1/2 --convert eluder", "eluder dimension (epsilon 1/3)", "arm 10, arm 5"),
    ],
)
def test_a_witness_is_converted_by_the_papers_constructions(
    warmer: Command, line: str, measure: str, elements: str
) -> None:
    said = warmer(*line.split())
    assert said.code == 0
    assert f"Converted to a witness of the {measure}: {elements}" in " ".join(said.out.split())
    assert max(map(len, said.out.splitlines())) <= 80
    converted = warmer(*line.split(), "--json").form["converted"]
    assert set(converted) >= {"measure", "epsilon"}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("--measure strong-sq --convert eluder", "a strong-sq witness cannot be converted to eluder"),
        ("--convert eluder", "the construction needs at least 10 alternatives, got 8"),
        ("--measure covering --convert eluder", "--convert does not apply to covering"),
    ],
)
def test_a_witness_that_cannot_be_converted_says_why(warmer: Command, options: str, reason: str) -> None:
    said = warmer("dimension", "parities", "--epsilon", "1/2", *options.split())
    assert (said.code, reason in said.err) == (2, True)


def test_the_center_of_a_witness_is_shown_to_six_digits_and_exactly_in_json(warmer: Command) -> None:
    line = ("dimension", "relu", "--epsilon", "1/4")
    center = warmer(*line, "--json").form["witness"]["center"]
    shown = " ".join(warmer(*line).out.split()).partition("(center ")[2].partition(",")[0]
    assert float(shown) == float(f"{float(center):.6g}") != float(center)
