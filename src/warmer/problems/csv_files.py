"""Tables in CSV files and workbooks: numbers, exact fractions, and labels."""

import math
import reprlib
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from warmer.model import Label
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_fraction
from warmer.problems.cell_files import Line, read_lines

Number = int | float | Fraction

_NOT_A_NUMBER = (OverflowError, ValueError, ZeroDivisionError)

_LEAST_EXPONENT = -324
"""Below this power of ten a float is 0, and a fraction has more digits than anybody means."""


class CsvTable(NamedTuple):
    """The numbers of a file, row by row, and the labels of its rows and columns, where it has them."""

    rho: list[list[Number]]
    queries: Sequence[Label] | None
    targets: Sequence[Label] | None


def read_csv(file: Path) -> CsvTable:
    """Read a table; every complaint names the line and the column."""
    lines = read_lines(file)
    if _is_number(lines[0].number_texts()[0]):
        names = [str(place) for place in range(len(lines[0].cells))]
        return CsvTable(_numbers(lines, names), None, None)
    header, body = lines[0], lines[1:]
    names = header.cells[1:]
    if not (body and names):
        raise InvalidValueError(
            "the table is empty: below the row of target labels each line needs a query label and its numbers, "
            "separated by commas or semicolons."
        )
    if header.cells[0] and all(_is_number(line.number_texts()[0]) for line in body):
        # they may be rewards under a target's label, as in a file written without its index
        raise InvalidValueError(
            f"the first column, under {header.cells[0]!r}, holds numbers, so they may be query labels or rewards; if "
            "they are labels leave the first cell of the file empty, if they are rewards put a column of query labels "
            "first."
        )
    numbers = _numbers([line._replace(cells=line.cells[1:]) for line in body], names)
    return CsvTable(numbers, _labels([line.cells[0] for line in body]), _labels(names))


def _numbers(lines: list[Line], names: list[str]) -> list[list[Number]]:
    """The cells as numbers: all rational where one is a fraction or all are whole, else all floats."""
    parse = _parse_exactly if any("/" in cell for line in lines for cell in line.cells) else _parse
    cells = [(line.number, zip(line.number_texts(), names, strict=True)) for line in lines]
    rows = [[_number(parse, cell, number, name) for cell, name in row] for number, row in cells]
    if any(isinstance(entry, float) for row in rows for entry in row):
        return [[float(entry) for entry in row] for row in rows]
    return rows


def _number(parse: Callable[[str], Number], cell: str, line: int, name: str) -> Number:
    try:
        return parse(cell)
    except _NOT_A_NUMBER:
        came = f"got {reprlib.repr(cell)}" if cell else "the cell is empty"
        raise InvalidValueError(f"line {line}, column {name!r} must be a number such as 0.75 or 3/4, {came}.") from None


def _parse(cell: str) -> Number:
    if "_" in cell:  # Python reads 1_000 as a number; nobody writes it in a table
        raise ValueError(cell)
    if "/" in cell:
        number: Number = as_fraction(cell)
    elif cell.lstrip("+-").isdecimal():
        number = int(cell)
    else:
        return float(cell)
    float(number)  # refuses what no float can hold
    return number


def _parse_exactly(cell: str) -> Number:
    """A cell beside fractions: a decimal is the fraction that it says."""
    number = _parse(cell)
    if not isinstance(number, float) or not math.isfinite(number):
        return number
    decimal = Decimal(cell)
    if decimal and decimal.adjusted() < _LEAST_EXPONENT:
        raise ValueError(cell)
    return as_fraction(decimal) if decimal else Fraction(0)  # 0e-999 has an exponent, and is 0


def _is_number(cell: str) -> bool:
    try:
        _parse(cell)
    except _NOT_A_NUMBER:
        return False
    return True


def _labels(texts: list[str]) -> list[Label]:
    """Labels as they were before they were written: whole numbers if all are, else text."""
    is_whole = all(text.removeprefix("-").isdecimal() and str(int(text)) == text for text in texts)
    return [int(text) for text in texts] if is_whole else list(texts)
