"""Labels as JSON has them, and back."""

import json
import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from warmer.model import Label
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_fraction


def dumps(form: Any) -> str:
    """JSON on one line, the same text for the same content.

    Examples
    --------
    >>> dumps({"reward": 0.5, "query": "naïve"})
    '{"query": "naïve", "reward": 0.5}'
    """
    return json.dumps(form, sort_keys=True, allow_nan=False, ensure_ascii=False)


def label_form(label: Label) -> Any:
    """A label as JSON has it: text and numbers as they are, tuples and fractions under their name.

    Examples
    --------
    >>> label_form("left"), label_form((1, Fraction(1, 3)))
    ('left', {'tuple': [1, {'fraction': '1/3'}]})
    """
    if isinstance(label, str | bool | int) or (isinstance(label, float) and math.isfinite(label)):
        return label
    if isinstance(label, Fraction):
        return {"fraction": str(label)}
    if isinstance(label, tuple):
        return {"tuple": [label_form(part) for part in label]}
    raise InvalidValueError(
        f"a study keeps labels as text, and cannot keep {label!r} ({type(label).__name__}); "
        "use text, numbers, fractions or tuples of these."
    )


def label_of(form: Any) -> Label:
    """The label back from its JSON.

    Examples
    --------
    >>> label_of({"tuple": [1, {"fraction": "1/3"}]})
    (1, Fraction(1, 3))
    """
    if not isinstance(form, dict):
        return form  # type: ignore[no-any-return]
    if "fraction" in form:
        return as_fraction(form["fraction"])
    return tuple(label_of(part) for part in form["tuple"])


def check_labels(labels: Iterable[Label]) -> list[Any]:
    """Every label as JSON has it; the first that a study cannot keep is named."""
    return [label_form(label) for label in labels]
