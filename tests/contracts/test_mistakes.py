"""Mistakes in parts of a user's own, one a line: each is said in one sentence, or the result is right.

A line says which part, what is wrong in it, through which door it is used, and what must be said. Nothing is raised but
our own errors, in one line, with the user's own exception as the cause; nothing passes in silence.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import warmer
from warmer import (
    PAC,
    LeastSquares,
    Optimistic,
    OracleLeastSquares,
    Problem,
    Session,
    TopTwo,
    Uniform,
    UntilCertified,
    WarmerError,
    environments,
    goals,
    noise,
    simulate,
)
from warmer.analysis import Task, budget, compare
from warmer.certification import Certifier
from warmer.claims.claim import Claim, Inequality
from warmer.claims.instances.kinds import Instance
from warmer.claims.verdict import verify
from warmer.model import Labels

TABLE = Problem.from_table(
    [[0.25, 0.75, 0.5], [0.75, 0.25, 0.5], [0.0, 0.0, 1.0]],
    queries=["left", "right", "hidden"],
    targets=["rain", "sun", "fog"],
    forbidden=[False, False, True],
    reward_range=(0, 1),
)
NAN, INF = float("nan"), float("inf")
GONE = object()
"""Stands for a member that a part does not have."""


def fails(*_: Any, **__: Any) -> Any:
    raise KeyError("my own\nmistake")


def gives(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


GOOD: dict[str, dict[str, Any]] = {
    "learner": {
        "problem": TABLE,
        "init": lambda self, rng: 0,
        "ask": lambda self, state, rng: 0,
        "tell": lambda self, state, query, reward, count=1: state + 1,
    },
    "environment": {
        "problem": TABLE,
        "noise": lambda self, horizon, rng: np.zeros(horizon),
        "reward": lambda self, query, noise: 0.5,
    },
    "goal": {
        "answers": lambda self, problem: goals.BestQuery(0.1).answers(problem),
        "sentence": lambda self, answer, *, tolerance=0.0: f"{answer!r} is fine",
    },
    "noise": {
        "start": lambda self: np.zeros(3),
        "update": lambda self, state, query, reward, count=1: state + (reward - TABLE.rho[query]) ** 2,
        "log_evidence": lambda self, state: state,
    },
    "declaration": {
        "process": lambda self, problem, prior, tolerance: noise.SubGaussian(0.5).process(problem, prior, tolerance),
        "check": lambda self, problem, query, reward, count: None,
    },
    "regressor": {
        "init": lambda self: 0,
        "predict": lambda self, state, query: 0.5,
        "update": lambda self, state, query, reward: state + 1,
        "regression_regret": lambda self, horizon: 5.0,
    },
}


def mine(kind: str, **changes: Any) -> Any:
    """A part of the user's own that is right but for these members."""
    members = {name: member for name, member in (GOOD[kind] | changes).items() if member is not GONE}
    return type("Mine", (), members)()


# Doors: ways to use a part.


def runs(learner: Any, **more: Any) -> Any:
    return simulate(learner, environments.Exact(TABLE, "sun"), horizon=5, seed=0, **more)


def three_runs(learner: Any) -> Any:
    return runs(learner, runs=3)


def session(learner: Any) -> Any:
    play = Session(learner, goal=goals.WhichTarget(), seed=0)
    for _ in range(3):
        query = play.ask()
        play.tell(query, 0.5)
    return play.certificate()


def until_certified(learner: Any) -> Any:
    return runs(UntilCertified(learner, goals.WhichTarget()))


def in_environment(environment: Any) -> Any:
    return simulate(Uniform(TABLE), environment, horizon=5, seed=0)


def in_environment_thrice(environment: Any) -> Any:
    return simulate(LeastSquares(TABLE, alpha=0.5), environment, horizon=5, runs=3, seed=0)


def in_both(environment: Any) -> Any:
    return simulate(UntilCertified(Uniform(TABLE), goals.WhichTarget()), environment, horizon=5, seed=0)


