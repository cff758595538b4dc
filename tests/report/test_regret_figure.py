import numpy as np
import pytest

from warmer import environments, problems
from warmer.analysis import Comparison, Task, compare
from warmer.report import plot_regret
from warmer.report.regret_figure import spread
from warmer.report.text import short


def test_each_line_is_the_mean_of_its_learner(comparison: Comparison) -> None:
    axes = plot_regret(comparison).axes[0]
    lines = {name: line for line in axes.get_lines() if not (name := str(line.get_label())).startswith("_")}
    assert set(lines) == {outcome.learner for outcome in comparison.outcomes}
    for outcome in comparison.outcomes:
        np.testing.assert_array_equal(lines[outcome.learner].get_xdata(), comparison.rounds)
        np.testing.assert_array_equal(lines[outcome.learner].get_ydata(), outcome.regret_band.estimate)


def test_each_band_runs_between_the_limits_of_the_interval(comparison: Comparison) -> None:
    axes = plot_regret(comparison).axes[0]
    for band, outcome in zip(axes.collections, comparison.ranking, strict=True):
        heights = band.get_paths()[0].vertices[:, 1]
        assert heights.min() == outcome.regret_band.low.min()
        assert heights.max() == outcome.regret_band.high.max()


def test_each_line_bears_its_name_and_its_regret(comparison: Comparison) -> None:
    words = [text.get_text() for text in plot_regret(comparison).axes[0].texts]
    assert words == [f"{outcome.learner}  {short(outcome.regret.estimate)}" for outcome in comparison.ranking]


def test_one_run_of_one_query_can_be_drawn_without_a_band() -> None:
    environment = environments.Exact(problems.treasure(side=2), "A1")
    single = compare([environment], ["least-squares"], Task(epsilon=0.1), horizon=1, seed=0)
    axes = plot_regret(single).axes[0]
    assert len(axes.collections) == 0
    assert axes.get_title(loc="left") == "Regret over 1 query: one run"


@pytest.mark.parametrize("gap", [0.1, 1.0])
def test_names_stand_apart_and_in_order(gap: float) -> None:
    heights = sorted(np.random.default_rng(0).random(9).tolist())
    moved = spread(heights, gap=gap)
    assert (np.diff(moved) >= gap - 1e-12).all()
    assert np.mean(moved) == pytest.approx(np.mean(heights), abs=gap)


def test_a_learner_that_is_told_alpha_says_so_at_its_line() -> None:
    problem = problems.random_table(4, 6)
    played = compare([environments.Coin(problem, 2)], ["ucb1", "least-squares"], Task(epsilon=0.1), horizon=9, seed=0)
    axes = plot_regret(played).axes[0]
    assert {text.get_text().rpartition("  ")[0] for text in axes.texts} == {"ucb1", "least-squares (told alpha)"}
    assert "least-squares is told the best value of each run's target" in " ".join(axes.get_xlabel().split())
