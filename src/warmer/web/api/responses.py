"""Answers of the interface: JSON, and refusals in one sentence."""

import json
from fractions import Fraction
from typing import Any

from starlette.responses import Response

from warmer.web.api.verbs import RefusedRowsError


def answer(form: Any, status: int = 200) -> Response:
    """Plain values as JSON; labels that JSON lacks as text."""
    text = json.dumps(form, default=_plain, ensure_ascii=False, allow_nan=False)
    return Response(text, status, media_type="application/json")


def refusal(error: Exception, status: int) -> Response:
    """What is wrong, in one sentence; of each row where several were sent."""
    form: dict[str, Any] = {"error": str(error)}
    if isinstance(error, RefusedRowsError):
        form["rows"] = {str(place): words for place, words in error.rows.items()}
    return answer(form, status)


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "item"):
        return value.item()
    return str(value)