def certifier(**declared: Any) -> Any:
    keeper = Certifier(TABLE, **({"goal": goals.WhichTarget()} | declared))
    state = keeper.start()
    for query, reward in ((0, 0.5), (1, 0.25), (0, 1.0)):
        state = keeper.update(state, query, reward)
    return keeper.certificate(state)


def replayed(**declared: Any) -> Any:
    keeper = Certifier(TABLE, **({"goal": goals.WhichTarget()} | declared))
    return keeper.certificate(keeper.replay(keeper.start(), [0, 1, 0], [0.5, 0.25, 1.0], [1, 1, 1]))


def told(**declared: Any) -> Any:
    play = Session(TABLE, **({"goal": goals.WhichTarget(), "seed": 0} | declared))
    for _ in range(3):
        play.tell(play.ask(), 0.5)
    return play.certificate()


def proving(**declared: Any) -> Any:
    given = {"goal": goals.WhichTarget()} | declared
    return simulate(TopTwo(TABLE, **given), environments.Exact(TABLE, "sun"), horizon=5, runs=2, seed=0)


def watching(**declared: Any) -> Any:
    given = {"goal": goals.WhichTarget()} | declared
    learner = UntilCertified(Uniform(TABLE), **given)
    return simulate(learner, environments.Exact(TABLE, "sun"), horizon=5, seed=0, until=learner.is_done)


def compared(**declared: Any) -> Any:
    given = Task(**({"epsilon": 0.1, "goal": goals.WhichTarget()} | declared))
    exact = [environments.Exact(TABLE, "sun")] * 2
    return compare(exact, ["uniform", "top-two"], given, horizon=5, seed=0, with_proofs=True)


def budgeted(**declared: Any) -> Any:
    return budget(TABLE, Task(**({"epsilon": 0.1, "goal": goals.WhichTarget()} | declared)), horizon=5, runs=2, seed=0)


def with_alpha(regressor: Any) -> Any:
    return runs(OracleLeastSquares(TABLE, regressor, alpha=0.5))


def with_radius(regressor: Any) -> Any:
    return runs(OracleLeastSquares(TABLE, regressor, radius="anytime"), runs=2)


def with_paper_radius(regressor: Any) -> Any:
    return runs(OracleLeastSquares(TABLE, regressor, radius="paper", horizon=5))


def by_hand(regressor: Any) -> Any:
    learner, rng = OracleLeastSquares(TABLE, regressor, alpha=0.5), np.random.default_rng(0)
    state = learner.tell(learner.init(rng), 0, 0.5)
    return learner.ask(state, rng)


@dataclass(frozen=True)
class Mistake:
    """One line of the table."""

    part: str
    what: str
    door: Callable[..., Any]
    given: Any
    said: str

    def __str__(self) -> str:
        return f"{self.part} {self.what}, in {self.door.__name__}"


def lines(part: str, doors: Any, mistakes: dict[str, tuple[Any, str]], *, name: str = "") -> list[Mistake]:
    """The same mistakes through several doors; what a part is called as an argument of the door, if it is named."""
    return [
        Mistake(part, what, door, {name: given} if name else given, said)
        for what, (given, said) in mistakes.items()
        for door in doors
    ]


def asking(query: Any) -> Any:
    return mine("learner", ask=gives(query))


LEARNERS = [
    *lines(
        "learner",
        (runs, three_runs, session, until_certified),
        {
            "asks -1": (asking(-1), "from 0 to 2, got -1"),
            "asks what is forbidden": (asking(2), "'hidden' is forbidden"),
            "asks beyond the last": (asking(3), "from 0 to 2, got 3"),
            "asks 1.7": (asking(1.7), "got 1.7"),
            "asks None": (asking(None), "got None"),
            "asks a label": (asking("right"), "got 'right'; the index of that one is 1"),
            "asks True": (asking(True), "got True"),
            "asks nan": (asking(NAN), "got nan"),
            "asks what nobody called so": (asking("up"), "got 'up'"),
            "asks two at once": (asking(np.array([0, 1])), r"got array\(\[0, 1\]\)"),
            "asks a list": (asking([0]), r"got \[0\]"),
            "raises in ask": (mine("learner", ask=fails), r"ask\(\) raised KeyError"),
            "raises in tell": (mine("learner", tell=fails), r"tell\(\) raised KeyError"),
            "raises in init": (mine("learner", init=fails), r"init\(\) raised KeyError"),
            "has no ask": (mine("learner", ask=GONE), "needs a (Problem or a )?learner"),
            "has no tell": (mine("learner", tell=GONE), "has no tell"),
            "has no init": (mine("learner", init=GONE), "has no init"),
            "gives no state back": (
                mine("learner", tell=gives(None), ask=lambda self, state, rng: state % 2),
                r"ask\(\) raised TypeError",
            ),
            "is a class": (type(mine("learner")), "got the class itself"),
        },
    ),
]

