"""How large the ellipsoid of a linear class is: a number, or a bound that grows with what has been observed."""

from dataclasses import KW_ONLY, dataclass
from typing import Protocol

from warmer.bounds import self_normalised_radius
from warmer.model import check_positive, check_probability

__all__ = ["FixedRadius", "Radius", "SelfNormalised"]


class Radius(Protocol):
    """A radius that may depend on how much the observed vectors determine."""

    def at(self, log_det_ratio: float) -> float:
        r"""The radius when $\ln(\det V_t/\det\lambda I)$ has this value."""
        ...


@dataclass(frozen=True)
class FixedRadius:
    """The same radius at all times."""

    radius: float

    def at(self, log_det_ratio: float) -> float:
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

    def at(self, log_det_ratio: float) -> float:
        """The radius now."""
        return self_normalised_radius(
            log_det_ratio=log_det_ratio, delta=self.delta, sigma=self.sigma, ridge=self.ridge, norm=self.norm
        )
