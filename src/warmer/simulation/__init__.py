"""Runs rounds: the plain loop, the loop that ends when the answer is proven, and the clock beside them."""

from warmer.simulation.loop import play, simulate
from warmer.simulation.stopping import Ending, play_until_proven
from warmer.simulation.timing import pass_seconds, step_seconds

__all__ = ["Ending", "pass_seconds", "play", "play_until_proven", "simulate", "step_seconds"]
