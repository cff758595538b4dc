"""The executable paper: each statement with instances to try it on, a check, and what is expected of it."""

from warmer.claims.catalog import CLAIMS, find
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import Instance
from warmer.claims.lemma_check import LemmaCheck, analyse_trace, as_runs
from warmer.claims.verdict import Verdict, verify

__all__ = [
    "CLAIMS",
    "Claim",
    "Expected",
    "Inequality",
    "Instance",
    "LemmaCheck",
    "Verdict",
    "analyse_trace",
    "as_runs",
    "find",
    "verify",
]
