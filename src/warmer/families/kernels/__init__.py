"""Compiled loops of the families' fits: arrays in, arrays and numbers out; loaded at first use."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.families.kernels import arms as arms
    from warmer.families.kernels import ellipsoid as ellipsoid
    from warmer.families.kernels import quadratic as quadratic
    from warmer.families.kernels import reaching as reaching
    from warmer.families.kernels import relu as relu

__all__: list[str] = []

__getattr__ = lazily(__name__, "arms", "ellipsoid", "quadratic", "reaching", "relu")
