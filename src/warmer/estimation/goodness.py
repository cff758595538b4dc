r"""Does any candidate explain the rewards at all? A test that no relative comparison of losses can make.

Under a fixed target $z$ the residuals $r_i-\rho(z_i|z)$ have mean zero given the past. For a query answered $n$ times
with residuals that sum to $S$, mixing $\exp(\lambda S-\lambda^2\sigma^2 n/2)$ over $\lambda\sim N(0,1/\sigma^2)$ gives
$(1+n)^{-1/2}\exp\bigl(S^2/(2\sigma^2(1+n))\bigr)$, a supermartingale that starts at 1 for $\sigma$-sub-Gaussian noise.
An answer changes one query's factor only, so the product over queries is a supermartingale too, however the queries
are chosen. By Ville's inequality the truth's product ever exceeds $1/\delta$ with probability at most $\delta$; so when
*every* candidate's does, no candidate is the truth, with no union bound to pay.
"""

import numpy as np

from warmer.model import Array, Problem

__all__ = ["misfit"]


def misfit(problem: Problem, counts: Array, means: Array, *, sigma: float) -> Array:
    r"""Log of the evidence against each target alone: above $\ln(1/\delta)$, the data reject it.

    Parameters
    ----------
    problem
        The table.
    counts, means
        For each query how often it was answered and the mean answer (ignored where the count is 0).
    sigma
        The noise is sigma-sub-Gaussian.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 1.0]])
    >>> misfit(table, np.array([100]), np.array([0.0]), sigma=0.5).round(1).tolist()
    [-2.3, 195.7]
    """
    evidence = np.zeros(problem.n_targets)
    for query in np.flatnonzero(counts):
        n = float(counts[query])
        residual_sums = n * (means[query] - problem.rho[query].astype(np.float64))
        evidence += residual_sums**2 / (2 * sigma**2 * (1 + n)) - np.log1p(n) / 2
    return evidence
