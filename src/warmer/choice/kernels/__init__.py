"""Compiled loops over points and models: arrays in, arrays out."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.choice.kernels import codes

lazily(__name__)
