"""Histories against the truth: regret, bad queries, and the two properties that the theorems rest on."""

import itertools
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import scipy

from warmer.certification import Certifier
from warmer.model import Array, EstimatingLearner, Problem, Runs
from warmer.model.checks import at_least, check_count, check_positive, check_probability
from warmer.model.errors import InvalidValueError, ProtocolError
from warmer.model.time_limit import Clock
from warmer.simulation import first_certified


class Interval(NamedTuple):
    """An estimate between its two confidence limits."""

    low: float
    estimate: float
    high: float


def clopper_pearson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """The exact (Clopper-Pearson) interval for a success probability.

    Examples
    --------
    >>> [round(limit, 4) for limit in clopper_pearson(0, 20)]
    [0.0, 0.0, 0.1684]
    """
    if not 0 <= successes <= check_count("trials", trials):
        raise InvalidValueError(f"successes must lie between 0 and {trials}, got {successes}.")
    tail = (1 - check_probability("confidence", confidence)) / 2
    low = scipy.special.betaincinv(successes, trials - successes + 1, tail) if successes else 0.0
    high = scipy.special.betaincinv(successes + 1, trials - successes, 1 - tail) if successes < trials else 1.0
    return Interval(float(low), successes / trials, float(high))


def mean_interval(values: Array, *, confidence: float = 0.95) -> Interval:
    """Student's interval for the mean over the first axis, each end an array where there are more.

    It has no end where there is only one entry.

    Examples
    --------
    >>> [round(float(limit), 2) for limit in mean_interval(np.array([1.0, 2.0, 3.0]))]
    [-0.48, 2.0, 4.48]
    """
    check_probability("confidence", confidence)
    n, mean = len(values), values.mean(axis=0)
    half = (
        scipy.special.stdtrit(n - 1, (1 + confidence) / 2) * values.std(axis=0, ddof=1) / np.sqrt(n)
        if n > 1
        else np.inf
    )
    return Interval(mean - half, mean, mean + half)


def cumulative_regret(runs: Runs, *, alpha: float | None = None) -> Array:
    r"""$\mathrm{Regret}(t,\alpha)$ for every $t$, runs by rounds (Section 2); $\alpha^*$ where None."""
    return np.cumsum(_levels(runs, alpha) - runs.means, axis=1)


def bad_queries(runs: Runs, *, alpha: float | None = None, epsilon: float) -> Array:
    r"""How many queries of each run were $\epsilon$-bad: $\rho(z_t|z^*)<\alpha-\epsilon$, strictly (Section 3)."""
    means, level = runs.means, _levels(runs, alpha) - check_positive("epsilon", epsilon)
    return np.asarray((~at_least(means, level, runs.problem.slack) & ~np.isnan(means)).sum(axis=1))


def final_values(runs: Runs) -> Array:
    """The expected reward of what each run settled on, else of its last query; NaN where there was neither."""
    recommended = runs.recommended or (None,) * len(runs)
    last = [means[n - 1] if n else np.nan for means, n in zip(runs.means, runs.n_answers, strict=True)]
    return np.array(
        [
            value if query is None else environment.expected(query)
            for value, query, environment in zip(last, recommended, runs.environments, strict=True)
        ]
    )


def success_rate(runs: Runs, *, alpha: float | None = None, epsilon: float, confidence: float = 0.95) -> Interval:
    r"""How often what a run settled on was within $\epsilon$ of $\alpha$, with its Clopper-Pearson interval."""
    level = (runs.alpha_star if alpha is None else alpha) - check_positive("epsilon", epsilon)
    good = at_least(final_values(runs), level, runs.problem.slack)
    return clopper_pearson(int(good.sum()), good.size, confidence=confidence)


class Proof(NamedTuple):
    """What a run proved first, and after how many answers."""

    n_answers: int
    answer: int
    """By index; `Certifier.answers.names` has its label."""


def first_proofs(runs: Runs, certifier: Certifier, *, engine: str) -> list[Proof | None]:
    """The `first_proof` of each run, all of which lasted to the horizon; of the first ones where Ctrl-C comes."""
    if engine == "cuda":
        return [Proof(*each) if each[1] >= 0 else None for each in first_certified(runs, certifier).T.tolist()]
    proofs: list[Proof | None] = []
    clock = Clock(None)
    with suppress(KeyboardInterrupt):
        for k in range(len(runs)):
            clock.check()
            proofs.append(first_proof(runs[k], certifier))
    return proofs


