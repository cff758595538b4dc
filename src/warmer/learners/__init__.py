"""Algorithms of the paper, and the rivals they are compared with."""

from warmer.learners.blind import UCB1, Uniform
from warmer.learners.catalog import CATALOG, Settings, build
from warmer.learners.elimination import Elimination
from warmer.learners.least_squares import LeastSquares
from warmer.learners.optimistic import Optimistic
from warmer.learners.posterior import InformationDirected, Thompson

__all__ = [
    "CATALOG",
    "UCB1",
    "Elimination",
    "InformationDirected",
    "LeastSquares",
    "Optimistic",
    "Settings",
    "Thompson",
    "Uniform",
    "build",
]
