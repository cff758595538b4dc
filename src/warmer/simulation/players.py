"""The learner and the environment of each run: one for all runs, one for each, or made for each by a factory."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from warmer.environments import FunctionEnvironment
from warmer.model import Environment, Learner
from warmer.model.checks import check_learner
from warmer.model.errors import InvalidValueError, blamed, is_own

Answering = Environment | Callable[[Any], float] | Callable[[], Any]
Asking = Learner[Any] | Callable[[], Learner[Any]]


class Players(NamedTuple):
    """Who plays each run, all of them on the same problem."""

    learners: tuple[Learner[Any], ...]
    environments: tuple[Environment, ...]
    again: Callable[[], tuple[Learner[Any], Environment]] | None
    """Those of the first run, made anew where a factory makes them; None where one of them plays no other run, so that
    what it keeps can reach none.
    """
    has_one_learner: bool
    """Whether one learner was given for all runs."""
    has_one_environment: bool
    """Whether one environment was given for all runs."""


def players_of(
    learner: Asking | Sequence[Learner[Any]],
    environment: Answering | Sequence[Environment | Callable[[Any], float]],
    runs: int,
    *,
    outside: str,
) -> Players:
    """The learner and the environment of each run."""
    _check_no_text(learner, environment)
    given = [len(each) for each in (learner, environment) if isinstance(each, Sequence)]
    n_runs = given[0] if given else runs
    if n_runs == 0 or set(given) - {n_runs} or (given and runs not in (1, n_runs)):
        counts = " and ".join(map(str, given))
        raise InvalidValueError(
            f"one learner or one per run, one environment or one per run: got {counts} for {runs} runs."
        )
    learners = _several(learner, n_runs, "learner")
    for each in {id(each): each for each in learners}.values():  # a look at a protocol takes as long as a short run
        check_learner("simulate", each)
    problem = learners[0].problem
    if any(each.problem is not problem for each in learners):
        raise InvalidValueError("the learners of one simulation must be built on the same problem.")

    def as_environment(each: Any) -> Environment:
        return _as_environment(problem, each, may_leave_range=outside == "keep")

    several = _several(environment, n_runs, "environment")
    known = {key: as_environment(each) for key, each in {id(each): each for each in several}.items()}
    environments = tuple(known[id(each)] for each in several)

    make_learner: Any = learner if is_factory(learner, "learner") else None
    make_environment: Any = environment if is_factory(environment, "environment") else None

    def again() -> tuple[Learner[Any], Environment]:
        return (
            make_learner() if make_learner else learners[0],
            as_environment(make_environment()) if make_environment else environments[0],
        )

    can_play = (make_learner or _plays_again(learners)) and (make_environment or _plays_again(environments))
    return Players(
        learners,
        environments,
        again if can_play else None,
        not (make_learner or isinstance(learner, Sequence)),
        not (make_environment or isinstance(environment, Sequence)),
    )


def is_factory(given: Any, role: str) -> bool:
    """Whether this makes a learner or an environment for each run: a callable of no arguments that is neither.

    A function that may also be called with a label is one that answers.

    Examples
    --------
    >>> from warmer import Problem, environments
    >>> problem = Problem.from_table([[0.5]])
    >>> makers = [lambda: environments.Coin(problem, 0), partial(environments.Coin, problem, 0)]
    >>> [is_factory(each, "environment") for each in [*makers, lambda label: 0.5, {"left": 0.5}.get]]
    [True, True, False, False]
    """
    if isinstance(given, type | Sequence) or not callable(given) or hasattr(given, "ask") or hasattr(given, "reward"):
        return False
    try:
        signature = inspect.signature(given)
        signature.bind()
    except (TypeError, ValueError):  # it needs arguments, or is compiled
        return False
    if role == "learner" or (isinstance(given, partial) and isinstance(given.func, type)):
        return True
    try:
        signature.bind("label")
    except TypeError:
        return True
    return False


def reset(part: Any) -> None:
    """Call `reset()` of a learner or an environment, or of what one of ours is made around, where there is one."""
    for inner in own_within(part):
        if callable(found := getattr(inner, "reset", None)):
            found()


def own_within(part: Any) -> Iterator[Any]:
    """What is of the user's own in a learner or an environment: itself, or what one of ours is made around.

    Examples
    --------
    >>> from warmer import Problem, environments
    >>> problem = Problem.from_table([[0.5]])
    >>> given = environments.FunctionEnvironment(problem, abs), environments.Coin(problem, 0)
    >>> [list(own_within(each)) for each in given]
    [[<built-in function abs>], []]
    """
    if is_own(part):
        yield part
        return
    for name in ("base", "regressor", "function", "strategy"):
        inner = getattr(part, name, None)
        if inner is not None and not isinstance(inner, str):
            yield from own_within(inner)


def _several(given: Any, n_runs: int, role: str) -> tuple[Any, ...]:
    """One for each run."""
    if isinstance(given, Sequence):
        return tuple(given)
    if not is_factory(given, role):
        return (given,) * n_runs
    made = []
    for run in range(n_runs):
        try:
            made.append(given())
        except Exception as error:  # whatever a user's own code raises
            raise blamed(error, f"the {role}'s factory", f"run {run}") from error
    return tuple(made)


def _plays_again(several: Sequence[Any]) -> bool:
    """Whether the first of them plays other runs too or starts each anew; ours keep nothing."""
    first, own = several[0], list(own_within(several[0]))
    return not own or Counter(map(id, several))[id(first)] > 1 or any(hasattr(each, "reset") for each in own)


def _as_environment(problem: Any, environment: Any, *, may_leave_range: bool) -> Environment:
    if not isinstance(environment, Environment):
        if isinstance(environment, type):
            raise InvalidValueError(f"an environment answers queries; got the class {environment.__name__} itself.")
        if hasattr(environment, "reward"):
            missing = next(name for name in ("problem", "noise") if not hasattr(environment, name))
            raise InvalidValueError(
                f"an environment has problem, noise and reward; {type(environment).__name__} has no {missing}."
            )
        if not callable(environment):
            raise InvalidValueError(f"an environment answers queries; got {type(environment).__name__}.")
        return FunctionEnvironment(problem, environment, may_leave_range=may_leave_range)
    if environment.problem is not problem:
        raise InvalidValueError(
            f"the learner plays {problem!r}, the environment {environment.problem!r}; build both on the same problem."
        )
    return environment


def _check_no_text(learner: Any, environment: Any) -> None:
    """Text is no sequence of players: names belong to `compare`."""
    if isinstance(learner, str) or not (isinstance(learner, Sequence) or callable(learner)):
        check_learner("simulate", learner)
    for each in environment if isinstance(environment, list | tuple) else (environment,):
        if isinstance(each, str):
            raise InvalidValueError(
                f"simulate needs an environment such as environments.Exact(problem, target), got the text {each!r}."
            )
