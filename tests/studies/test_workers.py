"""Functions that do the experiments."""

import threading

import pytest

from tests.studies.examples import a_study, check_invariants, spawning
from tests.studies.victims import work_then_die
from warmer import Problem, ProtocolError, create_study, goals, noise

ENDLESS = 100.0
"""Noise so large that nothing is ever proven, and the work goes on."""


def test_threads_share_the_work_and_do_no_more_than_asked(storage):
    with a_study(storage, sigma=ENDLESS) as study:
        assert study.run(lambda query: 0.5, workers=3, answers=20, worker="robot") == 20
        assert len(study.entries()) == 20
        assert {entry.author for entry in study.entries()} <= {"robot/0", "robot/1", "robot/2"}
        assert study.tickets() == []
        check_invariants(study)


def test_the_work_ends_with_the_proof(storage):
    with a_study(storage) as study:
        told = study.run(lambda query: float(study.problem.evaluate(study.problem.queries.position(query), 2)))
        assert study.certificate()
        assert study.certificate().answer == study.status().recommendation
        assert told == len(study.entries())
        assert study.run(lambda query: 0.0) == 0


def test_the_work_stops_and_says_why_where_the_answers_refute_the_noise(storage):
    with a_study(storage, sigma=0.05) as study:
        for reward in (0.9, -0.9, 0.9, -0.9):
            study.tell(study.problem.queries[0], reward)
        assert not study.certificate()
        assert not study.is_settled
        with pytest.raises(ProtocolError, match=r"no answer can prove anything as it was declared: .*refute"):
            study.run(lambda query: 0.5)
        assert len(study.entries()) == 4


def test_the_work_stops_and_asks_for_the_resolution_where_readings_look_rounded(storage):
    problem = Problem.from_table([[-0.6, 0.0, 0.6], [0.15, 0.75, 1.35]], reward_range=(-5, 5))
    with create_study("rounded", problem, storage=storage, goal=goals.WhichTarget(), noise=noise.Gaussian()) as study:
        with pytest.raises(ProtocolError, match="if the instrument rounds its readings, declare its unit"):
            study.run(lambda query: float(round(problem.rho[problem.queries.position(query), 2])), answers=300)
        assert len(study.entries()) < 300
        assert not study.certificate()
        assert not study.is_settled


def test_an_experiment_that_raises_is_recorded_and_the_work_goes_on(storage):
    calls = []

    def experiment(query):
        calls.append(query)
        if len(calls) % 3 == 2:
            raise RuntimeError("bubble in the line")
        return 0.25

    with a_study(storage, sigma=ENDLESS) as study:
        assert study.run(experiment, answers=6) == 6
        failed = [entry for entry in study.entries() if entry.standing == "failed"]
        assert len(failed) == 3
        assert failed[0].note == "RuntimeError: bubble in the line"


def test_experiments_that_always_fail_stop_the_work(storage):
    with a_study(storage, sigma=ENDLESS) as study:
        with pytest.raises(ProtocolError, match="4 experiments failed one after the other, the last with ZeroDivision"):
            study.run(lambda query: 1 / 0, most_failures=4)
        assert [entry.standing for entry in study.entries()] == ["failed"] * 4
        assert study.tickets() == []


def test_a_reward_that_cannot_be_one_stops_the_work_and_is_not_recorded(storage):
    with a_study(storage, sigma=ENDLESS) as study:
        with pytest.raises(ValueError, match="must be a number in"):
            study.run(lambda query: 7.0)
        assert study.entries() == []


def test_a_living_worker_keeps_its_ticket_past_the_lease(storage):
    def slow(query):
        threading.Event().wait(1.0)
        assert study.ask(lease=60)[0].number == 2  # ours is not given to others
        return 0.5

    with a_study(storage, sigma=ENDLESS) as study:
        assert study.run(slow, answers=1, lease=0.5) == 1
        assert [event.kind for event in study.log()] == ["asked", "asked", "answered"]


def test_a_worker_that_dies_costs_one_repeated_experiment(storage):
    with a_study(storage, sigma=ENDLESS) as study:
        victim = spawning.Process(target=work_then_die, args=(storage, 5))
        victim.start()
        victim.join()
        assert len(study.entries()) == 4
        [ticket] = study.tickets()
        threading.Event().wait(0.4)
        assert study.run(lambda query: 0.5, answers=3) == 3
        assert [event.body.attempt for event in study.log() if event.kind == "asked"] == [1, 1, 1, 1, 1, 2, 1, 1]
        assert study.entries()[4].number == ticket.number == 5
        check_invariants(study)
