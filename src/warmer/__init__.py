"""Find a hidden target from noisy answers to "how warm am I?"."""

from warmer import analysis, bounds, dimensions, environments, learners, problems
from warmer.dimensions import (
    Bracket,
    complexity,
    covering_number,
    dissimilarity_dimension,
    dissimilarity_profile,
    eluder_dimension,
    strong_sq_dimension,
)
from warmer.learners import UCB1, Elimination, InformationDirected, LeastSquares, Optimistic, Thompson, Uniform
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
    "UCB1",
    "Bracket",
    "CertificateError",
    "Elimination",
    "History",
    "HypothesisError",
    "InformationDirected",
    "InvalidValueError",
    "LeastSquares",
    "Optimistic",
    "Problem",
    "ProtocolError",
    "Runs",
    "Session",
    "Thompson",
    "Uniform",
    "WarmerError",
    "analysis",
    "bounds",
    "complexity",
    "covering_number",
    "dimensions",
    "dissimilarity_dimension",
    "dissimilarity_profile",
    "eluder_dimension",
    "environments",
    "learners",
    "problems",
    "read_problem",
    "simulate",
    "strong_sq_dimension",
]
__version__ = "0.1.0"
