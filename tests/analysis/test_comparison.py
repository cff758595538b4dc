import itertools
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from warmer import InvalidValueError, Problem, Session, environments, goals, noise, problems, simulate
from warmer.analysis import Task, compare, comparison, draw_targets, run_statistics
from warmer.analysis.comparison import shared_sigma
from warmer.analysis.run_statistics import first_proof
from warmer.certification import Certifier
from warmer.learners import UCB1, Settings, build
from warmer.model import time_limit
from warmer.model.time_limit import Clock, listening

MAP = problems.treasure(side=4)
TASK = Task(epsilon=0.1)


def test_runs_at_one_target_are_those_of_simulate() -> None:
    environment = environments.UniformNoise(MAP, "C2")
    outcome = compare([environment] * 4, ["thompson"], TASK, horizon=60, seed=3)["thompson"]
    learner = build("thompson", MAP, Settings(1.0, 0.05, environment.sigma, 60))
    runs = simulate(learner, environment, horizon=60, runs=4, seed=3)
    np.testing.assert_allclose(outcome.regrets[:, -1], runs.regret(alpha=1.0))
    np.testing.assert_array_equal(outcome.example, runs.queries[0])


def test_regret_is_kept_at_no_more_rounds_than_a_picture_shows_and_at_the_last() -> None:
    environment = environments.Exact(MAP, "A1")
    result = compare([environment], ["uniform"], Task(epsilon=0.1), horizon=5000, seed=0)
    assert result.rounds.size <= 400
    assert (result.rounds[0], result.rounds[-1]) == (1, 5000)
    assert result["uniform"].regrets.shape == (1, result.rounds.size)


def test_an_outcome_knows_what_its_learner_was_told() -> None:
    told = {
        "least-squares": ("alpha",),
        "optimistic": ("sigma",),
        "optimistic-paper": (),
        "thompson": ("sigma",),
        "information-directed": ("sigma",),
        "elimination": ("sigma",),
        "ucb1": (),
        "uniform": (),
        "oracle": ("alpha",),
        "oracle-optimistic": ("sigma",),
        "pac": ("alpha",),
        "until-certified": ("sigma",),
        "top-two": ("sigma",),
        "max-information": ("sigma",),
    }
    played = compare([environments.Exact(MAP, "A1")], list(told), TASK, horizon=3, seed=0)
    assert {outcome.learner: outcome.told for outcome in played.outcomes} == told


def test_least_squares_is_told_the_value_of_each_run_s_own_target() -> None:
    table = Problem.from_table([[0.2, 0.1], [0.0, 0.9]])
    played = [environments.Exact(table, target) for target in (0, 1)]
    outcome = compare(played, ["least-squares"], Task(epsilon=0.05), horizon=20, seed=0)["least-squares"]
    assert outcome.regrets[:, -1].max() < 1.0
    assert outcome.is_good.all()


def test_learners_are_told_the_epsilon_of_the_goal() -> None:
    environment = environments.UniformNoise(MAP, "C2")
    outcome = compare([environment], ["until-certified"], Task(epsilon=0.4), horizon=300, seed=3)["until-certified"]
    for epsilon, is_same in ((0.4, True), (0.1, False)):
        learner = build("until-certified", MAP, Settings(1.0, 0.05, environment.sigma, 300, epsilon))
        runs = simulate(learner, environment, horizon=300, seed=3)
        assert (runs.queries[0] == outcome.example).all() == is_same


def test_a_declared_alpha_is_what_regret_is_measured_against() -> None:
    environment = environments.Exact(MAP, "A1")
    low, high = (
        compare([environment], ["uniform"], Task(epsilon=0.1, alpha=alpha), horizon=10, seed=0)["uniform"]
        for alpha in (0.5, 1.0)
    )
    assert high.regret.estimate - low.regret.estimate == pytest.approx(5.0)


