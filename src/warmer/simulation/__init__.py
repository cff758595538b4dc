"""Runs rounds: the loop, and the clock beside it."""

from warmer.simulation.runs import ENGINES, simulate
from warmer.simulation.stopping import Ended, ended_runs, first_certified
from warmer.simulation.timing import pass_seconds, step_seconds

__all__ = ["ENGINES", "Ended", "ended_runs", "first_certified", "pass_seconds", "simulate", "step_seconds"]
