"""Algorithms of the paper, and the rivals they are compared with."""

from warmer.learners.baselines import UCB1, Uniform
from warmer.learners.catalog import CATALOG, Settings, build
from warmer.learners.elimination import Elimination
from warmer.learners.exact_pac import ExactPAC
from warmer.learners.least_squares import LeastSquares
from warmer.learners.optimistic import Optimistic
from warmer.learners.oracle import OracleLeastSquares
from warmer.learners.pac import PAC, Plan
from warmer.learners.posterior import InformationDirected, Thompson
from warmer.learners.proving import MaxInformation, TopTwo
from warmer.learners.track_and_stop import TrackAndStop
from warmer.learners.until_certified import UntilCertified

__all__ = [
    "CATALOG",
    "PAC",
    "UCB1",
    "Elimination",
    "ExactPAC",
    "InformationDirected",
    "LeastSquares",
    "MaxInformation",
    "Optimistic",
    "OracleLeastSquares",
    "Plan",
    "Settings",
    "Thompson",
    "TopTwo",
    "TrackAndStop",
    "Uniform",
    "UntilCertified",
    "build",
]
