"""Compiled loops over targets: arrays in, arrays and numbers out."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.estimation.kernels import losses as losses

__all__: list[str] = []

__getattr__ = lazily(__name__, "losses")