UNTIL = [
    Mistake("until", what, lambda until: runs(Uniform(TABLE), until=until), until, said)
    for what, until, said in (
        (
            "of another learner",
            UntilCertified(Uniform(TABLE), goals.WhichTarget()).is_done,
            r"until\(\) raised AttributeError",
        ),
        ("that raises", fails, r"until\(\) raised KeyError: 'my own"),
        ("that gives an array", gives(np.zeros(2)), "until"),
        ("that gives None", gives(None), "until must give True or False, got None"),
        ("that gives 1", gives(1), "until must give True or False, got 1"),
        ("that gives text", gives("no"), "until must give True or False, got 'no'"),
        ("that is no function", 3, "until"),
    )
]

ENVIRONMENTS = lines(
    "environment",
    (in_environment, in_environment_thrice, in_both),
    {
        "answers nan": (mine("environment", reward=gives(NAN)), "must be a number in"),
        "answers inf": (mine("environment", reward=gives(INF)), "must be a number in"),
        "answers None": (mine("environment", reward=gives(None)), "got None"),
        "answers -0.5": (mine("environment", reward=gives(-0.5)), "got -0.5"),
        "answers a list": (mine("environment", reward=gives([0.5])), r"got \[0.5\]"),
        "answers a complex number": (mine("environment", reward=gives(0.5j)), "got 0.5j"),
        "draws too much noise": (mine("environment", noise=gives(np.zeros(9))), r"noise\(\) must give"),
        "answers 7": (mine("environment", reward=gives(7)), "got 7"),
        "answers text": (mine("environment", reward=gives("1")), "got '1'"),
        "answers an array": (mine("environment", reward=gives(np.array([0.5]))), "got array"),
        "raises": (mine("environment", reward=fails), r"reward\(\) raised KeyError"),
        "draws too little noise": (mine("environment", noise=gives(np.zeros(2))), r"noise\(\) must give"),
        "draws one number": (mine("environment", noise=gives(0.0)), r"noise\(\) must give"),
        "draws None": (mine("environment", noise=gives(None)), r"noise\(\) must give"),
        "raises in noise": (mine("environment", noise=fails), r"noise\(\) raised KeyError"),
        "has no noise": (mine("environment", noise=GONE), "environment"),
        "has no reward": (mine("environment", reward=GONE), "environment"),
    },
)


def relation(**changes: Any) -> Any:
    """A goal whose answers are a relation with these changes."""
    return mine("goal", answers=lambda self, problem: replace(goals.BestQuery(0.1).answers(problem), **changes))


class Answers:
    """Answers of the user's own, passed on but for some members."""

    def __init__(self, **changes: Any) -> None:
        self.inner, self.changes = goals.BestQuery(0.1).answers(TABLE), changes

    def __getattr__(self, name: str) -> Any:
        if self.changes.get(name) is GONE:
            raise AttributeError(name)
        return self.changes[name] if name in self.changes else getattr(self.inner, name)


def answers(**changes: Any) -> Any:
    return mine("goal", answers=gives(Answers(**changes)))