def test_proofs_are_counted_and_checked_against_the_truth() -> None:
    played = [environments.UniformNoise(MAP, target) for target in draw_targets(MAP, runs=5, seed=0)]
    outcome = compare(played, ["least-squares"], Task(epsilon=0.1), horizon=300, seed=0, with_proofs=True).outcomes[0]
    assert (outcome.n_proven, outcome.n_wrong_proofs) == (5, 0)
    counts = sorted(proof.n_answers for proof in outcome.proofs if proof)
    assert outcome.answers_for(0.5) == counts[2]


def test_a_noise_declared_too_small_leads_to_wrong_proofs_and_they_are_counted() -> None:
    played = [environments.Coin(MAP, target) for target in draw_targets(MAP, runs=20, seed=0)]
    assert (
        compare(played, ["uniform"], Task(0.1, sigma=0.05), horizon=20, seed=0, with_proofs=True)[
            "uniform"
        ].n_wrong_proofs
        > 0
    )


def test_runs_are_gathered_some_at_a_time_and_say_the_same_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """So Ctrl-C at 60,000 runs leaves little to gather, and what is finished is printed in time."""
    several = [environments.UniformNoise(MAP, target) for target in ("C2", "A1", "A1", "B4", "B4")]
    task = Task(epsilon=0.3, noise=noise.SubGaussian(0.3))
    settings: dict[str, Any] = {"horizon": 60, "seed": 3, "with_proofs": True}
    [whole] = compare(several, ["thompson"], task, **settings).outcomes
    sizes: list[int] = []

    def counted(learners: Any, environments: Any, **given: Any) -> Any:
        if isinstance(environments, tuple):  # not the first call, which compiles
            sizes.append(len(environments) * given["horizon"])
        return simulate(learners, environments, **given)

    monkeypatch.setattr(comparison, "_ROUNDS_TOGETHER", {"cpu": 120})
    monkeypatch.setattr(comparison, "n_cores", lambda: 1)
    monkeypatch.setattr(comparison, "simulate", counted)
    [parts] = compare(several, ["thompson"], task, **settings).outcomes
    assert sizes == [120, 120, 60]
    for name in ("regrets", "n_bad", "is_good", "is_wrong", "example"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
    assert [proof and proof.n_answers for proof in parts.proofs] == [
        proof and proof.n_answers for proof in whole.proofs
    ]


@pytest.mark.parametrize(
    ("home", "where", "n_finished"), [(comparison, "simulate", 2), (run_statistics, "first_proof", 1)]
)
def test_what_was_finished_before_ctrl_c_is_kept(
    monkeypatch: pytest.MonkeyPatch, home: Any, where: str, n_finished: int
) -> None:
    several, calls = [environments.UniformNoise(MAP, "C2")] * 8, itertools.count()
    plainly = getattr(home, where)

    def interrupted(*given: Any, **more: Any) -> Any:
        if next(calls) == 3:  # after a call for each learner that compiles; then two runs at a time
            raise KeyboardInterrupt
        return plainly(*given, **more)

    monkeypatch.setattr(comparison, "_ROUNDS_TOGETHER", {"cpu": 120})
    monkeypatch.setattr(comparison, "n_cores", lambda: 1)
    monkeypatch.setattr(home, where, interrupted)
    task = Task(epsilon=0.3, noise=noise.SubGaussian(0.3))
    result = compare(several, ["uniform", "ucb1"], task, horizon=60, seed=3, with_proofs=True)
    assert (result.n_runs, result.is_interrupted) == (n_finished, True)
    [outcome] = result.outcomes
    assert {len(outcome.regrets), len(outcome.proofs), outcome.is_good.size, outcome.n_bad.size} == {n_finished}


def test_a_time_limit_that_is_too_short_for_all_learners_leaves_the_runs_of_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    several, later = [environments.UniformNoise(MAP, "C2")] * 8, [0.0]

    def late(learners: Any, environments: Any, **given: Any) -> Any:
        runs = simulate(learners, environments, **given)
        if isinstance(environments, tuple) and (given["first"] == 4 or isinstance(learners[0], UCB1)):
            later[0] += 3000  # beyond its share
            Clock(None).check()
        return runs

    monkeypatch.setattr(time_limit, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + later[0]))
    monkeypatch.setattr(comparison, "_ROUNDS_TOGETHER", {"cpu": 120})
    monkeypatch.setattr(comparison, "n_cores", lambda: 1)
    monkeypatch.setattr(comparison, "simulate", late)
    result = compare(several, ["ucb1", "uniform"], TASK, horizon=60, seed=3, time_limit=4000)
    assert ([outcome.learner for outcome in result.outcomes], result.n_runs) == (["uniform"], 4)
    assert (result.left_out, result.is_interrupted) == (("ucb1",), False)


