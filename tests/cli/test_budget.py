"""`warmer budget`."""

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Command
from warmer.analysis.budgets import simulate_candidates

LINE = ("budget", "weather.csv", "--epsilon", "0.1", "--sigma", "0.5", "--runs", "2")


@pytest.fixture(autouse=True)
def weather(warmer: Command) -> None:
    Path("weather.csv").write_text(",rain,sun,fog\nleft,0.1,0.9,0.5\nright,0.7,0.3,0.2\nwait,0.4,0.4,0.6\n")
    Path("action.csv").write_text(",fog,rain,sun\nlook,0.3,0.6,0.8\n")
    Path("model.csv").write_text(",hail\nleft,0.2\nright,0.1\nwait,0.9\n")


def test_the_numbers_stand_side_by_side(warmer: Command) -> None:
    said = warmer(*LINE)
    assert said.code == 0
    assert max(map(len, said.out.splitlines())) <= 80
    for name in ("theorem", "anytime theorem", "round robin", "simulated median", "simulated 95%", "lower bound"):
        assert f"\n{name} " in said.out
    assert "To plan, use the simulated 95%" in said.out
    assert "each of 3 candidates as the true target in 2 runs" in " ".join(said.out.split())


def test_the_same_numbers_are_in_the_json(warmer: Command) -> None:
    form = warmer(*LINE, "--json").form
    assert form["theorem"]["queries"] > form["anytime"]["queries"] > form["simulation"]["quantile_95"]
    assert form["simulation"]["median"] <= form["simulation"]["quantile_95"]
    assert form["alpha"] is None
    assert form["lower_bound"]["n_answers"] >= 1
    assert form == warmer(*LINE, "--json").form


