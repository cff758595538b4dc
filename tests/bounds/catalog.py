"""Every bound, by its name: those of the top list and those of the rooms below it."""

from warmer.bounds.catalog import BOUNDS as EVERY_BOUND
from warmer.bounds.catalog import ROOMS

__all__ = ["EVERY_BOUND", "ROOMS"]
