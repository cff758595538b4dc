"""Whole runs on a GPU: the same arrays as the plain loop."""

from warmer.simulation.cuda.groups import groups_of
from warmer.simulation.cuda.run import ends, play

__all__ = ["ends", "groups_of", "play"]
