"""What verbs share: options that belong together, and results in words or as JSON."""

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Annotated, Any, NamedTuple

import typer

from warmer.analysis import Task
from warmer.cli import options
from warmer.cli.console import show_result
from warmer.cli.goal_argument import find_task
from warmer.cli.problem_argument import find_problem
from warmer.model import Problem


class Needs(NamedTuple):
    """Says of a parameter, in `Annotated`, what makes its value: a function, whose own parameters are the options."""

    make: Callable[..., Any]


def verb(function: Callable[..., Any]) -> Callable[..., None]:
    """A command as Typer takes it: parameters that need others give way to these, and `--json` is added.

    The function returns the form that JSON has, and the words and tables that people see.
    """
    own = inspect.signature(function, eval_str=True).parameters
    notes = {name: getattr(each.annotation, "__metadata__", ()) for name, each in own.items()}
    makers = {name: note.make for name, held in notes.items() for note in held if isinstance(note, Needs)}
    needed = {name: inspect.signature(make, eval_str=True).parameters for name, make in makers.items()}
    taken = [each for name, held in own.items() for each in needed.get(name, {name: held}).values()]
    taken.sort(key=lambda each: each.name in ("square", "reward_range", "storage"))  # sources end the help
    taken.append(inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=options.AsJSON))

    @wraps(function)
    def command(*, as_json: bool, **given: Any) -> None:
        with ExitStack() as stack:
            for name, make in makers.items():
                made = make(**{each: given.pop(each) for each in needed[name]})
                given[name] = stack.enter_context(made) if isinstance(made, AbstractContextManager) else made
            found = function(**given)
        show_result(as_json, *found)

    shape = inspect.Signature([each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in taken])
    vars(command).update(__signature__=shape)
    command.__annotations__ = {each.name: each.annotation for each in taken}
    return command


def group(words: str) -> tuple[typer.Typer, Callable[..., Callable[[Callable[..., Any]], Any]]]:
    """A command of several verbs, which shows its help where none is named; and what makes a function one of them."""
    made = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)

    @made.callback(invoke_without_command=True, help=words)
    def show_help(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            print(context.get_help())

    def member(name: str | None = None, **settings: Any) -> Callable[[Callable[..., Any]], Any]:
        return lambda function: made.command(name, **settings)(verb(function))

    return made, member


@dataclass(frozen=True)
class GivenProblem:
    """What the user calls the problem, and the problem."""

    problem: options.Source
    square: options.Square = None
    reward_range: options.RewardRange = None

    @cached_property
    def table(self) -> Problem:
        """The problem; it is read when somebody first looks."""
        return find_problem(self.problem, self.square, self.reward_range)


@dataclass(frozen=True)
class GivenGoal:
    """What is to be decided, from what noise."""

    goal: options.GoalName = None
    noise: options.NoiseName = None
    epsilon: options.Epsilon = None
    delta: options.Delta = 0.05
    sigma: options.Sigma = None
    resolution: options.Resolution = None

    def on(self, problem: Any, **others: Any) -> Task:
        """The task as this problem has it."""
        return find_task(problem, **{"alpha": None, **vars(self), **others})


@dataclass(frozen=True)
class GivenTask(GivenGoal):
    """The same, and the level that counts as best."""

    alpha: options.Alpha = None


Given = Annotated[GivenProblem, Needs(GivenProblem)]
Decided = Annotated[GivenTask, Needs(GivenTask)]
