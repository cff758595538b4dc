"""Which tests notice an error in a bound? `python -m tests.mutations` spoils every number of every bound in turn.

`python -m tests.mutations NAME ...` does so for some of them.

A mutant is a bound with one number changed: a constant doubled or halved (1 becomes 2 or 0, 0 becomes 1), an exponent
raised or lowered by a half. It is *killed* if a test that `docs/paper-map.md` names for the bound fails, or, for bounds
that are not in the paper, the test that says what they are: `tests/bounds/test_formulas.py`. Survivors need a reason.
"""

import ast
import inspect
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import Any

import pytest

from tests.bounds import catalog
from tests.bounds.test_formulas import FORMULAS, check

MODULES = (*catalog.ROOMS, *catalog.STEPS)
_PATIENCE = 4.0
"""Seconds after which a mutant that is still running counts as noticed; an honest bound takes less than one."""

TEST = "tests/bounds/test_formulas.py::test_every_bound_is_what_its_statement_says"

_TRIED = "every number of rungs, and every share of the room, gives a bound: this only says which of them are tried"
_SLACK = "the slack of a comparison of floats: it may be any small number"
REASONS = {  # the function, and the part of its line that holds the number: why no test can notice
    ("pac_horizon", "horizon = 1"): "where a search starts: it ends at the same number",
    ("two_point_divergence", "np.abs(pair[0] - pair[1]) <= 2 * half"): (
        "where no interval holds both means the relative entropy is infinite by itself; this only spares a division"
    ),
    (
        "two_point_divergence",
        "0.0) / half",
    ): "where no interval holds both means nobody reads it; it spares an overflow",
    ("many_point_distance", "1e-12"): _SLACK,
    ("sphere_dimension_bound", "SLACK * max(1.0, scale)"): _SLACK,
    ("linear_dimension_bound", "SLACK * max(1.0, scale)"): _SLACK,
    ("_is_impossible", "np.geomspace(1e-5, 10, 45)"): "every grid of lambdas gives a bound, as good as it is fine",
    ("relu_dimension_bound", "n == 1"): "without the special case the caps are halves of the two points, and 2 fit",
    ("relu_dimension_lower_bound", "n == 1"): "without the special case the caps are halves of the two points",
    ("relu_dimension_bound", "1e-12"): _SLACK,
    ("relu_dimension_lower_bound", "1e-12"): _SLACK,
    ("relu_circle_dimension", "_check(2, epsilon)"): "any number of coordinates passes; epsilon is checked",
    ("relu_circle_dimension", "1e-12"): _SLACK,
    ("relu_horizon_lower_bound", "1e-12"): _SLACK,
    ("regret_bound", "n_tries=32"): _TRIED,
    ("fewest_rounds", "n_tries=128"): _TRIED,
    ("tried_rungs", "math.ceil(_log(span) / math.log1p(1 / math.sqrt(dimension + 1)))"): _TRIED,
    ("tried_rungs", "few + 7 * few * k // n_tries for k in range(n_tries + 1)"): _TRIED,
    ("spread_sq_lower_bound", "range(2, 100, 2)"): _TRIED,
    ("_theta", "min(1.0,"): "a theta of 1 or more is refused where there are errors, and divides nothing elsewhere",
    ("_log", "span < 2"): "up to 4 as well as up to 2 both ways to take the logarithm keep all digits",
    ("_reaches", "LONGEST // 10"): "where ties stop to be decided: one rung more is a bound too",
    (
        "spread_sq_lower_bound",
        "+ 1, _FINE)",
    ): "the root is rounded up in the twelfth digit, and whole numbers of samples do not show so little",
    (
        "spread_sq_lower_bound",
        "(1 - square) / 2",
    ): "never more than 1 minus the root: it stands in where twelve digits of the root leave nothing of that",
    (
        "linear_sq_lower_bound",
        "Fraction(size, size - 1):",
    ): "this says which number is wrong; a larger gap has a mean square below 0, which is refused as well",
}