GOALS = lines(
    "goal",
    (certifier, told, proving, watching, compared, budgeted),
    {
        "has no answers": (mine("goal", answers=GONE), "goal must be a goal .* has no answers"),
        "has no sentence": (mine("goal", sentence=GONE), "goal must be a goal .* has no sentence"),
        "is a number": (3, "goal must be a goal .* got 3"),
        "is a class": (goals.BestQuery, "goal must be a goal .* got the class BestQuery itself"),
        "raises": (mine("goal", answers=fails), r"answers\(\) raised KeyError"),
        "gives None": (mine("goal", answers=gives(None)), r"answers\(\) must give answers"),
        "gives a mask": (mine("goal", answers=gives(np.ones((3, 3), dtype=bool))), "has no names"),
        "prefers too few": (relation(preferred=np.zeros(2, dtype=int)), r"preferred .* 3 whole numbers"),
        "prefers 1.5": (relation(preferred=np.full(3, 1.5)), "preferred .* whole numbers"),
        "prefers what is not there": (relation(preferred=np.array([0, 1, 9])), "from 0 to 2, got 0 to 9"),
        "prefers what it refuses": (relation(preferred=np.array([0, 0, 0])), "does not accept it"),
        "values a candidate less": (relation(values=np.zeros((3, 2))), r"values .* shape \(3, 3\)"),
        "values with nan": (relation(values=np.full((3, 3), NAN)), "got NaN"),
        "limits by text": (relation(limits=np.array(["a", "b", "c"])), "limits .* must be numbers"),
        "names nothing": (relation(names=[]), "one possible answer at least"),
        "explains nothing": (mine("goal", sentence=gives(None)), r"sentence\(\) must give a sentence, got None"),
        "raises in sentence": (mine("goal", sentence=fails), r"sentence\(\) raised KeyError"),
        "has answers that lack settled": (answers(settled=GONE), "has no settled"),
        "has answers that accept numbers": (answers(accepts=gives(np.zeros(3))), "3 booleans, one per candidate"),
        "has answers that accept too few": (answers(accepts=gives(np.ones(2, dtype=bool))), "3 booleans"),
        "has answers that raise": (answers(accepts=fails), "raised KeyError"),
        "settles what some refuse": (answers(settled=gives(0)), "does not accept it"),
        "settles what is not there": (answers(settled=gives(9)), "from 0 to 2"),
        "settles in words": (answers(settled=gives("left")), "whole numbers"),
    },
    name="goal",
)


NOISES = lines(
    "noise",
    (certifier, told, watching, compared),
    {
        "has no start": (mine("noise", start=GONE), "noise must be a declaration .* has no start"),
        "has no update": (mine("noise", update=GONE), "noise must be a declaration .* has no update"),
        "has no log_evidence": (mine("noise", log_evidence=GONE), "noise must be a declaration .* has no log_evidence"),
        "is a class": (noise.Coin, "noise must be a declaration .* got (the class Coin itself|<class)"),
        "is text": ("coin", "noise must be a declaration .* got 'coin'"),
        "raises in start": (mine("noise", start=fails), r"start\(\) raised KeyError"),
        "raises in update": (mine("noise", update=fails), r"update\(\) raised KeyError"),
        "raises in log_evidence": (mine("noise", log_evidence=fails), r"log_evidence\(\) raised KeyError"),
        "gives no state back": (mine("noise", update=gives(None)), r"update\(\) must give the state"),
        "speaks of too few": (
            mine("noise", log_evidence=gives(np.zeros(2))),
            r"of the 3 candidates.*shape \(2,\)",
        ),
        "speaks in a row": (mine("noise", log_evidence=gives(np.zeros((1, 3)))), r"shape \(1, 3\)"),
        "gives one number": (mine("noise", log_evidence=gives(0.0)), r"shape \(\)"),
        "gives None": (mine("noise", log_evidence=gives(None)), "array of object"),
        "gives words": (mine("noise", log_evidence=gives("none")), "array of <U4"),
        "speaks of too many": (mine("noise", log_evidence=gives(np.zeros(4))), r"shape \(4,\)"),
        "gives nan": (mine("noise", log_evidence=gives(np.array([0, NAN, 0]))), "with NaN"),
        "gives text": (mine("noise", log_evidence=gives(np.array(["0", "1", "2"]))), "array of <U1"),
        "gives complex numbers": (mine("noise", log_evidence=gives(np.zeros(3, dtype=complex))), "array of complex"),
        "is infinite at once": (
            mine("noise", log_evidence=gives(np.array([0, INF, 0]))),
            "must give 0 before the first answer, got inf for candidate 'sun'",
        ),
        "begins with doubt": (mine("noise", start=gives(np.ones(3))), "must give 0 before the first answer, got 1"),
        "declares without a process": (mine("declaration", process=GONE), "has no process"),
        "declares without a check": (mine("declaration", check=GONE), "has no check"),
        "declares and raises": (mine("declaration", process=fails), r"process\(\) raised KeyError"),
        "declares nothing": (mine("declaration", process=gives(None)), r"process\(\) must give a process"),
    },
    name="noise",
)

