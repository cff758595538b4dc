"""Compiled loops over targets: arrays in, arrays and numbers out."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.estimation.kernels import losses

lazily(__name__)
