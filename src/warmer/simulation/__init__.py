"""Runs rounds: the plain loop."""

from warmer.simulation.loop import play, simulate

__all__ = ["play", "simulate"]
