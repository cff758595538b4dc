"""Whole runs, compiled, on several cores: the same arrays as the plain loop, many times faster."""

from warmer.simulation.engine.run import plan, play

__all__ = ["plan", "play"]
