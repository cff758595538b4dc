"""Every loop that we show asks once and tells the answer to the query that was asked."""

import ast
import doctest
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
LOOPS = (ast.For, ast.While)
ASIDE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def documents() -> Iterator[tuple[str, str]]:
    """Where a reader finds code of ours, and that code."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for place, code in enumerate(BLOCK.findall(page.read_text()), start=1):
            yield f"{page.name}, block {place}", code
    for script in sorted((ROOT / "examples").glob("*.py")):
        yield script.name, script.read_text()
    for module in sorted((ROOT / "src").rglob("*.py")):
        for name, words in docstrings(module):
            yield (
                f"{module.relative_to(ROOT)}, {name}",
                "".join(example.source for example in doctest.DocTestParser().get_examples(words)),
            )


def docstrings(module: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield getattr(node, "name", "module"), ast.get_docstring(node) or ""


def mistakes(code: str) -> list[str]:
    """The statements and loops in which a query is asked again beside the tell of its answer, or another is told."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and _verb(node) == "tell":
            found += _in_a_tell(node)
        elif isinstance(node, LOOPS):
            found += _in_a_loop(node)
    return found


def _in_a_tell(told: ast.Call) -> list[str]:
    who = _whom(told)
    beside = [ask for part in [*told.args[1:], *told.keywords] for ask in _calls(part, "ask") if _whom(ask) == who]
    return [f"line {told.lineno}: {who}.ask() again for the answer that is told" for _ in beside[:1]]


def _in_a_loop(loop: ast.For | ast.While) -> list[str]:
    """A loop asks at one place, and what it tells is an answer to what it asked."""
    asked = Counter(_whom(ask) for ask in _calls(loop, "ask", into_loops=False))
    told = [call for call in _calls(loop, "tell") if asked[_whom(call)]]
    known = _names_of_what_was_asked(loop)
    often = [
        f"line {loop.lineno}: {who}.ask() at {asked[who]} places of a loop that tells"
        for who in sorted({_whom(call) for call in told})
        if asked[who] > 1
    ]
    others = [
        f"line {call.lineno}: {_whom(call)} is told an answer to a query that the loop did not ask"
        for call in told
        if call.args and not _speaks_of(call.args[0], known[_whom(call)]) and not [*_calls(call.args[0], "ask")]
    ]
    return often + others


def _names_of_what_was_asked(loop: ast.AST) -> dict[str, set[str]]:
    """By whom was asked, the names that hold what was asked, or something made of it."""
    bindings = [*_bindings(loop)]
    known = {_whom(ask): set[str]() for ask in _calls(loop, "ask")}
    for _ in bindings:
        for targets, value in bindings:
            for who, names in known.items():
                if any(_whom(ask) == who for ask in _calls(value, "ask")) or _speaks_of(value, names):
                    names |= targets
    return known


def _bindings(tree: ast.AST) -> Iterator[tuple[set[str], ast.AST]]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield {name for target in targets for name in _names(target)}, value
            case ast.NamedExpr(target=target, value=value) | ast.For(target=target, iter=value):
                yield _names(target), value
            case ast.comprehension(target=target, iter=value):
                yield _names(target), value
            case ast.Call(func=ast.Attribute(value=ast.Name() as target, attr="append"), args=[value]):
                yield _names(target), value


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _speaks_of(tree: ast.AST, names: set[str]) -> bool:
    return not names.isdisjoint(_names(tree))


def _calls(tree: ast.AST, verb: str, *, into_loops: bool = True) -> Iterator[ast.Call]:
    """The calls of a method in a piece of code, but for functions that are only defined in it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ASIDE) or (not into_loops and isinstance(node, LOOPS)):
            continue
        yield from _calls(node, verb, into_loops=into_loops)
    if isinstance(tree, ast.Call) and _verb(tree) == verb:
        yield tree


def _verb(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _whom(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return ast.unparse(call.func.value)


def test_every_document_asks_once_and_tells_the_answer_to_that_query():
    shown = list(documents())
    assert {name: found for name, code in shown if (found := mistakes(code))} == {}
    n_told = sum(1 for _, code in shown for _ in _calls(ast.parse(code), "tell"))
    assert n_told > 40, "the documents were read"


WRONG = {
    "the tutorial as it was": """
        while not session.certificate():
            session.tell(session.ask(), person.respond(session.ask(), rng))
    """,
    "the sphere as it was": """
        while norm(session.ask() - target) > epsilon:
            query = session.ask()
            session.tell(query, truth.respond(query, rng))
    """,
    "asked again for the answer": """
        for _ in range(5):
            query = session.ask()
            session.tell(query, measure(session.ask()))
    """,
    "asked again without a loop": "lab.session.tell(first, measure(lab.session.ask()))",
    "another query told": """
        for day in range(5):
            query = session.ask()
            session.tell(day, measure(query))
    """,
    "asked twice, told once": """
        while True:
            first, second = session.ask(), session.ask()
            session.tell(first, measure(second))
    """,
}
RIGHT = {
    "one by one": """
        while not session.is_done:
            query = session.ask()
            session.tell(query, measure(query))
    """,
    "in one line": "session.tell(query := session.ask(), measure(query))",
    "a constant answer": "session.tell(session.ask(), 0.25)",
    "a plate": """
        while points := choice.ask(20):
            for place, point in enumerate(points):
                choice.tell(point, read(place))
    """,
    "by another name of it": """
        for _ in range(9):
            [ticket] = study.ask(worker="Ada")
            held = ticket
            entry = study.tell(held, measure(held.query))
    """,
    "two sessions": """
        for _ in range(9):
            session.tell(left := session.ask(), measure(left))
            other.tell(right := other.ask(), measure(right))
    """,
    "a learner": """
        for _ in range(9):
            query = learner.ask(state, rng)
            state = learner.tell(state, query, measure(query))
    """,
}


@pytest.mark.parametrize("name", WRONG)
def test_a_loop_that_asks_again_or_tells_of_another_query_is_found(name):
    assert mistakes(textwrap.dedent(WRONG[name]))


@pytest.mark.parametrize("name", RIGHT)
def test_a_loop_that_asks_once_and_tells_of_that_query_is_left_alone(name):
    assert mistakes(textwrap.dedent(RIGHT[name])) == []
