"""A study of 100,000 answers and 2,000 candidates in a new process: to open it, to look, to ask and tell."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.document import verdict
from benchmarks.studies import a_study, places
from warmer import Study, open_study
from warmer.studies.records.events import Answered, Asked, write_body
from warmer.studies.records.tickets import ticket_row

N_ANSWERS = 100_000
N_TARGETS = 2000
RUNS = 3

_PROGRAM = "import warmer; print(warmer.open_study('large', storage={url!r}).status().n_answers, flush=True)"


def main() -> None:
    print(f"{N_ANSWERS:,} answers, {N_TARGETS:,} candidates; in brackets the part of the processor, for a busy machine")
    with tempfile.TemporaryDirectory() as folder:
        for name, url, _ in places(Path(folder), with_wal=False):
            a_study(url, "small", n_targets=N_TARGETS, sigma=0.5).close()
            with a_study(url, "large", n_targets=N_TARGETS, sigma=0.5) as large:
                _fill(large)
            print(name, flush=True)
            opened = [_watch(url, is_first=run == 0) for run in range(RUNS + 1)][1:]
            looked = [_look_in_a_new_process(url) for _ in range(RUNS)]
            verdict(f"{name}: opened, all answers there, the slowest", f"{max(opened):.2f} s", "under 2 s")
            verdict(f"{name}: status, the slowest", f"{max(status for status, _ in looked):.3f} s", "under 0.2 s")
            ratios = ", ".join(f"{ratio:.2f}" for _, ratio in looked)
            verdict(f"{name}: ask and tell / those of a study that begins, {RUNS} runs", ratios, "1")


def _watch(url: str, *, is_first: bool) -> float:
    """How long a program takes that imports warmer, opens the study and says how many answers it has; and then ends.

    The first one leaves Python's compiled modules behind, as installing does, and is not counted.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = _children()
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM.format(url=url)], stdout=subprocess.PIPE, env=kept
    ) as program:
        assert program.stdout is not None
        answers, opened = program.stdout.readline(), time.perf_counter()
    if not is_first:
        print(
            f"a program that imports warmer and opens it: {int(answers)} answers after {opened - before[0]:.2f} s",
            end="",
        )
        print(f", ended after {_seconds(_children() - before)}", flush=True)
    return float(opened - before[0])


def _look_in_a_new_process(url: str) -> tuple[float, float]:
    """Seconds of a status, and what an ask and tell take beside those of a study that begins."""
    program = f"from benchmarks.large_study import look; look({url!r})"
    done = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True)
    words, _, numbers = done.stdout.rstrip().rpartition("\n")
    print(words, flush=True)
    status, ratio = json.loads(numbers)
    return status, ratio


def look(url: str) -> None:
    """What each step takes in a new process; last a line for the one that started it."""
    started = _now()
    with open_study("large", storage=url) as study:
        study.status()
        opened = _now()
        study.status()
        looked = _now()
        with open_study("small", storage=url) as beginning:
            later, first = _in_turn(study, beginning)
    print(f"in a new process: open and first status {_seconds(opened - started)}, status {_seconds(looked - opened)}")
    print(
        f"                  ask + tell {_seconds(np.median(later, axis=0))}, of a study that begins "
        f"{_seconds(np.median(first, axis=0))}; median ratio {np.median((later / first)[:, 0]):.2f}"
    )
    print(json.dumps([(looked - opened)[0], np.median((later / first)[:, 0])]), flush=True)


def _children() -> Any:
    """The time on the wall, and that of the processor in the programs that were run."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return np.array([time.perf_counter(), spent.ru_utime + spent.ru_stime])


def _now() -> Any:
    """The time on the wall, and that of the processor."""
    return np.array([time.perf_counter(), time.process_time()])


def _seconds(passed: Any) -> str:
    return f"{passed[0]:.4f} s ({passed[1]:.4f})"


def _in_turn(later: Study, first: Study, rounds: int = 200) -> tuple[Any, Any]:
    """What each round of two studies takes, in turn and in swapped order, so that a busy moment meets both."""
    passed = np.empty((rounds + 1, 2, 2))
    for number in range(rounds + 1):
        for place in (0, 1) if number % 2 else (1, 0):
            passed[number, place] = _round_time((later, first)[place])
    return passed[1:, 0], passed[1:, 1]


def _round_time(study: Study) -> Any:
    start = _now()
    study.tell(study.ask()[0], 0.0)
    return _now() - start


def _fill(study: Study) -> None:
    """Write so many rounds at once, as a study of months would have them."""
    rng = np.random.default_rng(1)
    queries = rng.integers(0, study.problem.n_queries, N_ANSWERS)
    rewards = study.problem.rho[queries, 0] + rng.uniform(-0.5, 0.5, N_ANSWERS)
    with study._store.writing(study._log.study) as writer:
        for number, (query, reward) in enumerate(zip(queries.tolist(), rewards.tolist(), strict=True), start=1):
            asked = Asked(number, query, 1, f"t{number}", "w", 60.0, 2 * number - 2)
            writer.issue(ticket_row(asked, 0.0), is_open=False)
            writer.append("asked", key=f"ask:{number}", author="w", body=write_body(asked))
            told = Answered(query, reward, 1, number)
            writer.append("answered", key=f"answer:{number}", author="w", body=write_body(told))
