"""The catalogue: problems by name, for Python and for the command line."""

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, get_type_hints

from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.problems import bandits, extremal, geometry, hypotheses
from warmer.problems.separation import separation
from warmer.problems.treasure import treasure


@dataclass(frozen=True)
class Entry:
    """A problem that can be built by name: its builder, and what the builder says about itself."""

    name: str
    builder: Callable[..., Any] = field(repr=False)

    @property
    def description(self) -> str:
        """The first line of the builder's docstring."""
        return (inspect.getdoc(self.builder) or "").partition("\n")[0]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the builder, each with its default."""
        return {name: each.default for name, each in inspect.signature(self.builder).parameters.items()}


@dataclass(frozen=True)
class Recipe:
    """A name of the catalogue with the parameters to build it with.

    Examples
    --------
    >>> Recipe("parities", {"n_bits": 2}).build()
    Problem(4 alternatives, float64)
    >>> str(Recipe("parities", {"n_bits": 2}))
    'parities:n_bits=2'
    """

    name: str
    parameters: Mapping[str, Any]

    def build(self) -> Problem:
        """The problem itself."""
        return build(self.name, **self.parameters)

    def __str__(self) -> str:
        parts = ",".join(f"{key}={value}" for key, value in self.parameters.items())
        return f"{self.name}:{parts}" if parts else self.name


_BUILDERS: tuple[Callable[..., Any], ...] = (
    *(bandits.arms, bandits.linear, bandits.glm, bandits.needle, bandits.random_table, bandits.relu),
    *(hypotheses.dictators, hypotheses.halfspaces, hypotheses.monotone_conjunctions, hypotheses.parities),
    *(hypotheses.thresholds, geometry.circle, geometry.sphere, separation, treasure, extremal.conference),
    *(extremal.linear_counterexample, extremal.linear_geometric, extremal.linear_greedy_counterexample),
)

CATALOG: Mapping[str, Entry] = MappingProxyType(
    {builder.__name__: Entry(builder.__name__, builder) for builder in _BUILDERS}
)
"""Every problem that `build` knows, by name."""


def build(name: str, **parameters: Any) -> Problem:
    """The problem of this name; parameters that are not given take the builder's defaults.

    Of a builder that returns an `Extremal`, such as `conference`, this is the problem alone.

    Examples
    --------
    >>> build("parities", n_bits=4)
    Problem(16 alternatives, float64)
    """
    entry = _entry(name, CATALOG)
    for key in parameters:
        _check_key(entry, key)
    made = entry.builder(**parameters)
    return made.problem if isinstance(made, extremal.Extremal) else made


def parse(text: str, catalog: Mapping[str, Entry] = CATALOG) -> Recipe:
    """Read `NAME` or `NAME:key=value,key=value`, each value as the builder's signature has it.

    Examples
    --------
    >>> parse("separation:n_bumps=2,epsilon=1/8").parameters
    {'n_bumps': 2, 'epsilon': Fraction(1, 8)}
    """
    name, _, rest = text.strip().partition(":")
    entry = _entry(name.strip(), catalog)
    parameters: dict[str, Any] = {}
    for part in rest.split(",") if rest.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise InvalidValueError(f"{text!r} must read NAME:key=value,key=value, got {part!r} for a key=value.")
        if key in parameters:
            raise InvalidValueError(f"{key} is given twice in {text!r}; give it once.")
        _check_key(entry, key)
        parameters[key] = _read(entry, key, value)
    return Recipe(entry.name, parameters)


def _entry(name: str, catalog: Mapping[str, Entry]) -> Entry:
    if name not in catalog:
        raise InvalidValueError(f"there is no problem {name!r} in the catalogue{_suggest(name, catalog)}.")
    return catalog[name]


def _check_key(entry: Entry, key: str) -> None:
    if key not in entry.parameters:
        raise InvalidValueError(f"{entry.name} has no parameter {key!r}{_suggest(key, entry.parameters)}.")


def _suggest(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(word), known, n=1)
    return f"; perhaps {near[0]!r} was meant" if near else f"; there are {', '.join(known)}"


def _read(entry: Entry, key: str, value: str) -> Any:
    kind = get_type_hints(entry.builder)[key]
    needed, read = _KINDS[kind]
    try:
        return read(value)
    except (KeyError, ValueError, ZeroDivisionError):
        raise InvalidValueError(f"{key} of {entry.name} must be {needed}, got {value!r}.") from None


_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

_KINDS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    int: ("a whole number", int),
    float: ("a number", float),
    bool: ("true or false", lambda text: _TRUTHS[text.lower()]),
    Fraction | float: ("a number or a fraction such as 1/4", Fraction),
}
