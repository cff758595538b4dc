"""Whole runs, compiled."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.simulation.engine.kernels import play, prove, watching

lazily(__name__)