@dataclass(frozen=True)
class Mutant:
    """A function of a module of bounds with one number changed."""

    function: FunctionType
    line: str
    change: str
    definition: ast.FunctionDef
    number: ast.Constant
    value: float

    @property
    def reason(self) -> str | None:
        """Why nothing can notice it, if the table has a reason for this place."""
        name = self.function.__name__
        for (function, part), reason in REASONS.items():
            start = self.line.find(part)
            if function == name and 0 <= start <= self.number.col_offset < start + len(part):
                return reason
        return None

    @property
    def code(self) -> CodeType:
        """The function with the number changed."""
        honest, self.number.value = self.number.value, self.value
        try:
            bare = ast.FunctionDef(**{**vars(self.definition), "decorator_list": []})
            whole = compile(ast.Module([bare], []), inspect.getfile(self.function), "exec")
        finally:
            self.number.value = honest
        return next(part for part in whole.co_consts if isinstance(part, CodeType))

    def __str__(self) -> str:
        return f"{self.function.__name__}: {self.change} in `{self.line.strip()}`"

    def killer(self) -> str | None:
        """The first bound whose test fails while the mutant is in place."""
        return next((name for name in served_by(self.function) if self.is_noticed_by(name)), None)

    def is_noticed_by(self, name: str) -> bool:
        """Whether the test of a bound fails while the mutant is in place; a loop without end is noticed as well."""
        honest, before = self.function.__code__, signal.signal(signal.SIGALRM, _stop)
        self.function.__code__ = self.code
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
        try:
            check(name)
        except (Exception, pytest.fail.Exception):
            return True
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            self.function.__code__ = honest
        return False


def _stop(*_: Any) -> None:
    raise TimeoutError


def mutants() -> Iterator[Mutant]:
    """One for every number of every function of the modules, and every change of it."""
    for module in MODULES:
        lines = inspect.getsource(module).splitlines()
        for node in ast.parse("\n".join(lines)).body:
            if isinstance(node, ast.FunctionDef):
                function = inspect.unwrap(getattr(module, node.name))
                for number, change, value in changes(node):
                    yield Mutant(function, lines[number.lineno - 1], change, node, number, value)


def changes(function: ast.FunctionDef) -> Iterator[tuple[ast.Constant, str, Any]]:
    """Every number of the body, and what it may become; not those of messages, docstrings and defaults."""
    for node, parent in _walk(ast.Module(function.body, []), None):
        if (
            not isinstance(node, ast.Constant)
            or isinstance(node.value, bool)
            or not isinstance(node.value, int | float)
        ):
            continue
        for value in _neighbours(node.value, is_exponent=_is_exponent(node, parent)):
            yield node, f"{ast.unparse(node)} -> {value:g}", value


def _walk(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    if isinstance(node, ast.Raise | ast.JoinedStr):
        return
    yield node, parent
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, node)


def _is_exponent(node: ast.AST, parent: ast.AST | None) -> bool:
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Pow) and parent.right is node
    return isinstance(parent, ast.Call) and ast.unparse(parent.func) == "math.pow" and parent.args[1] is node


def _neighbours(value: float, *, is_exponent: bool) -> tuple[float, ...]:
    if is_exponent:
        return value + 0.5, value - 0.5
    if isinstance(value, int):
        return {0: (1,), 1: (2, 0)}.get(value, (2 * value, value // 2))
    return (2 * value, value / 2) if value else (1.0,)


@cache
def served_by(function: FunctionType) -> tuple[str, ...]:
    """The bounds with a formula that call a function, itself first."""
    calling = {name for name in FORMULAS if function.__name__ in _names(inspect.unwrap(catalog.EVERY_BOUND[name]))}
    own = [function.__name__] if function.__name__ in FORMULAS else []
    return (*own, *sorted(calling - set(own)))


def _names(function: Callable[..., Any]) -> set[str]:
    """What a function calls, by name, and what those call in the modules of bounds."""
    found, todo = set[str](), [function]
    while todo:
        code = inspect.unwrap(todo.pop()).__code__
        codes = [code, *(part for part in code.co_consts if isinstance(part, CodeType))]
        for name in {name for part in codes for name in part.co_names} - found:
            found.add(name)
            todo += [
                inspect.unwrap(getattr(m, name)) for m in MODULES if isinstance(getattr(m, name, None), FunctionType)
            ]
    return found


def main(names: list[str]) -> int:
    unknown = set(names) - {mutant.function.__name__ for mutant in mutants()}
    if unknown:
        print(f"no function of the bounds has a number and is called {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    survivors = 0
    for mutant in mutants():
        name = mutant.function.__name__
        if names and name not in names:
            continue
        killer = mutant.killer()
        verdict = f"killed by {TEST}[{killer}]" if killer else f"survives: {mutant.reason or 'NO REASON'}"
        survivors += killer is None and mutant.reason is None
        print(f"{mutant}: {verdict}")
    print(f"{survivors} survive without a reason")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
