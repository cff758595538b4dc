r"""The class $\mathcal{F}_{N,\epsilon}$ that separates the eluder from the dissimilarity dimension (Section 5)."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number
from warmer.problems.limits import check_size
from warmer.problems.vectors import Point, circle_points, point_label


def separation(n_bumps: int = 1, *, epsilon: Fraction | float = Fraction(1, 4), n_points: int = 12) -> Problem:
    r"""The separation class $\mathcal{F}_{N,\epsilon}$ on rational points of the circle, exactly.

    Each function is $\langle v,a\rangle$ outside one of two open semicircles ($x>0$, or $y>0$), with $v$ outside
    it too, and 0 inside except for N points, the bumps, where it is $\pm\epsilon$. The eluder dimension is as
    large as the semicircle; the dissimilarity dimension stays small. Functions are sorted by their values.

    N is `n_bumps`, at most the number of points in a semicircle; the height of the bumps, epsilon, lies in (0, 1]; and
    4, 12, 20, 28 or 36 points of the circle serve as actions.

    Examples
    --------
    >>> problem = separation()
    >>> problem, problem.targets[0]
    (Problem(12 x 140 queries x targets, float64), 'v=(-1, 0), y>0: -1/4 at (0, 1)')
    """
    n_bumps, height = check_count("n_bumps", n_bumps), as_number("epsilon", epsilon)
    if not 0 < height <= 1:
        raise InvalidValueError(f"epsilon must lie in (0, 1], got {epsilon}.")
    points = circle_points(n_points)
    n_inside = sum(x > 0 for x, _ in points)
    if n_bumps > n_inside:
        raise InvalidValueError(f"n_bumps must be at most {n_inside}, the points in a semicircle, got {n_bumps}.")
    n_functions = 2 * (n_points - n_inside) * math.comb(n_inside, n_bumps) * 2**n_bumps
    check_size(n_points, n_functions, advice="lower n_bumps or n_points")
    denominator = math.lcm(height.denominator, *(_inner(u, v).denominator for u in points for v in points))
    names = _functions(points, n_bumps, height=height, denominator=denominator)
    functions = sorted(names)
    return Problem.from_table(
        np.array(functions).T,
        queries=[point_label(point) for point in points],
        targets=[names[function] for function in functions],
        denominator=denominator,
    )


def _functions(points: list[Point], n_bumps: int, *, height: Fraction, denominator: int) -> dict[tuple[int, ...], str]:
    """The label of each function, by its values over the denominator."""
    names: dict[tuple[int, ...], str] = {}
    for axis, semicircle in enumerate(("x>0", "y>0")):
        inside = [place for place, point in enumerate(points) if point[axis] > 0]
        for v in (point for point in points if point[axis] <= 0):
            flat = [0 if point[axis] > 0 else int(_inner(v, point) * denominator) for point in points]
            for places, signs in product(combinations(inside, n_bumps), product((-height, height), repeat=n_bumps)):
                values, bumps = list(flat), dict(zip(places, signs, strict=True))
                for place, bump in bumps.items():
                    values[place] = int(bump * denominator)
                text = ", ".join(f"{bump} at {point_label(points[place])}" for place, bump in bumps.items())
                names.setdefault(tuple(values), f"v={point_label(v)}, {semicircle}: {text}")
    return names


def _inner(u: Point, v: Point) -> Fraction:
    return u[0] * v[0] + u[1] * v[1]
