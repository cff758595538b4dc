"""Runs rounds: the loop, and the clock beside it."""

from warmer.simulation.runs import simulate
from warmer.simulation.timing import pass_seconds, step_seconds

__all__ = ["pass_seconds", "simulate", "step_seconds"]
