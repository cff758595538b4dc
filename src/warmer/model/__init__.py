"""Nouns: what every room shares. It imports none of ours."""

from warmer.model.checks import (
    SLACK,
    at_least,
    at_most,
    check_count,
    check_finite,
    check_interval,
    check_learner,
    check_positive,
    check_probability,
    slack_for,
)
from warmer.model.contracts import (
    Array,
    Ball,
    Environment,
    EstimatingLearner,
    Family,
    Fit,
    Learner,
    Names,
    OnlineRegressor,
    StoppingLearner,
)
from warmer.model.errors import (
    CertificateError,
    HypothesisError,
    InvalidValueError,
    MissingExtraError,
    ProtocolError,
    WarmerError,
    missing_extra,
)
from warmer.model.history import Answer, History, Runs
from warmer.model.labels import Label, Labels, Selection
from warmer.model.lazy import lazily
from warmer.model.problem import Problem
from warmer.model.signs import check_sign_matrix, check_signs, check_weights
from warmer.model.tables import Numerators, Table

__all__ = [
    "SLACK",
    "Answer",
    "Array",
    "Ball",
    "CertificateError",
    "Environment",
    "EstimatingLearner",
    "Family",
    "Fit",
    "History",
    "HypothesisError",
    "InvalidValueError",
    "Label",
    "Labels",
    "Learner",
    "MissingExtraError",
    "Names",
    "Numerators",
    "OnlineRegressor",
    "Problem",
    "ProtocolError",
    "Runs",
    "Selection",
    "StoppingLearner",
    "Table",
    "WarmerError",
    "at_least",
    "at_most",
    "check_count",
    "check_finite",
    "check_interval",
    "check_learner",
    "check_positive",
    "check_probability",
    "check_sign_matrix",
    "check_signs",
    "check_weights",
    "lazily",
    "missing_extra",
    "slack_for",
]
