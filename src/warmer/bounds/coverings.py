r"""How many balls cover a class: the numbers $N$ of the error budgets.

The paper's covers are proper: their centers belong to the class. Where a class may be any part of a ball or a sphere
the bounds are on packings, which are proper covers of whatever they are packed into. Its proofs only use that the
centers predict numbers in the reward range, so the grid of a box serves every part of the box as well.
"""

import math

from warmer.bounds.arguments import finite
from warmer.model.checks import check_count, check_positive
from warmer.model.errors import HypothesisError


@finite
def ball_covering_bounds(*, n: int, radius: float) -> tuple[float, float]:
    r"""The covering number of the unit ball of $\mathbb R^n$ lies between $r^{-n}$ and $(1+2/r)^n$, $r\le1$.

    By volume (Vershynin 2018, Corollary 4.2.13); the upper end bounds packings with distances above r as well. The
    paper uses it as $O((3/r)^n)$.

    Examples
    --------
    >>> ball_covering_bounds(n=2, radius=0.5)
    (4.0, 25.0)
    """
    check_count("n", n)
    if check_positive("radius", radius) > 1:
        raise HypothesisError(f"one ball of radius 1 is enough; the bounds speak of radii up to 1, got {radius}.")
    return math.pow(1 / radius, n), linear_covering_bound(n=n, radius=radius)


@finite
def linear_covering_bound(*, n: int, radius: float) -> float:
    r"""$N(Z^{lb},r)\le(1+2/r)^n$ for linear bandits with parameters in the unit ball of $\mathbb R^n$.

    Predictions of two parameters differ by at most their distance. The paper bounds $N$ by the covering number of the
    ball, but a proper cover of a part can need more than the ball does: two points at distance 2 and r = 1.

    Examples
    --------
    >>> linear_covering_bound(n=2, radius=0.5)
    25.0
    """
    return math.pow(1 + 2 / check_positive("radius", radius), check_count("n", n))


@finite
def log_cover_of_ball(*, dimension: int, width: float) -> float:
    r"""Log of `linear_covering_bound`, $(1+2/w)^n$: so many balls of radius w cover any part of the unit ball.

    A largest set of points more than $w$ apart is a proper cover, and the balls of radius $w/2$ around them are
    disjoint and inside a ball of radius $1+w/2$ (Vershynin 2018, Corollary 4.2.13).

    Examples
    --------
    >>> round(log_cover_of_ball(dimension=2, width=0.5), 3)
    3.219
    """
    return check_count("dimension", dimension) * math.log(1 + 2 / check_positive("width", width))


@finite
def log_cover_of_sphere(*, dimension: int, width: float) -> float:
    r"""Log of $(\frac2w+1)^n-(\frac2w-1)^n$: so many balls of radius w cover any part of the unit sphere.

    As for `log_cover_of_ball`, but the disjoint balls of radius $w/2$ lie between the spheres of radius $1\pm w/2$. It
    is of the order $w^{-(n-1)}$.

    Examples
    --------
    >>> round(log_cover_of_sphere(dimension=1, width=0.01), 3), round(log_cover_of_sphere(dimension=2, width=0.5), 3)
    (0.693, 2.773)
    """
    n, inverse = check_count("dimension", dimension), 2 / check_positive("width", width)
    whole = n * math.log(inverse + 1)
    return whole + math.log(-math.expm1(n * math.log((inverse - 1) / (inverse + 1)))) if inverse > 1 else whole


@finite
def log_cover_of_box(*, dimension: int, width: float) -> float:
    r"""Log of $\lceil1/(2w)\rceil^K$: the grid of step $2w$ covers $[0,1]^K$ within w in every coordinate.

    Examples
    --------
    >>> round(log_cover_of_box(dimension=3, width=0.1), 3)  # 5 in each direction
    4.828
    """
    return check_count("dimension", dimension) * math.log(math.ceil(1 / (2 * check_positive("width", width))))
