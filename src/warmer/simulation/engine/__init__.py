"""Whole runs, compiled, on several cores: the same arrays as the plain loop, many times faster."""

from warmer.simulation.engine.run import conclusions, plan, play

__all__ = ["conclusions", "plan", "play"]
