"""The user's own names for queries and targets."""

import difflib
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from warmer.model.errors import InvalidValueError

Label = Hashable


class Grid(Sequence[Label]):
    """Names of all combinations of named values, the last turning fastest; none is written before somebody looks.

    Examples
    --------
    >>> grid = Grid({"x": [0.5, 1.0], "delay": [3, 30, 300]})
    >>> len(grid), grid[1], grid[-1]
    (6, 'x=0.5, delay=30', 'x=1, delay=300')
    """

    def __init__(self, values: Mapping[str, Sequence[Any] | npt.NDArray[Any]]) -> None:
        self._parts = [_value_names(name, each) for name, each in values.items()]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        rest, words = range(len(self))[index], []
        for part in reversed(self._parts):
            rest, place = divmod(rest, len(part))
            words.append(part[place])
        return ", ".join(reversed(words))

    def __iter__(self) -> Iterator[Label]:
        return map(", ".join, product(*self._parts))

    def __len__(self) -> int:
        return math.prod(map(len, self._parts))


class Labels(Sequence[Label]):
    """Names in table order, hashable and each once; the integers 0..n-1 where the user gave none.

    The length is how many names the table needs, the noun what is named ("query", "target"), for messages.

    Examples
    --------
    >>> arms = Labels(["left", "right"], length=2, noun="query")
    >>> arms[1], arms.position("left"), arms.position(1)
    ('right', 0, 1)
    """

    def __init__(self, names: Iterable[Any] | None, *, length: int, noun: str) -> None:
        self.noun = noun
        self._names: Sequence[Label] = range(length) if names is None else _named(names, length, noun)

    def position(self, label: Any) -> int:
        """The index of a label; a plain index will do where no label is an integer."""
        if isinstance(label, np.generic):
            label = label.item()
        if isinstance(self._names, range):
            found = label if _is_index(label) and 0 <= label < len(self) else None
        else:
            found = self._position_of(label)
        if found is None:
            raise InvalidValueError(f"there is no {self.noun} {label!r}; {self._hint(label)}.")
        return int(found)

    def find(self, text: Any) -> Label:
        """The label that reads like the text, else the one that `position` finds.

        Examples
        --------
        >>> Labels([0.5, 1.0], length=2, noun="query").find("1.0")
        1.0
        """
        same = next((label for label in self if str(label) == str(text)), None)
        return self[self.position(text)] if same is None else same

    def _position_of(self, label: Any) -> int | None:
        try:
            found = self._positions.get(label)
        except TypeError:
            return None
        if found is None and _is_index(label) and not self._has_integers and 0 <= label < len(self):
            return int(label)
        return found

    def _hint(self, label: Any) -> str:
        if isinstance(self._names, range):
            return f"use an integer from 0 to {len(self) - 1}"
        known = {str(name): name for name in self._names[:10_000]}
        near = difflib.get_close_matches(str(label), known, n=1)
        shown = ", ".join(repr(name) for name in self._names[:5]) + (", ..." if len(self) > 5 else "")
        return f"perhaps {known[near[0]]!r} was meant" if near else f"there are {shown}"

    @cached_property
    def _positions(self) -> dict[Label, int]:
        return {name: position for position, name in enumerate(self._names)}

    @cached_property
    def _has_integers(self) -> bool:
        return not isinstance(self._names, Grid) and any(_is_index(name) for name in self._names)

    @overload
    def __getitem__(self, index: int) -> Label: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Label]: ...
    def __getitem__(self, index: int | slice) -> Label | Sequence[Label]:
        return self._names[index]

    def __len__(self) -> int:
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labels) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._names))

    def __repr__(self) -> str:
        shown = ", ".join(repr(name) for name in self._names[:3])
        return f"Labels([{shown}{', ...' if len(self) > 3 else ''}], length={len(self)}, noun={self.noun!r})"


class Selection(Sequence[Label]):
    """Some of the labels, in the order of a key; nothing is looked up or sorted before somebody looks.

    Examples
    --------
    >>> some = Selection(Labels(None, length=9, noun="target"), np.array([3, 5, 7]), np.array([0.5, 0.25, 0.75]))
    >>> list(some), len(some), some == (5, 3, 7)
    ([5, 3, 7], 3, True)
    """

    def __init__(self, labels: Labels, positions: npt.NDArray[Any], keys: npt.NDArray[Any]) -> None:
        self._labels, self._positions, self._keys = labels, positions, keys

    @cached_property
    def _ordered(self) -> tuple[Label, ...]:
        order = np.argsort(self._keys, kind="stable")
        return tuple(self._labels[position] for position in self._positions[order].tolist())

    def __getitem__(self, index: Any) -> Any:
        return self._ordered[index]

    def __len__(self) -> int:
        return int(self._positions.size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._ordered == tuple(other)

    def __hash__(self) -> int:
        return hash(self._ordered)

    def __repr__(self) -> str:
        return f"Selection({len(self)} labels)"


def _named(names: Iterable[Any], length: int, noun: str) -> Sequence[Label]:
    if isinstance(names, str):
        raise InvalidValueError(f"the {noun} labels must be a list of names, got the single string {names!r}.")
    if isinstance(names, Grid) and len(names) == length:
        return names
    if not isinstance(names, Iterable):
        raise InvalidValueError(f"the {noun} labels must be a list of names, got {names!r}.")
    labels = [name.item() if isinstance(name, np.generic) else name for name in names]
    if len(labels) != length:
        raise InvalidValueError(f"the table needs {length} {noun} labels, got {len(labels)}.")
    seen: dict[Label, int] = {}
    for position, label in enumerate(labels):
        try:
            hash(label)
        except TypeError:
            place = f"the {noun} label at position {position}"
            raise InvalidValueError(f"{place} must be hashable, got {label!r}.") from None
        if _is_missing(label):
            raise InvalidValueError(f"the {noun} label at position {position} is missing ({label!r}).")
        if label in seen:
            raise InvalidValueError(
                f"the {noun} label {label!r} is used twice, at positions {seen[label]} and {position}; "
                "give each its own name."
            )
        seen[label] = position
    return tuple(labels)


def _value_names(name: str, values: Sequence[Any] | npt.NDArray[Any]) -> list[str]:
    """Each value with its name: short where that tells them apart."""
    plain = np.asarray(values).tolist()
    for show in (lambda value: f"{value:.6g}" if isinstance(value, float) else str(value), repr):
        words = [f"{name}={show(value)}" for value in plain]
        if len(set(words)) == len(words):
            return words
    twice = next(word for word in words if words.count(word) > 1)
    raise InvalidValueError(f"the value {twice} is given twice; give each value once.")


def _is_missing(label: Any) -> bool:
    try:
        return label is None or label == "" or bool(label != label)  # NaN differs from itself
    except TypeError:  # pandas.NA will not even say that much
        return True


def _is_index(label: Any) -> bool:
    return isinstance(label, int) and not isinstance(label, bool)
