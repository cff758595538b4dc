r"""The dissimilarity dimension against the strong SQ dimension: four inequalities (Proposition `lem:ssqd_to_newdim`).

Write $r(\epsilon)=d_\rho(\mathcal H,1,\epsilon)$ and $s(\epsilon)=\mathrm{dim}_{SQ}(\mathcal H,\epsilon)$. As printed,
with the hypothesis $r\ge2$, two of the four are false: for $\mathcal H=\{h,-h\}$ the dissimilarity dimension is 2 while
the absolute value in the definition of the strong SQ dimension makes that one 1. With $r\ge3$ all four hold.

Each takes the dimension on its right-hand side, at the scale that stands there, and $\epsilon$, a number or text such
as "1/4". Everything is computed in whole numbers.
"""

from fractions import Fraction
from math import ceil, floor, isqrt
from typing import Any

from warmer.bounds.arguments import check_dimension
from warmer.model.checks import check_count
from warmer.model.errors import HypothesisError
from warmer.model.numbers import as_positive


def dissimilarity_lower_bound(*, strong_sq: int, epsilon: Any) -> int:
    r"""$r(\epsilon)\ge\min\{s(\epsilon),\lfloor4\epsilon^2s(\epsilon)^2\rfloor\}$, and at least 1.

    Examples
    --------
    >>> dissimilarity_lower_bound(strong_sq=16, epsilon="1/8")
    16
    """
    check_count("strong_sq", strong_sq)
    return max(1, min(strong_sq, floor(4 * as_positive("epsilon", epsilon) ** 2 * strong_sq**2)))


def dissimilarity_upper_bound(*, strong_sq: int, epsilon: Any) -> int:
    r"""$r(\epsilon)\le\max\{2,\,s(\epsilon/4),\,4\epsilon^2(s(\epsilon/4)+1)^2\}$, the last one strictly.

    The paper has no 2 in the maximum.

    Examples
    --------
    >>> dissimilarity_upper_bound(strong_sq=1, epsilon="1/4")  # {h, -h}
    2
    >>> dissimilarity_upper_bound(strong_sq=16, epsilon="1/2")
    288
    """
    check_count("strong_sq", strong_sq)
    return max(2, strong_sq, ceil(4 * as_positive("epsilon", epsilon) ** 2 * (strong_sq + 1) ** 2) - 1)


def strong_sq_lower_bound(*, dissimilarity: int, epsilon: Any) -> int:
    r"""$s(\epsilon)\ge\min\{r(4\epsilon),\lfloor\sqrt{r(4\epsilon)}/(8\epsilon)\rfloor\}$ where $r(4\epsilon)\ge3$.

    Examples
    --------
    >>> strong_sq_lower_bound(dissimilarity=16, epsilon="1/64")
    16
    """
    if check_count("dissimilarity", dissimilarity) < 3:
        raise HypothesisError(
            f"the bound needs a dissimilarity dimension of at least 3, got {dissimilarity}: "
            "two antipodes have strong SQ dimension 1."
        )
    root = Fraction(dissimilarity) / (64 * as_positive("epsilon", epsilon) ** 2)
    return max(1, min(dissimilarity, isqrt(floor(root))))


def strong_sq_upper_bound(*, dissimilarity: int, epsilon: Any) -> int:
    r"""$s(\epsilon)\le\max\{r(\epsilon),\sqrt{r(\epsilon)+1}/(2\epsilon)\}$, the last one strictly.

    This half needs no hypothesis: it is the first inequality of the proposition read backwards.

    Examples
    --------
    >>> strong_sq_upper_bound(dissimilarity=3, epsilon="1/16")
    15
    """
    square = Fraction(check_dimension(dissimilarity) + 1) / (4 * as_positive("epsilon", epsilon) ** 2)
    # the largest s with s^2 < square
    return max(dissimilarity, isqrt(ceil(square) - 1))
