"""A storm of SIGKILLs over workers on one study: nothing acknowledged is lost, nothing is doubled, the log has no gap.

Workers ask with short leases, tell, sometimes twice, and write down what was acknowledged; a reader tails the log.
`python -m benchmarks storm --kills 1000` kills a thousand times on each database; half as often where nobody says.
"""

import argparse
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from benchmarks.document import verdict
from benchmarks.studies import a_study, forked, places
from warmer import open_study
from warmer.studies.records.events import Asked

LEASE = 0.5
PATIENCE = 120.0


@dataclass(frozen=True)
class Outcome:
    """What a storm left behind."""

    n_kills: int
    n_answers: int
    n_acknowledged: int
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    has_gap: bool
    n_leased_again: int
    n_tailed: int
    """Events that the reader saw, in order and without a gap."""

    @property
    def is_whole(self) -> bool:
        """Whether something was told, and nothing is lost, doubled or missing."""
        return self.n_acknowledged > 0 and not self.lost and not self.doubled and not self.has_gap


def main(options: Sequence[str] = (), workers: int = 8) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks storm", description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="on each database")
    kills = parser.parse_args(options).kills
    with tempfile.TemporaryDirectory() as folder:
        for name, url, _ in places(Path(folder), with_wal=False):
            start = time.perf_counter()
            outcome = storm(url, kills=kills, workers=workers, folder=Path(folder))
            words = "nothing lost, nothing doubled, no gap" if outcome.is_whole else f"BROKEN: {outcome}"
            print(
                f"{name}: {outcome.n_kills} kills over {workers} workers in {time.perf_counter() - start:.0f} s, "
                f"{outcome.n_answers} answers, {outcome.n_acknowledged} acknowledged, {outcome.n_leased_again} leased "
                f"again: {words}",
                flush=True,
            )
            verdict(f"{name}, {outcome.n_kills} kills", words, "nothing lost, nothing doubled, no gap")


def storm(url: str, *, kills: int, workers: int, folder: Path, pause: float = 0.1, seed: int = 0) -> Outcome:
    """Kill one worker after the other, each while it is at work, then look."""
    chance, acknowledged = random.Random(seed), folder / f"acknowledged{os.getpid()}"
    acknowledged.write_text("")
    name = f"storm{time.time_ns()}"
    a_study(url, name).close()
    stop, seen = forked.Event(), forked.Value("q", 0)
    reader = forked.Process(target=_tail, args=(url, name, stop, seen))
    reader.start()
    crew = [_started(url, name, acknowledged, place) for place in range(workers)]
    for _ in range(kills):
        time.sleep(pause * (0.5 + chance.random()))
        place = chance.randrange(workers)
        assert crew[place][1].wait(PATIENCE), "a worker did not begin"
        _kill(crew[place])
        crew[place] = _started(url, name, acknowledged, place)
    for worker in crew:
        _kill(worker)
    time.sleep(0.2)
    stop.set()
    reader.join()
    assert reader.exitcode == 0, "the reader saw a gap"
    return _looked_at(url, name, acknowledged.read_text(), kills + workers, seen.value)


def _started(url: str, name: str, acknowledged: Path, place: int) -> tuple[ForkServerProcess, Any]:
    """A worker, and what it sets when it has told its first answer."""
    at_work = forked.Event()
    worker = forked.Process(target=_work, args=(url, name, acknowledged, place, at_work))
    worker.start()
    return worker, at_work


def _kill(working: tuple[ForkServerProcess, Any]) -> None:
    worker, _ = working
    assert worker.is_alive(), f"a worker died by itself, with {worker.exitcode}"
    os.kill(worker.pid or 0, signal.SIGKILL)
    worker.join()


def _work(url: str, name: str, acknowledged: Path, place: int, at_work: Any) -> None:
    study, chance = open_study(name, storage=url), random.Random(os.getpid())
    with acknowledged.open("a", buffering=1) as file:
        while True:
            [ticket] = study.ask(worker=f"w{place}", lease=LEASE)
            time.sleep(chance.random() * 0.02)
            for _ in range(chance.choice((1, 1, 2))):
                entry = study.tell(ticket, (ticket.number % 9 - 4) / 8, author=f"w{place}")
            file.write(f"{entry.seq} {ticket.token}\n")
            at_work.set()


def _tail(url: str, name: str, stop: Any, seen: Any) -> None:
    with open_study(name, storage=url) as study:
        while not stop.is_set():
            for event in study.log(after=seen.value):
                assert event.seq == seen.value + 1
                seen.value = event.seq
            time.sleep(0.05)


def _looked_at(url: str, name: str, acknowledged: str, n_kills: int, n_tailed: int) -> Outcome:
    with open_study(name, storage=url) as study:
        events = list(study.log())
        study.verify()
    at = {event.key: event.seq for event in events}
    lines = [line.split() for line in acknowledged.splitlines()]
    whole = [line for line in lines if len(line) == 2]  # the last word of a dying worker may be torn
    return Outcome(
        n_kills=n_kills,
        n_answers=sum(event.kind == "answered" for event in events),
        n_acknowledged=len(whole),
        lost=tuple(token for seq, token in whole if at.get(f"answer:{token}") != int(seq)),
        doubled=tuple(key for key, count in Counter(event.key for event in events).items() if count > 1),
        has_gap=[event.seq for event in events] != list(range(1, len(events) + 1)),
        n_leased_again=sum(isinstance(event.body, Asked) and event.body.attempt > 1 for event in events),
        n_tailed=n_tailed,
    )