def test_a_dimension_that_is_not_exact_is_said_to_lie_between_its_bounds(
    warmer: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warmer.cli.commands.budget._SEARCH_TIME", 0.01)
    line = ("budget", "random_table:n_queries=40,n_targets=400", "--epsilon", "0.1", "--runs", "1", "--truths", "1")
    said = " ".join(warmer(*line).out.split())
    assert "with dimension between" in said
    assert "a longer --time-limit gives its search more time." in said
    bounds = warmer(*line, "--json").form["dimension"]
    assert 1 < bounds["lower"] < bounds["upper"] <= 40


def test_a_dimension_that_was_not_searched_is_said_to_be_so(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: Any, **__: Any) -> None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    monkeypatch.setattr("warmer.analysis.budgets.searching.guarantee_dimension", missing)
    said = " ".join(warmer(*LINE).out.split())
    assert "(not searched, since Numba is not installed; upper bound: all alternatives used)" in said


def test_runs_that_do_not_end_are_told(warmer: Command) -> None:
    said = warmer(*LINE, "--horizon", "2")
    assert "> 2" in said.out
    assert "over half of its runs cut off" in " ".join(said.out.split())


def test_a_simulation_that_was_cut_off_is_no_plan(warmer: Command) -> None:
    said = " ".join(warmer(*LINE, "--horizon", "1").out.split())
    assert "Do not plan with the simulation" in said
    assert "To plan, use the simulated 95%" not in said


def test_an_accuracy_may_be_a_fraction(warmer: Command) -> None:
    assert warmer(*LINE, "--epsilon", "1/10", "--json").form == warmer(*LINE, "--json").form
    said = warmer(*LINE, "--epsilon", "x")
    assert (said.code, said.err.count("epsilon must be a finite number")) == (2, 1)


def test_more_noise_than_there_can_be_is_told(warmer: Command) -> None:
    said = " ".join(warmer(*LINE, "--sigma", "3").out.split())
    assert "noise with sigma = 1 (not 3: no reward in [-1, 1] is noisier than that)" in said
    form = warmer(*LINE, "--sigma", "3", "--json").form
    assert (form["sigma"], form["declared_sigma"]) == (1, 3)


def test_fewer_models_and_other_actions_stand_beside_what_is(warmer: Command) -> None:
    said = warmer(*LINE, "--drop", "fog", "--add", "action.csv")
    assert said.code == 0
    assert "Edited: 4 queries x 2 targets." in said.out
    form = warmer(*LINE, "--add", "model.csv", "--drop", "query:wait", "--json").form
    assert (form["problem"]["n_targets"], form["edited"]["problem"]["n_targets"]) == (3, 4)
    assert (form["problem"]["n_queries"], form["edited"]["problem"]["n_queries"]) == (3, 2)


def test_an_alternative_is_dropped_whole(warmer: Command) -> None:
    form = warmer("budget", "parities:n_bits=2", "--epsilon", "0.5", "--runs", "1", "--drop", "x1", "--json").form
    assert form["edited"]["problem"]["n_queries"] == form["edited"]["problem"]["n_targets"] == 3
    assert form["alpha"] == "1"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("--epsilon 0", "epsilon must be greater than 0"),
        ("--epsilon 3", "epsilon must be at most that"),
        ("--sigma 0", "sigma must be greater than 0"),
        ("--delta 2", "delta must lie strictly between 0 and 1"),
        ("--runs 0", "runs must be at least 1"),
        ("--horizon 0", "horizon must be at least 1"),
        ("--alpha 1", "alpha must be reached by some target's own best query; the best is 0.9, got 1."),
        ("--alpha x", "alpha must be a finite number"),
        ("--learner nobody", "there is no learner 'nobody'"),
        ("--learner pac", "there is no learner 'pac'; choose one of least-squares"),
        ("--drop snow", "there is no query and no target 'snow' to drop"),
        ("--drop query:rain", "there is no query 'rain' to drop"),
        ("--drop target:left", "there is no target 'left' to drop"),
        ("--drop rain --drop sun --drop fog", "every target would be dropped"),
        ("--add nope.csv", "nope.csv: there is no such file"),
        ("--add weather.csv", "weather.csv: there is a query 'left' already"),
        ("--time-limit 0", "time_limit must be greater than 0"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(warmer: Command, options: str, reason: str) -> None:
    said = warmer("budget", "weather.csv", "--epsilon", "0.1", "--runs", "1", *options.split())
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert reason in said.err


def test_a_label_of_both_kinds_must_be_told_apart(warmer: Command) -> None:
    said = warmer("budget", "random_table:n_targets=3", "--epsilon", "0.1", "--runs", "1", "--drop", "2")
    assert said.code == 2
    assert "'2' names a query and a target; say query:2 or target:2" in said.err


def test_an_interrupt_is_one_line(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("warmer.cli.commands.budget.reckon", interrupted)
    assert warmer(*LINE).code == 130


def test_a_candidate_that_prefers_another_query_is_a_loud_notice(warmer: Command) -> None:
    Path("odd.csv").write_text(",a,b,c,d\na,.25,0,.25,1\nb,-.5,.75,.5,-1\nc,-.25,.75,0,-1\nd,.5,.5,.75,-.75\n")
    line = ("budget", "odd.csv", "--square", "--epsilon", ".25", "--sigma", ".5", "--runs", "2")
    told = " ".join(warmer(*line).out.split())
    assert "Warning: a and 2 other candidates value another query above their own" in told
    assert "The theorems are for" not in told
    assert "all certificates were right" in told
    form = warmer(*line, "--json").form
    assert (form["violations"], form["theorem"], form["anytime"]) == (["a", "c", "d"], None, None)


def test_the_limit_stands_beside_what_learners_need(warmer: Command) -> None:
    said = warmer(*LINE)
    assert "true candidate  limit  top-two  elimination  uniform  ratio" in said.out
    assert "average of 3" in said.out
    form = warmer(*LINE, "--json").form
    average = form["needs"][-1]
    assert (average["candidate"], average["unit"], list(average["learners"])) == (
        None,
        "answers",
        ["top-two", "elimination", "uniform"],
    )
    assert average["ratio"] == pytest.approx(average["learners"]["top-two"] / average["limit"])


def test_the_limit_says_whether_it_holds_at_this_delta(warmer: Command) -> None:
    several, one = (warmer(*LINE[:2], "--sigma", "0.5", "--runs", "1", "--goal", goal).out for goal in GOALS)
    assert "T* ln(1/delta): what no method beats in the limit of small delta" in " ".join(several.split())
    assert "T* kl(delta, 1 - delta): no method" in " ".join(one.split())
    assert "does not apply: only for the goal best-query" in " ".join(one.split())


def test_money_stands_beside_answers(warmer: Command) -> None:
    table = np.array([[0.1, 0.9, 0.5], [0.7, 0.3, 0.2], [0.4, 0.4, 0.6]])
    np.savez("weather.npz", rho=table, costs=[1.0, 2.0, 5.0])
    form = warmer("budget", "weather.npz", "--epsilon", "0.1", "--sigma", "0.5", "--runs", "1", "--json").form
    answers, money = ([need for need in form["needs"] if need["unit"] == unit] for unit in ("answers", "cost"))
    assert len(answers) == len(money) == 4
    assert all(cost["limit"] >= count["limit"] > 0 for cost, count in zip(money, answers, strict=True))


def test_a_second_interrupted_part_leaves_what_is_known(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("warmer.analysis.budgets.budget")

    def impatient(*arguments: Any, learner: str, **more: Any) -> Any:
        if learner == "elimination":
            raise KeyboardInterrupt
        return simulate_candidates(*arguments, learner=learner, **more)

    monkeypatch.setattr(module, "simulate_candidates", impatient)
    said = warmer(*LINE)
    assert said.code == 0
    assert "simulated median" in said.out
    assert "true candidate  limit  top-two  ratio" in said.out
    assert "Limit: not known" in said.out


GOALS = ("best-query:0.1", "which-target")
