"""Several learners at the same games: who lost how much, and when the answer was proven."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from warmer.analysis.outcomes import Comparison, Outcome, Rules
from warmer.analysis.proofs import Proof, first_proof
from warmer.analysis.run_statistics import bad_queries, cumulative_regret
from warmer.environments import TargetEnvironment
from warmer.learners import Settings, build
from warmer.model import Array, Label, Learner, Problem, Runs
from warmer.model.checks import at_least, check_count
from warmer.model.errors import InvalidValueError
from warmer.simulation import play

__all__ = ["compare", "draw_targets", "shared_sigma"]

Progress = Callable[[int], None]

_MAX_ROUNDS_KEPT = 400
"""At how many rounds regret is kept; no picture shows more."""

_QUIET = 0.01
"""The sigma, as a share of the reward range's half-length, that learners are told where there is no noise."""


def compare(
    environments: Sequence[TargetEnvironment],
    learners: Sequence[str],
    rules: Rules,
    *,
    with_proofs: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Let each learner of the catalogue play one run in each environment.

    Run k draws its chance as run k of `simulate` does, so all learners meet the same noise.

    Parameters
    ----------
    environments
        One for each run, all of the same problem; their targets may differ.
    learners
        Names of the catalogue `warmer.learners.CATALOG`.
    rules
        What all of them play by.
    with_proofs
        Whether to look for the first certificate of every run.
    progress
        Called now and then with the number of rounds played since the last call.

    Examples
    --------
    >>> from warmer import environments, problems
    >>> keeper = environments.Exact(problems.treasure(side=3), "B2")
    >>> result = compare([keeper], ["uniform", "least-squares"], Rules(horizon=20, seed=0, epsilon=0.1))
    >>> [outcome.learner for outcome in result.ranking]
    ['least-squares', 'uniform']
    """
    if not environments or any(keeper.problem is not environments[0].problem for keeper in environments):
        raise InvalidValueError("a comparison needs at least one environment, and the same problem in all of them.")
    sigma = shared_sigma(environments) if rules.sigma is None else rules.sigma
    kept = min(rules.horizon, _MAX_ROUNDS_KEPT)
    rounds = np.unique(np.linspace(1, rules.horizon, kept).round().astype(int))
    table = _Table(tuple(environments), rules, sigma, rounds, with_proofs, progress)
    entrants = {name: table.seat(name) for name in learners}  # all of them, before the first long run
    outcomes = tuple(table.play(name, players) for name, players in entrants.items())
    return Comparison(table.environments, rules, sigma, rounds, outcomes)


def draw_targets(problem: Problem, *, runs: int, seed: int) -> list[Label]:
    r"""A target for each run, uniformly among those with $\rho(z^*|z^*)\ge\rho(z|z^*)$; among all if there are none.

    Examples
    --------
    >>> draw_targets(Problem.from_table([[0.1, 0.2]], targets=["rain", "sun"]), runs=3, seed=0)
    ['sun', 'sun', 'sun']
    """
    rng = np.random.default_rng(check_count("seed", seed, least=0))
    choices = np.flatnonzero(problem.valid_targets)
    choices = choices if choices.size else np.arange(problem.n_targets)
    return [problem.targets[int(choices[k])] for k in rng.integers(choices.size, size=check_count("runs", runs))]


def shared_sigma(environments: Sequence[TargetEnvironment]) -> float:
    """The largest sigma of the environments; a hundredth of the reward range's half-length where there is no noise.

    Examples
    --------
    >>> from warmer import environments
    >>> shared_sigma([environments.Exact(Problem.from_table([[0.5]]), 0)])
    0.01
    """
    largest = max(keeper.sigma for keeper in environments)
    return largest or _QUIET * environments[0].problem.scale


@dataclass(frozen=True, eq=False)
class _Table:
    """Where the learners sit down to play, one after the other."""

    environments: tuple[TargetEnvironment, ...]
    rules: Rules
    sigma: float
    rounds: Array
    with_proofs: bool
    progress: Progress | None

    def seat(self, name: str) -> list[Learner[Any]]:
        """The learner of that name for each run, told the run's own alpha."""
        rules = self.rules
        return [
            build(
                name,
                keeper.problem,
                Settings(self._alpha(keeper), rules.delta, self.sigma, rules.horizon, rules.epsilon),
            )
            for keeper in self.environments
        ]

    def play(self, name: str, players: list[Learner[Any]]) -> Outcome:
        """One run in each environment, and what came of it."""
        self._rehearse(players[0])
        start = perf_counter()
        games = [self._game(player, k) for k, player in enumerate(players)]
        seconds = perf_counter() - start
        proofs = tuple(self._proof(game) for game in games) if self.with_proofs else ()
        pairs = list(zip(games, map(self._alpha, self.environments), strict=True))
        epsilon, slack = self.rules.epsilon, self.environments[0].problem.slack
        return Outcome(
            learner=name,
            regrets=np.array([cumulative_regret(game, alpha=alpha)[0, self.rounds - 1] for game, alpha in pairs]),
            n_bad=np.array([bad_queries(game, alpha=alpha, epsilon=epsilon)[0] for game, alpha in pairs]),
            is_good=np.array([at_least(game.means[0, -1], alpha - epsilon, slack) for game, alpha in pairs]),
            proofs=proofs,
            n_wrong_proofs=sum(map(self._is_wrong, self.environments, proofs)),
            example=games[0].queries[0],
            steps_per_second=len(games) * self.rules.horizon / seconds,
        )

    def _rehearse(self, player: Learner[Any]) -> None:
        """Two rounds off the clock: the first calls compile."""
        rounds = min(2, self.rules.horizon)
        play(player, self.environments[0], np.random.SeedSequence(0), np.empty(rounds, dtype=int), np.empty(rounds))

    def _game(self, player: Learner[Any], k: int) -> Runs:
        queries = np.empty((1, self.rules.horizon), dtype=np.int32)
        rewards = np.empty((1, self.rules.horizon))
        seeds = np.random.SeedSequence(self.rules.seed, spawn_key=(k,))  # the k-th that `simulate` spawns
        play(player, self.environments[k], seeds, queries[0], rewards[0], self.progress)
        return Runs(player, self.environments[k], self.rules.horizon, self.rules.seed, queries, rewards)

    def _proof(self, game: Runs) -> Proof | None:
        epsilon, delta = self.rules.epsilon, self.rules.delta
        return first_proof(
            game.problem, game.queries[0], game.rewards[0], epsilon=epsilon, delta=delta, sigma=self.sigma
        )

    def _is_wrong(self, keeper: TargetEnvironment, proof: Proof | None) -> bool:
        if proof is None:
            return False
        value = keeper.means[keeper.problem.queries.position(proof.certificate.query)]
        return not at_least(value, _alpha_star(keeper) - self.rules.epsilon, keeper.problem.slack)

    def _alpha(self, keeper: TargetEnvironment) -> float:
        return _alpha_star(keeper) if self.rules.alpha is None else self.rules.alpha


def _alpha_star(keeper: TargetEnvironment) -> float:
    return float(keeper.problem.self_evaluations[keeper.problem.targets.position(keeper.target)])
