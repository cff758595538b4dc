"""Numbers in sentences: what somebody told or declared stands as it is; only what was computed is rounded.

Whoever reads "answered 103" in a log takes it for what was told. So rewards, tolerances and limits go through `exact`;
means, estimates and forecasts may be rounded where they are written.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
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


def span(low: float, high: float) -> str:
    """Where numbers must lie, as it was declared.

    Examples
    --------
    >>> span(0.0, 1234567.5)
    '[0, 1234567.5]'
    """
    return f"[{exact(low)}, {exact(high)}]"


def exact_sum(*terms: float) -> str:
    """The sum of numbers that somebody declared, as on paper.

    Examples
    --------
    >>> exact_sum(0.1, 0.01, 0.01), exact_sum(0.5, -0.2)
    ('0.12', '0.3')
    """
    return exact(float(sum(Decimal(repr(float(term))) for term in terms)))


def by_the_table(value: float | str, tolerance: float) -> str:
    """Why a proof says another number than was asked for; nothing where the table's entries are exact.

    Examples
    --------
    >>> by_the_table(5.0, 4.0), by_the_table(5.0, 0.0)
    (' (5 by the table, whose entries are right within 4)', '')
    """
    number = value if isinstance(value, str) else exact(float(value))
    return f" ({number} by the table, whose entries are right within {exact(float(tolerance))})" if tolerance else ""


def enclosed(low: float, high: float) -> tuple[str, str]:
    """The ends of an interval in six digits at the most, rounded outward: what lies inside, lies inside as it is read.

    Examples
    --------
    >>> enclosed(0.123456789, 2 / 3), enclosed(0.1, 0.1 + 0.2)
    (('0.123456', '0.666667'), ('0.1', '0.3'))
    """
    ends = (
        (_round(_round(low, 13, ROUND_HALF_EVEN), 6, ROUND_FLOOR)),
        _round(_round(high, 13, ROUND_HALF_EVEN), 6, ROUND_CEILING),
    )
    return exact(float(ends[0])), exact(float(ends[1]))


def _round(value: float | Decimal, digits: int, rounding: str) -> Decimal:
    with localcontext(prec=digits, rounding=rounding):
        return +Decimal(repr(value) if isinstance(value, float) else value)


def certainty(delta: float) -> str:
    r"""$1-\delta$, never rounded up to a promise that was not given.

    Examples
    --------
    >>> certainty(0.05), certainty(1e-9)
    ('0.95', '0.999999999')
    """
    with localcontext(rounding=ROUND_FLOOR):
        return f"{1 - Decimal(repr(float(delta))):f}"


def belief(share: float, *, is_alone: bool) -> str:
    """A candidate's share of what is believed: certain only where no other is left.

    Examples
    --------
    >>> belief(1.0, is_alone=True), [belief(share, is_alone=False) for share in (1.0, 0.25, 0.0)]
    ('100%', ['over 99.9%', '25.0%', 'under 0.1%'])
    """
    if is_alone:
        return "100%"
    return "over 99.9%" if share > 0.9994 else "under 0.1%" if share < 0.0006 else f"{share:.1%}"
