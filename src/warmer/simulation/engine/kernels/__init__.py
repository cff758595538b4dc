"""Whole runs, compiled."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.simulation.engine.kernels import play, prove

lazily(__name__)
