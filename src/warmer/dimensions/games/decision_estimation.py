r"""The offset decision-estimation coefficient: the price of regret in information."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from warmer.dimensions.bracket import check_places, require_table
from warmer.dimensions.games.matrix_games import Value, check_distribution, check_ends, check_float, check_rows, solve
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model import Array, Problem
from warmer.model.checks import at_least, at_most
from warmer.model.errors import CertificateError
from warmer.model.numbers import check_scale
from warmer.model.time_limit import Clock, interruptible


@dataclass(frozen=True, eq=False, repr=False)
class DecisionEstimation(Value):
    r"""The offset decision-estimation coefficient between two proven ends.

    Against reference number `reference` and the `prior` over targets, every distribution over queries pays at least
    `lower`; against reference k the k-th row of `distributions` pays at most `upper`, whatever the target is.
    """

    reference: int
    prior: Array
    distributions: Array
    gamma: float

    def check(self, problem: Problem) -> float:
        """Recompute both ends from the distributions; return how far they are apart."""
        lower, upper = check_ends(self.lower, self.upper)
        gamma = check_float("gamma", self.gamma)
        if not gamma > 0:
            raise CertificateError(f"gamma must be greater than 0, got {gamma:g}.")
        (reference,) = check_places("target", (self.reference,), problem.n_targets)
        prior = check_distribution("the prior over targets", self.prior, problem.n_targets)
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is no number, and fails
            least = float((prior @ _losses(problem, reference, gamma)).min())
            if not at_least(least, lower):
                raise CertificateError(f"the prior only forces a loss of {least:.6g}, less than {lower:.6g}.")
            for each, distribution in enumerate(check_rows(self.distributions, problem)):
                losses = _losses(problem, each, gamma) @ distribution[problem.legal_queries]
                worst = int(losses.argmax())
                if not at_most(losses[worst], upper):
                    raise CertificateError(
                        f"for reference {problem.targets[each]!r} target {problem.targets[worst]!r} costs "
                        f"{losses[worst]:.6g}, more than {upper:.6g}."
                    )
        return upper - lower


@interruptible()
def decision_estimation_coefficient(
    problem: Problem,
    *,
    gamma: Any,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> DecisionEstimation:
    r"""The offset decision-estimation coefficient with a proper reference, square loss.

    $\max_{\bar f\in\mathcal F}\min_p\max_{f\in\mathcal F}\sum_a p_a[f^*-f(a)-\gamma(f(a)-\bar f(a))^2]$, one linear
    program a reference; references that an earlier distribution already settles are not solved. It is not in the
    paper.

    Parameters
    ----------
    gamma
        The price of information, greater than 0.
    time_limit
        Seconds after which the references not yet solved keep the bound of their own best query.
    progress
        Called with the two ends whenever one of them moves.

    Examples
    --------
    >>> grid = Problem.from_table([[0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1], [0, 0.5, 1, 0, 0.5, 1, 0, 0.5, 1]])
    >>> round(decision_estimation_coefficient(grid, gamma=4).value, 6)
    0.05
    """
    require_table(problem, "the decision-estimation coefficient")
    gamma = float(check_scale("gamma", gamma))
    search, legal = Anytime(time_limit, progress), problem.legal_queries
    columns = np.asarray(problem.rho[legal], dtype=float)
    distributions = np.zeros((problem.n_targets, legal.size))
    # a point mass on a reference's own best query is feasible, so it already bounds that reference from above
    regrets = columns.max(axis=0) - columns
    own = columns.argmax(axis=0)
    uppers = regrets.max(axis=1)[own]
    distributions[np.arange(problem.n_targets), own] = 1.0
    search.prepare(partial(_lower_to_losses, uppers, own, columns, regrets, gamma))
    hardest = int(uppers.argmax())
    search.found = hardest, np.full(problem.n_targets, 1 / problem.n_targets)
    search.lower = float((search.found[1] @ _losses(problem, hardest, gamma)).min())
    search.move(upper=float(uppers.max()))
    with search.running():
        for k in np.argsort(-uppers, kind="stable"):
            if search.lower >= uppers[k]:
                break
            losses = _losses(problem, int(k), gamma)
            game = solve(losses, search.clock)
            pay, least = float((losses @ game.columns).max()), float((game.rows @ losses).min())
            if pay < uppers[k]:
                distributions[k], uppers[k] = game.columns, pay
            if least > search.lower:
                search.found = int(k), game.rows
            search.move(lower=least, upper=float(uppers.max()))
    full = np.zeros((problem.n_targets, problem.n_queries))
    full[:, legal] = distributions
    upper = max(float(uppers.max()), search.lower)
    reference, prior = search.found
    return DecisionEstimation(search.lower, upper, reference, prior, full, gamma)


def _lower_to_losses(uppers: Array, own: Array, columns: Array, regrets: Array, gamma: float, clock: Clock) -> None:
    """What each reference's own best query loses at most, as far as there is time."""
    for block in clock.blocks(len(own), len(own)):
        for k, query in enumerate(own[block].tolist(), block.start):
            uppers[k] = (regrets[query] - gamma * (columns[query] - columns[query, k]) ** 2).max()


def _losses(problem: Problem, reference: int, gamma: float) -> Array:
    """For each target (row) and allowed query (column), regret less the price of what the query tells."""
    columns = np.asarray(problem.rho[problem.legal_queries], dtype=float)
    regrets = columns.max(axis=0) - columns
    return np.asarray((regrets - gamma * (columns - columns[:, [reference]]) ** 2).T)
