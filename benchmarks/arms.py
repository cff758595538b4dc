"""Answers until an arm is certified: 20 coins with means from 0.1 to 0.9, beside textbook methods in the same run; then
the same for a linear bandit (`best_action`).

LUCB1 and KL-LUCB are those of Kalyanakrishnan et al. (2012) and Kaufmann and Kalyanakrishnan (2013), with the constants
printed there. The others sample by top-two Thompson (Russo 2016) with even odds, and stop by the generalised likelihood
ratio at ln(2t(K-1)/delta), which is proven (Garivier and Kaufmann 2016), and at ln((1+ln t)(K-1)/delta), which is not.
"""

import math
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.optimize import brentq, minimize_scalar
from scipy.special import rel_entr

from benchmarks import best_action
from warmer import TopTwo, goals, noise
from warmer.families import KArms

N_ARMS, DELTA = 20, 0.05
Pull = Callable[[int], float]
Method = Callable[[Pull, float, np.random.Generator], int]


def main(n_runs: int = 100) -> None:
    for epsilon in (0.05, 0.02):
        show(epsilon, n_runs)
    best_action.main()


def show(epsilon: float, n_runs: int) -> None:
    table = Table("method", "mean answers", "+-", "wrong", title=f"20 coins, epsilon {epsilon}, {n_runs} runs each")
    for name, method in METHODS.items():
        counts, n_wrong = [], 0
        few = n_runs if "LUCB" not in name else max(n_runs // 5, 1)
        for run in track(range(few), console=Console(stderr=True), transient=True):
            rng = np.random.default_rng(run)
            means, n_pulls = rng.permutation(np.linspace(0.1, 0.9, N_ARMS)), 0

            def pull(arm: int, means: np.ndarray = means, rng: np.random.Generator = rng) -> float:
                nonlocal n_pulls
                n_pulls += 1
                return float(rng.random() < means[arm])

            n_wrong += bool(means[method(pull, epsilon, rng)] < 0.9 - epsilon)
            counts.append(n_pulls)
        error = np.std(counts) / math.sqrt(len(counts))
        table.add_row(name, f"{np.mean(counts):.0f}", f"{error:.0f}", f"{n_wrong} of {few}")
    Console().print(table)


def ours(declared: noise.Noise | None) -> Method:
    def method(pull: Pull, epsilon: float, rng: np.random.Generator) -> int:
        learner = TopTwo(KArms(N_ARMS, reward_range=(0, 1)), goals.BestQuery(epsilon), noise=declared, delta=DELTA)
        state = learner.init(rng)
        while not learner.is_done(state):
            arm = learner.ask(state, rng)
            state = learner.tell(state, arm, pull(arm))
        return learner.recommend(state)

    return method


def divergence(p: float, q: float) -> float:
    return float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))


def upper_end(mean: float, level: float) -> float:
    """The largest q with divergence(mean, q) up to the level."""
    return brentq(lambda q: divergence(mean, q) - level, mean, 1 - 1e-12) if mean < 1 - 1e-12 else 1.0


def lucb(is_kl: bool) -> Method:
    def method(pull: Pull, epsilon: float, rng: np.random.Generator) -> int:
        counts, sums = np.ones(N_ARMS), np.array([pull(arm) for arm in range(N_ARMS)])
        while True:
            means, t = sums / counts, counts.sum()
            leader = int(means.argmax())
            if is_kl:
                log_mass = math.log(405.5 * N_ARMS * t**1.1 / DELTA)
                levels = (log_mass + math.log(log_mass)) / counts
                tops = np.array([upper_end(*known) for known in zip(means, levels, strict=True)])
                bottom = 1 - upper_end(1 - means[leader], levels[leader])
            else:
                widths = np.sqrt(np.log(1.25 * N_ARMS * t**4 / DELTA) / (2 * counts))
                tops, bottom = means + widths, means[leader] - widths[leader]
            tops[leader] = -1
            challenger = int(tops.argmax())
            if tops[challenger] - bottom <= epsilon:
                return leader
            for arm in (leader, challenger):
                counts[arm], sums[arm] = counts[arm] + 1, sums[arm] + pull(arm)

    return method


def likelihood_ratio(counts: np.ndarray, means: np.ndarray, leader: int, other: int, epsilon: float) -> float:
    """The least of n d(mean, x) + m d(other mean, x + epsilon)."""
    low, high = max(0.0, means[other] - epsilon), min(means[leader], 1 - epsilon)
    if high <= low:
        return 0.0

    def total(x: float) -> float:
        return counts[leader] * divergence(means[leader], x) + counts[other] * divergence(means[other], x + epsilon)

    return float(minimize_scalar(total, bounds=(low, high), method="bounded").fun)


def top_two_thompson(threshold: Callable[[float], float]) -> Method:
    def method(pull: Pull, epsilon: float, rng: np.random.Generator) -> int:
        counts, sums = np.ones(N_ARMS), np.array([pull(arm) for arm in range(N_ARMS)])
        challenger = 0
        while True:
            means, level = sums / counts, threshold(counts.sum())
            leader = int(means.argmax())
            others = [challenger, *range(N_ARMS)]  # the one that was last in the way is looked at first
            ratios = ((arm, likelihood_ratio(counts, means, leader, arm, epsilon)) for arm in others if arm != leader)
            challenger = next((arm for arm, ratio in ratios if ratio < level), -1)
            if challenger < 0:
                return leader
            arm = drawn = int(rng.beta(1 + sums, 1 + counts - sums).argmax())
            if rng.random() < 0.5:
                for _ in range(1000):
                    arm = int(rng.beta(1 + sums, 1 + counts - sums).argmax())
                    if arm != drawn:
                        break
            counts[arm], sums[arm] = counts[arm] + 1, sums[arm] + pull(arm)

    return method


METHODS: dict[str, Method] = {
    "warmer TopTwo, Coin()": ours(noise.Coin()),
    "warmer TopTwo, nothing declared": ours(None),
    "top-two Thompson, likelihood ratio, proven": top_two_thompson(lambda t: math.log(2 * t * (N_ARMS - 1) / DELTA)),
    "the same, threshold without proof": top_two_thompson(lambda t: math.log((1 + math.log(t)) * (N_ARMS - 1) / DELTA)),
    "KL-LUCB": lucb(is_kl=True),
    "LUCB1": lucb(is_kl=False),
}
