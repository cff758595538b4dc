"""Many runs of a learner in an environment, compiled where they can be."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from warmer.certification.noise import check_outside, range_reason
from warmer.dimensions.search.clique import n_cores
from warmer.model import Array, Environment, Learner, Runs
from warmer.model.checks import check_count
from warmer.model.contracts import CertifyingLearner
from warmer.model.errors import InvalidValueError, WarmerError
from warmer.model.time_limit import interruptible
from warmer.simulation import cuda, plain
from warmer.simulation import engine as compiled
from warmer.simulation.means import check_answers, check_declared
from warmer.simulation.players import Answering, Asking, Players, own_within, players_of
from warmer.simulation.second_play import check_blocks, check_second_play
from warmer.simulation.streams import key_of

ENGINES = ("cpu", "cuda")
"""Where runs are played."""


def simulate(
    learner: Asking | Sequence[Learner[Any]],
    environment: Answering | Sequence[Environment | Callable[[Any], float]],
    *,
    horizon: int,
    runs: int = 1,
    seed: int,
    first: int = 0,
    jobs: int | None = None,
    engine: str = "cpu",
    until: Callable[[Any], bool] | None = None,
    state: Any = None,
    progress: Callable[[int], None] | None = None,
    outside: str = "refuse",
    replay: bool = True,
) -> Runs:
    """Play the same game many times; the same seed gives the same arrays.

    Runs of the usual learners on tables and on K arms are compiled. Ctrl-C ends with the runs that are finished.

    Parameters
    ----------
    learner
        Who asks; a sequence gives each run a learner of its own, and so does a factory, which is a callable of no
        arguments. One with a method `reset` is reset before each run.
    environment
        Who answers; a plain function from a query's label to a reward will do. A sequence, a factory or `reset` give
        each run an environment of its own.
    horizon
        The number of rounds per run, at most.
    runs
        The number of runs; that of a sequence where one is given.
    seed
        Any whole number from 0 up. Each run has a stream of numbers for its learner and one for its environment.
    first
        The number of the first run. Run k depends on the seed and k alone, not on how many others there are.
    jobs
        On how many cores to play; all that there are where None. The arrays do not depend on it. Learners and
        environments that only the plain loop knows are played on one.
    engine
        Where runs are played: "cpu", or "cuda" for an NVIDIA GPU (extra `warmer[cuda]`).
    until
        Ends a run as soon as this is true of the learner's state, such as `learner.is_done`.
    state
        What the learner remembers when a run starts, such as `learner.tell(...)` gave after the answers so far; it is
        left as it is. Nothing where None. Not on a GPU.
    progress
        Called now and then with the number of rounds played since the last call.
    outside
        What becomes of answers outside the reward range, as in `Session`: "refuse" them, or "keep" them, which a
        learner that proves allows only where its declared noise can leave the range.
    replay
        Whether the first rounds of the first run are played a second time at the end, at most a twentieth of all
        rounds, where there are several runs and a part of your own. A learner or an environment that keeps something
        from one run to the next, or draws chance of its own, does something else then: an error, or one of the
        `caveats` of the runs where a plain function answers.

    Raises
    ------
    WarmerError
        Where a learner or an environment of your own asks what may not be asked, answers what is no answer, or raises
        an error, which is then the cause. The message names run, round and seed; `runs` of the error holds the runs
        that were finished before.

    Examples
    --------
    >>> from warmer import LeastSquares, Problem, UntilCertified, environments, goals, noise
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> result = simulate(LeastSquares(problem, alpha=1.0), environments.Coin(problem, 1), horizon=5, runs=3, seed=0)
    >>> result.queries.shape, result.regret().tolist()
    ((3, 5), [0.0, 0.0, 0.0])

    A run that ends when its answer is certified:

    >>> learner = UntilCertified(LeastSquares(problem, alpha=0.5), goals.BestQuery(0.25), noise=noise.SubGaussian(0.5))
    >>> result = simulate(learner, environments.Exact(problem, 1), horizon=100, seed=0, until=learner.is_done)
    >>> result.n_answers.tolist(), result.recommended
    ([3], (0,))

    How many more answers it takes after one:

    >>> state = learner.tell(learner.init(np.random.default_rng(0)), 0, 1.0)
    >>> settings = {"horizon": 100, "until": learner.is_done, "state": state}
    >>> simulate(learner, environments.Exact(problem, 1), seed=0, **settings).n_answers.tolist()
    [1]
    """
    for name, value, least in (("horizon", horizon, 1), ("runs", runs, 1), ("seed", seed, 0), ("first", first, 0)):
        check_count(name, value, least=least)
    n_jobs = n_cores() if jobs is None else check_count("jobs", jobs)
    players = players_of(learner, environment, runs, outside=outside)
    learners, environments = players.learners, players.environments
    check_engine(engine)
    if engine == "cuda" and state is not None:
        raise InvalidValueError('runs on a GPU start before the first answer; give no state, or engine="cpu".')
    problem, key = learners[0].problem, key_of(seed)
    if outside != "refuse":
        check_outside(outside, problem, _range_reason(learners))
    settings: Any = {"horizon": horizon, "jobs": n_jobs}
    parts = compiled.plan(learners, environments, until=until, state=state, **settings) if engine == "cpu" else None
    broken: list[str] = []
    error: WarmerError | None = None
    caveats: list[str] = []
    with interruptible():
        if parts is not None or engine == "cuda":
            if parts is not None:
                found = compiled.play(parts, key, first, is_ending=until is not None, progress=progress, **settings)
            else:
                keys = np.tile(key, (len(learners), 1))
                numbers = np.arange(first, first + len(learners), dtype=np.uint64)
                shared: Any = {"horizon": horizon, "until": until, "progress": progress}
                found = cuda.play(learners, environments, keys, numbers, **shared)
            queries, rewards, lengths = found[:3]
            recommended, proven = compiled.conclusions(learners, found)
        else:
            shape = problem.query_shape
            queries = np.empty((len(learners), horizon, *shape), dtype=float if shape else np.int32)
            rewards = np.empty((len(learners), horizon))
            advice = "" if _range_reason(learners) else plain.KEEP
            game = plain.Game(problem, key, seed, until, state, outside, advice, progress)
            finished, caveats, error = _played_plainly(game, players, first, queries, rewards, replay=replay)
            lengths, recommended, proven, broken = finished[:4]
            for k, length in enumerate(lengths if lengths and min(lengths) < max(lengths) else ()):
                queries[k, length : max(lengths)], rewards[k, length : max(lengths)] = np.nan if shape else -1, np.nan
    if not lengths and error is None:
        raise KeyboardInterrupt
    n, longest = len(lengths), max(lengths, default=0)
    runs_played = Runs(
        learner=learners[:n] if not players.has_one_learner and n else learners[0],
        environment=environments[:n] if not players.has_one_environment and n else environments[0],
        horizon=horizon,
        seed=seed,
        queries=queries[:n, :longest],
        rewards=rewards[:n, :longest],
        first=first,
        recommended=tuple(recommended),
        proven=tuple(proven),
        is_interrupted=n < len(learners),
        caveats=(*_broken_claims(broken, first), *caveats, *_missing(n, len(learners), error)),
    )
    if error is not None:
        error.runs = runs_played
        raise error
    return runs_played


def _played_plainly(
    game: plain.Game, players: Players, first: int, queries: Array, rewards: Array, *, replay: bool
) -> tuple[plain.Finished, list[str], WarmerError | None]:
    """Play into the arrays: what was finished, what must be known before it is believed, and what ended it."""
    finished, caveats = plain.Finished.nothing(), list[str]()
    learners, environments = players.learners, players.environments
    try:
        caveats += check_declared(game.problem, environments)
        finished = plain.play(game, learners, environments, first, queries, rewards)
        lengths = finished.lengths
        if finished.error is None and len(lengths) == len(learners):
            with suppress(KeyboardInterrupt):
                if game.outside == "refuse":
                    caveats += check_answers(game.problem, environments, lengths, queries, rewards)
                is_own = [any(True for _ in own_within(each[0])) for each in (learners, environments)]
                if any(is_own) and replay and players.again is not None and len(lengths) > 1 and lengths[0]:
                    rows, total = (queries[0], rewards[0]), sum(lengths)
                    again = check_second_play(game, *players.again(), first, *rows, length=lengths[0], total=total)
                    caveats += [again] if again else []
                if is_own[1]:
                    check_blocks(environments[0], finished.blocks)
    except WarmerError as error:
        return finished, caveats, error
    return finished, caveats, finished.error


def _broken_claims(broken: list[str], first: int) -> tuple[str, ...]:
    """In how many runs a claim was broken that their learner rests on, and where for the first time."""
    those = [k for k, said in enumerate(broken) if said]
    return tuple(f"in {len(those)} of {len(broken)} runs, first in run {first + k}: {broken[k]}" for k in those[:1])


def _missing(n_played: int, n_runs: int, error: WarmerError | None) -> tuple[str, ...]:
    """That runs are missing, or are wrong, and why."""
    if error is None:
        return ()
    return (f"{n_played} of {n_runs} runs are here, since {error}" if n_played < n_runs else str(error),)


def check_engine(engine: str) -> None:
    """Raise where there is no such engine."""
    if engine not in ENGINES:
        raise InvalidValueError(f'engine must be "cpu" or "cuda", got {engine!r}.')


def _range_reason(learners: Sequence[Learner[Any]]) -> str:
    """Why the answers to some learner must lie in the reward range; empty where there is no reason."""
    several = {id(each): each for each in learners}.values()
    given = ((each, [each.certifier] if isinstance(each, CertifyingLearner) else []) for each in several)
    return next(filter(None, (range_reason(each, *certifiers) for each, certifiers in given)), "")
