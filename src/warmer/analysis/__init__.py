"""History against truth: regret, bad queries, estimation error, certificates."""

from warmer.analysis.certificates import Certificate, certify
from warmer.analysis.intervals import Interval, clopper_pearson, mean_interval
from warmer.analysis.traces import (
    bad_queries,
    cumulative_regret,
    estimates,
    estimation_errors,
    has_large_self_evaluations,
    success_rate,
)

__all__ = [
    "Certificate",
    "Interval",
    "bad_queries",
    "certify",
    "clopper_pearson",
    "cumulative_regret",
    "estimates",
    "estimation_errors",
    "has_large_self_evaluations",
    "mean_interval",
    "success_rate",
]