CHECKED = [
    Mistake("noise", what, lambda given: told(noise=given), mine("declaration", check=check), said)
    for what, check, said in (
        ("that raises in check", fails, r"check\(\) raised KeyError"),
        ("that checks with too few arguments", lambda self: None, r"check\(\) raised TypeError"),
    )
]

REGRESSORS = lines(
    "regressor",
    (with_alpha, with_radius, with_paper_radius, by_hand),
    {
        "has no init": (mine("regressor", init=GONE), "has no init"),
        "has no predict": (mine("regressor", predict=GONE), "has no predict"),
        "has no update": (mine("regressor", update=GONE), "has no update"),
        "has no claim": (mine("regressor", regression_regret=GONE), "has no regression_regret"),
        "predicts an array": (mine("regressor", predict=gives(np.array([0.5]))), r"an array of shape \(1,\)"),
        "predicts nan": (mine("regressor", predict=gives(NAN)), "must be a finite number, got nan"),
        "predicts inf": (mine("regressor", predict=gives(INF)), "must be a finite number, got inf"),
        "predicts -0.5": (mine("regressor", predict=gives(-0.5)), "must lie in the reward range"),
        "predicts a complex number": (mine("regressor", predict=gives(0.5j)), "must be a number, got 0.5j"),
        "claims inf": (mine("regressor", regression_regret=gives(INF)), "claims .* must be a finite number, got inf"),
        "claims text": (mine("regressor", regression_regret=gives("5")), "claims .* must be a number, got '5'"),
        "predicts 7": (mine("regressor", predict=gives(7)), r"must lie in the reward range, \[0, 1\], got 7"),
        "predicts None": (mine("regressor", predict=gives(None)), "must be a number, got None"),
        "predicts text": (mine("regressor", predict=gives("x")), "must be a number, got 'x'"),
        "predicts True": (mine("regressor", predict=gives(True)), "must be a number, got True"),
        "predicts all queries": (mine("regressor", predict=gives(np.zeros(3))), r"an array of shape \(3,\)"),
        "raises": (mine("regressor", predict=fails), r"predict\(\) raised KeyError"),
        "raises in init": (mine("regressor", init=fails), r"init\(\) raised KeyError"),
        "raises in update": (mine("regressor", update=fails), r"update\(\) raised KeyError"),
        "gives no state back": (mine("regressor", update=gives(None)), r"update\(\) must give the state"),
        "claims nan": (mine("regressor", regression_regret=gives(NAN)), "claims .* must be a finite number"),
        "claims None": (mine("regressor", regression_regret=gives(None)), "claims .* must be a number, got None"),
        "claims less than nothing": (mine("regressor", regression_regret=gives(-1.0)), "must be at least 0"),
        "claims less and less": (
            mine("regressor", regression_regret=lambda self, horizon: 5 / horizon),
            "must never fall as answers come",
        ),
        "raises in its claim": (mine("regressor", regression_regret=fails), r"regression_regret\(\) raised KeyError"),
    },
)


