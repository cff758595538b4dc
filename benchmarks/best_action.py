"""Answers until an action of a linear bandit is certified: W2 with 100 actions, beside textbook methods.

10 dimensions, 100 random unit-norm actions, a unit-norm parameter, noise uniform in [-0.5, 0.5], which all are told to
be sub-Gaussian with deviation 0.5 / sqrt(3). LinGapE is that of Xu, Honda and Sugiyama (2018), greedy, with the
ellipsoid of Abbasi-Yadkori, Pal and Szepesvari (2011) and ridge 1. The top-two method
draws a leader from the posterior, whose challenger has the least likelihood ratio (L-T3C, Shang et al. 2020), asks the
action that best tells them apart, and stops by the generalised likelihood ratio of Jedra and Proutiere (2020) with
u = 1 and c = 1. LUCB1 (Kalyanakrishnan et al. 2012) does not know that the bandit is
linear.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.document import verdict
from warmer import TopTwo, goals, noise
from warmer.families import Linear

N_ACTIONS, N, DELTA, SIGMA = 100, 10, 0.05, 0.5 / math.sqrt(3)
Pull = Callable[[int], float]
Method = Callable[[np.ndarray, Pull, float, np.random.Generator], int]


def main(n_runs: int = 100) -> None:
    show(0.1, n_runs)


def show(epsilon: float, n_runs: int) -> None:
    title = f"linear, {N_ACTIONS} actions in {N} dimensions, epsilon {epsilon}, {n_runs} runs each"
    table = Table("method", "mean answers", "+-", "wrong", title=title)
    found = {}
    for name, method in METHODS.items():
        counts, n_wrong = [], 0
        for run in track(range(n_runs), console=Console(stderr=True), transient=True):
            rng = np.random.default_rng(run)
            points = rng.standard_normal((N_ACTIONS + 1, N))
            points /= np.linalg.norm(points, axis=1, keepdims=True)
            means, n_pulls = points[:-1] @ points[-1], 0

            def pull(action: int, means: np.ndarray = means, rng: np.random.Generator = rng) -> float:
                nonlocal n_pulls
                n_pulls += 1
                return float(means[action] + rng.uniform(-0.5, 0.5))

            n_wrong += bool(means[method(points[:-1], pull, epsilon, rng)] < means.max() - epsilon)
            counts.append(n_pulls)
        found[name], error = float(np.mean(counts)), np.std(counts) / math.sqrt(n_runs)
        table.add_row(name, f"{np.mean(counts):.0f}", f"{error:.0f}", f"{n_wrong} of {n_runs}")
    Console().print(table)
    show_ratios(f"{N_ACTIONS} linear actions", found)


def show_ratios(what: str, found: dict[str, float]) -> None:
    """Whether each of ours is no worse, on average, than every rival whose stopping rule is proven."""
    best = min(mean for name, mean in found.items() if "warmer" not in name and "unproven" not in name)
    for name, mean in found.items():
        if "warmer" in name:
            verdict(f"{what}, {name}: answers / those of the best proven rival", f"{mean / best:.2f}", "at most 1")


def ours(points: np.ndarray, pull: Pull, epsilon: float, rng: np.random.Generator) -> int:
    declared = noise.SubGaussian(SIGMA)
    learner = TopTwo(Linear(points, reward_range=(-1.5, 1.5)), goals.BestQuery(epsilon), noise=declared, delta=DELTA)
    state = learner.init(rng)
    while not learner.is_done(state):
        action = learner.ask(state, rng)
        state = learner.tell(state, action, pull(action))
    return learner.recommend(state)


class Ridge(NamedTuple):
    """The inverse of I + sum of x x', the sum of r x, and the log of the determinant of the former."""

    inverse: np.ndarray
    sums: np.ndarray
    log_det: float

    def told(self, point: np.ndarray, reward: float) -> "Ridge":
        """One more answer."""
        image = self.inverse @ point
        growth = 1 + point @ image
        inverse = self.inverse - np.outer(image, image) / growth
        return Ridge(inverse, self.sums + reward * point, self.log_det + math.log(growth))

    def widths(self, directions: np.ndarray) -> np.ndarray:
        """How uncertain each direction is."""
        return np.sqrt(np.maximum(((directions @ self.inverse) * directions).sum(axis=1), 1e-300))

    def sharpest(self, points: np.ndarray, direction: np.ndarray) -> int:
        """The action after which the width of a direction is least."""
        return int(((points @ (self.inverse @ direction)) ** 2 / (1 + self.widths(points) ** 2)).argmax())


