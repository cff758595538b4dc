"""A round costs no more after thousands of answers than after a few."""

import sys

import numpy as np
import pytest

from tests.studies.examples import a_problem
from warmer import Session, goals, noise
from warmer.families import KArms, Linear
from warmer.learners import CATALOG, LeastSquares, Settings, build

SETTINGS = Settings(alpha=0.1, delta=0.05, sigma=0.5, horizon=10**6)


def calls_in(round_):
    """How many functions a round calls, in Python and beneath it."""
    count = 0

    def counted(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        round_()
    finally:
        sys.setprofile(before)
    return count


def sizes_of(state):
    """How many numbers a state holds, however it is put together."""
    if isinstance(state, np.ndarray):
        return state.size
    if isinstance(state, tuple | list):
        return sum(map(sizes_of, state)) + len(state)
    if hasattr(state, "__dict__"):
        return sizes_of(list(vars(state).values()))
    return 1


def sessions():
    problem = a_problem()
    for name in sorted(set(CATALOG) - {"pac", "pac-theorem", "exact-pac"}):  # these end
        yield name, Session(build(name, problem, SETTINGS), goal=goals.WhichTarget(), noise=noise.SubGaussian(50.0))
    for declared in (noise.Bounded(), noise.Gaussian(), noise.BoundedNoise(2.0), noise.SubGaussian(50.0)):
        yield repr(declared), Session(problem, goal=goals.WhichTarget(), noise=declared)
    yield "arms", Session(KArms(3), goal=goals.BestQuery(0.001), noise=noise.Coin())
    yield "linear", Session(LeastSquares(Linear([[1.0, 0.0], [0.0, 1.0]]), alpha=0.5))


def a_round(session, t):
    reward = 1.0 if t % 2 else -1.0  # answers on which nothing is ever settled
    session.tell(session.ask(), reward)


@pytest.mark.parametrize(
    ("name", "session"), list(sessions()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_neither_calls_nor_arrays_grow_with_the_history(name, session):
    for t in range(20):
        a_round(session, t)
    early = max(calls_in(lambda t=t: a_round(session, t)) for t in range(20))
    size = sizes_of(session.state)
    for t in range(200):
        a_round(session, t)
    late = min(calls_in(lambda t=t: a_round(session, t)) for t in range(20))
    assert late <= 1.5 * early  # which branch is taken may differ; the history is ten times as long
    assert sizes_of(session.state) <= size
    assert len(session.history) == 260
