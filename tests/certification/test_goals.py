"""Goals against their definitions, by brute force; and every message about a goal that does not fit."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.certification.plain import Array
from warmer import goals
from warmer.certification import Answers, Goal
from warmer.model import Problem
from warmer.model.errors import InvalidValueError

FAST = settings(max_examples=120, deadline=None)
RAIN = Problem.from_table([[0.5, -0.5, 0.25]], targets=["rain", "sun", "fog"])


@st.composite
def cases(draw: st.DrawFn) -> tuple[Problem, Goal, Array]:
    """A problem (square or not, with forbidden queries or not), a goal, and who accepts what by definition."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = int(rng.integers(1, 9))
    m = n if draw(st.booleans()) else int(rng.integers(1, 6))
    rho = rng.integers(-8, 9, (m, n)) / 8
    forbidden = rng.random(m) < draw(st.sampled_from([0.0, 0.4]))
    forbidden[rng.integers(m)] = False
    dtype = draw(st.sampled_from([np.float64, np.float32]))
    make = Problem.from_similarity if m == n and draw(st.booleans()) else Problem.from_table
    problem = make(rho.astype(dtype), forbidden=forbidden)
    best = rho[~forbidden].max(axis=0)
    epsilon = int(rng.integers(1, 9)) / 8
    kind = draw(st.sampled_from(["query", "decision", "target", "group", "value", "above", "own"]))
    values = rng.integers(-8, 9, n) / 8
    if kind == "query":
        accepts = (rho >= best - epsilon) & ~forbidden[:, None]
        return problem, goals.BestQuery(epsilon), accepts
    if kind == "decision":
        table = rng.integers(-80, 81, (int(rng.integers(1, 5)), n)) / 8
        return problem, goals.BestDecision(table, epsilon), table >= table.max(axis=0) - epsilon
    if kind == "target":
        return problem, goals.WhichTarget(), np.eye(n, dtype=bool)
    if kind == "group":
        names = [str(value) for value in values]
        order = list(dict.fromkeys(names))
        return problem, goals.WhichGroup(names), np.array([[name == g for name in names] for g in order])
    if kind == "value":
        starts = np.unique(values)[:, None]
        return problem, goals.ValueOf(values, epsilon), (values >= starts) & (values <= starts + 2 * epsilon)
    if kind == "above":
        zone, threshold = draw(st.sampled_from([0.0, epsilon])), float(rng.integers(-8, 9)) / 8
        yes = best > threshold - zone
        no = best <= threshold + zone
        return problem, goals.BestAbove(threshold, epsilon=zone), np.stack([yes, no])
    own = rng.random((int(rng.integers(1, 6)), n)) < 0.5
    own[rng.integers(len(own), size=n), np.arange(n)] = True
    return problem, goals.Accepts(own), own


def read(problem: Problem, goal: Goal, accepts: Array) -> tuple[Answers, list[int]]:
    """The goal read for the problem, and the answers that may be given."""
    answers = goal.answers(problem)
    if isinstance(goal, goals.BestQuery):
        return answers, problem.legal_queries.tolist()
    return answers, list(range(len(accepts)))


@FAST
@given(cases())
def test_who_accepts_what_is_as_defined(case: tuple[Problem, Goal, Array]) -> None:
    problem, goal, accepts = case
    answers, allowed = read(*case)
    assert len(answers.names) == len(accepts)
    for answer in allowed:
        assert answers.accepts(answer).tolist() == accepts[answer].tolist()
    for target in range(problem.n_targets):
        assert answers.accepted_by(target).tolist() == np.flatnonzero(accepts[:, target]).tolist()
    assert answers.is_partition == (accepts.sum(axis=0) == 1).all() or isinstance(goal, goals.ValueOf)


