"""How the evidence grew and the candidates dwindled, answer by answer: the data of a figure."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.analysis.task import Task
from warmer.certification import Certifier
from warmer.environments import TargetEnvironment
from warmer.learners import build
from warmer.model import Array, Label, Problem, Runs, StoppingLearner
from warmer.model.checks import check_count
from warmer.simulation import simulate

_MOST_SHOWN = 40
"""Lines that can still be told apart."""


@dataclass(frozen=True, eq=False)
class EvidenceHistory:
    """The evidence against some candidates before the first answer and after each, until the goal is certified."""

    problem: Problem
    n_answers: Array
    """How many answers had been told: from 0 on, a step for each answer, or as many as were averaged."""
    n_possible: Array
    """How many candidates remained by then."""
    shown: Array
    """The candidates that are followed, by index; the truth and the final leader are among them."""
    log_evidence: Array
    """Shown candidates by times; where one is ruled out, the threshold, and NaN from then on."""
    threshold: float
    r"""$\ln(1/\delta)$."""
    truth: int | None
    leader: int
    """The likeliest remaining candidate at the end."""
    answer: Any
    """The proven answer; None where nothing is proven."""
    statement: str
    """What that means, in words; or why nothing is proven."""

    def label(self, target: int) -> Label:
        """What the user calls a candidate."""
        return self.problem.targets[target]


def evidence_history(
    certifier: Certifier,
    answers: Iterable[Any] | Runs,
    *,
    truth: Label | None = None,
    most: int = _MOST_SHOWN,
    until_certified: bool = True,
) -> EvidenceHistory:
    """Tell the answers again, and write down the evidence against each candidate until the goal is certified.

    Parameters
    ----------
    certifier
        Which keeps the evidence: that of a learner, such as `session.learner.certifier`.
    answers
        The history of a session, or runs, of which the first counts.
    truth
        The true candidate, where it is known.
    most
        How many candidates are followed: the truth, the leader, and others spread evenly over those that remained and
        those that were ruled out, from the first to the last.
    until_certified
        Whether answers that came later are left out.

    Examples
    --------
    >>> from warmer import Session, goals, noise
    >>> table = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], targets=["rain", "sun"])
    >>> session = Session(table, goal=goals.WhichTarget(), noise=noise.SubGaussian(0.5))
    >>> for reward in (0.8, 0.9, 1.0, 1.0, 0.8):
    ...     _ = session.tell(0, reward)
    >>> found = evidence_history(session.learner.certifier, session.history)
    >>> found.n_possible.tolist(), found.answer
    ([2, 2, 2, 1], 'sun')
    >>> found.log_evidence.round(1).tolist()
    [[0.0, 0.6, 1.7, 3.0], [0.0, -0.3, -0.5, -0.6]]
    """
    told, problem = list(_told(certifier.problem, answers)), certifier.problem
    state, counts, remaining = certifier.start(), [0], [problem.n_targets]
    gone = np.full(problem.n_targets, len(told) + 1)  # at which time each was ruled out
    for query, reward, count in told:
        if (until_certified and certifier.is_settled(state)) or state.n_possible == 0:
            break
        state = certifier.update(state, query, reward, count)
        counts.append(counts[-1] + count)
        remaining.append(state.n_possible)
        if remaining[-1] < remaining[-2]:
            left = ~state.possible
            gone[left] = np.minimum(gone[left], len(remaining) - 1)
    leader = certifier.leader(state)
    position = None if truth is None else problem.targets.position(truth)
    shown = _chosen(gone, [leader] if position is None else [leader, position], check_count("most", most))
    certificate, is_settled = certifier.certificate(state), certifier.is_settled(state)
    threshold = -math.log(certifier.delta)
    return EvidenceHistory(
        problem=problem,
        n_answers=np.array(counts),
        n_possible=np.array(remaining),
        shown=shown,
        log_evidence=_followed(certifier, told[: len(counts) - 1], shown, gone[shown], threshold),
        threshold=threshold,
        truth=position,
        leader=leader,
        answer=certificate.answer if is_settled else None,
        statement=certificate.statement if is_settled else str(certificate),
    )


def simulated_evidence(
    environment: TargetEnvironment, learner: str, task: Task, *, horizon: int, seed: int
) -> EvidenceHistory:
    """The evidence in one simulated run of a learner of the catalogue.

    Examples
    --------
    >>> from warmer import environments
    >>> table = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> coins = environments.Coin(table, 1)
    >>> simulated_evidence(coins, "top-two", Task(0.25), horizon=100, seed=0).answer
    0
    """
    problem = environment.problem
    task = task.on(problem)
    level = environment.alpha_star if task.level is None else task.level
    sigma = environment.sigma if task.sigma is None else task.sigma
    player = build(learner, problem, task.settings(alpha=level, sigma=sigma or problem.scale / 100, horizon=horizon))
    until = player.is_done if isinstance(player, StoppingLearner) else None
    run = simulate(player, environment, horizon=horizon, seed=seed, until=until)
    certifier = Certifier(problem, task.goal, noise=task.noise, delta=task.delta)
    return evidence_history(certifier, run, truth=environment.target)


def _told(problem: Problem, answers: Iterable[Any] | Runs) -> Iterable[tuple[int, float, int]]:
    if isinstance(answers, Runs):
        n = int(answers.n_answers[0])
        return (
            (q, r, 1) for q, r in zip(answers.queries[0, :n].tolist(), answers.rewards[0, :n].tolist(), strict=True)
        )
    return ((problem.queries.position(each.query), each.reward, each.count) for each in answers)


def _chosen(gone: Array, always: list[int], most: int) -> Array:
    """Some candidates, spread evenly over the times at which they were ruled out."""
    order = np.argsort(gone, kind="stable")
    spread = order[np.unique(np.linspace(0, gone.size - 1, max(1, most - len(always))).round().astype(int))]
    return np.unique(np.concatenate([spread, always])).astype(np.intp)


def _followed(
    certifier: Certifier, told: list[tuple[int, float, int]], shown: Array, gone: Array, threshold: float
) -> Array:
    """The log evidence against the shown candidates while they remain; the line of one ruled out ends at the
    threshold.
    """
    found = np.full((shown.size, len(told) + 1), np.nan)
    state = certifier.start()
    found[:, 0] = certifier.log_evidence(state)[shown]
    for time, answer in enumerate(told, 1):
        state = certifier.update(state, *answer)
        found[gone > time, time] = certifier.log_evidence(state)[shown[gone > time]]
        found[gone == time, time] = threshold
    return found
