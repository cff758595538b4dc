"""`--goal` and `--noise`: one reader for all commands."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Command
from warmer import InvalidValueError, Problem, goals, noise
from warmer.analysis import Task
from warmer.cli.goal_argument import GOALS, NOISES, find_task
from warmer.families import KArms

TABLE = Problem.from_table(np.eye(3), targets=["rain", "sun", "fog"])


def task(problem: Any = TABLE, **given: Any) -> Task:
    settings = {"goal": None, "noise": None, "epsilon": None, "sigma": None, "alpha": None}
    return find_task(problem, delta=0.05, **(settings | given))


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("best-query:1/20", goals.BestQuery(0.05)),
        ("which-target", goals.WhichTarget()),
        ("best-above:0.5", goals.BestAbove(0.5)),
        ("best-above:-0.5:0.1", goals.BestAbove(-0.5, 0.1)),
        (None, goals.BestQuery(0.1)),
    ],
)
def test_a_goal_is_a_name_and_its_numbers(text: str | None, goal: Any) -> None:
    assert task(goal=text).goal == goal


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("bounded", noise.Bounded()),
        ("sub-gaussian:0.3", noise.SubGaussian(0.3)),
        ("coin", noise.Coin()),
        ("bounded-noise:1/2", noise.BoundedNoise(0.5)),
        ("gaussian", noise.Gaussian()),
        (None, None),
    ],
)
def test_noise_is_a_name_and_its_number(text: str | None, declared: Any) -> None:
    assert task(noise=text).noise == declared


def test_readings_that_are_rounded_are_said_with_the_unit() -> None:
    assert task(noise="gaussian", resolution=0.5).noise == noise.Gaussian(resolution=0.5)
    for other in (None, "coin"):
        with pytest.raises(InvalidValueError, match="--resolution R says that readings are rounded"):
            task(noise=other, resolution=0.5)


def test_the_terminal_says_what_sigma_is_wherever_it_is_asked_for(warmer: Command) -> None:
    for command in (["budget"], ["simulate"], ["study", "create"], ["report"]):
        said = " ".join(warmer(*command, "--help").out.replace("\u2502", " ").split())
        assert said.count("the standard deviation if the noise is normal, uniform or evenly two-valued") == 2
        assert "for 0/1 answers say Coin" in said


def test_a_study_of_rounded_readings_is_created_and_simulated(warmer: Command) -> None:
    line = ["--reward-range", "-5", "5", "--goal", "which-target", "--noise", "gaussian", "--resolution", "1"]
    np.save("five.npy", np.array([[-0.6, -0.3, 0.0, 0.3, 0.6], [0.4, 0.7, 1.0, 1.3, 1.6]]))
    made = warmer("study", "create", "cells", "five.npy", *line, "--json")
    assert made.form["noise"] == "Gaussian(resolution=1)"
    refused = warmer("study", "tell", "cells", "0", "0.5")
    assert (refused.code, "must be a multiple of the resolution 1" in refused.err) == (2, True)
    budget = warmer("budget", "five.npy", *line, "--sigma", "0.1", "--runs", "1", "--json")
    assert budget.code == 0
    few = ["--learner", "top-two", "--runs", "2", "--horizon", "20"]
    assert warmer("simulate", "five.npy", *line, "--sigma", "0.1", *few).code == 0
    other = warmer("simulate", "five.npy", *line, "--environment", "coin", *few)
    assert (other.code, "--resolution R rounds Gaussian answers" in other.err) == (2, True)


def test_the_short_forms_stand_for_the_long_ones() -> None:
    short, long = task(epsilon=Fraction(1, 20), sigma=0.3), task(goal="best-query:1/20", noise="sub-gaussian:0.3")
    assert short == long
    both = task(noise="bounded", sigma=0.3)
    assert (both.noise, both.sigma) == (noise.Bounded(), 0.3)


def test_groups_and_values_come_from_parameters_or_files(tmp_path: Path) -> None:
    path = tmp_path / "groups.csv"
    path.write_text("candidate,group\nfog,wet\nrain,wet\nsun,dry\n")
    answers = task(goal=f"which-group:{path}").goal.answers(TABLE)
    assert (answers.names, answers.preferred.tolist()) == (["wet", "dry"], [0, 1, 0])
    path.write_text("fog,1\nrain,2\nsun,5/2\n")
    assert task(goal=f"value-of:{path}:0.5").goal.values == [2.0, 2.5, 1.0]
    named = replace(TABLE, parameters={"slope": np.array([1.0, 2.0, 2.5])})
    assert task(named, goal="value-of:slope:0.5").goal.answers(named).names[0] == (1.0, 2.0)
    assert task(named, goal="which-group:slope").goal.groups == "slope"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"goal": "best"}, "there is no --goal 'best'; choose one of best-query:EPSILON, which-target"),
        ({"goal": "best-query"}, "write --goal best-query:EPSILON, got 'best-query'"),
        ({"goal": "which-target:3"}, "write --goal which-target, got"),
        ({"goal": "best-query:x"}, "epsilon must be a finite number"),
        ({"goal": "value-of:slope"}, "write --goal value-of:PARAMETER:TOLERANCE"),
        ({"goal": "value-of:slope:0.1"}, "the problem has no parameter 'slope'"),
        ({"goal": "which-group:none.csv"}, "none.csv: there is no such file, and no parameter of that name"),
        ({"goal": "best-query:0.1", "epsilon": Fraction(1, 10)}, "--epsilon E stands for --goal best-query:E"),
        ({"noise": "loud"}, "there is no --noise 'loud'; choose one of bounded, sub-gaussian:SIGMA"),
        ({"noise": "sub-gaussian"}, "write --noise sub-gaussian:SIGMA"),
        ({"noise": "sub-gaussian:-1"}, "sigma must be greater than 0"),
        ({"noise": "coin:1"}, "write --noise coin, got 'coin:1'"),
        ({"problem": KArms(3), "goal": "which-target"}, "a continuous family has none"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_remedy(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        task(**given)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("rain,a\nsun,b\n", "candidate 'fog' is missing"),
        ("rain,a\nsun,b\nfog\n", "line 3 has 1 cells, but line 1 has 2"),
        ("rain,a\nsun,b\nfog,a\nsun,a\n", "a candidate is named twice"),
    ],
)
def test_a_file_of_groups_names_every_candidate_once(tmp_path: Path, lines: str, reason: str) -> None:
    path = tmp_path / "groups.csv"
    path.write_text(lines)
    with pytest.raises(InvalidValueError, match=reason):
        task(goal=f"which-group:{path}")


@pytest.mark.parametrize("command", ["budget", "simulate", "report"])
def test_every_form_is_explained_in_the_help(warmer: Command, command: str) -> None:
    said = " ".join(warmer(command, "--help").out.split()).replace("- ", "-")  # lines break at hyphens
    for form in [*GOALS, *NOISES]:
        assert form.split(":")[0] in said


def test_simulate_counts_answers_and_wrong_certificates(warmer: Command) -> None:
    line = "simulate needle:n_arms=4 --learner top-two --learner uniform --runs 3 --horizon 60 --goal which-target"
    said = warmer(*line.split(), "--noise", "sub-gaussian:0.3", "--evidence-figure", "evidence.png")
    assert said.code == 0
    assert "median answers" in said.out
    assert "wrong" in said.out
    assert "which candidate is true, with probability 0.95; sub-Gaussian noise with sigma = 0.3" in " ".join(
        said.out.split()
    )
    assert Path("evidence.png").read_bytes().startswith(b"\x89PNG")
    form = warmer(*line.split(), "--noise", "coin", "--json").form
    assert (form["goal"], form["noise"]) == ("WhichTarget()", "Coin()")
    first = form["outcomes"][0]["certificate"]
    assert first["certified"] + first["wrong"] <= 6
    assert len(first["queries"]) == 3


def test_a_wrong_declaration_gives_wrong_certificates_and_they_are_counted(warmer: Command) -> None:
    """Answers are coins, declared to be nearly exact: what is proven is the first thing that luck suggests."""
    np.save("alike.npy", np.array([[0.1, -0.1, 0.2], [0.0, 0.1, -0.2]]))
    line = "simulate alike.npy --environment coin --noise sub-gaussian:0.05 --goal which-target --learner uniform"
    certificate = warmer(*line.split(), "--runs", "20", "--horizon", "30", "--json").form["outcomes"][0]["certificate"]
    assert certificate["wrong"] > 0


def test_noise_of_unknown_size_is_simulated_only_with_a_sigma(warmer: Command) -> None:
    said = warmer("budget", "needle:n_arms=3", "--noise", "gaussian", "--runs", "1")
    assert (said.code, said.out) == (2, "")
    assert "to simulate it, give sigma" in said.err
    said = warmer("budget", "needle:n_arms=3", "--noise", "gaussian", "--sigma", "0.2", "--runs", "1")
    assert said.code == 0
    assert "the deviation of the noise is unknown" in " ".join(said.out.split())
