"""Nouns: what every room shares. Checks, errors and readers of numbers have files of their own."""

from warmer.model.contracts import (
    Array,
    Ball,
    BatchLearner,
    CertifyingLearner,
    Environment,
    EstimatingLearner,
    Family,
    Fit,
    InnerProducts,
    Learner,
    OnlineRegressor,
    ProblemLike,
    RoundLearner,
    StoppingLearner,
)
from warmer.model.history import Answer, History, Runs
from warmer.model.labels import Label, Labels, Selection
from warmer.model.problem import Problem
from warmer.model.tables import Numerators, Table

__all__ = [
    "Answer",
    "Array",
    "Ball",
    "BatchLearner",
    "CertifyingLearner",
    "Environment",
    "EstimatingLearner",
    "Family",
    "Fit",
    "History",
    "InnerProducts",
    "Label",
    "Labels",
    "Learner",
    "Numerators",
    "OnlineRegressor",
    "Problem",
    "ProblemLike",
    "RoundLearner",
    "Runs",
    "Selection",
    "StoppingLearner",
    "Table",
]