def first_proof(run: Runs, certifier: Certifier) -> Proof | None:
    """The first moment of the first run at which the goal is certified, or None if its answers never prove anything."""
    state = certifier.start()
    answers = zip(run.queries[0].tolist(), run.rewards[0].tolist(), strict=True)
    told = itertools.islice(answers, int(run.n_answers[0]))
    while not certifier.is_settled(state):
        if certifier.is_misspecified(state) or (answer := next(told, None)) is None:
            return None
        state = certifier.update(state, *answer)
    return Proof(state.n_answers, certifier.answer(state))


def estimates(runs: Runs) -> Array:
    """The target that stood behind each query, runs by rounds.

    In a square problem with every query allowed it is the query itself; elsewhere the learner is told its own
    history again and asked for its estimate, which only learners that have one can give. Where a query is asked
    again although the new estimate's best query is another, as by a session that asks thrice, the old estimate stands.
    """
    problem = runs.problem
    if isinstance(problem, Problem) and problem.is_square and problem.is_allowed is None:
        return runs.queries
    replayed = [_replayed(runs[k]) for k in range(len(runs))]
    if not isinstance(replayed[0][0], tuple):
        return np.array(replayed)
    targets = np.empty(runs.rewards.shape, dtype=object)  # a target that is a tuple is one entry
    for place in np.ndindex(targets.shape):
        targets[place] = replayed[place[0]][place[1]]
    return targets


def estimation_errors(runs: Runs) -> Array:
    r"""$\sum_{i<t}(\rho(z_i|z_t)-\rho(z_i|z^*))^2$ for every $t$, runs by rounds (Definition 3).

    A run has decaying estimation error with constant $C$ if no entry of its row exceeds $C$.
    """
    evaluate, means, targets = runs.problem.evaluate, runs.means, estimates(runs)
    errors = np.full(runs.rewards.shape, np.nan)
    for run, n in enumerate(runs.n_answers):
        asked, places = np.unique(runs.queries[run, :n], axis=0, return_inverse=True)
        truth, counts = np.empty(len(asked)), np.zeros(len(asked))
        truth[places.ravel()] = means[run, :n]
        for t, place in enumerate(places.ravel()):
            errors[run, t] = counts @ (evaluate(asked, targets[run, t]) - truth) ** 2
            counts[place] += 1
    return errors


def has_large_self_evaluations(runs: Runs, *, alpha: float) -> Array:
    r"""Whether each run only asked $z_t$ with $\rho(z_t|z_t)\ge\alpha$ (Definition 2)."""
    evaluate, targets, slack = runs.problem.evaluate, estimates(runs), runs.problem.slack
    values = (
        [evaluate(runs.queries[run, t], targets[run, t]) for t in range(n)] for run, n in enumerate(runs.n_answers)
    )
    return np.array([at_least(np.array(each, dtype=float), alpha, slack).all() for each in values])


def _levels(runs: Runs, alpha: float | None) -> Any:
    """What each run is measured against, a row per run."""
    return runs.alpha_star[:, np.newaxis] if alpha is None else alpha


def _replayed(run: Runs) -> list[Any]:
    """The estimates of one run; after its end, the one that was left."""
    learner = run.learner
    if not isinstance(learner, EstimatingLearner):
        raise ProtocolError(
            f"{type(learner).__name__} queries without a target in mind; "
            "this statistic needs LeastSquares, Optimistic or another learner with an estimate."
        )
    state, best_query = learner.init(np.random.default_rng(0)), run.problem.best_query
    targets: list[Any] = []
    before = None
    for query, reward in zip(run.queries[0], run.rewards[0], strict=True):
        target = learner.estimate(state)
        is_repeated = before is not None and np.array_equal(query, before)
        targets.append(targets[-1] if is_repeated and not np.array_equal(query, best_query(target)) else target)
        before = query
        if not np.isnan(reward):
            state = learner.tell(state, query, float(reward))
    return targets
