"""What a request may say: fields with a kind, read strictly, so that a slip is named and nothing is guessed."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from starlette.requests import Request

from warmer.model.errors import InvalidValueError

_LONGEST_TEXT = 10_000
_LONGEST_TABLE = 500_000


class Field(NamedTuple):
    """A named value of a request."""

    name: str
    kind: str
    """A name of `KINDS`."""
    words: str
    is_required: bool = False


async def read_body(request: Request, fields: Sequence[Field]) -> dict[str, Any]:
    """The fields of a JSON object; empty text counts as not given."""
    body = await request.body()
    try:
        form = json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError) as error:
        raise InvalidValueError(f"the request must be JSON ({type(error).__name__}).") from error
    if not isinstance(form, dict):
        raise InvalidValueError('the request must be a JSON object such as {"reward": 0.5}.')
    return read_values(form, fields)


def read_query(request: Request, fields: Sequence[Field]) -> dict[str, Any]:
    """The fields of an address's query."""
    return read_values(dict(request.query_params), fields)


def read_values(form: dict[str, Any], fields: Sequence[Field]) -> dict[str, Any]:
    """The values by name, each of its kind; what is missing is left out.

    Examples
    --------
    >>> fields = [Field("reward", "number", "The reward.", is_required=True), Field("note", "text", "Anything.")]
    >>> read_values({"reward": "0.5", "note": ""}, fields)
    {'reward': 0.5}
    """
    known = {field.name: field for field in fields}
    unknown = [name for name in form if name not in known]
    if unknown:
        raise InvalidValueError(f"there is no field {unknown[0][:60]!r}; there are: {', '.join(known) or 'none'}.")
    given = {name: value for name, value in form.items() if value is not None and value != ""}
    missing = [field.name for field in fields if field.is_required and field.name not in given]
    if missing:
        raise InvalidValueError(
            f"{missing[0]} is missing: {known[missing[0]].words[:1].lower()}{known[missing[0]].words[1:]}"
        )
    return {name: KINDS[known[name].kind][0](name, value) for name, value in given.items()}


def _number(name: str, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) or "_" in str(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise InvalidValueError(f"{name} must be a number such as 0.75, got {_cut(value)}; nothing was recorded.")
    return number


def _whole(name: str, value: Any) -> int:
    number = _number(name, value)
    if number != math.floor(number) or abs(number) > 1e15:
        raise InvalidValueError(f"{name} must be a whole number, got {_cut(value)}.")
    return int(number)


def _text(name: str, value: Any, longest: int = _LONGEST_TEXT) -> str:
    if not isinstance(value, str):
        raise InvalidValueError(f"{name} must be text, got {_cut(value)}.")
    if len(value) > longest:
        raise InvalidValueError(f"{name} may have {longest:,} characters, got {len(value):,}.")
    if any(0xD800 <= ord(letter) <= 0xDFFF or letter == "\0" for letter in value):
        raise InvalidValueError(f"{name} holds letters that no text has.")
    return value.strip()


def _lines(name: str, value: Any) -> str:
    """Text that may be as long as a table, and whose first cell may be empty."""
    _text(name, value, _LONGEST_TABLE)
    return str(value).strip("\r\n")


def _label(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return _text(name, value)
    if isinstance(value, int | float | dict):
        return value
    raise InvalidValueError(f"{name} must be a label, got {_cut(value)}.")


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise InvalidValueError(f"{name} must be a list of objects, got {_cut(value)}.")
    return value


def _texts(name: str, value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [_text(name, each) for each in values]


def _cut(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= 60 else f"{words[:57]}..."


KINDS: dict[str, tuple[Callable[[str, Any], Any], dict[str, Any]]] = {
    "number": (_number, {"type": "number"}),
    "whole": (_whole, {"type": "integer"}),
    "text": (_text, {"type": "string"}),
    "lines": (_lines, {"type": "string"}),
    "label": (_label, {"oneOf": [{"type": "string"}, {"type": "number"}, {"type": "object"}]}),
    "list": (_list, {"type": "array", "items": {"type": "object"}}),
    "texts": (_texts, {"type": "array", "items": {"type": "string"}}),
}
"""Every kind of value: how it is read, and what the document says of it."""