@FAST
@given(cases())
def test_every_candidate_accepts_the_answer_it_prefers(case: tuple[Problem, Goal, Array]) -> None:
    problem, goal, accepts = case
    answers, allowed = read(*case)
    for target in range(problem.n_targets):
        preferred = int(answers.preferred[target])
        assert preferred in allowed
        assert accepts[preferred, target]
    if isinstance(goal, goals.BestQuery) and problem.is_square:
        valid = problem.valid_targets & (problem.is_allowed if problem.is_allowed is not None else True)
        assert (answers.preferred == np.arange(problem.n_targets))[valid].all()
    if isinstance(goal, goals.BestQuery):
        values = np.asarray(problem.rho)[answers.preferred, np.arange(problem.n_targets)]
        assert values.tolist() == np.asarray(problem.best_values).tolist()


@FAST
@given(cases(), st.integers(0, 2**32 - 1))
def test_what_is_settled_is_what_all_remaining_candidates_accept(case: tuple[Problem, Goal, Array], seed: int) -> None:
    problem, _, accepts = case
    answers, allowed = read(*case)
    rng = np.random.default_rng(seed)
    possible, watched = np.ones(problem.n_targets, dtype=bool), answers.watch()
    while possible.any():
        preferred = int(answers.preferred[rng.choice(np.flatnonzero(possible))])
        found = answers.settled(watched, possible, preferred)
        unanimous = [answer for answer in allowed if accepts[answer][possible].all()]
        assert (found is None) == (not unanimous)
        assert found is None or found in unanimous
        assert found == answers.settled(answers.watch(), possible, preferred)
        places = np.flatnonzero(possible | (rng.random(possible.size) < 0.5))
        assert found == answers.settled(answers.watch(), possible[places], preferred, places)
        if found is not None and not isinstance(case[1], goals.ValueOf):
            assert found == (preferred if preferred in unanimous else unanimous[0])
        leaving = np.flatnonzero(possible)
        possible[rng.choice(leaving, int(rng.integers(1, leaving.size + 1)), replace=False)] = False


@FAST
@given(cases(), st.integers(0, 2**32 - 1))
def test_those_who_accept_the_leading_answer_are_told_apart_from_the_others(
    case: tuple[Problem, Goal, Array], seed: int
) -> None:
    problem, goal, accepts = case
    answers, rng = goal.answers(problem), np.random.default_rng(seed)
    targets, n_most = np.sort(rng.choice(problem.n_targets, int(rng.integers(1, problem.n_targets + 1)))), 3
    weights = rng.multinomial(64, rng.dirichlet(np.ones(targets.size))) / 64  # sums are exact
    choices, own = np.unique(answers.preferred[targets], return_inverse=True)
    heaviest = choices[np.argsort(-np.bincount(own, weights=weights), kind="stable")[:n_most]]
    masses = [weights[accepts[answer, targets]].sum() for answer in heaviest]
    groups = np.where(accepts[heaviest[np.argmax(masses)], targets], 0, own + 1)
    if isinstance(goal, goals.ValueOf) and max(masses) < 0.8:
        groups = own
    found, above = answers.told_apart(targets, weights, n_most)
    assert found.tolist() == groups.tolist()
    assert above == groups.max() + 1


def test_a_candidate_just_above_the_threshold_accepts_its_own_answer() -> None:
    table = Problem.from_table([[0.5 + 5e-10, 0.25]])
    answers = goals.BestAbove(0.5, epsilon=1e-12).answers(table)
    assert all(answers.accepts(int(answers.preferred[target]))[target] for target in range(2))


def test_decisions_take_their_names_from_a_frame_or_are_numbered() -> None:
    rows = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]]
    assert list(goals.BestDecision(rows, 0.1).answers(RAIN).names) == [0, 1]
    frame = pd.DataFrame(rows, index=["umbrella", "hat"])
    assert list(goals.BestDecision(frame, 0.1).answers(RAIN).names) == ["umbrella", "hat"]
    assert list(goals.BestDecision(rows, 0.1, decisions=["a", "b"]).answers(RAIN).names) == ["a", "b"]


