"""Algorithms of the paper, and the rivals they are compared with; each is loaded at first use."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily as _lazily

if TYPE_CHECKING:
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

__getattr__ = _lazily(
    __name__,
    baselines=["UCB1", "Uniform"],
    catalog=["CATALOG", "Settings", "build"],
    elimination=["Elimination"],
    exact_pac=["ExactPAC"],
    least_squares=["LeastSquares"],
    optimistic=["Optimistic"],
    oracle=["OracleLeastSquares"],
    pac=["PAC", "Plan"],
    posterior=["InformationDirected", "Thompson"],
    proving=["MaxInformation", "TopTwo"],
    track_and_stop=["TrackAndStop"],
    until_certified=["UntilCertified"],
)
