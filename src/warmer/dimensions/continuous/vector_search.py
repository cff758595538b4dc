r"""Long dissimilar sequences in continuous classes, by numerical optimisation; upper ends only from what is proved.

The search minimises how far a sequence of d vectors misses the definition, from many starts, for d = 2, 3, ...
until none succeeds. What it returns is checked as a finite table, so the lower end is certain; that a longer
sequence was not found proves nothing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.bounds import linear_dimension_bound, sphere_dimension_bound
from warmer.dimensions.bracket import Bracket
from warmer.dimensions.continuous.vectors import Shape, first_descent, longer, single
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model.checks import check_count
from warmer.model.contracts import InnerProducts
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number, check_scale
from warmer.model.time_limit import interruptible


@interruptible()
def search_sphere(
    n: int,
    *,
    epsilon: Any,
    alpha: Any = 1.0,
    starts: int = 40,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the dissimilarity dimension of the unit sphere in $\mathbb R^n$ with inner products.

    The upper end is `sphere_dimension_bound`: $2n+1$, or less where $\epsilon$ is large.

    Parameters
    ----------
    n
        Coordinates.
    epsilon, alpha
        The scale, and an optimality level of at most 1: numbers, or strings such as "5/4".
    starts
        Random starts for each length, besides the simplex and the cross-polytope.
    seed
        Of the starts.
    time_limit, progress
        As in `eluder_dimension`.

    Examples
    --------
    >>> bracket = search_sphere(2, epsilon=1.5)
    >>> bracket.lower, bracket.upper
    (4, 5)
    """
    search = Anytime(time_limit, progress)
    return _search(sphere_dimension_bound, n, alpha, epsilon, starts=starts, seed=seed, search=search)


@interruptible()
def search_linear(
    n: int,
    *,
    alpha: Any,
    epsilon: Any,
    starts: int = 40,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the dissimilarity dimension of linear bandits, parameters and actions in the unit ball of $\mathbb R^n$.

    The upper end is `linear_dimension_bound`: $2n+1$ at $\alpha=1$, and a bound that grows like $n\ln(1/\epsilon)$
    below; the paper's $4n+3$ is false there.

    Examples
    --------
    >>> bracket = search_linear(1, alpha=1 / 128, epsilon=3 / 512, starts=0)
    >>> bracket.lower, bracket.upper
    (8, 35)
    """
    search = Anytime(time_limit, progress)
    return _search(linear_dimension_bound, n, alpha, epsilon, starts=starts, seed=seed, search=search)


def search_family(
    family: InnerProducts,
    *,
    alpha: Any,
    epsilon: Any,
    is_two_sided: bool,
    time_limit: float | None,
    progress: Progress | None,
) -> Bracket:
    """Bracket the dissimilarity dimension of a family of unit vectors."""
    if family.unit_vectors == "sphere":  # its table is symmetric
        return search_sphere(family.n, alpha=alpha, epsilon=epsilon, time_limit=time_limit, progress=progress)
    if is_two_sided:
        raise InvalidValueError(
            f'sided="two" is searched in finite tables; for {family!r} use bounds.two_sided_linear_dimension_bound, '
            "which is 2n+1 at every alpha."
        )
    return search_linear(family.n, alpha=alpha, epsilon=epsilon, time_limit=time_limit, progress=progress)


def _search(
    theorem: Callable[..., int], n: int, alpha: Any, epsilon: Any, *, starts: int, seed: int, search: Anytime
) -> Bracket:
    """Close in on the upper end, which a theorem gives, by longer and longer sequences."""
    check_count("n", n)
    check_count("starts", starts, 0)
    rng = np.random.default_rng(check_count("seed", seed, 0))
    level, scale = float(as_number("alpha", alpha)), float(check_scale("epsilon", epsilon))
    if level > 1:
        return Bracket(lower=0, upper=0, witness=None, reason="no alternative reaches alpha")
    search.upper, search.reason = theorem(n=n, alpha=level, epsilon=scale), f"bounds.{theorem.__name__}"
    shape = Shape(n, level, scale, on_sphere=theorem is sphere_dimension_bound or level == 1)
    search.warm_up(first_descent)
    search.found = single(shape)
    with search.running():
        search.move(lower=1)
        while not search.is_closed:
            found = longer(shape, search.found, starts, rng, search.clock)
            if found is None:
                search.stopped = f"no longer sequence found in {starts} starts"
                break
            search.found = found
            search.move(lower=len(found))
    return search.bracket(search.found)
