"""History: what happened, in order, and no target inside."""

import re
import sys
from typing import Any

import numpy as np
import pytest

from warmer.model import Answer, History, Runs
from warmer.model.errors import MissingExtraError, ProtocolError

PAST = History([Answer(1, "left", 0.25), Answer(2, "right", 0.5, count=4), Answer(3, "left", 0.0)])


def test_a_history_is_a_sequence_of_answers() -> None:
    assert len(PAST) == 3
    assert PAST[-1].query == "left"
    assert [answer.t for answer in PAST[1:]] == [2, 3]
    assert [answer.reward for answer in PAST] == [0.25, 0.5, 0.0]
    assert repr(PAST) == "History(3 answers)"


def test_a_history_speaks_in_arrays_and_labels() -> None:
    assert PAST.queries == ["left", "right", "left"]
    assert PAST.rewards.tolist() == [0.25, 0.5, 0.0]
    assert PAST.counts.tolist() == [1, 4, 1]


def test_a_history_becomes_a_data_frame_even_when_empty() -> None:
    assert PAST.to_frame()["count"].tolist() == [1, 4, 1]
    assert list(History([]).to_frame().columns) == ["t", "query", "reward", "count"]


def test_to_frame_without_pandas_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=re.escape("to_frame needs the extra warmer[tables]")):
        PAST.to_frame()


def test_regret_needs_an_environment_that_keeps_a_target() -> None:
    class TargetEnvironment:
        alpha_star = 1.25

        def expected(self, queries):
            return np.array([0.5, 1.0])[queries]

    class Player:
        problem = "the problem"

    queries = np.array([[0, 1, 1], [0, 0, 0]])
    parts: dict[str, Any] = {"learner": Player(), "horizon": 3, "seed": 0, "queries": queries, "rewards": queries * 0.0}
    runs = Runs(environment=TargetEnvironment(), **parts)  # type: ignore[arg-type]
    assert runs.regret(1.0).tolist() == [0.5, 1.5]
    assert runs.regret().tolist() == [1.25, 2.25]  # against the best value of the target
    assert runs.problem == "the problem"
    with pytest.raises(ProtocolError, match="this environment has no declared target"):
        Runs(environment=len, **parts).regret(1.0)  # type: ignore[arg-type]
