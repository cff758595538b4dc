"""When a certificate would first have been granted, had somebody asked for one after every answer."""

from typing import NamedTuple

import numpy as np

from warmer.analysis.certificates import Certificate, certify
from warmer.estimation import LossBall, Losses, TableFit
from warmer.model import Array, Problem
from warmer.model.checks import check_positive

__all__ = ["Proof", "first_proof"]


class Proof(NamedTuple):
    """A granted certificate, and after how many answers it came."""

    n_answers: int
    certificate: Certificate


def first_proof(
    problem: Problem, queries: Array, rewards: Array, *, epsilon: float, delta: float, sigma: float
) -> Proof | None:
    """The first moment at which `Session.certificate` says yes, or None if the answers never prove anything.

    Parameters
    ----------
    problem
        The table.
    queries, rewards
        One run: the indices asked and the answers that came.
    epsilon, delta
        The accuracy to prove, and the probability with which the proof may be wrong.
    sigma
        The noise is sigma-sub-Gaussian.

    Examples
    --------
    >>> table = Problem.from_similarity([[1.0, 0.0], [0.0, 1.0]], labels=["left", "right"])
    >>> queries, rewards = np.array([0, 0, 0]), np.array([1.0, 1.0, 1.0])
    >>> proof = first_proof(table, queries, rewards, epsilon=0.5, delta=0.05, sigma=0.5)
    >>> proof.n_answers, proof.certificate.query
    (2, 'left')
    """
    check_positive("epsilon", epsilon)
    ball = TableFit(problem).anytime_ball(delta=delta, sigma=sigma)
    losses = ball.start()
    judged, certificate = ball.mask(losses), _judged(ball, losses, epsilon, delta)
    for n_answers, (query, reward) in enumerate(zip(queries.tolist(), rewards.tolist(), strict=True)):
        if certificate:
            return Proof(n_answers, certificate)
        losses = ball.update(losses, query, reward)
        possible = ball.mask(losses)
        if not np.array_equal(possible, judged):  # whether something is proven depends on the possible targets alone
            judged, certificate = possible, _judged(ball, losses, epsilon, delta)
    return Proof(len(queries), certificate) if certificate else None


def _judged(ball: LossBall, losses: Losses, epsilon: float, delta: float) -> Certificate:
    return certify(
        ball.fit.problem,
        losses.excess,
        limit=ball.limit(losses),
        recommended=ball.fit.best_query(losses.best),
        epsilon=epsilon,
        delta=delta,
    )
