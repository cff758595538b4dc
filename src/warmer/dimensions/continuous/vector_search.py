r"""Long dissimilar sequences in continuous classes, by numerical optimisation; upper ends only from what is proved.

The search minimises how far a sequence of d vectors misses the definition, from many starts, for d = 2, 3, ...
until none succeeds. What it returns is checked as a finite table, so the lower end is certain; that a longer
sequence was not found proves nothing.
"""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from warmer.bounds import linear_dimension_bound, sphere_dimension_bound
from warmer.dimensions.bracket import Bracket
from warmer.dimensions.continuous.vectors import Shape, longer, single
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model.checks import check_count
from warmer.model.numbers import as_number, check_scale
from warmer.model.time_limit import interruptible


@interruptible()
def search_vectors(
    kind: Literal["sphere", "ball"],
    n: int,
    *,
    alpha: Any = 1.0,
    epsilon: Any,
    starts: int = 40,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the dissimilarity dimension of a class of vectors of $\mathbb R^n$ with inner products.

    "sphere" is the unit sphere, with the upper end of `sphere_dimension_bound`; "ball" are linear bandits, parameters
    and actions in the unit ball, with that of `linear_dimension_bound`. For each length there are so many random
    `starts`, besides the simplex and the cross-polytope, or geometric sequences.

    Examples
    --------
    >>> bracket = search_vectors("sphere", 2, epsilon=1.5)
    >>> bracket.lower, bracket.upper
    (4, 5)
    """
    theorem: Callable[..., int] = sphere_dimension_bound if kind == "sphere" else linear_dimension_bound
    search = Anytime(time_limit, progress)
    check_count("n", n)
    check_count("starts", starts, 0)
    rng = np.random.default_rng(check_count("seed", seed, 0))
    level, scale = float(as_number("alpha", alpha)), float(check_scale("epsilon", epsilon))
    if level > 1:
        return Bracket(lower=0, upper=0, witness=None, reason="no alternative reaches alpha")
    search.upper, search.reason = theorem(n=n, alpha=level, epsilon=scale), f"bounds.{theorem.__name__}"
    shape = Shape(n, level, scale, on_sphere=kind == "sphere" or level == 1)
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
