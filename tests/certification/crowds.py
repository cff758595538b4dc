"""Ten thousand runs side by side: the evidence against the truth of a class without a table, where luck leads.

What can be proven falsely of such a class needs evidence against the truth first (docs/evidence.md), whatever the goal
is: so the runs in which that ever reaches the threshold are counted. Answers are as loud as declared, and every query
goes where luck was against the truth before. The formulas are the definitions, written for all runs at once.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr

from tests.certification.worlds import most_allowed
from warmer import goals
from warmer.certification.continuous.arms import ArmsModel
from warmer.certification.continuous.glm import GLMModel
from warmer.certification.one_sided import mixed
from warmer.families import logistic

__all__ = ["Crowd", "Law", "arms_crowd", "coin", "either", "glm_crowd", "normal", "parameter_crowd"]

Array = Any
Law = Callable[[np.random.Generator, Array], Array]
"""Answers, given their means."""


class Crowd(NamedTuple):
    """What was asked and answered in each run (rows), and the evidence against the truth after each answer.

    Evidence is in units of the threshold's logarithm: it rules the truth out where it reaches $\\ln(1/\\delta)$.
    """

    queries: Array
    rewards: Array
    evidence: Array

    def n_lost(self, delta: float) -> int:
        """In how many runs the truth is ever ruled out."""
        return int(self.is_lost(delta).sum())

    def is_lost(self, delta: float) -> Array:
        """Whether the truth is ever ruled out, in each run."""
        return self.evidence.max(axis=1) >= -np.log(delta)

    def is_covered(self) -> bool:
        """Whether the truth is ruled out in as few runs as must, but for one chance in a million."""
        return all(self.n_lost(delta) <= most_allowed(len(self.rewards), delta) for delta in (0.05, 0.3))

    def some(self, delta: float, n_runs: int = 25) -> list[int]:
        """Some runs in which the truth is ruled out, and some others."""
        is_lost = self.is_lost(delta)
        return [*np.flatnonzero(is_lost)[:n_runs].tolist(), *np.flatnonzero(~is_lost)[:n_runs].tolist()]

    def told(self, certifier: Any, run: int) -> Any:
        """The state of a certifier that was told one run."""
        horizon = len(self.rewards[run])
        return certifier.replay(certifier.start(), self.queries[run], self.rewards[run].tolist(), [1] * horizon)


def coin(rng: np.random.Generator, means: Array) -> Array:
    """0 or 1: the most that answers in [0, 1] can vary."""
    return (rng.random(means.shape) < means).astype(float)


def either(width: float) -> Law:
    """Up or down by the width."""
    return lambda rng, means: means + rng.choice([-width, width], means.shape)


def normal(sigma: float) -> Law:
    """Gaussian noise."""
    return lambda rng, means: means + sigma * rng.normal(size=means.shape)


def arms_crowd(model: ArmsModel, goal: Any, means: Array, law: Law, n_runs: int, horizon: int, seed: int = 5) -> Crowd:
    """Arms are asked where luck helps a false answer most."""
    rng, runs = np.random.default_rng(seed), np.arange(n_runs)
    counts, sums, surprises, luck = np.zeros((4, n_runs, means.size))
    queries, rewards, evidence = np.zeros((n_runs, horizon), dtype=int), *np.zeros((2, n_runs, horizon))
    signs = _harmful(goal, means)
    for t in range(horizon):
        harm = np.abs(luck) if signs is None else luck * signs
        arms = (harm / np.sqrt(counts + 1) + 1e-3 * rng.random(counts.shape)).argmax(axis=1) if t >= means.size else t
        answers = law(rng, means[arms] + np.zeros(n_runs))
        queries[:, t], rewards[:, t], scaled = arms, answers, model.scaled(answers)
        forecast = (sums[runs, arms] + 0.5) / (counts[runs, arms] + 1)
        surprises[runs, arms] += (scaled - forecast) ** 2
        counts[runs, arms] += 1
        sums[runs, arms] += scaled
        luck[runs, arms] += answers - means[arms]
        evidence[:, t] = _against_means(model, goal, means, counts, sums, surprises)
    return Crowd(queries, rewards, evidence)


def _harmful(goal: Any, means: Array) -> Array | None:
    """Whether high (1) or low (-1) answers of each arm help a false answer; None where either may."""
    if isinstance(goal, goals.BestQuery):
        return np.where(means < means.max() - goal.epsilon, 1.0, -1.0)
    if isinstance(goal, goals.BestAbove):
        return np.full(means.size, 1.0 if means.max() <= goal.threshold else -1.0)
    return None


def _against_means(model: ArmsModel, goal: Any, means: Array, counts: Array, sums: Array, surprises: Array) -> Array:
    """The evidence for the false answers of a goal, each with its share of delta, at the true means."""
    length, true, n_arms = 2 * model.family.scale, model.scaled(means), means.size
    if isinstance(goal, goals.BestQuery):
        epsilon, best = goal.epsilon / length, int(true.argmax())
        joint = mixed(model.bets(epsilon))
        bets = model.bets(epsilon)
        down = _capitals(bets[best], counts[:, best], counts[:, best] - sums[:, best], surprises[:, best])
        found = []
        for arm in np.flatnonzero(true < true[best] - epsilon):
            up = _capitals(bets[arm], counts[:, arm], sums[:, arm], surprises[:, arm])
            found.append(_mixture(up(true[arm]), joint, down(1 - true[arm] - epsilon)) - np.log(n_arms - 1))
        return np.max(found, axis=0)
    if isinstance(goal, goals.BestAbove):
        level, epsilon = model.scaled(goal.threshold), goal.epsilon / length
        one = _one_sided(model, max(epsilon, 0.02), counts, sums, surprises)
        if means.max() <= goal.threshold:
            return _average([one(arm, level - epsilon, is_above=True) for arm in range(n_arms)])
        return one(int(true.argmax()), level + epsilon, is_above=False)
    if isinstance(goal.values, str):
        one = _one_sided(model, goal.tolerance / length, counts, sums, surprises)
        low = _average([one(arm, true.max(), is_above=True) for arm in range(n_arms)])
        return np.maximum(low, one(int(true.argmax()), true.max(), is_above=False)) - np.log(2)
    weights = np.array(goal.values)
    used = np.flatnonzero(weights)
    one = _one_sided(model, goal.tolerance / (length * np.abs(weights).sum()), counts, sums, surprises)
    both = [one(arm, true[arm], is_above=side) for arm in used for side in (True, False)]
    return np.max(both, axis=0) - np.log(2 * used.size)


def _capitals(bets: Array, counts: Array, sums: Array, surprises: Array) -> Callable[[float], Array]:
    """The log capital of each bet (columns) that the mean is above a level, in each run."""
    rates, costs, prices, is_coin = bets.T
    n, s, v = counts[:, None], sums[:, None], surprises[:, None]
    return lambda level: np.where(
        is_coin > 0,
        rates * s - n * np.log1p(level * np.expm1(rates)),
        rates * (s - n * level) - n * costs - v * prices,
    )


def _mixture(first: Array, joint: Array, second: Array) -> Array:
    tops = first.max(axis=1), second.max(axis=1)
    total = ((np.exp(first - tops[0][:, None]) @ joint) * np.exp(second - tops[1][:, None])).sum(axis=1)
    return tops[0] + tops[1] + np.log(total)


def _one_sided(model: ArmsModel, scale: float, counts: Array, sums: Array, surprises: Array) -> Callable[..., Array]:
    bets = model.bets(scale)
    weights = np.log(mixed(bets).sum(axis=0))

    def evidence(arm: int, level: float, *, is_above: bool) -> Array:
        told = sums[:, arm] if is_above else counts[:, arm] - sums[:, arm]
        capitals = _capitals(bets[arm], counts[:, arm], told, surprises[:, arm])
        return np.logaddexp.reduce(capitals(level if is_above else 1 - level) + weights, axis=1)

    return evidence


def _average(logs: list[Array]) -> Array:
    return np.logaddexp.reduce(logs, axis=0) - np.log(len(logs))


def parameter_crowd(model: Any, truth: Array, law: Law, n_runs: int, horizon: int, seed: int = 1) -> Crowd:
    r"""Linear classes: the average over scales of capital, $\frac12\rho^\top(P+W)^{-1}\rho-\frac12\ln\det(I+P^{-1}W)$
    with $\rho=b-W\theta$ the noise of all answers so far. Actions of a list, or the vectors of a ball themselves, are
    asked where $\rho$ points.
    """
    rng, n, sigma = np.random.default_rng(seed), truth.size, float(np.atleast_1d(model.sigmas)[0])
    points = getattr(model.family, "matrix", None)
    precisions = (n / 4 * 6.0 ** np.arange(8))[:, None, None] * model.design
    grams, noise = np.zeros((n_runs, n, n)), np.zeros((n_runs, n))
    queries = np.zeros((n_runs, horizon) if points is not None else (n_runs, horizon, n))
    rewards, evidence = np.zeros((2, n_runs, horizon))
    for t in range(horizon):
        aims = noise + 1e-3 * rng.normal(size=noise.shape)
        if points is None:
            asked = vectors = aims / np.linalg.norm(aims, axis=1, keepdims=True)
        else:
            asked = np.abs(aims @ points.T).argmax(axis=1)
            vectors = points[asked]
        means = vectors @ truth
        answers = law(rng, means)
        queries[:, t], rewards[:, t] = asked, answers
        grams += vectors[:, :, None] * vectors[:, None, :] / sigma**2
        noise = noise + (answers - means)[:, None] * vectors / sigma**2
        evidence[:, t] = _average([_of_scale(precision, grams, noise) for precision in precisions])
    return Crowd(queries if points is None else queries.astype(int), rewards, evidence)


def _of_scale(precision: Array, grams: Array, noise: Array) -> Array:
    together = precision + grams
    images = np.linalg.solve(together, noise[:, :, None])[:, :, 0]
    growths = np.linalg.slogdet(together)[1] - np.linalg.slogdet(precision)[1]
    return (noise * images).sum(axis=1) / 2 - growths / 2


def glm_crowd(model: GLMModel, truth: Array, law: Law, n_runs: int, horizon: int, seed: int = 2) -> Crowd:
    """Classes behind a link: an upper bound of the evidence, and the library's own wherever that bound exceeds 1.

    The rival's loss is bounded from below by strong convexity at a point near the minimiser.
    """
    rng, points, runs = np.random.default_rng(seed), model.linear.matrix, np.arange(n_runs)
    n, ridge = truth.size, truth.size / model.linear.norm**2
    counts, sums, rivals = np.zeros((n_runs, len(points))), np.zeros((n_runs, len(points))), np.zeros((n_runs, n))
    queries, rewards, evidence = np.zeros((n_runs, horizon), dtype=int), *np.zeros((2, n_runs, horizon))
    values = model.family.link.function(points @ truth)
    for t in range(horizon):
        aims = (sums - counts * values) @ points if t else rng.normal(size=(n_runs, n))
        asked = np.abs(aims @ points.T).argmax(axis=1)
        answers = law(rng, values[asked])
        queries[:, t], rewards[:, t] = asked, answers
        counts[runs, asked] += 1
        sums[runs, asked] += answers
        least, rivals = _least_ridged(model, counts, sums, rivals, ridge)
        steepest = model.weights * counts * model.family.slopes[1]
        most = np.einsum("ra,ai,aj->rij", steepest, points, points)
        growths = np.linalg.slogdet(np.eye(n) + most / ridge)[1]
        evidence[:, t] = _losses(model, counts, sums, points @ truth) - least - growths / 2
        for run in np.flatnonzero((evidence[:, t] >= 1) & (evidence[:, :t].max(axis=1, initial=0) < 4)):
            data = model.start()
            data.counts[:], data.sums[:] = counts[run], sums[run]
            evidence[run, t] = _checked(model.evidence(data, truth), evidence[run, t])
    return Crowd(queries, rewards, evidence)


def _checked(exact: float, bound: float) -> float:
    assert exact <= bound + 1e-6
    return exact


def _losses(model: GLMModel, counts: Array, sums: Array, inner: Array) -> Array:
    """The integral of the link in closed form."""
    if model.family.link is logistic:
        integrals = np.logaddexp(0, inner) - np.log(2)
    else:
        integrals = inner * ndtr(inner) + (np.exp(-(inner**2) / 2) - 1) / np.sqrt(2 * np.pi)
    return (counts * integrals - sums * inner) @ model.weights


def _least_ridged(model: GLMModel, counts: Array, sums: Array, rivals: Array, ridge: float) -> tuple[Array, Array]:
    """A lower bound of the least penalised loss, and the parameters after some steps of Newton."""
    points, weights, link = model.linear.matrix, model.weights, model.family.link
    bound = np.full(len(rivals), -np.inf)
    for _ in range(3):
        inner = rivals @ points.T
        slopes = (weights * (counts * link.function(inner) - sums)) @ points + ridge * rivals
        value = _losses(model, counts, sums, inner) + ridge * (rivals**2).sum(axis=1) / 2
        bound = np.maximum(bound, value - (slopes**2).sum(axis=1) / (2 * ridge))
        bends = np.einsum("ra,ai,aj->rij", weights * counts * link.derivative(inner), points, points)
        rivals = rivals - np.linalg.solve(bends + ridge * np.eye(len(points[0])), slopes[:, :, None])[:, :, 0]
    return bound, rivals
