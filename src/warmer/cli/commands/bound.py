"""`warmer bound`: every bound of `warmer.bounds` from the terminal, its options read off its signature."""

import inspect
import math
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from fractions import Fraction
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import numpy as np
import typer
from typer.core import TyperGroup

from warmer.bounds import (
    bad_queries,
    budgets,
    class_dimensions,
    coverings,
    eluder_dimensions,
    lemmas,
    pac,
    radii,
    sample_sizes,
    statistical_queries,
    strong_sq,
)
from warmer.cli.console import show_result
from warmer.cli.formulas import plain
from warmer.cli.options import AsJSON, exact, one_of, option, real, whole
from warmer.cli.tables import new_table
from warmer.model.errors import InvalidValueError

ROOMS = (
    *(bad_queries, budgets, class_dimensions, coverings, eluder_dimensions, lemmas),
    *(pac, radii, sample_sizes, statistical_queries, strong_sq),
)
"""The modules whose public functions are bounds. `characteristic_time`, which needs a problem, is none of them."""

BOUNDS: dict[str, Callable[..., Any]] = {
    name: value
    for room in ROOMS
    for name, value in sorted(vars(room).items())
    if inspect.isfunction(value) and value.__module__.startswith(room.__name__) and not name.startswith("_")
}


def short_name(name: str) -> str:
    """What a bound is called where people type it: without `_bound`, with hyphens.

    Examples
    --------
    >>> short_name("bad_queries_bound"), short_name("pac_horizon")
    ('bad-queries', 'pac-horizon')
    """
    return name.removesuffix("_bound").replace("_", "-")


_SHORT = {"dimension": "--d"}
"""Parameters that may also be given by their letter in the paper."""


class Form(NamedTuple):
    """How a parameter is typed: what stands for its value, how that is read, and what it becomes."""

    metavar: str
    annotation: Any
    parser: Callable[[Any], Any] | None = None
    made: Callable[[Any], Any] = lambda value: value


