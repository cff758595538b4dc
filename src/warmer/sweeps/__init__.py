"""Sweeps: problems by learners by noise by settings by seeds, in chunks that a kill does not lose."""

from warmer.sweeps.cells import Cell
from warmer.sweeps.sweeping import Sweep, list_sweeps, open_sweep, sweep

__all__ = ["Cell", "Sweep", "list_sweeps", "open_sweep", "sweep"]
