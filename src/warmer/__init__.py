"""Find a hidden target from noisy answers to "how warm am I?"."""

from warmer import analysis, bounds, environments, estimation, learners, problems
from warmer.learners import (
    PAC,
    UCB1,
    Elimination,
    ExactPAC,
    InformationDirected,
    LeastSquares,
    Optimistic,
    OracleLeastSquares,
    Thompson,
    Uniform,
    UntilCertified,
)
from warmer.model import (
    CertificateError,
    History,
    HypothesisError,
    InvalidValueError,
    Problem,
    ProtocolError,
    Runs,
    WarmerError,
)
from warmer.problems import read_problem
from warmer.simulation import simulate
from warmer.studies import Session

__all__ = [
    "PAC",
    "UCB1",
    "CertificateError",
    "Elimination",
    "ExactPAC",
    "History",
    "HypothesisError",
    "InformationDirected",
    "InvalidValueError",
    "LeastSquares",
    "Optimistic",
    "OracleLeastSquares",
    "Problem",
    "ProtocolError",
    "Runs",
    "Session",
    "Thompson",
    "Uniform",
    "UntilCertified",
    "WarmerError",
    "analysis",
    "bounds",
    "environments",
    "estimation",
    "learners",
    "problems",
    "read_problem",
    "simulate",
]
__version__ = "0.1.0"
