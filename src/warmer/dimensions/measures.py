"""All measures of one problem, side by side."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from warmer.dimensions.bracket import Bracket
from warmer.dimensions.covering import covering_number
from warmer.dimensions.dissimilarity import dissimilarity_dimension
from warmer.dimensions.eluder import eluder_dimension
from warmer.dimensions.linear_programs import (
    DecisionEstimation,
    FractionalCover,
    decision_estimation_coefficient,
    fractional_covering_number,
)
from warmer.dimensions.rationals import as_fraction, check_scale
from warmer.dimensions.strong_sq import check_symmetric, strong_sq_dimension
from warmer.model import InvalidValueError, Problem, check_finite, check_positive

__all__ = ["Complexity", "Row", "complexity"]


class Row(NamedTuple):
    """One measure: its name, its value in words, and why that is its value."""

    measure: str
    value: str
    reason: str


@dataclass(frozen=True, eq=False)
class Complexity:
    """The measures of a problem at one alpha and epsilon; `strong_sq` and `decision_estimation` where they apply."""

    alpha: Any
    epsilon: Any
    dissimilarity: Bracket
    monotone_dissimilarity: Bracket
    eluder: Bracket
    monotone_eluder: Bracket
    strong_sq: Bracket | None
    covering: Bracket
    fractional_covering: FractionalCover
    decision_estimation: DecisionEstimation | None

    def rows(self) -> list[Row]:
        """A row for each measure that was computed."""
        brackets = {
            "dissimilarity dimension": self.dissimilarity,
            "monotone dissimilarity dimension": self.monotone_dissimilarity,
            "eluder dimension": self.eluder,
            "monotone eluder dimension": self.monotone_eluder,
            "strong SQ dimension": self.strong_sq,
            "covering number": self.covering,
        }
        rows = [Row(name, _ends(found), found.reason) for name, found in brackets.items() if found is not None]
        rows.append(Row("fractional covering number", f"{self.fractional_covering.value:.6g}", "linear program"))
        if self.decision_estimation is not None:
            found = self.decision_estimation
            value = f"{found.value:.6g}" if found.is_exact else f"between {found.lower:.6g} and {found.upper:.6g}"
            rows.append(Row(f"decision-estimation at gamma={found.gamma:g}", value, "linear programs"))
        return rows

    def __rich__(self) -> Any:
        """The rows as a table for terminals that Rich draws."""
        from rich.table import Table

        table = Table("measure", "value", "why", title=f"alpha = {self.alpha}, epsilon = {self.epsilon}")
        for row in self.rows():
            table.add_row(*row)
        return table

    def table(self) -> str:
        """The rows as plain text."""
        rows = [Row("measure", "value", "reason"), *self.rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(2)]
        return "\n".join(f"{row.measure:<{widths[0]}}  {row.value:<{widths[1]}}  {row.reason}" for row in rows)


def complexity(
    problem: Problem, *, alpha: Any, epsilon: Any, gamma: Any = None, time_limit: float | None = None
) -> Complexity:
    r"""Compute every measure of a problem at one $\alpha$ and $\epsilon$.

    The strong SQ dimension only where the problem is symmetric, the decision-estimation coefficient only where a
    `gamma` is given; the covering numbers are those at radius, and at gap, $\epsilon$.

    Parameters
    ----------
    problem
        The table.
    alpha, epsilon
        The optimality level and the scale. For rational tables a float is the simplest fraction that rounds to it.
    gamma
        The price of information of the decision-estimation coefficient.
    time_limit
        Seconds of search in all, the same share for each measure.

    Examples
    --------
    >>> needles = Problem.from_table([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> print(complexity(needles, alpha=1, epsilon=0.5).table())
    measure                           value  reason
    dissimilarity dimension           3      size
    monotone dissimilarity dimension  3      size
    eluder dimension                  2      exhausted search
    monotone eluder dimension         2      exhausted search
    covering number                   3      a packing meets the cover
    fractional covering number        3      linear program
    """
    epsilon = check_scale("epsilon", epsilon)
    check_finite("alpha", as_fraction(alpha) if isinstance(alpha, str) else alpha)
    if problem.exact is not None:
        alpha, epsilon = as_fraction(alpha), as_fraction(epsilon)
    share = None if time_limit is None else check_positive("time_limit", time_limit) / (6 + (gamma is not None))
    return Complexity(
        alpha=alpha,
        epsilon=epsilon,
        dissimilarity=dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon, time_limit=share),
        monotone_dissimilarity=dissimilarity_dimension(
            problem, alpha=alpha, epsilon=epsilon, monotone=True, time_limit=share
        ),
        eluder=eluder_dimension(problem, epsilon=epsilon, time_limit=share),
        monotone_eluder=eluder_dimension(problem, epsilon=epsilon, monotone=True, time_limit=share),
        strong_sq=_strong_sq(problem, epsilon, share),
        covering=covering_number(problem, epsilon=epsilon, time_limit=share),
        fractional_covering=fractional_covering_number(problem, gap=epsilon),
        decision_estimation=None
        if gamma is None
        else decision_estimation_coefficient(problem, gamma=gamma, time_limit=share),
    )


def _strong_sq(problem: Problem, epsilon: Any, time_limit: float | None) -> Bracket | None:
    try:
        check_symmetric(problem, "the strong SQ dimension")
    except InvalidValueError:
        return None
    if problem.reward_range != (-1.0, 1.0):
        return None
    return strong_sq_dimension(problem, epsilon=epsilon, time_limit=time_limit)


def _ends(bracket: Bracket) -> str:
    return f"{bracket.value}" if bracket.is_exact else f"between {bracket.lower} and {bracket.upper}"
