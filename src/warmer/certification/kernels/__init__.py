"""Compiled loops over candidates: arrays in, arrays and numbers out."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.certification.kernels import bets, cells, evidence, leading, nearest, objectors, one_sided, steps

lazily(__name__)
