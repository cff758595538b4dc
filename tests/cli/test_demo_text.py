from dataclasses import replace

import numpy as np
import pytest

from warmer import environments, problems
from warmer.analysis import Comparison, Outcome, Task
from warmer.analysis.run_statistics import Proof
from warmer.cli.commands.demo import scene, story

ENVIRONMENT = environments.UniformNoise(problems.treasure(side=3), "B2")


def outcome(learner: str, *, regret: float, asks: int | None) -> Outcome:
    proof = None if asks is None else Proof(asks, 4)
    return Outcome(
        learner=learner,
        told=(),
        regrets=np.array([[regret - 1.0], [regret + 1.0]]) / 10,
        n_bad=np.zeros(2),
        is_good=np.ones(2, dtype=bool),
        proofs=(proof, proof),
        is_wrong=np.zeros(2, dtype=bool),
        example=np.zeros(1, dtype=int),
        steps_per_second=1.0,
    )


def comparison(*outcomes: Outcome) -> Comparison:
    return Comparison(
        (ENVIRONMENT, ENVIRONMENT), Task(0.1, sigma=ENVIRONMENT.sigma), 1000, 0, np.array([1000]), outcomes
    )


FAR = (outcome("thompson", regret=20, asks=7), outcome("ucb1", regret=400, asks=50))


def test_a_clear_order_is_told_without_doubt() -> None:
    told = story(comparison(*FAR, outcome("uniform", regret=900, asks=90)))
    assert told == [
        "thompson has the least regret, 2.00 per run, and uniform the most, 90.0, 45 times as much.",
        "ucb1 does not know that neighbouring places are alike: "
        "it tries all 9 before it repeats one, and has a regret of 40.0.",
        "thompson needed the fewest queries to certify an answer within 0.1 of the best, with probability 95%: "
        "7 in half of the runs; random queries needed 90.",
        "All 6 certificates were right.",
    ]


def test_learners_whose_intervals_overlap_are_not_ranked() -> None:
    near = (outcome("elimination", regret=21, asks=9), outcome("optimistic", regret=22, asks=9))
    told = story(comparison(*FAR, *near, outcome("uniform", regret=900, asks=None)))
    assert told[1] == "Its interval overlaps that of elimination and optimistic: these runs alone do not rank them."
    assert told[3].endswith("; random queries certified 0 of 2 runs.")


def test_learners_that_prove_equally_soon_are_named_together() -> None:
    told = story(comparison(*FAR, outcome("uniform", regret=900, asks=7)))
    assert told[2].startswith("thompson and uniform needed the fewest queries")


def test_wrong_proofs_are_owned_up_to() -> None:
    wrong = replace(outcome("uniform", regret=900, asks=90), is_wrong=np.array([True, False]))
    assert story(comparison(*FAR, wrong))[-1] == "1 of 6 certificates turned out wrong."


@pytest.mark.parametrize("regret", [0.0, -5.0])
def test_nothing_missed_is_not_divided_by(regret: float) -> None:
    told = story(comparison(*FAR, outcome("uniform", regret=regret, asks=90)))
    assert "times as much" not in told[0]


def test_the_scene_names_the_places() -> None:
    assert scene(comparison(*FAR), width=0.5).startswith("A treasure lies in one of 9 places, A1 to C3.")
