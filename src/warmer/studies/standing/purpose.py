"""What the next query is for: the two candidates that it tells apart."""

from dataclasses import dataclass

import numpy as np

from warmer.model import Array, Label
from warmer.studies.engine import Engine

_MOST = 256
"""Candidates, the likeliest, among which the two are looked for."""


@dataclass(frozen=True)
class Purpose:
    """A query, and the two likely candidates of different answers between which it says most."""

    query: Label
    first: Label
    """Accepts the leading answer."""
    second: Label
    """Objects to it."""
    first_expects: float
    second_expects: float
    deviations: float
    """How far apart these two rewards are, in standard deviations of one answer."""

    def __str__(self) -> str:
        return (
            f"{self.query!r} tells {self.first!r} (expects {self.first_expects:.6g}) from {self.second!r} (expects "
            f"{self.second_expects:.6g}): {self.deviations:.2g} deviations apart"
        )


def purpose_of(engine: Engine, query: int) -> Purpose | None:
    """The pair with the largest product of weights and squared difference; None where the query tells none apart."""
    certifier, evidence = engine.certifier, engine.evidence
    if not evidence.n_possible or certifier.is_settled(evidence):
        return None
    accepts = certifier.answers.accepts(certifier.answer(evidence))
    sides = [
        _heaviest(*certifier.likely(evidence, side)) for side in (accepts, ~accepts) if (evidence.possible & side).any()
    ]
    if len(sides) < 2:
        return None
    row = engine.problem.rho[query]
    (first, weights), (second, others) = sides
    gaps = np.asarray(row[first], dtype=float)[:, None] - np.asarray(row[second], dtype=float)
    told = weights[:, None] * others * gaps**2
    if not told.max() > 0:
        return None
    a, b = np.unravel_index(told.argmax(), told.shape)
    ends = float(row[first[a]]), float(row[second[b]])
    deviation = float(np.sqrt(certifier.variances(evidence, np.array([query]), np.array([sum(ends) / 2]))[0]))
    names = engine.problem.targets
    labels = names[int(first[a])], names[int(second[b])]
    return Purpose(engine.problem.queries[query], *labels, *ends, abs(ends[0] - ends[1]) / deviation)


def _heaviest(places: Array, weights: Array) -> tuple[Array, Array]:
    order = np.argsort(-weights, kind="stable")[:_MOST]
    return places[order], weights[order]
