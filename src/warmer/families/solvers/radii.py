"""How large the ellipsoid of a linear class is: a number, or a bound that grows with what has been observed."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol

from warmer.bounds.radii import self_normalised_radius, smooth_radius
from warmer.model.errors import HypothesisError


def check_own_delta(own: float, delta: float) -> None:
    """Raise where a confidence set may lose the truth with more than the probability that a promise may fail with."""
    if own > delta:
        raise HypothesisError(
            f"the confidence set may lose the truth with probability {own:g}, and the promise may fail with {delta:g} "
            "only. Give the learner a delta no larger than that."
        )


class Radius(Protocol):
    """A radius that may depend on how much the observed vectors determine."""

    def at(self, n_answers: int, log_det_ratio: float) -> float:
        r"""The radius after so many answers, when $\ln(\det V_t/\det\lambda I)$ has this value."""

    def most(self, horizon: int) -> float:
        """No radius up to the horizon is larger."""


@dataclass(frozen=True)
class FixedRadius:
    """The same radius at all times."""

    radius: float

    def at(self, n_answers: int, log_det_ratio: float) -> float:
        """The radius."""
        return self.radius

    def most(self, horizon: int) -> float:
        """The radius."""
        return self.radius


@dataclass(frozen=True)
class SelfNormalised:
    """The bound of Abbasi-Yadkori, Pál and Szepesvári (2011): the truth is inside at all times."""

    family: Any
    _: KW_ONLY
    delta: float
    sigma: float

    def at(self, n_answers: int, log_det_ratio: float) -> float:
        """The radius now."""
        ridge, norm = self.family.ridge, self.family.norm
        return self_normalised_radius(
            log_det_ratio=log_det_ratio, delta=self.delta, sigma=self.sigma, ridge=ridge, norm=norm
        )

    def most(self, horizon: int) -> float:
        """It grows with what is observed, without a bound; `ellipsoid_error_budget` has one."""
        return math.inf


@dataclass(frozen=True)
class Smooth:
    r"""The bound of `smooth_radius` for classes that are Lipschitz in a parameter, times a factor, plus a margin.

    It is rigorous where the fit has found a global minimiser of the loss. Single residuals are bounded by the length of
    the reward range.
    """

    family: Any
    _: KW_ONLY
    delta: float
    sigma: float
    factor: float = 1.0
    margin: float = 0.0

    def at(self, n_answers: int, log_det_ratio: float = 0.0) -> float:
        """The radius now."""
        radius = smooth_radius(
            n_answers=n_answers,
            loss=n_answers * (2 * self.family.scale) ** 2,
            dimension=self.family.targets.n,
            lipschitz=self.family.lipschitz,
            norm=self.family.norm,
            delta=self.delta,
            sigma=self.sigma,
        )
        return self.factor * radius + self.margin

    def most(self, horizon: int) -> float:
        """The largest radius up to the horizon, stretched like the others."""
        return self.factor * self.center(horizon) + self.margin

    def center(self, horizon: int) -> float:
        r"""How far the least-squares target may be from the truth, at any time up to the horizon.

        With $D=2\ell S$ the terms of `smooth_radius` are bounded by their suprema: $\ln(1/\eta)\le\ln(1+T)$,
        $t\Delta^2=D^2t/(1+t)^2\le D^2/4$, and $2\Delta\sqrt{tL_t}\le4sD$, as residuals are at most $2s$.
        """
        spread = 2 * self.family.lipschitz * self.family.norm
        log_mass = math.log(1 / self.delta) + self.family.targets.n * math.log1p(horizon)
        inside = 8 * self.sigma**2 * log_mass + 2 * (4 * self.family.scale * spread + spread**2 / 4)
        return float((math.sqrt(inside) + spread / 2) ** 2)