class Few:
    """A finite family of the user's own: three targets, two queries."""

    queries = Labels(["left", "right"], length=2, noun="query")
    targets = Labels(["rain", "sun", "fog"], length=3, noun="target")
    query_shape = ()
    reward_range = (0.0, 1.0)
    scale = 0.5
    slack = 1e-9
    tolerance = 0.0

    def sigma(self, declared: float | None) -> float:
        return 0.5 if declared is None else declared

    def evaluate(self, query: Any, target: Any) -> Any:
        return TABLE.rho[query, target]

    def best_query(self, target: Any) -> Any:
        return TABLE.best_query(target)

    def self_evaluation(self, target: Any) -> float:
        return TABLE.self_evaluation(target)

    def best_value(self, target: Any) -> float:
        return TABLE.best_value(target)

    def fit(self) -> Any:
        return None


def family(**changes: Any) -> Any:
    """The family, but for these members."""
    own = type("Mine", (Few,), {name: member for name, member in changes.items() if member is not GONE})
    for name in (name for name, member in changes.items() if member is GONE):
        setattr(own, name, property(lambda self: (_ for _ in ()).throw(AttributeError("gone"))))
    return own()


def measured(measure: str, **scales: Any) -> Callable[[Any], Any]:
    door = lambda given: getattr(warmer.dimensions, measure)(given, **scales)  # noqa: E731
    door.__name__ = measure
    return door


def fitted(given: Any) -> Any:
    learner = LeastSquares(given, alpha=0.5)
    return learner.ask(learner.init(np.random.default_rng(0)), np.random.default_rng(0))


def played(given: Any) -> Any:
    return simulate(LeastSquares(given, alpha=0.5), lambda query: 0.5, horizon=3, seed=0)


class Fit:
    """A fit of the user's own, which is right but for some members."""

    def __init__(self, **changes: Any) -> None:
        inner = warmer.families.KArms(2).fit()
        good = {
            name: getattr(inner, name) for name in vars(warmer.model.Fit) if hasattr(inner, name) and name[0] != "_"
        }
        for name, member in (good | changes).items():
            if member is not GONE:
                setattr(self, name, member)


FAMILIES = [
    *lines(
        "family",
        (
            measured("covering_number", epsilon=0.5),
            measured("eluder_dimension", epsilon=0.5),
            measured("dissimilarity_dimension", alpha=0.5, epsilon=0.5),
            measured("fractional_covering_number", gap=0.5),
            measured("decision_estimation_coefficient", gamma=1),
            measured("strong_sq_dimension", epsilon=0.5),
        ),
        {
            "of three targets": (family(), "is a class of 3 targets without one"),
            "that lacks a method": (family(evaluate=GONE), "needs a Problem, got Mine"),
            "that is a list": ([[0.5]], "needs a Problem, got list"),
        },
    ),
    *lines(
        "family",
        (fitted, played),
        {
            "that lacks a fit": (family(fit=GONE), "has no fit"),
            "that lacks best_query": (family(best_query=GONE), "has no best_query"),
            "that fits nothing": (family(fit=gives(None)), r"fit\(\) must give a fit, got None"),
            "that raises in fit": (family(fit=fails), r"fit\(\) raised KeyError"),
            "whose fit has no update": (family(fit=gives(Fit(update=GONE))), "has no update"),
            "whose fit has no estimate": (family(fit=gives(Fit(estimate=GONE))), "has no estimate"),
            "whose fit raises": (family(fit=gives(Fit(start=fails))), r"start\(\) raised KeyError"),
        },
    ),
    *lines(
        "family",
        (lambda given: runs(Optimistic(given, "anytime", delta=0.1)),),
        {
            "whose fit has no confidence sets": (family(fit=gives(Fit(anytime_ball=GONE))), "has no anytime_ball"),
            "whose fit has not all of them": (family(fit=gives(Fit(paper_ball=GONE))), "has no paper_ball"),
        },
    ),
    *lines(
        "family",
        (lambda given: Certifier(given, goals.WhichTarget()), lambda given: Session(given, goal=goals.WhichTarget())),
        {"without a table": (family(), "Mine|a session needs a Problem")},
    ),
]


def claimed(check: Any) -> Any:
    return verify(Claim("mine", given=lambda: [Instance("one")])(check), instances=0)


