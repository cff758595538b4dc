"""What a declaration about the noise says of sums of answers."""

from typing import Any

from warmer.certification.noise import Bounded, BoundedNoise, Coin, SubGaussian
from warmer.model import Array
from warmer.model.errors import InvalidValueError

__all__ = ["deviations"]


def deviations(noise: Any, family: Any) -> Array:
    r"""The deviation of each query's answers; one for all of them where queries are vectors.

    Answers in an interval of length $2\sigma$ are $\sigma$-sub-Gaussian (Hoeffding's lemma).
    """
    if isinstance(noise, SubGaussian):
        return noise.sigmas(family)
    if isinstance(noise, BoundedNoise):
        return SubGaussian(noise.width).sigmas(family)
    if isinstance(noise, Bounded | Coin):
        return SubGaussian(family.scale).sigmas(family)
    raise InvalidValueError(
        f"{noise!r} says nothing about sums of answers; declare noise.SubGaussian(sigma), noise.BoundedNoise(width), "
        "noise.Coin(), or nothing but the reward range."
    )
