"""How far a study has come: who is ruled out and by how much, who objects, what is odd, what comes next."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.model import Label
from warmer.model.words import exact
from warmer.studies.engine import Engine
from warmer.studies.records.ledger import Ledger
from warmer.studies.standing.noise_check import NoiseCheck, check_noise
from warmer.studies.standing.purpose import Purpose, purpose_of
from warmer.studies.standing.residuals import Residual, check_table, odd_answers, residual_of

_MOST = 10
"""How many candidates are listed."""


@dataclass(frozen=True)
class Candidate:
    """A candidate, and what the answers say about it."""

    target: Label
    weight: float
    """Its share of belief among the remaining candidates; nothing that is proven rests on it."""
    evidence: float | None
    """Against it, as a factor: it is ruled out, for good, when this reaches 1/delta. None where that was long ago."""
    is_possible: bool
    answer: Any
    """What it would have us answer."""
    objects: bool
    """Whether it is possible and does not accept the leading answer."""


@dataclass(frozen=True)
class Standing:
    """How far a study has come."""

    n_candidates: int
    n_remaining: int
    n_objectors: int
    """Remaining candidates that do not accept the leading answer; when there are none, it is proven."""
    answer: Any
    """The leading answer, or the proven one; None where the data contradict every candidate."""
    threshold: float
    """The evidence at which a candidate is ruled out: 1/delta."""
    candidates: tuple[Candidate, ...]
    """The likeliest that remain, among them the likeliest objectors; then those ruled out most narrowly."""
    purpose: Purpose | None
    """What the next query is for; None where nothing is left to tell apart."""
    noise: NoiseCheck | None
    odd: tuple[Residual, ...]
    """The answers that no remaining candidate explains: read them again."""
    unconfirmed: tuple[Label, ...]
    """The queries that were answered once: a typo in their answer, or noise larger than declared, shows when they are
    asked again.
    """
    tolerance: float = 0.0
    """How wrong an entry of the table may be, as declared: proofs say by how much they are weaker for it."""
    n_unasked: int = 0
    """How many answers came to queries that were not open."""
    n_repeats: int = 0
    """How many of those equal the answer before them."""
    last_repeat: Residual | None = None
    """The last that does: is it the same answer twice?"""

    @property
    def n_ruled_out(self) -> int:
        """How many candidates the answers contradict."""
        return self.n_candidates - self.n_remaining

    @property
    def warnings(self) -> list[str]:
        """What a person should look at before believing anything else, a sentence for each."""
        words = [self._odd_in_words(list(group)) for group in _together(self.odd)]
        if self.noise is not None and self.noise.is_contradicted:
            words.append(f"the noise is larger than declared: {self.noise}.")
        return words

    @property
    def to_confirm(self) -> tuple[Label, ...]:
        """What to ask once more before a proof is relied on; empty before anything is proven."""
        return self.unconfirmed if self.n_objectors == 0 and self.n_remaining else ()

    @property
    def remarks(self) -> list[str]:
        """What whoever reads a proof must know beside its own remarks, a sentence for each."""
        repeats = [] if self.last_repeat is None else [self._repeats_in_words(self.last_repeat)]
        return [*unasked_in_words(self.n_unasked), *repeats]

    def _odd_in_words(self, odd: list[Residual]) -> str:
        who = "the nearest remaining candidate" if self.n_remaining else "the likeliest candidate"
        expects = f"{who} expects {odd[0].expected:.6g}"
        if not odd[0].n_agreeing:
            return f"answer {odd[0].t} ({odd[0].query!r}: {exact(odd[0].reward)}) is odd: {expects}. Is it a typo?"
        numbers, values = ", ".join(f"{each.t}" for each in odd), ", ".join(exact(each.reward) for each in odd)
        which = f"{numbers} ({odd[0].query!r}: {values})"
        are = f"answer {which} is odd" if len(odd) == 1 else f"answers {which} are odd"
        return (
            f"{are}: {expects}. Several answers to {odd[0].query!r} agree, so this is hardly a typo: check the table, "
            "the noise and the experiment."
        )

    def _repeats_in_words(self, last: Residual) -> str:
        place = f"{last.t} ({last.query!r}: {exact(last.reward)})"
        if self.n_repeats == 1:
            return f"Answer {place} came unasked and equals the answer before it: the same answer twice?"
        return (
            f"{self.n_repeats:,} answers came unasked and equal the answer before them, the last is answer {place}: "
            "the same answer twice?"
        )


def _together(odd: Sequence[Residual]) -> Iterable[Iterable[Residual]]:
    """Odd answers that others to the same query agree with, in one group; every other one alone."""
    groups: dict[object, list[Residual]] = {}
    for each in odd:
        key = (each.query, each.expected, each.residual > 0) if each.n_agreeing else each.t
        groups.setdefault(key, []).append(each)
    return groups.values()


def standing_of(engine: Engine, next_query: int | None, ledger: Ledger | None = None) -> Standing:
    """How far the answers have come; `next_query` is what would be asked next, `ledger` what they came from, if any."""
    ledger = Ledger() if ledger is None else ledger
    check_table(engine)
    certifier, evidence = engine.certifier, engine.evidence
    answer = certifier.answer(evidence)
    accepts = certifier.answers.accepts(answer)
    return Standing(
        n_candidates=engine.problem.n_targets,
        n_remaining=evidence.n_possible,
        n_objectors=int((evidence.possible & ~accepts).sum()),
        answer=certifier.answers.names[answer] if evidence.n_possible else None,
        threshold=1 / certifier.delta,
        candidates=_candidates(engine, accepts),
        purpose=None if next_query is None else purpose_of(engine, next_query),
        noise=check_noise(engine),
        odd=tuple(odd_answers(engine)),
        unconfirmed=tuple(engine.problem.queries[query] for query in np.flatnonzero(engine.readings.times == 1)),
        tolerance=certifier.margin,
        n_unasked=ledger.n_unasked,
        n_repeats=ledger.n_repeats,
        last_repeat=residual_of(engine, ledger.last_repeat) if ledger.last_repeat else None,
    )


def unasked_in_words(n: int) -> list[str]:
    """What it means that so many answers came to queries that were not open; nothing where there are none.

    Examples
    --------
    >>> unasked_in_words(1)
    ['1 answer came to a query that was not open; a proof holds if it stands under the query that it answers.']
    """
    if n == 0:
        return []
    came = "1 answer came to a query that was" if n == 1 else f"{n:,} answers came to queries that were"
    return [f"{came} not open; a proof holds if {'it' if n == 1 else 'each'} stands under the query that it answers."]


def _candidates(engine: Engine, accepts: Any) -> tuple[Candidate, ...]:
    certifier, evidence, possible = engine.certifier, engine.evidence, engine.evidence.possible
    against = certifier.log_evidence(evidence)
    weights = np.zeros(against.size)
    if evidence.n_possible:
        places, shares = certifier.likely(evidence)
        weights[places] = shares
    remaining = _first(possible, -weights, _MOST - 2)
    objecting = _first(possible & ~accepts, -weights, 2)
    gone = _first(~possible, against, _MOST)
    shown = list(dict.fromkeys([*remaining, *objecting, *gone]))[:_MOST]
    shown.sort(key=lambda place: (not possible[place], -weights[place], against[place]))
    names, answers = engine.problem.targets, certifier.answers
    return tuple(
        Candidate(
            target=names[place],
            weight=float(weights[place]),
            evidence=_factor(float(against[place]), None if possible[place] else 1 / certifier.delta),
            is_possible=bool(possible[place]),
            answer=answers.names[int(answers.preferred[place])],
            objects=bool(possible[place] and not accepts[place]),
        )
        for place in shown
    )


def _first(mask: Any, keys: Any, most: int) -> list[int]:
    """The places with the smallest keys; those whose key is NaN come last."""
    places = np.flatnonzero(mask)
    if places.size > most:
        places = places[np.argpartition(np.nan_to_num(keys[places], nan=np.inf, posinf=np.inf), most - 1)[:most]]
    return [int(place) for place in places[np.argsort(keys[places], kind="stable")]]


def _factor(log_evidence: float, reached: float | None) -> float | None:
    """The evidence as a factor; at least what a candidate that was ruled out has once reached."""
    return None if math.isnan(log_evidence) else max(math.exp(min(log_evidence, 690.0)), reached or 0.0)