def said_by(check: Any) -> Any:
    def documented(instance: Any) -> Any:
        """A statement."""
        return check(instance)

    return documented


CLAIMS = [
    Mistake("claim", what, claimed, said_by(check), said)
    for what, check, said in (
        ("that yields nan", lambda instance: [Inequality(NAN, 2)], "must be numbers, got nan"),
        ("that yields nan on the right", lambda instance: [Inequality(2, NAN)], "must be numbers, got nan"),
        ("that yields None", lambda instance: [Inequality(None, 2)], "must be numbers, got None"),
        ("that yields text", lambda instance: [Inequality("1", 2)], "must be numbers, got '1'"),
        ("that yields True for a side", lambda instance: [Inequality(True, 2)], "must be numbers, got True"),
        ("that yields an array", lambda instance: [Inequality(np.zeros(2), 2)], "must be numbers, got array"),
        ("that gives a bool", gives(True), "must yield inequalities, on one it gave True"),
        ("that gives None", gives(None), "must yield inequalities, on one it gave None"),
        ("that yields bools", gives([True]), "must yield inequalities, on one it gave True"),
        ("that yields a pair", gives([(1, 2)]), r"must yield inequalities, on one it gave \(1, 2\)"),
        ("that raises", fails, "on one: the check of mine raised KeyError"),
    )
]

RUNS = runs(Uniform(TABLE), runs=6)
SLICES = [
    Mistake("runs", what, lambda given: RUNS[given], given, said)
    for what, given, said in (
        ("beyond the last", 6, "there is no run 6; there are 6"),
        ("before the first", -7, "there is no run -7"),
        ("by name", "a", "takes a number or a slice of numbers, got 'a'"),
        ("by halves", 1.5, "got 1.5"),
        ("every second", slice(0, 6, 2), "takes neighbouring runs"),
        ("by slices of names", slice("a", "b"), "a slice of numbers"),
    )
]

MISTAKES = [
    *LEARNERS,
    *UNTIL,
    *ENVIRONMENTS,
    *GOALS,
    *NOISES,
    *CHECKED,
    *REGRESSORS,
    *FAMILIES,
    *CLAIMS,
    *SLICES,
]


def test_the_table_has_at_least_143_mistakes_of_every_part() -> None:
    assert len({(mistake.part, mistake.what) for mistake in MISTAKES}) >= 143
    assert {mistake.part for mistake in MISTAKES} >= {"learner", "environment", "noise", "goal", "regressor", "family"}


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_a_mistake_in_a_part_of_ones_own_is_said_in_one_sentence(mistake: Mistake) -> None:
    with pytest.raises(WarmerError, match=mistake.said) as caught:
        mistake.door(**mistake.given) if isinstance(mistake.given, dict) else mistake.door(mistake.given)
    said = str(caught.value)
    assert "\n" not in said
    assert said.endswith(".")
    assert len(said) < 400
    if "raised KeyError" in said:
        causes, error = [], caught.value.__cause__
        while error is not None:
            causes, error = [*causes, type(error)], error.__cause__
        assert KeyError in causes


@pytest.mark.parametrize(
    ("kind", "door"),
    [
        ("learner", runs),
        ("learner", three_runs),
        ("learner", session),
        ("learner", until_certified),
        ("environment", in_environment),
        ("environment", in_environment_thrice),
        ("environment", in_both),
        *[("goal", lambda part, door=door: door(goal=part)) for door in (certifier, replayed, told, proving, watching)],
        *[("noise", lambda part, door=door: door(noise=part)) for door in (certifier, replayed, told, watching)],
        *[("declaration", lambda part, door=door: door(noise=part)) for door in (certifier, told, proving, watching)],
        *[("regressor", door) for door in (with_alpha, with_radius, with_paper_radius, by_hand)],
    ],
)
def test_a_part_without_a_mistake_is_taken_by_every_door(kind: str, door: Callable[..., Any]) -> None:
    door(mine(kind))


