"""How few answers any method could do with."""

import math
from dataclasses import dataclass

from warmer.bounds import characteristic_time
from warmer.bounds.characteristic_times import binary_divergence
from warmer.certification.noise import Coin, SubGaussian
from warmer.model import Label
from warmer.model.errors import HypothesisError
from warmer.studies.engine import Engine

_MOST = 200_000
"""Entries of a table up to which the limit is worked out: it takes a linear program."""


@dataclass(frozen=True)
class Limit:
    """What no method beats on average, if the likeliest candidate is the truth."""

    target: Label
    answers: float
    is_exact: bool
    """Whether it holds at this delta; else in the limit of small ones, since several answers may be right."""


def limit_of(engine: Engine) -> Limit | None:
    """The limit for the likeliest candidate; None where none is known, or the table is too large to work it out."""
    certifier, problem = engine.certifier, engine.problem
    if (
        not isinstance(certifier.noise, SubGaussian | Coin)
        or problem.rho.size > _MOST
        or not engine.evidence.n_possible
    ):
        return None
    target = problem.targets[certifier.leader(engine.evidence)]
    try:
        found = characteristic_time(
            problem, target, goal=certifier.goal, noise=certifier.noise, costs=[1.0] * problem.n_queries
        )
    except HypothesisError:
        return None
    is_exact = certifier.answers.is_partition
    factor = binary_divergence(certifier.delta) if is_exact else math.log(1 / certifier.delta)
    return Limit(target, factor * found.lower, is_exact)
