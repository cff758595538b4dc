r"""The fractional covering number: how many blind guesses find a near-best query."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.dimensions.bracket import check_number, require_table, shown
from warmer.dimensions.dissimilarity.window_table import ceiling, comparable
from warmer.dimensions.games.matrix_games import Value, check_distribution, check_ends, check_queries, even, solve
from warmer.dimensions.search.anytime import Anytime
from warmer.model import Array, Problem
from warmer.model.checks import at_least, at_most
from warmer.model.errors import CertificateError, InvalidValueError
from warmer.model.numbers import as_number
from warmer.model.time_limit import interruptible


@dataclass(frozen=True, eq=False, repr=False)
class FractionalCover(Value):
    r"""The fractional covering number between two proven ends.

    A query drawn from `distribution` is within `gap` of any target's best with probability at least $1/$`upper`; if
    the target is drawn from `prior`, no query is within `gap` of its best with probability more than $1/$`lower`.
    Both arrays run over all queries and all targets of the problem.
    """

    distribution: Array
    prior: Array
    gap: Any

    def check(self, problem: Problem) -> float:
        """Recompute both ends from the two distributions; return how far they are apart."""
        lower, upper = check_ends(self.lower, self.upper)
        gap = check_number("gap", self.gap, problem)
        if not gap >= 0:
            raise CertificateError(f"gap must be at least 0, got {shown(gap)}.")
        distribution = check_queries("the distribution over queries", self.distribution, problem)
        prior = check_distribution("the prior over targets", self.prior, problem.n_targets)
        good = _good_queries(problem, gap)
        success = good @ distribution
        worst = int(success.argmin())
        if not at_least(success[worst] * upper, 1.0):
            raise CertificateError(
                f"for target {problem.targets[worst]!r} the distribution succeeds with probability "
                f"{success[worst]:.6g}, less than 1/{upper:.6g}."
            )
        mass = prior @ good
        best = int(mass.argmax())
        if not at_most(mass[best] * lower, 1.0):
            raise CertificateError(
                f"under the prior query {problem.queries[best]!r} succeeds with probability "
                f"{mass[best]:.6g}, more than 1/{lower:.6g}."
            )
        return upper - lower


@interruptible()
def fractional_covering_number(problem: Problem, *, gap: Any, time_limit: float | None = None) -> FractionalCover:
    r"""How many blind guesses find a near-best query: $1/\max_p\min_f p(a: f^*-f(a)\le\mathrm{gap})$.

    Here $f^*$ is the best value of target $f$ over the queries that may be asked. This is the fractional covering
    number (or decision dimension) of arXiv:2410.05117, one linear program; it is not in the paper. Where a time limit
    or Ctrl-C ends it early, the two ends are those of even distributions.

    Examples
    --------
    >>> needles = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> round(fractional_covering_number(needles, gap=0.5).value, 6)
    3.0
    """
    require_table(problem, "the fractional covering number")
    if as_number("gap", gap) < 0:
        raise InvalidValueError(f"gap must be at least 0, got {gap}.")
    search = Anytime(time_limit)
    good = _good_queries(problem, gap)
    losses = -good[:, problem.legal_queries]  # the least probability of success, over the targets, is to be large
    game = even(losses)
    with search.running():
        game = solve(losses, search.clock)
    distribution = np.zeros(problem.n_queries)
    distribution[problem.legal_queries] = game.columns
    success, mass = (good @ distribution).min(), (game.rows @ good).max()
    return FractionalCover(1 / float(mass), 1 / float(success), distribution, game.rows, gap)


def _good_queries(problem: Problem, gap: Any) -> Array:
    """For each target 1 at the allowed queries within the gap of its best, else 0."""
    legal = problem.legal_queries
    entries = comparable(problem)[legal].T
    is_good = entries.max(axis=1, keepdims=True) - entries <= ceiling(problem, gap)
    good = np.zeros((problem.n_targets, problem.n_queries))
    good[:, legal] = is_good
    return good
