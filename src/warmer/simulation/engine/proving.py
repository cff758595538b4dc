"""Which learners that ask for the sake of a proof compiled runs know, read into numbers and arrays."""

from typing import Any

import numpy as np

from warmer.certification.bets import RoughSquares
from warmer.certification.goals import preferred_queries
from warmer.certification.likelihoods import Squares
from warmer.certification.memory import fixed
from warmer.learners import MaxInformation, TopTwo
from warmer.simulation.engine.forms import INFORMATION, TOP_TWO, Proof, Watch

KINDS: dict[type, int] = {TopTwo: TOP_TWO, MaxInformation: INFORMATION}
_MOST = 1 << 22
"""Entries up to which a table is turned round."""


def proof_of(learner: Any, watch: Watch, *, is_ending: bool) -> Proof | None:
    """The learner as compiled runs read it, its certifier being known; None where the table is large."""
    problem, process = learner.problem, learner.certifier.process
    if problem.n_queries * problem.n_targets > _MOST:
        return None
    legal = problem.legal_queries
    is_query = learner.certifier.answers.names is problem.queries
    return Proof(
        kind=KINDS[type(learner)],
        columns=np.ascontiguousarray(watch.table.rho[legal].T),
        legal=fixed(legal),
        costs=np.empty(0) if problem.costs is None else np.maximum(problem.costs[legal], 1e-300),
        variances=np.asarray(process.sigmas[legal] ** 2 if type(process) in (Squares, RoughSquares) else np.empty(0)),
        best=np.array([] if is_query else preferred_queries(problem), dtype=np.intp),
        is_coin=process.is_coin,
        is_ending=is_ending,
    )
