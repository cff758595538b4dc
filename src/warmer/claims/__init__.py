"""The executable paper: each statement with instances to try it on, a check, and what is expected of it."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily as _lazily

if TYPE_CHECKING:
    from warmer.claims.claim import Claim as Claim
    from warmer.claims.claim import Expected as Expected
    from warmer.claims.claim import Inequality as Inequality
    from warmer.claims.instances.kinds import Instance as Instance
    from warmer.claims.lemma_check import LemmaCheck as LemmaCheck
    from warmer.claims.lemma_check import analyse_trace as analyse_trace
    from warmer.claims.lemma_check import as_runs as as_runs
    from warmer.claims.verdict import CLAIMS as CLAIMS
    from warmer.claims.verdict import Verdict as Verdict
    from warmer.claims.verdict import find as find
    from warmer.claims.verdict import verify as verify

_lazily(__name__)