def test_a_goal_can_name_a_parameter_of_the_problem() -> None:
    problem = replace(RAIN, parameters={"humidity": np.array([0.9, 0.1, 0.7])})
    answers = goals.ValueOf("humidity", 0.125).answers(problem)
    assert answers.accepts(1).tolist() == [True, False, True]
    assert goals.ValueOf("humidity", 0.125).sentence((0.7, 0.95)) == "humidity lies in [0.7, 0.95]"


@pytest.mark.parametrize(
    ("goal", "answer", "words"),
    [
        (goals.BestQuery(0.25), "a", "'a' is within 0.25 of the best query"),
        (goals.BestDecision([[1.0, 0, 0]], 0.5), "hat", "decision 'hat' is within 0.5 of the best decision"),
        (goals.WhichTarget(), "rain", "the true candidate is 'rain'"),
        (goals.WhichGroup(["wet", "dry", "wet"]), "wet", "the true candidate belongs to 'wet'"),
        (goals.ValueOf([1.0, 2.0, 3.0], 0.5), (1.0, 2.0), "the value lies in [1, 2]"),
        (goals.BestAbove(0.5), True, "some query is worth more than 0.5"),
        (goals.BestAbove(0.5, epsilon=0.125), False, "no query is worth more than 0.625"),
        (goals.Accepts([[True, True, True]], names=["x"]), "x", "the answer is 'x'"),
    ],
)
def test_each_goal_says_what_is_proven(goal: Goal, answer: Any, words: str) -> None:
    assert goal.sentence(answer) == words


def test_a_tolerance_is_part_of_what_is_proven() -> None:
    because = "by the table, whose entries are right within"
    assert goals.BestQuery(0.25).sentence("a", tolerance=0.125) == (
        f"'a' is within 0.5 of the best query (0.25 {because} 0.125)"
    )
    above = goals.BestAbove(0.5)
    assert above.sentence(True, tolerance=0.25) == f"some query is worth more than 0.25 (0.5 {because} 0.25)"
    assert above.sentence(False, tolerance=0.25) == f"no query is worth more than 0.75 (0.5 {because} 0.25)"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: goals.BestQuery(0.0), "epsilon must be greater than 0"),
        (lambda: goals.BestDecision([[1.0]], -1.0), "epsilon must be greater than 0, got -1"),
        (lambda: goals.ValueOf([1.0], 0.0), "tolerance must be greater than 0, got 0"),
        (lambda: goals.BestAbove(float("nan")), "threshold must be a finite number"),
        (lambda: goals.BestAbove(0.5, epsilon=-0.1), "epsilon must be at least 0, got -0.1"),
        (lambda: goals.BestDecision([[1.0]], 0.1).answers(RAIN), "each of the 3 candidates, got shape (1, 1)"),
        (lambda: goals.WhichGroup(["a", "b"]).answers(RAIN), "one entry for each of the 3 candidates, got 2"),
        (lambda: goals.WhichGroup({"rain": "wet", "sun": "dry"}).answers(RAIN), "name every candidate; 'fog'"),
        (lambda: goals.ValueOf("slope", 0.5).answers(RAIN), "the problem has no parameter 'slope'; it has none"),
        (lambda: goals.ValueOf(["a", "b", "c"], 0.5).answers(RAIN), "values must be numbers"),
        (lambda: goals.Accepts([[1, 0, 1]]).answers(RAIN), "accepts must be booleans with a row for each answer"),
        (lambda: goals.Accepts([[True, False, True]]).answers(RAIN), "candidate 'sun' accepts no answer"),
    ],
)
def test_a_goal_that_does_not_fit_says_why(make: Any, words: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        make()
    assert words in str(caught.value)


def test_goals_survive_a_pickle() -> None:
    for goal in (goals.BestQuery(0.25), goals.WhichGroup(["a", "b", "a"]), goals.Accepts([[True] * 3])):
        copy = pickle.loads(pickle.dumps(goal))
        assert copy.answers(RAIN).preferred.tolist() == goal.answers(RAIN).preferred.tolist()
