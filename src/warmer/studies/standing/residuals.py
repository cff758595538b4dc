"""Each answer beside what the remaining candidates expect, and whether it is odd."""

from dataclasses import dataclass

import numpy as np

from warmer.certification import Certifier
from warmer.certification.surprise.measure import can_surprise, odd_limits, predictions, surprises
from warmer.model import Array, Label
from warmer.model.errors import ProtocolError
from warmer.studies.engine import Engine
from warmer.studies.records.ledger import Entry, Ledger


@dataclass(frozen=True)
class Residual:
    """An answer as the candidates that remain now see it."""

    t: int
    """Its place among the answers that count, from 1."""
    query: Label
    reward: float
    count: int
    expected: float
    """The nearest reward that a remaining candidate expects."""
    surprise: float | None
    """The largest p-value of the answer under any remaining candidate; None for a noise model of your own."""
    is_odd: bool
    """Whether no remaining candidate explains it."""
    n_agreeing: int = 0
    """For an odd answer, how many others to its query lie nearer to it than to what is expected: with some it is hardly
    a typo.
    """

    @property
    def residual(self) -> float:
        """The reward less what the nearest candidate expects."""
        return self.reward - self.expected


def residuals(engine: Engine) -> list[Residual]:
    """Every answer that counts, in order."""
    check_table(engine)
    return _judged(engine, np.arange(len(engine.readings)))


def residual_of(engine: Engine, t: int) -> Residual:
    """The answer at one place among those that count, from 1."""
    [found] = _judged(engine, np.array([t - 1]))
    return found


def check_table(engine: Engine) -> None:
    """Raise where there is no table of candidates whose expectations answers could be compared with."""
    if not isinstance(engine.certifier, Certifier):
        raise ProtocolError(
            f"{type(engine.problem).__name__} has no table in memory: answers cannot be compared with each; "
            "certificate().intervals says what is known of each query."
        )


def odd_answers(engine: Engine) -> list[Residual]:
    """The answers that no remaining candidate explains."""
    if not can_surprise(engine.certifier):
        return []
    _, is_odd = _surprises(engine, np.arange(len(engine.readings)))
    return _judged(engine, np.flatnonzero(is_odd))


def judged(engine: Engine, ledger: Ledger, seq: int) -> Entry:
    """An answer of the ledger, with how odd it is and whether it may be the one before if it is the last of all."""
    entry = ledger.entry(seq)
    if seq != next(reversed(ledger.entries)) or not entry.counts:
        return entry
    surprise, is_odd = surprise_of_last(engine)
    entry = entry._replace(surprise=surprise, is_repeat=ledger.last_repeat == ledger.n_told)
    if not is_odd:
        return entry
    return entry._replace(is_odd=True, n_agreeing=residual_of(engine, len(engine.readings)).n_agreeing)


def surprise_of_last(engine: Engine) -> tuple[float | None, bool]:
    """The surprise of the answer that was told last, and whether it is odd."""
    if not can_surprise(engine.certifier):
        return None, False
    surprise, is_odd = _surprises(engine, np.array([len(engine.readings) - 1]))
    return float(surprise[0]), bool(is_odd[0])


def _surprises(engine: Engine, places: Array) -> tuple[Array, Array]:
    found = surprises(engine.certifier, engine.evidence, engine.readings, places)
    return found, found <= odd_limits(engine.certifier, len(engine.readings), places)


def _judged(engine: Engine, places: Array) -> list[Residual]:
    queries, rewards, counts = engine.readings.told(places)
    expected = predictions(engine.certifier, engine.evidence, engine.readings, places)
    if can_surprise(engine.certifier):
        found, is_odd = (values.tolist() for values in _surprises(engine, places))
    else:
        found, is_odd = [None] * places.size, [False] * places.size
    labels = [engine.problem.queries[query] for query in queries.tolist()]
    told = zip((places + 1).tolist(), labels, rewards.tolist(), counts.astype(int).tolist(), strict=True)
    agreeing = _agreeing(engine, places, expected, np.asarray(is_odd, dtype=bool))
    verdicts = zip(expected.tolist(), found, is_odd, agreeing, strict=True)
    return [Residual(*answer, *verdict) for answer, verdict in zip(told, verdicts, strict=True)]


def _agreeing(engine: Engine, places: Array, expected: Array, is_odd: Array) -> list[int]:
    """For each odd answer how many others to its query lie nearer to it than to what is expected of it."""
    found = [0] * places.size
    if is_odd.any():
        queries, rewards, _ = engine.readings.told(np.arange(len(engine.readings)))
        for place in np.flatnonzero(is_odd).tolist():
            same = rewards[queries == queries[places[place]]]
            nearer = np.abs(same - rewards[places[place]]) < np.abs(same - expected[place])
            found[place] = int(nearer.sum()) - 1  # an odd answer is nearer to itself
    return found
