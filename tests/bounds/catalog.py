"""Every bound, by its name: those of the top list and those of the rooms below it."""

from warmer.bounds import rungs
from warmer.cli.commands.bound import BOUNDS as EVERY_BOUND
from warmer.cli.commands.bound import ROOMS

__all__ = ["EVERY_BOUND", "ROOMS", "STEPS"]

STEPS = (rungs,)
"""What bounds are put together from: their numbers are spoiled too, and the bounds that call them notice."""
