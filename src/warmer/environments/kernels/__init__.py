"""Compiled parts of noise models: numbers in, numbers out."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.environments.kernels import gaussian

lazily(__name__)
