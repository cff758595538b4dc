"""Compiled parts of learners: arrays in, arrays and numbers out."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.learners.kernels import choosing, information

lazily(__name__)
