"""W2 and W1: linear bandits and K arms, regret and speed beside the peers' LinUCB and UCB1 in the same run.

W2: 10 dimensions, 1,000 random unit-norm actions, a unit-norm parameter, noise uniform in [-0.5, 0.5], 5,000 rounds, 20
seeds. W1: Bernoulli arms with means equally spaced from 0.1 to 0.9 and shuffled, 10 and 100 of them, 10,000 rounds, 20
seeds. The peers are those of the extra `bench`; one that is not installed is named and left out.
"""

import importlib.util
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.document import verdict
from warmer import LeastSquares, Optimistic, Thompson, environments, simulate
from warmer.analysis.run_statistics import mean_interval
from warmer.families import KArms, Linear

N_SEEDS = 20
_ENOUGH = 10
"""Seeds from which on means are compared."""


class Game(NamedTuple):
    """One family with its environment and the best expected reward."""

    family: Any
    environment: environments.TargetEnvironment
    best: float


Play = Callable[[Game, int], float]
Choose, Learn = Callable[[], int], Callable[[int, float], None]


def main(n_seeds: int = N_SEEDS, shorter: int = 1) -> None:
    """With fewer seeds, and horizons that are shorter by a factor, where that is asked for."""
    title, options = "W2: linear bandit, 1,000 actions in 10 dimensions", {"n_seeds": n_seeds}
    show(title, linear_game, linear_players(), horizon=5000 // shorter, **options)
    for n_arms in (10, 100):
        show(f"W1: {n_arms} Bernoulli arms", arms_game(n_arms), arms_players(), horizon=10_000 // shorter, **options)


def linear_game(rng: np.random.Generator) -> Game:
    points = rng.standard_normal((1001, 10))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    family = Linear(points[:1000], reward_range=(-1.5, 1.5))
    return Game(family, environments.UniformNoise(family, points[1000]), float((points[:1000] @ points[1000]).max()))


def arms_game(n_arms: int) -> Callable[[np.random.Generator], Game]:
    def make(rng: np.random.Generator) -> Game:
        family = KArms(n_arms, reward_range=(0, 1))
        return Game(family, environments.Coin(family, rng.permutation(np.linspace(0.1, 0.9, n_arms))), 0.9)

    return make


def linear_players() -> dict[str, Play]:
    players = {
        "warmer LeastSquares(alpha*)": ours(lambda game: LeastSquares(game.family, alpha=game.best)),
        "warmer Optimistic(1.0)": ours(lambda game: Optimistic(game.family, 1.0)),
        "warmer Optimistic(anytime)": ours(lambda game: Optimistic(game.family, sigma=game.environment.sigma)),
        "NumPy LinUCB(1)": theirs(numpy_linucb),
    }
    if is_installed("contextualbandits"):
        players["contextualbandits LinUCB(1)"] = theirs(contextualbandits_linucb)
    if is_installed("mabwiser"):
        players["MABWiser LinUCB(1)"] = theirs(mabwiser_linucb)
    return players


def arms_players() -> dict[str, Play]:
    players = {
        "warmer LeastSquares(alpha*)": ours(lambda game: LeastSquares(game.family, alpha=game.best)),
        "warmer Optimistic(anytime)": ours(lambda game: Optimistic(game.family, sigma=0.5)),
        "warmer Thompson": ours(lambda game: Thompson(game.family)),
        "NumPy UCB1": theirs(numpy_ucb1),
        "NumPy Thompson (Beta)": theirs(numpy_thompson),
    }
    if is_installed("mabwiser"):
        players["MABWiser UCB1(1)"] = theirs(mabwiser_ucb1)
    return players


def is_installed(package: str) -> bool:
    if importlib.util.find_spec(package):
        return True
    Console(stderr=True).print(f"{package} is not installed and left out: pip install 'warmer[bench]'", markup=False)
    return False


def ours(make: Callable[[Game], Any]) -> Play:
    return lambda game, horizon: float(
        simulate(make(game), game.environment, horizon=horizon, seed=1).regret(game.best).item()
    )


def theirs(make: Callable[[Game], tuple[Choose, Learn]]) -> Play:
    noise_seed = np.random.SeedSequence(1).spawn(1)[0].spawn(2)[1]  # the very noise that `simulate` draws

    def play(game: Game, horizon: int) -> float:
        choose, learn = make(game)
        means, total = game.environment.means, 0.0
        for row in game.environment.noise(horizon, np.random.default_rng(noise_seed)):
            action = choose()
            total += means[action]
            learn(action, game.environment.reward(action, row))
        return float(horizon * game.best - total)

    return play


def numpy_linucb(game: Game) -> tuple[Choose, Learn]:
    points = game.family.matrix
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


def contextualbandits_linucb(game: Game) -> tuple[Choose, Learn]:
    from contextualbandits.linreg import LinearRegression

    points = np.ascontiguousarray(game.family.matrix)
    model = LinearRegression(lambda_=1.0, fit_intercept=False, use_float=False)
    model.partial_fit(points[:1] * 0, np.zeros(1))  # it predicts only once fitted

    def learn(action: int, reward: float) -> None:
        model.partial_fit(points[action : action + 1], np.array([reward]))

    return lambda: int(np.argmax(model.predict_ucb(points, alpha=1.0))), learn


def mabwiser_linucb(game: Game) -> tuple[Choose, Learn]:
    from mabwiser.mab import MAB, LearningPolicy

    points = game.family.matrix
    bandit = MAB(arms=[0], learning_policy=LearningPolicy.LinUCB(alpha=1.0))
    bandit.fit([0], [0.0], points[:1] * 0)

    def learn(action: int, reward: float) -> None:
        bandit.partial_fit([0], [reward], points[action : action + 1])

    return lambda: int(np.argmax([value[0] for value in bandit.predict_expectations(points)])), learn


def numpy_thompson(game: Game) -> tuple[Choose, Learn]:
    heads, tails, rng = np.ones(game.family.n_arms), np.ones(game.family.n_arms), np.random.default_rng(0)

    def learn(arm: int, reward: float) -> None:
        heads[arm] += reward
        tails[arm] += 1 - reward

    return lambda: int(rng.beta(heads, tails).argmax()), learn


def numpy_ucb1(game: Game) -> tuple[Choose, Learn]:
    counts, sums = np.zeros(game.family.n_arms), np.zeros(game.family.n_arms)

    def choose() -> int:
        if not counts.all():
            return int(counts.argmin())
        return int((sums / counts + np.sqrt(2 * np.log(counts.sum()) / counts)).argmax())

    def learn(action: int, reward: float) -> None:
        counts[action] += 1
        sums[action] += reward

    return choose, learn


def mabwiser_ucb1(game: Game) -> tuple[Choose, Learn]:
    from mabwiser.mab import MAB, LearningPolicy

    n_arms = game.family.n_arms
    bandit = MAB(arms=list(range(n_arms)), learning_policy=LearningPolicy.UCB1(alpha=1.0))
    bandit.fit(list(range(n_arms)), [0.0] * n_arms)
    return bandit.predict, lambda action, reward: bandit.partial_fit([action], [reward])


def show(
    title: str, make: Callable[[np.random.Generator], Game], players: dict[str, Play], *, horizon: int, n_seeds: int
) -> None:
    regrets = {name: np.empty(n_seeds) for name in players}
    fastest = dict.fromkeys(players, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers warn about their own dependencies
        for seed in track(range(n_seeds), description=title, transient=True, console=Console(stderr=True)):
            game = make(np.random.default_rng(seed))
            for name, play in players.items():
                if seed == 0:
                    play(game, 3)  # compile before the clock starts
                start = time.perf_counter()
                regrets[name][seed] = play(game, horizon)
                # the machine is shared and only noise adds time: the best seed of each is compared
                fastest[name] = max(fastest[name], horizon / (time.perf_counter() - start))
    table = Table(title=f"{title}, {horizon} rounds, {n_seeds} seeds")
    for column in ("", "mean regret", "95% interval", "steps/s"):
        table.add_column(column, justify="left" if not column else "right")
    for name in sorted(players, key=lambda name: regrets[name].mean()):
        interval = mean_interval(regrets[name])
        row = f"{interval.estimate:.1f}", f"{interval.low:.1f} .. {interval.high:.1f}", f"{fastest[name]:,.0f}"
        table.add_row(name, *row)
    Console().print(table)
    if title.startswith("W2") and n_seeds >= _ENOUGH:
        means = {name: float(each.mean()) for name, each in regrets.items()}
        best_peer = min(mean for name, mean in means.items() if not name.startswith("warmer"))
        for name in ("warmer LeastSquares(alpha*)", "warmer Optimistic(1.0)"):
            verdict(f"W2, {name}", f"{means[name]:.1f}", f"no more than {best_peer:.1f}, the best peer")
