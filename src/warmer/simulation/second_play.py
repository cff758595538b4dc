"""Whether learners and environments change while they play: the first rounds of the first run, played a second time."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from warmer.environments import FunctionEnvironment
from warmer.model import Array, Environment, Learner
from warmer.model.errors import InvalidValueError, calling, giver_of
from warmer.simulation.own_parts import read_noise
from warmer.simulation.plain import BLOCK, Game, Mistake, Run
from warmer.simulation.players import own_within

_SHARE = 20
"""One in so many rounds is played again, at least one."""
_MOST = 1000
"""Rounds that are played again at most."""
_REMEDY = (
    "Give each run one of its own by a factory, such as environment=lambda: Mine(problem), or a method reset(), and "
    "draw chance from the rng that is given; replay=False where it is meant to be so."
)


def check_second_play(
    game: Game,
    learner: Learner[Any],
    environment: Environment,
    first: int,
    queries: Array,
    rewards: Array,
    *,
    length: int,
    total: int,
) -> str:
    """Play the first rounds of the first run again, and raise `InvalidValueError` where they differ.

    The learner and the environment are as they are after all runs, unless they are made or reset for each. The rows are
    those of the first run, of which `length` rounds were played; `total` is how many were played in all runs. Noise is
    drawn for as many rounds at once as in the first play, since it may draw one column after the other. A plain
    function may draw chance of its own: what became of that is returned, empty where nothing did.
    """
    n = min(length, max(1, total // _SHARE), _MOST)
    again, rounds = (np.empty_like(queries), np.empty_like(rewards)), count()
    is_function = isinstance(environment, FunctionEnvironment)
    place = f"run {first}, seed {game.seed}, played a second time: "
    try:
        Run(replace(game, until=lambda _: next(rounds) >= n, progress=None), learner, environment, first).play(*again)
    except Mistake as mistake:
        said = f"{place}it breaks off ({str(mistake.error).rstrip('.')}). {_REMEDY}"
        if is_function and mistake.doing == "reward":
            return said
        raise InvalidValueError(said) from mistake.error.__cause__
    is_query, is_reward = (
        (mine[:n] != before[:n]).reshape(n, -1).any(axis=1)
        for mine, before in zip(again, (queries, rewards), strict=True)
    )
    if not (is_query | is_reward).any():
        return ""
    t = int((is_query | is_reward).argmax())
    part, name = learner if is_query[t] else environment, game.legal.label(queries[t])
    who = "the function" if is_function and part is environment else type(next(own_within(part), part)).__name__
    if is_query[t]:
        what = f"asks for {game.legal.label(again[0][t])} where it asked for {name}"
    else:
        what = f"answers {again[1][t]:g} to {name} where it answered {rewards[t]:g}"
    said = f"{place}in round {t + 1} {who} {what}; it changes while it plays, or draws chance of its own. {_REMEDY}"
    if part is environment and is_function:
        return said
    raise InvalidValueError(said)


def check_blocks(environment: Environment, blocks: Sequence[Any]) -> None:
    """Raise where numbers that `noise` counts out, and does not draw, have started again with the second block."""
    if len(blocks) < 2 or len(blocks[1]) < BLOCK:
        return
    first, second = (np.asarray(each).reshape(BLOCK, -1) for each in blocks)
    if first.shape != second.shape or not (is_counted := (first == second).all(axis=0)).any():
        return
    with calling(environment, "noise"):
        both = np.asarray(read_noise(environment, 2 * BLOCK, np.random.default_rng(0), start=0)).reshape(2 * BLOCK, -1)
    if (both[BLOCK:, is_counted] != first[:, is_counted]).any():
        raise InvalidValueError(
            f"{giver_of(environment, 'noise')} counts rounds, and starts again after every {BLOCK}: rounds come in "
            f"blocks, and noise({2 * BLOCK}, rng) is not what noise({BLOCK}, rng) gives twice. Take the number of the "
            "block's first round: noise(horizon, rng, start)."
        )
