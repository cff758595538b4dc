"""Nouns: what every room shares. Checks, errors and readers of numbers have files of their own."""

from warmer.model.contracts import (
    Array,
    Ball,
    BatchLearner,
    Environment,
    EstimatingLearner,
    Family,
    Fit,
    Learner,
    OnlineRegressor,
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
    "Environment",
    "EstimatingLearner",
    "Family",
    "Fit",
    "History",
    "Label",
    "Labels",
    "Learner",
    "Numerators",
    "OnlineRegressor",
    "Problem",
    "RoundLearner",
    "Runs",
    "Selection",
    "StoppingLearner",
    "Table",
]
