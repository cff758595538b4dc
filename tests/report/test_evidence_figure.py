from dataclasses import replace

import numpy as np
import pytest

from warmer import Problem, environments, goals
from warmer.analysis import EvidenceHistory, Task, simulated_evidence
from warmer.report import plot_evidence
from warmer.report.evidence_figure import evidence_in_words


@pytest.fixture(scope="module")
def history() -> EvidenceHistory:
    problem = Problem.from_table(
        np.random.default_rng(0).uniform(-0.5, 0.5, (8, 60)), targets=[f"$m_{k}" for k in range(60)]
    )
    laboratory = environments.UniformNoise(problem, "$m_5", width=0.3)
    task = Task(0.05, sigma=0.2, goal=goals.WhichTarget())
    return simulated_evidence(laboratory, "top-two", task, horizon=500, seed=0)


def test_no_line_crosses_the_threshold_and_the_staircase_falls(history: EvidenceHistory) -> None:
    above, below = plot_evidence(history).axes
    lines = [np.asarray(line.get_ydata(), dtype=float) for line in above.get_lines()]
    assert max(np.nanmax(line) for line in lines) == pytest.approx(history.threshold)
    assert sum(line.size == history.n_answers.size for line in lines) == history.shown.size
    counts = below.get_lines()[0].get_ydata()
    assert (np.diff(counts) <= 0).all()
    assert counts[0] == 60


def test_the_truth_is_named_as_it_is(history: EvidenceHistory) -> None:
    figure = plot_evidence(history)
    words = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert any("$m_5" in each for each in words)
    figure.canvas.draw()  # an unpaired dollar sign is no formula


def test_the_run_is_told_in_a_sentence(history: EvidenceHistory) -> None:
    words = evidence_in_words(history)
    assert words.startswith("One run with $m_5 as the truth: after ")
    assert words.endswith("1 candidate of 60 remained; certified: the true candidate is '$m_5'.")


def test_the_axis_of_counts_has_no_tick_that_is_no_count(history: EvidenceHistory) -> None:
    many = 10_000_000
    long_ago = replace(history, n_possible=np.geomspace(many, 1, history.n_possible.size).round().astype(int))
    below = plot_evidence(long_ago).axes[1]
    below.figure.canvas.draw()
    low, high = below.get_ylim()
    shown = [
        (place, label.get_text()) for place, label in zip(below.get_yticks(), below.get_yticklabels(), strict=True)
    ]
    ticks = {text: place for place, text in shown if low <= place <= high}
    assert {"1", "1,000,000"} <= ticks.keys()
    assert all(float(text.replace(",", "")) == place for text, place in ticks.items())
    assert high >= many