def test_half_of_the_runs_must_be_proven_for_a_median() -> None:
    played = [environments.Coin(MAP, "A1")] * 3
    outcome = compare(played, ["uniform"], Task(epsilon=0.1), horizon=2, seed=0, with_proofs=True)["uniform"]
    assert (outcome.n_proven, outcome.answers_for(0.5)) == (0, None)


def test_targets_are_drawn_among_those_the_paper_allows() -> None:
    table = Problem.from_similarity([[0.5, 0.9], [0.4, 0.2]], labels=["fair", "foul"])
    assert set(draw_targets(table, runs=20, seed=0)) == {"fair"}
    hopeless = Problem.from_similarity([[0.1, 0.9], [0.8, 0.2]])
    assert set(draw_targets(hopeless, runs=20, seed=0)) == {0, 1}


def test_a_longer_draw_begins_like_a_shorter_one() -> None:
    assert draw_targets(MAP, runs=9, seed=4)[:5] == draw_targets(MAP, runs=5, seed=4)


def test_sigma_is_the_largest_of_the_environments() -> None:
    played = [environments.TruncatedGaussian(MAP, "A1", sigma=sigma) for sigma in (0.2, 0.4)]
    assert shared_sigma(played) == 0.4


def test_environments_of_different_problems_are_refused() -> None:
    played = [environments.Exact(problems.treasure(side=4), "A1") for _ in range(2)]
    with pytest.raises(InvalidValueError, match="the same problem in all of them"):
        compare(played, ["uniform"], TASK, horizon=60, seed=3)
    with pytest.raises(InvalidValueError, match="at least one environment"):
        compare([], ["uniform"], TASK, horizon=60, seed=3)


def test_the_first_proof_comes_when_the_session_first_grants_one() -> None:
    environment, declared = environments.UniformNoise(MAP, "D3"), noise.SubGaussian(0.29)
    certifier = Certifier(MAP, goals.BestQuery(0.1), noise=declared)
    for name in ("least-squares", "uniform", "elimination"):
        runs = simulate(build(name, MAP, Settings(1.0, 0.05, 0.29, 200)), environment, horizon=200, seed=1)
        proof, granted = first_proof(runs, certifier), []
        session = Session(MAP, goal=goals.BestQuery(0.1), noise=declared)
        for query, reward in zip(runs.queries[0].tolist(), runs.rewards[0].tolist(), strict=True):
            session.tell(MAP.queries[query], reward)
            granted.append(bool(session.certificate()))
        assert proof is not None
        assert proof.n_answers == granted.index(True) + 1


def test_ctrl_c_before_the_first_proof_is_found_leaves_nothing(monkeypatch):
    come = []

    def interrupted(*_):
        come.append(True)
        raise KeyboardInterrupt

    monkeypatch.setattr(run_statistics, "first_proof", interrupted)
    environment = environments.Exact(problems.treasure(side=3), "B2")
    with listening(lambda: bool(come)), pytest.raises(KeyboardInterrupt):
        compare([environment], ["uniform"], Task(epsilon=0.1), horizon=20, seed=0, with_proofs=True)
