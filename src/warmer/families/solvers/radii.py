"""How large the ellipsoid of a linear class is: a number, or a bound that grows with what has been observed."""

from dataclasses import KW_ONLY, dataclass
from typing import Protocol

from warmer.bounds.radii import self_normalised_radius, smooth_radius
from warmer.model.checks import check_positive, check_probability

__all__ = ["FixedRadius", "Radius", "SelfNormalised", "Smooth"]


class Radius(Protocol):
    """A radius that may depend on how much the observed vectors determine."""

    def at(self, n_answers: int, log_det_ratio: float) -> float:
        r"""The radius after so many answers, when $\ln(\det V_t/\det\lambda I)$ has this value."""
        ...


@dataclass(frozen=True)
class FixedRadius:
    """The same radius at all times."""

    radius: float

    def at(self, n_answers: int, log_det_ratio: float) -> float:
        """The radius."""
        return self.radius


@dataclass(frozen=True)
class SelfNormalised:
    """The bound of Abbasi-Yadkori, Pál and Szepesvári (2011): the truth is inside at all times."""

    _: KW_ONLY
    delta: float
    sigma: float
    ridge: float
    norm: float

    def __post_init__(self) -> None:
        check_probability("delta", self.delta)
        check_positive("sigma", self.sigma)

    def at(self, n_answers: int, log_det_ratio: float) -> float:
        """The radius now."""
        return self_normalised_radius(
            log_det_ratio=log_det_ratio, delta=self.delta, sigma=self.sigma, ridge=self.ridge, norm=self.norm
        )


@dataclass(frozen=True)
class Smooth:
    r"""The bound of `smooth_radius` for classes that are Lipschitz in a parameter, times a factor, plus a margin.

    It is rigorous where the fit has found a global minimiser of the loss. Single residuals are bounded by the length of
    the reward range.
    """

    _: KW_ONLY
    dimension: int
    lipschitz: float
    norm: float
    scale: float
    delta: float
    sigma: float
    factor: float = 1.0
    margin: float = 0.0

    def __post_init__(self) -> None:
        check_probability("delta", self.delta)
        check_positive("sigma", self.sigma)

    def at(self, n_answers: int, log_det_ratio: float = 0.0) -> float:
        """The radius now."""
        radius = smooth_radius(
            n_answers=n_answers,
            loss=n_answers * (2 * self.scale) ** 2,
            dimension=self.dimension,
            lipschitz=self.lipschitz,
            norm=self.norm,
            delta=self.delta,
            sigma=self.sigma,
        )
        return self.factor * radius + self.margin
