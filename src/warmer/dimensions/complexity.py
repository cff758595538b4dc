"""All measures of one problem, side by side."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from warmer.dimensions.bracket import Bracket, require_table
from warmer.dimensions.covering import covering_number
from warmer.dimensions.dissimilarity.dimension import dissimilarity_dimension
from warmer.dimensions.dissimilarity.profile import Profile
from warmer.dimensions.eluder.dimension import eluder_dimension
from warmer.dimensions.games.decision_estimation import DecisionEstimation, decision_estimation_coefficient
from warmer.dimensions.games.fractional_covering import FractionalCover, fractional_covering_number
from warmer.dimensions.strong_sq import strong_sq_dimension
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_fraction, as_number, check_scale
from warmer.model.time_limit import Clock, interruptible

_BRACKETS = {
    "dissimilarity": "dissimilarity dimension",
    "monotone_dissimilarity": "monotone dissimilarity dimension",
    "eluder": "eluder dimension",
    "monotone_eluder": "monotone eluder dimension",
    "strong_sq": "strong SQ dimension",
    "covering": "covering number",
}
_COVER, _COEFFICIENT = "fractional covering number", "decision-estimation coefficient"


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
    decision_estimation: DecisionEstimation | None = None

    def __repr__(self) -> str:
        values = "; ".join(f"{row.measure} {row.value}" for row in self.rows())
        return f"Complexity(alpha={self.alpha}, epsilon={self.epsilon}: {values})"

    @property
    def brackets(self) -> dict[str, Bracket]:
        """The measures that are whole numbers, by name."""
        found = {name: getattr(self, field) for field, name in _BRACKETS.items()}
        return {name: bracket for name, bracket in found.items() if bracket is not None}

    @property
    def games(self) -> dict[str, FractionalCover | DecisionEstimation]:
        """The measures that are values of games, by name."""
        found: dict[str, FractionalCover | DecisionEstimation] = {_COVER: self.fractional_covering}
        if self.decision_estimation is not None:
            found[f"decision-estimation at gamma={self.decision_estimation.gamma:g}"] = self.decision_estimation
        return found

    def rows(self) -> list[Row]:
        """A row for each measure that was computed."""
        rows = [Row(name, _words(found), found.reason) for name, found in self.brackets.items()]
        for name, game in self.games.items():
            rows.append(Row(name, _words(game), "linear program" if game.is_exact else "stopped early"))
        return rows

    def table(self) -> str:
        """The rows as plain text."""
        rows = [Row("measure", "value", "reason"), *self.rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(2)]
        return "\n".join(f"{row.measure:<{widths[0]}}  {row.value:<{widths[1]}}  {row.reason}" for row in rows)


@interruptible()
def complexity(
    problem: Problem,
    *,
    alpha: Any,
    epsilon: Any,
    gamma: Any = None,
    profile: Profile | None = None,
    time_limit: float | None = None,
    progress: Callable[[str], Any] | None = None,
) -> Complexity:
    r"""Compute every measure of a problem at one $\alpha$ and $\epsilon$.

    The strong SQ dimension only where the problem is symmetric, the decision-estimation coefficient only where a
    `gamma` is given; the covering numbers are those at radius, and at gap, $\epsilon$.

    Parameters
    ----------
    alpha, epsilon
        The optimality level and the scale. For rational tables a float is the simplest fraction that rounds to it.
    gamma
        The price of information of the decision-estimation coefficient.
    profile
        The `dissimilarity_profile` of this problem at this alpha, where it is known already: both dissimilarity
        dimensions are then read off it, and not searched again.
    time_limit
        Seconds of search in all; each measure has the same share of what is left. Ctrl-C ends all of them with what is
        known.
    progress
        Called with the name of each measure before it is computed.

    Examples
    --------
    >>> needles = Problem.from_table([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> print(complexity(needles, alpha=1, epsilon=0.5).table())
    measure                           value  reason
    dissimilarity dimension           3      all actions used
    monotone dissimilarity dimension  3      all actions used
    eluder dimension                  2      exhausted search
    monotone eluder dimension         2      exhausted search
    covering number                   3      packing and cover have equal size
    fractional covering number        3      linear program
    """
    require_table(problem, "the complexity", instead="dissimilarity_dimension or a theorem of warmer.bounds")
    epsilon, alpha = check_scale("epsilon", epsilon), as_number("alpha", alpha)
    if problem.rational is None:
        alpha = float(alpha)
    else:
        epsilon = as_fraction(epsilon)
    dissimilarity = partial(dissimilarity_dimension, alpha=alpha) if profile is None else _read_off(profile, alpha)
    measures: dict[str, Callable[..., Any]] = {
        "dissimilarity": partial(dissimilarity, epsilon=epsilon),
        "monotone_dissimilarity": partial(dissimilarity, epsilon=epsilon, monotone=True),
        "eluder": partial(eluder_dimension, epsilon=epsilon),
        "monotone_eluder": partial(eluder_dimension, epsilon=epsilon, monotone=True),
        "strong_sq": partial(_strong_sq, epsilon=epsilon),
        "covering": partial(covering_number, epsilon=epsilon),
        "fractional_covering": partial(fractional_covering_number, gap=epsilon),
    }
    if gamma is not None:
        measures["decision_estimation"] = partial(decision_estimation_coefficient, gamma=gamma)
    names = _BRACKETS | {"fractional_covering": _COVER, "decision_estimation": _COEFFICIENT}
    clock, found = Clock(time_limit), dict[str, Any]()
    for field, measure in measures.items():
        if progress is not None:
            progress(names[field])
        found[field] = measure(problem, time_limit=clock.share(1 / (len(measures) - len(found))))
    for field in (
        "dissimilarity",
        "eluder",
    ):  # a time limit may leave less of a monotone dimension than of the plain one
        plain, monotone = found[field], found[f"monotone_{field}"]
        if monotone.lower < plain.lower:
            found[f"monotone_{field}"] = replace(monotone, lower=plain.lower, witness=plain.witness)
    return Complexity(alpha=alpha, epsilon=epsilon, **found)


def _read_off(profile: Profile, alpha: Any) -> Callable[..., Bracket]:
    """The dissimilarity dimension of the profile's problem, without a search."""
    if as_fraction(profile.alpha) != as_fraction(alpha):
        raise InvalidValueError(f"the profile is at alpha = {profile.alpha}, the measures are at {alpha}.")
    return lambda problem, *, time_limit, **options: profile.bracket(**options)


def _strong_sq(problem: Problem, *, epsilon: Any, time_limit: float | None) -> Bracket | None:
    try:
        return strong_sq_dimension(problem, epsilon=epsilon, time_limit=time_limit)
    except InvalidValueError:  # not symmetric, or no correlations
        return None


def _words(found: Bracket | FractionalCover | DecisionEstimation) -> str:
    ends = (found.value,) if found.is_exact else (found.lower, found.upper)
    words = [f"{end:.6g}" if isinstance(end, float) else f"{end}" for end in ends]
    return words[0] if found.is_exact else f"between {words[0]} and {words[1]}"
