"""Runs rounds: the plain loop, and the loop that ends when the answer is proven."""

from warmer.simulation.loop import play, simulate
from warmer.simulation.stopping import Ending, play_until_proven

__all__ = ["Ending", "play", "play_until_proven", "simulate"]
