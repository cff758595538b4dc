"""Sentences and cells about results."""

import numpy as np

from warmer import environments, problems
from warmer.analysis import Comparison, Task, compare
from warmer.report.text import learner_name, outcome_row, told_in_words, winner

TASK = Task(epsilon=0.1)
UNEQUAL = problems.random_table(5, 8)


def played(*learners: str, problem=UNEQUAL) -> Comparison:
    return compare([environments.UniformNoise(problem, 3)] * 2, learners, TASK, horizon=30, seed=0)


def test_who_is_told_the_best_value_is_marked_wherever_it_stands_beside_others() -> None:
    comparison = played("least-squares", "pac", "oracle", "uniform")
    names = {outcome.learner: learner_name(comparison, outcome) for outcome in comparison.outcomes}
    assert names == {"least-squares": "least-squares*", "pac": "pac*", "oracle": "oracle*", "uniform": "uniform"}
    assert told_in_words(comparison) == (
        "least-squares, pac and oracle are told the best value of each run's target; the other learners are not."
    )
    assert outcome_row(comparison, comparison.ranking[0])[0].endswith("*")


def test_a_value_that_all_targets_share_is_no_secret() -> None:
    comparison = played("least-squares", "uniform", problem=problems.needle(n_arms=5))
    assert np.ptp(comparison.problem.self_evaluations) == 0
    assert told_in_words(comparison) == ""
    assert learner_name(comparison, comparison["least-squares"]) == "least-squares"


def test_the_crown_goes_to_a_learner_that_was_not_told() -> None:
    comparison = played("least-squares", "uniform")
    assert comparison.ranking[0].learner == "least-squares"
    assert winner(comparison) == ("least regret among learners not told the best value", "uniform")
    assert winner(played("least-squares")) == ("least regret (told alpha)", "least-squares")
    assert winner(played("uniform")) == ("least regret", "uniform")
