"""Whole runs on a GPU: the same arrays as the plain loop."""

from warmer.simulation.cuda.groups import can_watch, groups_of
from warmer.simulation.cuda.run import ends, play

__all__ = ["can_watch", "ends", "groups_of", "play"]