@pytest.mark.parametrize(
    ("door", "odd", "usual"),
    [
        (three_runs, asking(np.int64(1)), asking(1)),
        (three_runs, asking(np.array(1)), asking(1)),
        (in_environment, mine("environment", reward=gives(np.float32(0.5))), mine("environment")),
        (in_environment, mine("environment", reward=gives(np.array(0.5))), mine("environment")),
        (in_environment, mine("environment", noise=lambda self, n, rng: [0.0] * n), mine("environment")),
        (with_alpha, mine("regressor", predict=gives(np.float32(0.5))), mine("regressor")),
        (with_alpha, mine("regressor", predict=gives(np.array(0.5))), mine("regressor")),
        (with_alpha, mine("regressor", init=gives(None), update=gives(None)), mine("regressor")),
        (with_alpha, mine("regressor", regression_regret=gives(np.int64(5))), mine("regressor")),
        (in_both, mine("environment", reward=gives(1)), mine("environment", reward=gives(1.0))),
    ],
)
def test_what_looks_odd_and_is_no_mistake_gives_the_same_runs(door: Callable[..., Any], odd: Any, usual: Any) -> None:
    found, expected = door(odd), door(usual)
    assert np.array_equal(found.queries, expected.queries)
    assert np.array_equal(found.rewards, expected.rewards)


@pytest.mark.parametrize(
    ("odd", "usual"),
    [
        ({"log_evidence": lambda self, state: state.tolist()}, {}),
        ({"log_evidence": lambda self, state: state.astype(np.float32)}, {}),
        ({"log_evidence": gives(np.zeros(3, dtype=int))}, {"log_evidence": gives(np.zeros(3))}),
        ({"start": gives(None), "update": gives(None), "log_evidence": gives(np.zeros(3))}, {"update": gives(0.0)}),
    ],
)
def test_evidence_that_looks_odd_and_is_no_mistake_proves_the_same(odd: Any, usual: Any) -> None:
    usual = {"log_evidence": gives(np.zeros(3))} | usual if "start" in odd else usual
    found, expected = certifier(noise=mine("noise", **odd)), certifier(noise=mine("noise", **usual))
    assert (found.is_proven, list(found.remaining)) == (expected.is_proven, list(expected.remaining))


def test_runs_say_where_the_claim_of_a_regressor_was_broken() -> None:
    learner = OracleLeastSquares(TABLE, mine("regressor", predict=gives(0.0), regression_regret=gives(0.25)), alpha=0.5)
    found = simulate([learner] * 3, environments.Exact(TABLE, "sun"), horizon=4, seed=0, first=7)
    (said,) = found.caveats
    assert said.startswith("in 3 of 3 runs, first in run 7: the regret of Mine after ")
    assert said.endswith("it claims at most 0.25: nothing that rests on its claim is promised")
    assert runs(OracleLeastSquares(TABLE, mine("regressor"), alpha=0.5)).caveats == ()
    assert (
        runs(PAC(learner, epsilon=0.25, horizon=4)).caveats[0].startswith("in 1 of 1 runs, first in run 0: the regret")
    )
    assert runs(PAC(Uniform(TABLE), epsilon=0.25, horizon=4)).caveats == ()


def test_some_of_the_runs_are_played_like_them_alone() -> None:
    some = RUNS[2:5]
    again = simulate(Uniform(TABLE), environments.Exact(TABLE, "sun"), horizon=5, seed=0, first=2, runs=3)
    assert (some.first, len(some)) == (2, 3)
    assert np.array_equal(some.queries, again.queries)
    assert np.array_equal(some.rewards, again.rewards)
    assert some.regret().tolist() == again.regret().tolist()
    assert [len(RUNS[part]) for part in (slice(None), slice(-2, None), slice(3, 2), slice(1, 99))] == [6, 2, 0, 5]
    assert [one.first for one in RUNS] == list(range(6))
    each = simulate([Uniform(TABLE)] * 3, [environments.Exact(TABLE, k) for k in range(3)], horizon=5, seed=0)
    assert each[1:].environments == each.environments[1:]
    assert each[1:].regret().tolist() == each.regret().tolist()[1:]
    assert each[3:].problem is TABLE
