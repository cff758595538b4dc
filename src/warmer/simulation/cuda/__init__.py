"""Whole runs on a GPU: the same arrays as the plain loop."""

from warmer.simulation.cuda.run import play

__all__ = ["play"]
