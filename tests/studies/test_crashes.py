"""Processes that die at every moment."""

import signal

import pytest

from tests.studies.examples import a_study, check_invariants, rows, spawning
from tests.studies.victims import ask_and_tell, create, killed_at
from warmer import open_study


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_at_any_statement_loses_nothing_and_a_repeated_call_doubles_nothing(storage, when):
    with a_study(storage) as study:
        statement, exit_code = 0, None
        while exit_code != 0:
            statement += 1
            key = f"round{statement}"
            victim = spawning.Process(target=killed_at, args=(storage, "yeast", key, statement, when))
            victim.start()
            victim.join()
            exit_code = victim.exitcode
            assert exit_code in (0, -signal.SIGKILL)
            check_invariants(study)
            first, second = ask_and_tell(storage, "yeast", key), ask_and_tell(storage, "yeast", key)
            assert first == second
            assert len(list(study.log())) == 2 * statement  # one ask and one answer for each round, however often
        assert statement > 15
        check_invariants(study)


def test_eight_processes_create_and_migrate_at_once(storage):
    for attempt in range(2):
        victims = [spawning.Process(target=create, args=(storage, f"study{attempt}")) for _ in range(8)]
        for victim in victims:
            victim.start()
        for victim in victims:
            victim.join()
        assert [victim.exitcode for victim in victims] == [0] * 8
        with open_study(f"study{attempt}", storage=storage) as study:
            assert [event.kind for event in study.log()] == ["noted"] * 8
            check_invariants(study)
    assert rows(storage, "SELECT version FROM warmer_schema") == [(1,)]
    assert len(rows(storage, "SELECT id FROM warmer_studies")) == 2
