"""W2 and W1: linear bandits and K arms, regret and speed beside the peers' LinUCB and UCB1 in the same run.

W2: 10 dimensions, 1,000 random unit-norm actions, a unit-norm parameter, noise uniform in [-0.5, 0.5], 5,000 rounds, 20
seeds. W1: Bernoulli arms with means equally spaced from 0.1 to 0.9 and shuffled, 10 and 100 of them, 10,000 rounds, 20
seeds. The peers are those of the extra `bench`; one that is not installed is named and left out, a slow one plays the
first five seeds.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import linucb
from benchmarks.document import verdict
from benchmarks.linucb import ENOUGH, Choose, Learn, is_installed, linear_peers, seeds_of, worst_ratio
from warmer import LeastSquares, Optimistic, Thompson, environments, simulate
from warmer.analysis.run_statistics import mean_interval
from warmer.families import KArms, Linear

N_SEEDS = 20
ON_LINEAR = {"warmer LeastSquares(alpha*)": "", "warmer Optimistic(1.0)": ""}
ON_ARMS = {"warmer Optimistic(anytime)": "UCB1", "warmer Thompson": "Thompson"}
"""Who is held against which peers: all of them, or those of the same method."""


class Game(NamedTuple):
    """One family with its environment and the best expected reward."""

    family: Any
    environment: environments.TargetEnvironment
    best: float
    seed: int
    """Of the noise and of what learners draw."""


Play = Callable[[Game, int], float]


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
    answering, best = environments.UniformNoise(family, points[1000]), float((points[:1000] @ points[1000]).max())
    return Game(family, answering, best, int(rng.integers(2**31)))


def arms_game(n_arms: int) -> Callable[[np.random.Generator], Game]:
    def make(rng: np.random.Generator) -> Game:
        family = KArms(n_arms, reward_range=(0, 1))
        answering = environments.Coin(family, rng.permutation(np.linspace(0.1, 0.9, n_arms)))
        return Game(family, answering, 0.9, int(rng.integers(2**31)))

    return make


def linear_players() -> dict[str, Play]:
    mine = {
        "warmer LeastSquares(alpha*)": ours(lambda game: LeastSquares(game.family, alpha=game.best)),
        "warmer Optimistic(1.0)": ours(lambda game: Optimistic(game.family, 1.0)),
        "warmer Optimistic(anytime)": ours(lambda game: Optimistic(game.family, sigma=game.environment.sigma)),
    }
    peers = {name: theirs(lambda game, make=make: make(game.family.matrix)) for name, make in linear_peers().items()}
    return mine | peers


def arms_players() -> dict[str, Play]:
    players = {
        "warmer LeastSquares(alpha*)": ours(lambda game: LeastSquares(game.family, alpha=game.best)),
        "warmer Optimistic(anytime)": ours(lambda game: Optimistic(game.family, sigma=0.5)),
        "warmer Thompson": ours(lambda game: Thompson(game.family)),
        "NumPy UCB1": theirs(numpy_ucb1),
        "NumPy Thompson (Beta)": theirs(numpy_thompson),
    }
    if is_installed("mabwiser"):
        players["MABWiser UCB1(1)"] = theirs(lambda game: linucb.mabwiser_ucb1(game.family.n_arms))
    return players


def ours(make: Callable[[Game], Any]) -> Play:
    return lambda game, horizon: float(
        simulate(make(game), game.environment, horizon=horizon, seed=game.seed).regret(game.best).item()
    )


def theirs(make: Callable[[Game], tuple[Choose, Learn]]) -> Play:
    def play(game: Game, horizon: int) -> float:
        choose, learn = make(game)
        means, total = game.environment.means, 0.0
        for row in game.environment.noise(horizon, np.random.default_rng([game.seed, 1])):
            action = choose()
            total += means[action]
            learn(action, game.environment.reward(action, row))
        return float(horizon * game.best - total)

    return play


def numpy_thompson(game: Game) -> tuple[Choose, Learn]:
    heads, tails, rng = np.ones(game.family.n_arms), np.ones(game.family.n_arms), np.random.default_rng([game.seed, 2])

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


def show(
    title: str, make: Callable[[np.random.Generator], Game], players: dict[str, Play], *, horizon: int, n_seeds: int
) -> None:
    regrets = {name: np.empty(seeds_of(name, n_seeds)) for name in players}
    fastest = dict.fromkeys(players, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers warn about their own dependencies
        for seed in track(range(n_seeds), description=title, transient=True, console=Console(stderr=True)):
            game = make(np.random.default_rng(seed))
            for name, play in players.items():
                if seed >= regrets[name].size:
                    continue
                if seed == 0:
                    play(game, 3)  # compile before the clock starts
                start = time.process_time()
                regrets[name][seed] = play(game, horizon)
                # a neighbour on the core only adds time: the best seed of each is compared
                fastest[name] = max(fastest[name], horizon / (time.process_time() - start))
    table = Table(title=f"{title}, {horizon} rounds")
    for column in ("", "mean regret", "95% interval", "steps per CPU s", "seeds"):
        table.add_column(column, justify="left" if not column else "right")
    for name in sorted(players, key=lambda name: regrets[name].mean()):
        interval = mean_interval(regrets[name])
        row = f"{interval.estimate:.1f}", f"{interval.low:.1f} .. {interval.high:.1f}", f"{fastest[name]:,.0f}"
        table.add_row(name, *row, str(regrets[name].size))
    Console().print(table)
    if n_seeds >= ENOUGH:
        show_ratios(title.partition(",")[0], regrets)


def show_ratios(title: str, regrets: dict[str, np.ndarray]) -> None:
    for name, method in (ON_LINEAR if title.startswith("W2") else ON_ARMS).items():
        peers = {peer: each for peer, each in regrets.items() if not peer.startswith("warmer") and method in peer}
        ratio, peer = worst_ratio(regrets[name], peers)
        is_close = ratio > 1 and mean_interval(regrets[name]).low <= mean_interval(peers[peer]).high
        words = f"{ratio:.2f}{', intervals overlap' if is_close else ''}"
        verdict(f"{title}: regret of {name} / that of the best peer, {peer}", words, "at most 1")
