"""Files of cells: CSV with commas or semicolons, and the first sheet of a workbook."""

import csv
import re
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

from warmer.model.errors import InvalidValueError, optional_module

EMPTY = "the file is empty; fill it in, or check the path."
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")
_BROKEN_BOOK = (AttributeError, KeyError, OSError, TypeError, ValueError, zipfile.BadZipFile)
"""What openpyxl raises for damaged files."""


class Line(NamedTuple):
    """A line of a file: its number, and its cells without the spaces around them."""

    number: int
    cells: list[str]
    has_decimal_commas: bool = False
    """Whether 0,5 is a number: cells are separated by semicolons."""

    def number_texts(self) -> list[str]:
        """The cells, with points in the place of decimal commas: -1,25 is -1.25, and 1.000,5 stays as it is."""
        if not self.has_decimal_commas:
            return self.cells
        return [cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell for cell in self.cells]


def read_lines(file: Path) -> list[Line]:
    r"""The lines of a CSV file or workbook that hold anything: at least one, and all with the same number of cells.

    Cells of a CSV file are separated by commas, or by semicolons, as spreadsheets write them where the comma is the
    decimal sign.
    """
    lines = _sheet_lines(file) if file.suffix.lower() == ".xlsx" else _csv_lines(file)
    if not lines:
        raise InvalidValueError(EMPTY)
    first = lines[0]
    for line in lines:
        if len(line.cells) != len(first.cells):
            raise InvalidValueError(
                f"line {line.number} has {len(line.cells)} cells, but line {first.number} has {len(first.cells)}; "
                "give every line the same number, separated by commas or semicolons."
            )
    return lines


def _csv_lines(file: Path) -> list[Line]:
    try:
        with file.open(newline="", encoding="utf-8-sig") as stream:
            delimiter = _delimiter([line for line in stream if line.strip()])
            stream.seek(0)
            reader = csv.reader(stream, strict=True, delimiter=delimiter)
            rows = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader if cells]
    except UnicodeDecodeError as error:
        raise InvalidValueError(f"the file is not text in UTF-8 ({error}); save it as CSV in UTF-8.") from error
    except csv.Error as error:
        raise InvalidValueError(f"line {reader.line_num} is not valid CSV ({error}).") from error
    return [Line(number, cells, delimiter == ";") for number, cells in rows]


def _delimiter(lines: list[str]) -> str:
    """A semicolon where it gives all lines equally many cells, and a comma does not, or no more of them; and where
    there is no comma in the first line.
    """
    if not lines or ";" not in lines[0]:
        return ","
    commas, semicolons = (list(csv.reader(lines, delimiter=sign)) for sign in ",;")
    if len({len(cells) for cells in semicolons}) > 1 and len(commas[0]) > 1:
        return ","
    are_numbers = all(_DECIMAL_COMMA.fullmatch(cell.strip()) or cell.strip().isdecimal() for cell in semicolons[0])
    is_ragged = len({len(cells) for cells in commas}) > 1
    return ";" if is_ragged or are_numbers or len(semicolons[0]) >= len(commas[0]) else ","


def _sheet_lines(file: Path) -> list[Line]:
    openpyxl = optional_module("openpyxl", "reading .xlsx", "tables")
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        rows = [[_text(value) for value in row] for row in book.worksheets[0].iter_rows(values_only=True)]
        book.close()
    except (*_BROKEN_BOOK, IndexError, openpyxl.utils.exceptions.InvalidFileException) as error:
        raise InvalidValueError(f"the file is not a whole .xlsx workbook ({error}); save it again.") from error
    width = max((place + 1 for row in rows for place, cell in enumerate(row) if cell), default=0)
    lines = [Line(number, [*row, *[""] * width][:width]) for number, row in enumerate(rows, 1)]
    return [line for line in lines if any(line.cells)]


def _text(value: Any) -> str:
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else str(value).strip()
