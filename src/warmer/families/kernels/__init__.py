"""Compiled loops of the families' fits: arrays in, arrays and numbers out; loaded at first use."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.families.kernels import arms, ellipsoid, quadratic, relu

lazily(__name__)
