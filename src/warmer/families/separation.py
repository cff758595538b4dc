r"""The class $\mathcal F_{N,\epsilon}$ of Section 5 on the whole circle: linear on one half, odd on the other."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.families.continuous import ContinuousFamily, EqualFit
from warmer.families.solvers.answers import Answers
from warmer.families.solvers.circle import TURN, least_on_arcs, square_terms
from warmer.model import Array
from warmer.model.checks import check_alpha, check_count, check_finite
from warmer.model.errors import HypothesisError, InvalidValueError

_OUTSIDE = ((np.pi / 2, 3 * np.pi / 2), (np.pi, TURN))
"""The closed semicircles where functions are linear: outside of x > 0, and outside of y > 0."""


class SeparationTarget(NamedTuple):
    r"""A function of the class: $\cos(x-v)$ outside the semicircle, 0 inside, $\pm\epsilon$ at N points of it.

    semicircle is 0 ($x>0$) or 1 ($y>0$); angle is that of v, outside it; bumps are pairs (angle, +1 or -1) inside it.
    """

    semicircle: int
    angle: float
    bumps: tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Separation(ContinuousFamily):
    r"""$\mathcal F_{N,\epsilon}$ on all angles of the circle: small dissimilarity dimension, infinite eluder dimension.

    Queries are angles, as vectors of one number in $[0,2\pi)$; targets are `SeparationTarget` functions. Every
    function is worth 1 at its own v, so that any alpha up to 1 rules nothing out, and `Optimistic` asks what
    `LeastSquares` asks. The fit is exact to rounding: for each semicircle the N bumps go where they save most, and
    the angle of v minimises a trigonometric polynomial of degree 2 on an arc.

    With exact answers the bound on the regret does not depend on N. With noise no such bound is known: the paper's
    would need a finite cover, and the class has none, so there is no `"paper"` radius.

    Parameters
    ----------
    n_bumps
        N.
    epsilon
        The height of the bumps, in (0, 1].

    Examples
    --------
    >>> family = Separation(1, epsilon=0.25)
    >>> truth = SeparationTarget(0, np.pi, ((0.5, 1.0),))
    >>> family.evaluate(np.array([[np.pi], [0.5], [0.25]]), truth).tolist()
    [1.0, 0.25, 0.0]
    """

    n_bumps: int = 1
    _: KW_ONLY
    epsilon: float = 0.25

    def __post_init__(self) -> None:
        check_count("n_bumps", self.n_bumps)
        if not 0 < check_finite("epsilon", self.epsilon) <= 1:
            raise InvalidValueError(f"epsilon must lie in (0, 1], got {self.epsilon}.")
        super().__post_init__()

    @cached_property
    def queries(self) -> "Angles":
        """Angles."""
        return Angles()

    @cached_property
    def targets(self) -> "SeparationTargets":
        """Functions of the class."""
        return SeparationTargets(self.n_bumps)

    @property
    def query_shape(self) -> tuple[int, ...]:
        """A query is a vector of one number."""
        return (1,)

    def evaluate(self, query: Any, target: SeparationTarget) -> Any:
        """The function at an angle, or at an array of them."""
        angles = np.asarray(query)[..., 0]
        values = np.where(is_inside(angles, target.semicircle), 0.0, np.cos(angles - target.angle))
        for angle, sign in target.bumps:
            values = np.where(angles == angle, sign * self.epsilon, values)
        return values

    def best_query(self, target: SeparationTarget) -> Array:
        """The angle of v."""
        return np.array([target.angle])

    def log_cover(self, width: float) -> float:
        """There is none."""
        raise HypothesisError(
            "no error budget is known, as it would need a finite cover, and this class has none: no two of its "
            'functions with different bumps are close. Use radius="anytime" or a number, and give your own budget.'
        )

    def fit(self) -> "SeparationFit":
        """Least squares over the class."""
        return SeparationFit(self)

    def __repr__(self) -> str:
        return f"Separation({self.n_bumps}, epsilon={self.epsilon:g})"


def is_inside(angles: Any, semicircle: int) -> Any:
    """Whether angles in [0, 2 pi) lie in the open semicircle."""
    low, high = _OUTSIDE[semicircle]
    return (angles < low) | (angles > high) if semicircle == 0 else (angles > 0) & (angles < low)


class Angles:
    """Angles as vectors of one number in [0, 2 pi)."""

    def position(self, label: Any) -> Array:
        """The angle, reduced to one turn."""
        array = np.asarray(label)
        angle = check_finite("an angle", array.item() if array.size == 1 else label) % TURN
        return np.array([0.0 if angle >= TURN else angle])

    def __getitem__(self, position: Any) -> Array:
        return np.array(position, dtype=float)


@dataclass(frozen=True)
class SeparationTargets:
    """Functions that name themselves, checked against the definition of the class."""

    n_bumps: int

    def position(self, label: Any) -> SeparationTarget:
        """The function."""
        try:
            semicircle, angle, bumps = label
            target = SeparationTarget(
                int(semicircle), float(angle) % TURN, tuple((float(a) % TURN, float(s)) for a, s in bumps)
            )
        except (TypeError, ValueError):
            raise InvalidValueError(
                "a target must be a SeparationTarget(semicircle, angle, bumps), with bumps as pairs (angle, sign), "
                f"got {label!r}."
            ) from None
        if target.semicircle not in (0, 1) or is_inside(target.angle, target.semicircle):
            raise InvalidValueError(f"a target needs a semicircle, 0 or 1, and an angle outside it, got {label!r}.")
        places = {angle for angle, _ in target.bumps}
        is_legal = all(is_inside(angle, target.semicircle) and sign in (-1, 1) for angle, sign in target.bumps)
        if len(places) != self.n_bumps or len(target.bumps) != self.n_bumps or not is_legal:
            raise InvalidValueError(
                f"a target needs {self.n_bumps} bumps at distinct angles inside its semicircle, each +1 or -1, "
                f"got {target.bumps!r}."
            )
        return target

    def __getitem__(self, position: Any) -> SeparationTarget:
        return SeparationTarget(*position)


class AnglesSeen(NamedTuple):
    """The answers to each angle; for each semicircle the squares outside it, as coefficients."""

    seen: Answers
    squares: Array


@dataclass(frozen=True, eq=False)
class SeparationFit(EqualFit[AnglesSeen]):
    """Least squares over both semicircles, all angles of v and all places of the bumps.

    All self-evaluations are 1, so that every ball is its center.
    """

    family: Separation

    def start(self, alpha: float | None = None) -> AnglesSeen:
        """Nothing observed."""
        check_alpha(alpha, 1.0)
        return AnglesSeen(Answers(), np.zeros((2, 5)))

    def update(self, state: AnglesSeen, query: Array, reward: float, count: int = 1) -> AnglesSeen:
        """One more answer, in the memory of the given state."""
        angle = float(query[0])
        state.seen.add(query, reward, count)
        terms = square_terms(angle, lengths=1.0, levels=reward, counts=count)
        terms[0] -= count * reward**2  # what all functions share
        for semicircle in (0, 1):
            if not is_inside(angle, semicircle):
                state.squares[semicircle] += terms
        return state

    def estimate(self, state: AnglesSeen) -> SeparationTarget:
        """The function with the least loss; ties go to the semicircle 0 and the lowest angle."""
        fitted = [self._fitted(state, semicircle) for semicircle in (0, 1)]
        (loss, first), (other_loss, second) = fitted
        return second if other_loss < loss - 1e-12 * (1 + abs(loss)) else first

    def _fitted(self, state: AnglesSeen, semicircle: int) -> tuple[float, SeparationTarget]:
        low, high = _OUTSIDE[semicircle]
        angle, loss = least_on_arcs(state.squares[[semicircle]], np.array([low]), np.array([high]))
        gains = [
            (2 * self.family.epsilon * abs(total) - n * self.family.epsilon**2, place, 1.0 if total > 0 else -1.0)
            for (place,), (n, total) in state.seen.items()
            if is_inside(place, semicircle)
        ]
        worth = sorted((gain for gain in gains if gain[0] > 0), key=lambda gain: (-gain[0], gain[1]))
        chosen = worth[: self.family.n_bumps]
        bumps = [(place, sign) for _, place, sign in chosen]
        bumps += self._elsewhere(state, semicircle, self.family.n_bumps - len(bumps))
        reduced = 0.0 if angle >= TURN else angle
        return loss - sum(gain for gain, _, _ in chosen), SeparationTarget(semicircle, reduced, tuple(bumps))

    def _elsewhere(self, state: AnglesSeen, semicircle: int, n_bumps: int) -> list[tuple[float, float]]:
        """Bumps that no answer has met."""
        grid = (np.arange(1, n_bumps + len(state.seen) + 1)) / (n_bumps + len(state.seen) + 1) * np.pi
        places = np.mod(grid + (-np.pi / 2 if semicircle == 0 else 0.0), TURN)
        return [(float(place), 1.0) for place in places if (float(place),) not in state.seen][:n_bumps]
