"""Candidates from code: a function of designs and parameters, evaluated on two grids."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.model import Array, Problem
from warmer.model.errors import InvalidValueError
from warmer.model.labels import Grid
from warmer.model.tables import read_only
from warmer.problems.limits import MAX_ENTRIES

_BLOCK_ENTRIES = 1 << 22
"""How many entries are computed at a time."""


def from_model(
    function: Callable[..., Any],
    *,
    designs: Mapping[str, Any],
    parameters: Mapping[str, Any],
    forbidden: npt.ArrayLike | None = None,
    costs: npt.ArrayLike | None = None,
    reward_range: tuple[float, float] = (-1.0, 1.0),
    tolerance: float | None = 0.0,
    memory_map: str | PathLike[str] | None = None,
    dtype: npt.DTypeLike = np.float64,
) -> Problem:
    r"""The problem of a model in code: a row for each design, a column for each combination of parameters.

    The function is called with all names as keywords, block by block. Each design comes as a column of values, each
    parameter as a row (shapes `(k, 1)` and `(1, m)`), so that NumPy's operations return a block of the table.
    `problem.parameters` keeps the values of the parameters, name by name, for each target. What is not named below is
    as in `Problem.from_table`.

    Parameters
    ----------
    function
        From designs and parameters to the expected reward, on arrays.
    designs, parameters
        For each name its values; the grid holds every combination, the last name turning fastest.
    memory_map
        A new file to write the table to, as a `.npy` array that is read from the disk as it is needed. Tables of more
        than ten million entries need one.
    dtype
        float64, or float32 for half the size.

    Examples
    --------
    >>> def discounting(soon, delay, k, slope):
    ...     worth = 800 / (1 + k * delay)
    ...     return 1 / (1 + np.exp(-slope * (worth - soon)))
    >>> problem = from_model(
    ...     discounting,
    ...     designs={"soon": [200, 400], "delay": [1, 10, 100]},
    ...     parameters={"k": [0.01, 0.1], "slope": [0.05]},
    ...     reward_range=(0, 1),
    ... )
    >>> problem, problem.queries[4], problem.targets[1], problem.parameters["k"].tolist()
    (Problem(6 x 2 queries x targets, float64), 'soon=400, delay=10', 'k=0.1, slope=0.05', [0.01, 0.1])
    """
    rows, columns = _Axes("designs", designs), _Axes("parameters", parameters)
    shared = set(rows.values) & set(columns.values)
    if shared:
        raise InvalidValueError(f"{min(shared)!r} names a design and a parameter; give one of them another name.")
    table = _new_table((rows.size, columns.size), memory_map, np.dtype(dtype))
    _fill(table, function, rows, columns)
    if memory_map is not None:
        table.flush()
        table = np.lib.format.open_memmap(memory_map, mode="r")
    problem = Problem.from_table(
        read_only(table),
        queries=Grid(rows.values),
        targets=Grid(columns.values),
        forbidden=forbidden,
        costs=costs,
        reward_range=reward_range,
        tolerance=tolerance,
    )
    return replace(problem, parameters={name: read_only(values) for name, values in columns.grid.items()})


class _Axes:
    """The values of each name, and the grid of all their combinations: an array for each name."""

    def __init__(self, noun: str, values: Mapping[str, Any]) -> None:
        if not isinstance(values, Mapping) or not values:
            raise InvalidValueError(f"{noun} must map names to values, such as {{'x': [0, 1]}}, got {values!r}.")
        self.values = {name: np.atleast_1d(np.asarray(each)) for name, each in values.items()}
        for name, each in self.values.items():
            if not (isinstance(name, str) and name.isidentifier()):
                raise InvalidValueError(f"the name of one of the {noun} must be a Python name, got {name!r}.")
            if each.ndim != 1 or each.size == 0:
                raise InvalidValueError(f"{name} of the {noun} must be a list of values, got shape {each.shape}.")
        meshes = np.meshgrid(*self.values.values(), indexing="ij")
        self.grid = {name: mesh.ravel() for name, mesh in zip(self.values, meshes, strict=True)}
        self.size = int(meshes[0].size)


def _new_table(shape: tuple[int, int], path: str | PathLike[str] | None, dtype: npt.DTypeLike) -> Any:
    if dtype not in (np.float64, np.float32):
        raise InvalidValueError(f"dtype must be float64 or float32, got {dtype}.")
    if path is None:
        if shape[0] * shape[1] > MAX_ENTRIES:
            raise InvalidValueError(
                f"a table of {shape[0]:,} x {shape[1]:,} entries is too large to keep in memory unasked; "
                "give memory_map=PATH to write it to a file, or coarser grids."
            )
        return np.empty(shape, dtype=dtype)
    if Path(path).exists():
        raise InvalidValueError(f"memory_map={str(path)!r} exists already; remove it, or name a new file.")
    try:
        return np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    except OSError as error:
        raise InvalidValueError(f"memory_map={str(path)!r} cannot be written ({error.strerror}).") from error


def _fill(table: Array, function: Callable[..., Any], rows: _Axes, columns: _Axes) -> None:
    width = min(columns.size, _BLOCK_ENTRIES)
    height = max(1, _BLOCK_ENTRIES // width)
    for top in range(0, rows.size, height):
        for left in range(0, columns.size, width):
            block = table[top : top + height, left : left + width]
            block[...] = _evaluated(
                function,
                {name: values[top : top + height, None] for name, values in rows.grid.items()},
                {name: values[None, left : left + width] for name, values in columns.grid.items()},
                block.shape,
            )


def _evaluated(function: Callable[..., Any], designs: Any, parameters: Any, shape: tuple[int, ...]) -> Array:
    try:
        came = np.asarray(function(**designs, **parameters))
        if came.dtype.kind == "c":
            raise TypeError(f"real numbers are needed, got {came.dtype}; say which are measured, by np.real or np.abs")
        if came.dtype.kind not in "biufO":
            raise TypeError(f"real numbers are needed, got {came.dtype}")
        return np.broadcast_to(came.astype(float), shape)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(
            f"the model must take {', '.join([*designs, *parameters])} as arrays and return the expected rewards, here "
            f"of shape {shape}: {error}."
        ) from error
