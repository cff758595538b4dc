"""One place where something becomes proven: who is ruled out, what is settled, and how it is said."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from tests.certification.instances import Instance, instances
from warmer import goals, noise
from warmer.certification import Certifier, Evidence
from warmer.model import Problem
from warmer.model.errors import HypothesisError, InvalidValueError

WEATHER = Problem.from_table([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]], queries=["a", "b"], targets=["rain", "sun", "fog"])
QUIET = noise.SubGaussian(0.25)


def told(certifier: Certifier, *answers: tuple[int, float]) -> Evidence:
    """The evidence after some answers."""
    state = certifier.start()
    for query, reward in answers:
        state = certifier.update(state, query, reward)
    return state


@settings(max_examples=60, deadline=None)
@given(instances())
def test_a_candidate_is_out_for_good_once_its_evidence_reached_the_threshold(instance: Instance) -> None:
    for declared in (noise.Bounded(), noise.SubGaussian(instance.noise), noise.Gaussian()):
        certifier = Certifier(instance.problem, goals.WhichTarget(), noise=declared, delta=0.3, prior=instance.given)
        state, most = certifier.start(), np.zeros(instance.problem.n_targets)
        for query, reward, count in instance.history:
            state = certifier.update(state, query, reward, count)
            most = np.maximum(most, np.asarray(certifier.process.log_evidence(state.process), dtype=float))
        clear = np.abs(most + np.log(0.3)) > 1e-6
        assert (state.possible == (most < -np.log(0.3)))[clear].all()
        assert state.n_possible == state.possible.sum()
        assert state.n_answers == len(instance.history)
        assert certifier.is_misspecified(state) == (not state.possible.any())


def test_evidence_that_melts_away_brings_nobody_back() -> None:
    certifier = Certifier(WEATHER, goals.WhichTarget(), noise=QUIET)
    state = told(certifier, (0, 0.0), (0, 0.0))
    assert state.possible.tolist() == [False, True, True]
    for _ in range(30):
        state = certifier.update(state, 0, 1.0)
    assert not state.possible[0]
    assert np.asarray(certifier.process.log_evidence(state.process))[0] < 0


@pytest.mark.parametrize("delta", [0.3, 1e-20, 1e-100, 1e-300, 5e-324])
def test_every_delta_can_be_reached(delta: float) -> None:
    table = Problem.from_table([[0.0, 1.0]])
    for declared in (noise.Bounded(), noise.SubGaussian(1.0), noise.Coin(), noise.BoundedNoise(1.5)):
        certifier = Certifier(table, goals.WhichTarget(), noise=declared, delta=delta)
        state = certifier.start()
        for k in range(4000):
            state = certifier.update(state, 0, (-1.0) ** k)
        assert certifier.is_settled(state)
        assert certifier.answer(state) == 0


def test_answers_settled_twice_keep_to_one_name() -> None:
    either = goals.Accepts([[True, True, False], [True, True, True]], names=["x", "y"])
    certifier = Certifier(WEATHER, either, noise=QUIET)
    state = told(certifier, (0, 0.75), (1, 0.25), (0, 0.75))
    for _ in range(20):
        state = certifier.update(state, 1, 0.5)
        certificate = certifier.certificate(state)
        assert certificate.answer == "xy"[certifier.answer(state)]


def test_the_recommended_query_is_the_best_allowed_one_even_where_a_target_prefers_another() -> None:
    rho = [[0.5, 0.9, 0.0], [0.9, 0.8, 0.1], [0.0, 0.0, 0.7]]
    for goal in (goals.BestQuery(0.05), goals.WhichTarget()):
        problem = Problem.from_similarity(rho, forbidden=[False, False, True])
        certifier = Certifier(problem, goal, noise=noise.SubGaussian(0.1))
        for truth, best in ((0, 1), (1, 0), (2, 1)):
            state = certifier.start()
            for query in (0, 1, 0, 1, 0, 1):
                state = certifier.update(state, query, rho[query][truth])
            assert certifier.leader(state) == truth
            assert certifier.recommended_query(state) == best


def test_the_likeliest_come_first_by_prior_and_answers() -> None:
    certifier = Certifier(WEATHER, goals.WhichTarget(), noise=noise.SubGaussian(1.0), prior=[1.0, 1.0, 8.0])
    certificate = certifier.certificate(told(certifier, (0, 0.75)))
    assert list(certificate.remaining) == ["fog", "rain", "sun"]
    assert list(certificate.objectors) == ["rain", "sun"]
    assert certificate.answer == "fog"


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (goals.BestQuery(0.1), "'a' is within 0.1 of the best query"),
        (goals.BestDecision([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], 0.1, decisions=["umbrella", "hat"]), "'umbrella'"),
        (goals.WhichTarget(), "the true candidate is 'rain'"),
        (goals.WhichGroup({"rain": "wet", "sun": "dry", "fog": "wet"}), "the true candidate belongs to 'wet'"),
        (goals.ValueOf({"rain": 9.0, "sun": 0.0, "fog": 4.0}, 0.5), "the value lies in [9, 10]"),
        (goals.BestAbove(0.75), "some query is worth more than 0.75"),
        (goals.Accepts([[True, False, False], [True, True, True]], names=["x", "y"]), "the answer is 'x'"),
    ],
)
def test_a_certificate_speaks_the_words_of_its_goal(goal: Any, words: str) -> None:
    certifier = Certifier(WEATHER, goal, noise=QUIET)
    before = certifier.certificate(certifier.start())
    assert before.is_proven == isinstance(goal, goals.Accepts)
    if not before:
        assert str(before).startswith("not yet proven: ")
    certificate = certifier.certificate(told(certifier, (0, 1.0), (1, 0.0), (0, 1.0), (1, 0.0)))
    assert certificate
    text = str(certificate)
    assert text.startswith("proven: ")
    assert words in text
    assert text.endswith(", with probability at least 0.95; all remaining candidates agree (1 left)")
    assert list(certificate.remaining) == ["rain"]
    assert list(certificate.objectors) == []


def test_contradicted_candidates_prove_nothing() -> None:
    certifier = Certifier(WEATHER, goals.WhichTarget(), noise=QUIET)
    state = told(certifier, *([(0, -1.0), (1, -1.0)] * 5))
    certificate = certifier.certificate(state)
    assert str(certificate) == "not proven: the data contradict every candidate; check the table and the noise"
    assert (certificate.answer, bool(certificate), certificate.is_misspecified) == (None, False, True)
    assert certifier.is_misspecified(state)
    assert not certifier.is_settled(state)
    assert certifier.leader(state) in range(3)


def test_one_confidence_set_serves_every_goal() -> None:
    certifier = Certifier(WEATHER, goals.WhichTarget(), noise=QUIET)
    state = told(certifier, (0, 0.75), (1, 0.25))
    assert not certifier.certificate(state)
    assert "'wet'" in str(certifier.certificate(state, goals.WhichGroup(["wet", "dry", "wet"])))


def test_an_undeclared_tolerance_certifies_nothing() -> None:
    table = Problem.from_table([[0.0, 1.0]], tolerance=None)
    certifier = Certifier(table, goals.WhichTarget(), noise=QUIET)
    state = told(certifier, (0, 1.0), (0, 1.0))
    assert not certifier.is_settled(state)
    with pytest.raises(HypothesisError, match="nothing can be certified from this table"):
        certifier.certificate(state)
    declared = Certifier(table, goals.WhichTarget(), noise=QUIET, tolerance=0.0)
    assert declared.certificate(told(declared, (0, 1.0), (0, 1.0)))


def test_the_tolerance_of_the_problem_is_that_of_the_proof() -> None:
    table = Problem.from_table([[0.0, 1.0], [1.0, 0.0]], tolerance=0.125)
    certifier = Certifier(table, goals.BestQuery(0.25), noise=QUIET)
    certificate = certifier.certificate(told(certifier, *([(0, 1.0), (1, 0.0)] * 5)))
    assert certificate.statement.startswith("0 is within 0.5 of the best query (0.25 by the table")


@pytest.mark.parametrize("declared", [None, QUIET, noise.BoundedNoise(0.5), noise.Gaussian(), noise.Coin()], ids=repr)
def test_evidence_survives_a_pickle(declared: Any) -> None:
    certifier = Certifier(WEATHER, goals.BestQuery(0.1), noise=declared)
    state = told(certifier, (0, 1.0))
    copy, other = pickle.loads(pickle.dumps(state)), pickle.loads(pickle.dumps(certifier))
    here, there = certifier.update(state, 1, -1.0), other.update(copy, 1, -1.0)
    assert here.possible.tolist() == there.possible.tolist()
    assert str(certifier.certificate(here)) == str(other.certificate(there))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"problem": "table"}, "evidence against candidates needs a table of them in memory, got str"),
        ({"goal": "best"}, "goal must be a goal such as goals.BestQuery(0.05), got 'best'"),
        ({"goal": goals.WhichTarget}, "goal must be a goal such as"),
        ({"delta": 0.0}, "delta must lie strictly between 0 and 1, got 0"),
        ({"delta": 1.0}, "delta must lie strictly between 0 and 1, got 1"),
        ({"prior": [1.0, 2.0]}, "a weight of at least 0 for each of the 3 candidates, not all 0, got shape (2,)"),
        ({"prior": [0.0, 0.0, 0.0]}, "prior must hold a weight"),
        ({"prior": [1.0, -1.0, 1.0]}, "prior must hold a weight"),
        ({"prior": [1.0, np.nan, 1.0]}, "prior must be finite numbers"),
        ({"tolerance": -0.1}, "tolerance must be at least 0, got -0.1"),
        ({"tolerance": np.inf}, "tolerance must be a finite number"),
        ({"noise": "coin"}, "noise must be a declaration such as noise.SubGaussian(0.3), got 'coin'"),
        ({"goal": goals.WhichGroup(["a"])}, "groups must hold one entry for each of the 3 candidates, got 1"),
    ],
)
def test_what_does_not_fit_is_said_at_once(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Certifier(**{"problem": WEATHER, "goal": goals.WhichTarget(), "noise": QUIET} | given)
    assert words in str(caught.value)