def lingape(points: np.ndarray, pull: Pull, epsilon: float, rng: np.random.Generator) -> int:
    known = Ridge(np.eye(N), np.zeros(N), 0.0)
    while True:
        values = points @ (known.inverse @ known.sums)
        leader = int(values.argmax())
        radius = SIGMA * math.sqrt(known.log_det + 2 * math.log(1 / DELTA)) + 1.0
        gaps = values - values[leader] + radius * known.widths(points - points[leader])
        gaps[leader] = -1
        challenger = int(gaps.argmax())
        if gaps[challenger] <= epsilon:
            return leader
        action = known.sharpest(points, points[leader] - points[challenger])
        known = known.told(points[action], pull(action))


def top_two_thompson(points: np.ndarray, pull: Pull, epsilon: float, rng: np.random.Generator) -> int:
    known, gram = Ridge(np.eye(N), np.zeros(N), 0.0), np.zeros((N, N))
    while True:
        center = known.inverse @ known.sums
        if np.linalg.eigvalsh(gram)[0] >= 1:
            inverse = np.linalg.inv(gram)
            leader, ratios = likelihood_ratios(points, inverse, inverse @ known.sums, epsilon)
            if ratios.min() >= 2 * SIGMA**2 * (known.log_det / 2 + math.log(1 / DELTA)):
                return leader
        draw = center + SIGMA * (np.linalg.cholesky(known.inverse) @ rng.standard_normal(N))
        drawn = int((points @ draw).argmax())
        ratios = likelihood_ratios(points, known.inverse, center, epsilon, drawn)[1]
        action = known.sharpest(points, points[drawn] - points[int(ratios.argmin())])
        known, gram = known.told(points[action], pull(action)), gram + np.outer(points[action], points[action])


def likelihood_ratios(
    points: np.ndarray, inverse: np.ndarray, center: np.ndarray, epsilon: float, leader: int | None = None
) -> tuple[int, np.ndarray]:
    """The leader, and for each other action how unlikely it is to be better by epsilon."""
    values = points @ center
    leader = int(values.argmax()) if leader is None else leader
    differences = points - points[leader]
    squares = np.maximum(((differences @ inverse) * differences).sum(axis=1), 1e-300)
    ratios = np.maximum(values[leader] - values + epsilon, 0) ** 2 / squares / 2
    ratios[leader] = np.inf
    return leader, ratios


def lucb(points: np.ndarray, pull: Pull, epsilon: float, rng: np.random.Generator) -> int:
    counts, sums = np.ones(N_ACTIONS), np.array([pull(action) for action in range(N_ACTIONS)])
    while True:
        means = sums / counts
        leader = int(means.argmax())
        widths = SIGMA * np.sqrt(2 * np.log(1.25 * N_ACTIONS * counts.sum() ** 4 / DELTA) / counts)
        tops = means + widths
        tops[leader] = -np.inf
        challenger = int(tops.argmax())
        if tops[challenger] - (means[leader] - widths[leader]) <= epsilon:
            return leader
        for action in (leader, challenger):
            counts[action], sums[action] = counts[action] + 1, sums[action] + pull(action)


METHODS: dict[str, Method] = {
    "warmer TopTwo": ours,
    "top-two Thompson, likelihood ratio": top_two_thompson,
    "LinGapE": lingape,
    "LUCB1, blind to the structure": lucb,
}
