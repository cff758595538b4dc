"""LinUCB with width 1 and ridge 1, by those who know actions as points: in NumPy, and in the peers that are installed.

Each takes the points of the actions and gives how an action is chosen, and how its reward is learnt. MABWiser is
slow, and asks what NumPy asks: it plays few seeds.
"""

import importlib.util
from collections.abc import Callable

import numpy as np
from rich.console import Console

Choose, Learn = Callable[[], int], Callable[[int, float], None]
Linear = Callable[[np.ndarray], tuple[Choose, Learn]]

SLOW_SEEDS = 5
"""How many seeds a slow peer plays at most."""
ENOUGH = 10
"""Seeds from which on means are held against goals."""


def linear_peers() -> dict[str, Linear]:
    """Those that can play here; the others are named."""
    peers: dict[str, Linear] = {"NumPy LinUCB(1)": numpy_linucb}
    if is_installed("contextualbandits"):
        peers["contextualbandits LinUCB(1)"] = contextualbandits_linucb
    if is_installed("mabwiser"):
        peers["MABWiser LinUCB(1)"] = mabwiser_linucb
    return peers


def seeds_of(name: str, n_seeds: int) -> int:
    """How many of the seeds a player plays: the first ones, so that means are compared on the same games."""
    return min(n_seeds, SLOW_SEEDS) if name.startswith("MABWiser") else n_seeds


def worst_ratio(ours: np.ndarray, peers: dict[str, np.ndarray]) -> tuple[float, str]:
    """Our mean over that of the best peer, on the seeds that it played, and its name."""
    ratios = {name: float(ours[: each.size].mean() / each.mean()) for name, each in peers.items()}
    best = max(ratios, key=lambda name: ratios[name])
    return ratios[best], best


def is_installed(package: str) -> bool:
    if importlib.util.find_spec(package):
        return True
    Console(stderr=True).print(f"{package} is not installed and left out: pip install 'warmer[bench]'", markup=False)
    return False


def numpy_linucb(points: np.ndarray) -> tuple[Choose, Learn]:
    inverse, sums = np.eye(points.shape[1]), np.zeros(points.shape[1])

    def choose() -> int:
        spread = ((points @ inverse) * points).sum(axis=1)
        return int((points @ (inverse @ sums) + np.sqrt(spread)).argmax())

    def learn(action: int, reward: float) -> None:
        nonlocal inverse, sums
        image = inverse @ points[action]
        inverse = inverse - np.outer(image, image) / (1 + points[action] @ image)
        sums = sums + reward * points[action]

    return choose, learn


def contextualbandits_linucb(points: np.ndarray) -> tuple[Choose, Learn]:
    from contextualbandits.linreg import LinearRegression

    rows = np.ascontiguousarray(points)
    model = LinearRegression(lambda_=1.0, fit_intercept=False, use_float=False)
    model.partial_fit(rows[:1] * 0, np.zeros(1))  # it predicts only once fitted

    def learn(action: int, reward: float) -> None:
        model.partial_fit(rows[action : action + 1], np.array([reward]))

    return lambda: int(np.argmax(model.predict_ucb(rows, alpha=1.0))), learn


def mabwiser_linucb(points: np.ndarray) -> tuple[Choose, Learn]:
    from mabwiser.mab import MAB, LearningPolicy

    bandit = MAB(arms=[0], learning_policy=LearningPolicy.LinUCB(alpha=1.0))
    bandit.fit([0], [0.0], points[:1] * 0)

    def learn(action: int, reward: float) -> None:
        bandit.partial_fit([0], [reward], points[action : action + 1])

    return lambda: int(np.argmax([value[0] for value in bandit.predict_expectations(points)])), learn


def mabwiser_ucb1(n_arms: int) -> tuple[Choose, Learn]:
    from mabwiser.mab import MAB, LearningPolicy

    bandit = MAB(arms=list(range(n_arms)), learning_policy=LearningPolicy.UCB1(alpha=1.0))
    bandit.fit(list(range(n_arms)), [0.0] * n_arms)
    return bandit.predict, lambda action, reward: bandit.partial_fit([action], [reward])
