"""Answers until an arm is certified: 20 coins with means from 0.1 to 0.9, beside textbook methods in the same run; then
the same for a linear bandit (`best_action`).

LUCB1 and KL-LUCB are those of Kalyanakrishnan et al. (2012) and Kaufmann and Kalyanakrishnan (2013), with the constants
printed there. The others sample by top-two Thompson (Russo 2016) with even odds, and stop by the generalised likelihood
ratio at ln(2t(K-1)/delta), which is proven (Garivier and Kaufmann 2016), and at ln((1+ln t)(K-1)/delta), which is not.
Their challenger is drawn at once from the chances that each arm is the best, given that the first one is not: it has
the law of drawing again until another arm wins, which takes ever longer.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import best_action
from warmer import TopTwo, goals, noise
from warmer.families import KArms

N_ARMS, DELTA = 20, 0.05
GRID = (np.arange(400) + 0.5) / 400
Method = Callable[[np.ndarray, float, int], tuple[int, int]]
"""Means, epsilon and a seed: the arm that was settled on, and after how many answers."""


def main(n_runs: int = 100) -> None:
    show(0.05, n_runs)
    best_action.main(n_runs)


def show(epsilon: float, n_runs: int) -> None:
    table = Table("method", "mean answers", "+-", "wrong", title=f"20 coins, epsilon {epsilon}, {n_runs} runs each")
    found = {}
    for name, method in METHODS.items():
        counts, n_wrong = [], 0
        for run in track(range(n_runs), console=Console(stderr=True), transient=True):
            means = np.random.default_rng(run).permutation(np.linspace(0.1, 0.9, N_ARMS))
            arm, n_pulls = method(means, epsilon, run)
            n_wrong += bool(means[arm] < 0.9 - epsilon)
            counts.append(n_pulls)
        found[name] = float(np.mean(counts))
        error = np.std(counts) / math.sqrt(n_runs)
        table.add_row(name, f"{np.mean(counts):.0f}", f"{error:.0f}", f"{n_wrong} of {n_runs}")
    Console().print(table)
    best_action.show_ratios(f"{N_ARMS} coins", found)


def ours(declared: noise.Noise | None) -> Method:
    def method(means: np.ndarray, epsilon: float, seed: int) -> tuple[int, int]:
        learner = TopTwo(KArms(N_ARMS, reward_range=(0, 1)), goals.BestQuery(epsilon), noise=declared, delta=DELTA)
        rng, n_pulls = np.random.default_rng(seed), 0
        state = learner.init(rng)
        while not learner.is_done(state):
            arm = learner.ask(state, rng)
            state, n_pulls = learner.tell(state, arm, float(rng.random() < means[arm])), n_pulls + 1
        return learner.recommend(state), n_pulls

    return method


@njit(cache=True)
def pull(means, counts, sums, arm, rng):
    counts[arm] += 1
    sums[arm] += rng.random() < means[arm]


@njit(cache=True)
def divergence(p, q):
    total = 0.0
    if p > 0:
        total += p * math.log(p / q)
    if p < 1:
        total += (1 - p) * math.log((1 - p) / (1 - q))
    return total


@njit(cache=True)
def upper_end(mean, level):
    """The largest q with divergence(mean, q) up to the level."""
    low, high = mean, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if divergence(mean, middle) <= level:
            low = middle
        else:
            high = middle
    return high


@njit(cache=True)
def lucb(means, epsilon, rng, is_kl):
    counts, sums, tops = np.zeros(N_ARMS), np.zeros(N_ARMS), np.empty(N_ARMS)
    for arm in range(N_ARMS):
        pull(means, counts, sums, arm, rng)
    while True:
        seen, t = sums / counts, counts.sum()
        leader = seen.argmax()
        if is_kl:
            log_mass = math.log(405.5 * N_ARMS * t**1.1 / DELTA)
            level = log_mass + math.log(log_mass)
            for arm in range(N_ARMS):
                tops[arm] = upper_end(seen[arm], level / counts[arm])
            bottom = 1 - upper_end(1 - seen[leader], level / counts[leader])
        else:
            widths = np.sqrt(np.log(1.25 * N_ARMS * t**4 / DELTA) / (2 * counts))
            tops[:] = seen + widths
            bottom = seen[leader] - widths[leader]
        tops[leader] = -1.0
        challenger = tops.argmax()
        if tops[challenger] - bottom <= epsilon:
            return leader, int(t)
        pull(means, counts, sums, leader, rng)
        pull(means, counts, sums, challenger, rng)


@njit(cache=True)
def likelihood_ratio(n, mean, m, other, epsilon):
    """The least of n d(mean, x) + m d(other, x + epsilon): where its derivative, which rises, is 0."""
    low, high = max(0.0, other - epsilon), min(mean, 1 - epsilon)
    if high <= low:
        return 0.0
    for _ in range(50):
        x = (low + high) / 2
        y = x + epsilon
        if n * (x - mean) / (x * (1 - x)) + m * (y - other) / (y * (1 - y)) < 0:
            low = x
        else:
            high = x
    x = (low + high) / 2
    return n * divergence(mean, x) + m * divergence(other, x + epsilon)


@njit(cache=True)
def posterior(count, total, density, log_below):
    """The density of a mean on the grid, and the logarithm of the chance that it is no larger."""
    log_density = total * np.log(GRID) + (count - total) * np.log(1 - GRID)
    density[:] = np.exp(log_density - log_density.max())
    density /= density.sum()
    log_below[:] = np.log(np.maximum(np.cumsum(density) - density / 2, 1e-300))


@njit(cache=True)
def chances_of_best(densities, log_below):
    """For each arm the chance that its mean is the largest."""
    all_below = log_below.sum(axis=0)
    chances = np.empty(len(densities))
    for arm in range(chances.size):
        chances[arm] = (densities[arm] * np.exp(all_below - log_below[arm])).sum()
    return chances


@njit(cache=True)
def drawn_by(chances, rng):
    return min(np.searchsorted(np.cumsum(chances), rng.random() * chances.sum()), chances.size - 1)


@njit(cache=True)
def top_two_thompson(means, epsilon, rng, is_proven):
    counts, sums = np.zeros(N_ARMS), np.zeros(N_ARMS)
    densities, log_below = np.empty((N_ARMS, GRID.size)), np.empty((N_ARMS, GRID.size))
    for arm in range(N_ARMS):
        pull(means, counts, sums, arm, rng)
        posterior(counts[arm], sums[arm], densities[arm], log_below[arm])
    challenger = 0
    while True:
        seen, t = sums / counts, counts.sum()
        leader = seen.argmax()
        level = math.log((2 * t if is_proven else 1 + math.log(t)) * (N_ARMS - 1) / DELTA)
        first, challenger = challenger, -1
        for k in range(N_ARMS + 1):  # the one that was last in the way is looked at first
            arm = first if k == 0 else k - 1
            if arm != leader:
                ratio = likelihood_ratio(counts[leader], seen[leader], counts[arm], seen[arm], epsilon)
                if ratio < level:
                    challenger = arm
                    break
        if challenger < 0:
            return leader, int(t)
        chances = chances_of_best(densities, log_below)
        arm = drawn_by(chances, rng)
        if rng.random() < 0.5:
            chances[arm] = 0.0
            arm = drawn_by(chances, rng)
        pull(means, counts, sums, arm, rng)
        posterior(counts[arm], sums[arm], densities[arm], log_below[arm])


def compiled(method: Any, flag: bool) -> Method:
    return lambda means, epsilon, seed: method(means, epsilon, np.random.default_rng(seed), flag)


METHODS: dict[str, Method] = {
    "warmer TopTwo, Coin()": ours(noise.Coin()),
    "warmer TopTwo, nothing declared": ours(None),
    "top-two Thompson, likelihood ratio, proven": compiled(top_two_thompson, True),
    "the same, threshold without proof (unproven)": compiled(top_two_thompson, False),
    "KL-LUCB": compiled(lucb, True),
    "LUCB1": compiled(lucb, False),
}
