"""A real Ctrl-C, from another process, at a search that would take very long."""

import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from warmer.dimensions import complexity, dissimilarity_dimension, strong_sq_dimension
from warmer.model import Problem
from warmer.model.time_limit import Clock, interruptible

SCRIPT = """
import numpy as np
from warmer.dimensions import dissimilarity_dimension, dissimilarity_profile, complexity
from warmer.dimensions import eluder_dimension
from warmer.model import Problem
upper = np.triu(np.random.default_rng(0).uniform(-1, 1, (1500, 1500)), 1)
problem = Problem.from_similarity(upper + upper.T + np.eye(1500))
for _ in range(3):
    print("ready", flush=True)
    {call}
"""
CALLS = {
    "dissimilarity": "print(dissimilarity_dimension(problem, alpha=1, epsilon=0.25, monotone=True).reason)",
    "profile": "print('interrupted' * (not dissimilarity_profile(problem, alpha=1).is_exact))",
    "eluder": "print(eluder_dimension(problem, epsilon=0.3).reason)",
    "all": "print(complexity(problem, alpha=1, epsilon=0.25).monotone_eluder.reason)",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_ctrl_c_gives_what_is_known_whenever_it_comes(call: str) -> None:
    command = [sys.executable, "-c", SCRIPT.format(call=call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        answers = []
        for delay in (0.3, 0.7, 1.1):  # while it imports and compiles, and in the midst of the search
            assert process.stdout.readline() == "ready\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(delay)
            process.send_signal(signal.SIGINT)
            answers.append(process.stdout.readline())
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert all("interrupted" in answer for answer in answers)


def test_a_held_back_interrupt_is_heard_at_the_next_look_and_a_second_one_at_once() -> None:
    with interruptible(), interruptible():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            _ = Clock(None).is_over
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert not Clock(None).is_over
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_handlers_of_others_and_other_threads_are_left_alone() -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append("mine"))
    try:
        with interruptible():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == ["mine"]
    values = []
    problem = Problem.from_similarity(np.eye(3))
    thread = threading.Thread(target=lambda: values.append(dissimilarity_dimension(problem, alpha=1, epsilon=1).value))
    thread.start()
    thread.join()
    assert values == [3]


def test_one_ctrl_c_ends_all_measures_with_ends_that_hold() -> None:
    problem = Problem.from_table(np.random.default_rng(3).uniform(-1, 1, (8, 9)))
    exact = complexity(problem, alpha=0.5, epsilon=0.4, gamma=1)

    def interrupt(name: str) -> None:
        if name == "eluder dimension":
            signal.raise_signal(signal.SIGINT)

    stopped = complexity(problem, alpha=0.5, epsilon=0.4, gamma=1, progress=interrupt)
    assert stopped.dissimilarity == exact.dissimilarity
    assert all(bracket.reason.startswith("interrupted; ") for bracket in (stopped.eluder, stopped.monotone_eluder))
    for name, bracket in stopped.brackets.items():
        assert bracket.lower <= exact.brackets[name].value <= bracket.upper
        assert bracket.witness is None or bracket.witness.check(problem) >= 0
    for name, game in stopped.games.items():
        assert game.lower - 1e-9 <= exact.games[name].value <= game.upper + 1e-9
        game.check(problem)


def test_strong_sq_keeps_a_bracket_when_it_is_stopped_before_its_search() -> None:
    rng = np.random.default_rng(0)
    signs = rng.choice([-1, 1], (60, 40))
    problem = Problem.from_similarity(signs @ signs.T, denominator=40)
    exact = strong_sq_dimension(problem, epsilon=0.5).value
    bracket = strong_sq_dimension(problem, epsilon=0.5, time_limit=1e-9)
    assert bracket.reason.startswith("time limit; upper bound: ")
    assert 1 == bracket.lower <= exact <= bracket.upper <= 60
