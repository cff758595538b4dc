"""Numbers in sentences: what somebody told or declared stands as it is; only what was computed is rounded.

Whoever reads "answered 103" in a log takes it for what was told. So rewards, tolerances and limits go through `exact`;
means, estimates and forecasts may be rounded where they are written.
"""

from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import Any

import numpy as np


def exact(value: Any) -> str:
    """A number as somebody told it: the shortest text that reads back as the same number; a class as Python writes it.

    Examples
    --------
    >>> exact(103.14159), exact(2.0), exact(1), exact("cat")
    ('103.14159', '2', '1', "'cat'")
    """
    if isinstance(value, np.generic):
        value = value.item()
    return repr(value).removesuffix(".0") if isinstance(value, float) else repr(value)


def certainty(delta: float) -> str:
    r"""$1-\delta$, never rounded up to a promise that was not given.

    Examples
    --------
    >>> certainty(0.05), certainty(1e-9)
    ('0.95', '0.999999999')
    """
    with localcontext(rounding=ROUND_FLOOR):
        return f"{1 - Decimal(repr(float(delta))):f}"
