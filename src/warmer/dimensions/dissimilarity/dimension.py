"""The dissimilarity dimension, plain and monotone, of a finite problem."""

from typing import Any, Literal

from warmer.dimensions.bracket import Bracket, require_table
from warmer.dimensions.continuous import search_vectors
from warmer.dimensions.dissimilarity.rank import rank_at_most
from warmer.dimensions.dissimilarity.tolerance import make_tolerance, make_witness
from warmer.dimensions.dissimilarity.window_search import Sequences, sequences
from warmer.dimensions.dissimilarity.window_sweep import Sweep
from warmer.dimensions.dissimilarity.window_table import WindowTable, window_table
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model import Problem
from warmer.model.checks import check_positive
from warmer.model.contracts import InnerProducts
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number
from warmer.model.time_limit import interruptible

_THEOREMS = "a theorem (bounds.arms_dimension, linear_dimension_bound, glm_dimension_bound, relu_dimension_bound)"
_MOST_RANK = 16  # rank beyond which a certain rank is not worth its time


@interruptible()
def dissimilarity_dimension(
    problem: Problem | InnerProducts,
    *,
    alpha: Any,
    epsilon: Any,
    monotone: bool = False,
    sided: Literal["one", "two"] = "one",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the dissimilarity dimension $d_\rho(Z,\alpha,\epsilon)$ (Definition 1).

    It is the largest d for which there are $z_1,\dots,z_d$ with $\rho(z_i|z_i)\ge\alpha$ and a center
    $c\le\alpha-\epsilon$ such that $|\rho(z_i|z_j)-c|\le\epsilon/\sqrt d$ for all $i<j$. The alternatives are the
    diagonal of a square problem, and all pairs of an action and a function of a bandit table; forbidden queries take no
    part. Where the table is rational every comparison is exact.

    Parameters
    ----------
    problem
        A finite table; or a sphere or a ball of vectors, where sequences are searched numerically and the upper end is
        a theorem, which holds for the monotone dimension too.
    alpha, epsilon
        Numbers, or strings such as "5/4". Where the table is rational a float stands for the simplest fraction that
        rounds to it: 0.3 is 3/10.
    monotone
        Bracket $\bar d_\rho=\max_{\epsilon'\ge\epsilon}d_\rho(Z,\alpha,\epsilon')$; the witness carries its
        $\epsilon'$.
    sided
        "one" is the definition; "two" constrains every pair $i\ne j$.
    time_limit
        Seconds of search after which the bracket reached so far is returned; Ctrl-C does the same.
    progress
        Called with the lower and the upper end whenever they may have moved.

    Examples
    --------
    >>> square = Problem.from_similarity([[1, 0, -1, 0], [0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1]])
    >>> [dissimilarity_dimension(square, alpha=1, epsilon=e).value for e in ("1/2", 1, 2, "5/2")]
    [2, 4, 4, 2]
    >>> bracket = dissimilarity_dimension(square, alpha=1, epsilon="1/2", monotone=True)
    >>> bracket.value, bracket.witness.epsilon
    (4, Fraction(1, 1))
    """
    if sided not in ("one", "two"):
        raise InvalidValueError(f'sided must be "one" or "two", got {sided!r}.')
    is_two_sided = sided == "two"
    if isinstance(problem, InnerProducts) and problem.unit_vectors is not None:
        kind, n = problem.unit_vectors, problem.n
        if is_two_sided and kind == "ball":  # the table of a sphere is symmetric
            raise InvalidValueError(
                f'sided="two" is searched in finite tables; for {problem!r} use '
                "bounds.two_sided_linear_dimension_bound, which is 2n+1 at every alpha."
            )
        return search_vectors(kind, n, alpha=alpha, epsilon=epsilon, time_limit=time_limit, progress=progress)
    problem = require_table(problem, "the dissimilarity dimension", instead=_THEOREMS)
    search = Anytime(time_limit, progress, upper=problem.n_targets, reason="all alternatives used")
    return table_dimension(problem, search, alpha, epsilon, is_monotone=monotone, is_two_sided=is_two_sided)


def table_dimension(
    problem: Problem,
    search: Anytime,
    alpha: Any,
    epsilon: Any,
    *,
    is_monotone: bool,
    is_two_sided: bool = False,
    more_than: int = 1,
) -> Bracket:
    """Bracket the dimension of a finite table, as far as it is `more_than` a number; below it only the upper end."""
    alpha, epsilon = as_number("alpha", alpha), as_number("epsilon", epsilon)
    check_positive("epsilon", epsilon)
    table = window_table(problem, alpha, is_two_sided=is_two_sided)
    if len(table.targets) == 0:
        return Bracket(lower=0, upper=0, witness=None, reason="no alternative reaches alpha")
    search.rehearse(dissimilarity_dimension, problem, is_symmetric=table.is_symmetric, alpha=1, epsilon=1)
    table = search.prepare(table.sorted) or table
    within = sequences(table)
    search.upper, search.reason = _upper_bound(problem, table, within)
    tolerance = make_tolerance(problem, alpha, epsilon, is_monotone=is_monotone)
    elements = Sweep(table, tolerance, within, search, more_than=more_than).run()
    ends = table.ends(elements) if len(elements) > 1 else (None, None)
    return search.bracket(make_witness(tolerance, *table.named(elements), *ends, is_two_sided=is_two_sided))


def _upper_bound(problem: Problem, table: WindowTable, within: Sequences) -> tuple[int, str]:
    """What is known before any search: how many alternatives there are, and the rank of a symmetric table."""
    if problem.rational is not None and table.is_symmetric:
        limit = min((within.size - 2) // 2, _MOST_RANK)  # 2 rank + 1 < size
        rank = rank_at_most(table.table, limit) if limit >= 1 else None
        if rank is not None:
            return 2 * rank + 1, "rank bound 2*rank+1"
    noun = "alternatives" if table.is_square else "actions" if within.size == len(table.queries) else "functions"
    return within.size, f"all {noun} used"
