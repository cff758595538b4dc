"""Whole runs on a GPU: the same arrays as the plain loop."""

from warmer.simulation.cuda.run import ends, play

__all__ = ["ends", "play"]