class _Named(TyperGroup):
    """A group whose members are bounds: one that there is not is named beside those that are called alike."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of the first word, if that is a bound."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            alike = get_close_matches(args[0], self.commands, n=3)
            hint = f"did you mean {' or '.join(alike)}?" if alike else "`warmer bound` lists them."
            raise InvalidValueError(f"there is no bound {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)


bound = typer.Typer(cls=_Named, rich_markup_mode=None, pretty_exceptions_enable=False)


@bound.callback(invoke_without_command=True)
def _list(context: typer.Context, as_json: AsJSON = False) -> None:
    """Compute a bound of the theorems, or list all of them.

    `warmer bound bad-queries --d 5 --epsilon 1/10 --error-budget 20`. A bound refuses to speak outside the hypotheses
    of its theorem.
    """
    if context.invoked_subcommand is not None:
        return
    form = {"bounds": [_described(name) for name in BOUNDS]}
    rows = ((each["bound"], " ".join(each["needs"] + [f"[{one}]" for one in each["takes"]])) for each in form["bounds"])
    end = "What stands in brackets may be left out. `warmer bound NAME --help` says what a bound is and what it needs."
    show_result(as_json, form, new_table(("bound", "what it needs"), rows), "", end)


def _described(name: str) -> dict[str, Any]:
    parameters = _parameters(BOUNDS[name]).values()
    options = {each.name: "--" + each.name.replace("_", "-") for each in parameters}
    return {
        "bound": short_name(name),
        "function": f"{BOUNDS[name].__module__}.{name}",
        "statement": _statement(BOUNDS[name]),
        "needs": [options[each.name] for each in parameters if each.default is each.empty],
        "takes": [options[each.name] for each in parameters if each.default is not each.empty],
    }


def _parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function, eval_str=True).parameters)


def _statement(function: Callable[..., Any]) -> str:
    """The first paragraph of the docstring, as it can stand in a terminal."""
    return plain(" ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split()))


def _explained(function: Callable[..., Any]) -> dict[str, str]:
    """What the docstring says of each parameter, by name."""
    _, _, rest = (inspect.getdoc(function) or "").partition("Parameters\n----------\n")
    found: dict[str, str] = {}
    for names, text in re.findall(
        r"^(\w[\w, ]*)\n((?:    .*\n?|\n(?=    ))+)", rest.partition("\nExamples\n")[0], re.M
    ):
        found |= dict.fromkeys(names.split(", "), plain(" ".join(text.split())))
    return found


def _form(parameter: inspect.Parameter) -> Form:
    """How a parameter of this annotation is typed."""
    name, annotation = parameter.name, parameter.annotation
    kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
    if NoneType in get_args(annotation) and len(kinds) == 1:
        return _form(parameter.replace(annotation=kinds[0]))
    if Fraction in kinds:
        return Form("X", Fraction, exact(name))
    origin = get_origin(annotation)
    if origin is Literal:
        return Form("|".join(kinds), str, one_of(name, kinds))
    if annotation is bool:
        return Form("", bool)
    if annotation is int:
        return Form("N", int, whole(name))
    if annotation is float:
        return Form("X", float, real(name))
    if origin is tuple:
        return Form("LOW HIGH", tuple[str, str], None, lambda ends: tuple(map(real(name), ends)))
    if isinstance(origin, type) and issubclass(origin, Iterable):
        return Form("N,N,...", list, lambda text: [whole(name)(part) for part in text.split(",")])
    if origin is not None:  # a function of the horizon: a number is one that does not depend on it
        return Form("X", float, real(name), lambda value: lambda horizon: value)
    if parameter.kind is not parameter.KEYWORD_ONLY:
        return Form("X,X,...[;...]", list, lambda text: _numbers(name, text))
    return Form("X", Fraction, exact(name))


def _numbers(name: str, text: str) -> Any:
    """A number, a list of numbers, or rows of them."""
    rows = [[real(name)(cell) for cell in row.split(",")] for row in text.split(";")]
    return rows if len(rows) > 1 else rows[0] if len(rows[0]) > 1 else rows[0][0]


def command_of(name: str) -> Callable[..., None]:
    """The command of a bound, with an option for each of its parameters."""
    function, explained = BOUNDS[name], _explained(BOUNDS[name])
    parameters = _parameters(function)
    forms = {each.name: _form(each) for each in parameters.values()}

    def command(*, as_json: bool, **given: Any) -> None:
        told = {each: value for each, value in given.items() if value is not None}
        value = function(**{each: forms[each].made(value) for each, value in told.items()})
        shown = {each: _plain(value) for each, value in told.items()}
        form = {"bound": short_name(name), "given": shown, "value": _plain(value), "statement": _statement(function)}
        said = ", ".join(f"{each} {_words(value)}" for each, value in told.items())
        show_result(as_json, form, f"{short_name(name)}: {_words(value)}", f"({said})", "", _statement(function))

    taken = [_taken(each, forms[each.name], explained.get(each.name, "")) for each in parameters.values()]
    taken.append(inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJSON))
    vars(command)["__signature__"] = inspect.Signature(taken)
    command.__annotations__ = {each.name: each.annotation for each in taken}
    command.__doc__ = _statement(function)
    return command


def _taken(parameter: inspect.Parameter, form: Form, text: str) -> inspect.Parameter:
    """The option of a parameter, as Typer takes it: one without a default must be given."""
    is_optional = parameter.default is not parameter.empty
    if is_optional and parameter.default is not None and form.annotation is not bool:
        text = f"{text} [default: {parameter.default}]".strip()
    names = ["--" + parameter.name.replace("_", "-"), *([_SHORT[parameter.name]] if parameter.name in _SHORT else [])]
    if form.annotation is bool:
        made: Any = typer.Option(*names, help=text or None)
    else:
        made = option(form.metavar, text, *names, parser=form.parser)
    kind = inspect.Parameter.KEYWORD_ONLY
    if form.annotation is bool:
        return inspect.Parameter(parameter.name, kind, default=False, annotation=Annotated[bool, made])
    if is_optional:
        return inspect.Parameter(parameter.name, kind, default=None, annotation=Annotated[form.annotation | None, made])
    return inspect.Parameter(parameter.name, kind, annotation=Annotated[form.annotation, made])


def _plain(value: Any) -> Any:
    """A number or a tuple of numbers as JSON has it; a fraction and an infinite number as text."""
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _words(value: Any) -> str:
    """A value as people read it: whole numbers in groups of three digits, others to ten digits."""
    value = _plain(value)
    if isinstance(value, dict):
        return "; ".join(f"{name} {_words(part)}" for name, part in value.items())
    if isinstance(value, list):
        return "\n".join(map(_words, value)) if value and isinstance(value[0], dict) else ", ".join(map(_words, value))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return (
        f"{value:,}"
        if isinstance(value, int) and not isinstance(value, bool)
        else (f"{value:,.10g}" if isinstance(value, float) else str(value))
    )


for _name in BOUNDS:
    bound.command(short_name(_name))(command_of(_name))
