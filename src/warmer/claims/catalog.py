"""Every claim, in the order of the paper."""

from warmer.claims import (
    adversarial,
    algorithms,
    bad_queries,
    eluder,
    exact_rewards,
    lemmas,
    linear,
    main_pac,
    multi_armed,
    nonlinear,
    relu,
    setting,
    sq_lower_bounds,
    strong_sq,
)
from warmer.claims.claim import Claim
from warmer.model.errors import InvalidValueError

__all__ = ["CLAIMS", "find"]

CLAIMS: tuple[Claim, ...] = (
    *setting.CLAIMS,
    *algorithms.CLAIMS,
    *bad_queries.CLAIMS,
    *exact_rewards.CLAIMS,
    *main_pac.CLAIMS,
    *lemmas.CLAIMS,
    *strong_sq.CLAIMS,
    *sq_lower_bounds.CLAIMS,
    *adversarial.CLAIMS,
    *eluder.CLAIMS,
    *linear.CLAIMS,
    *nonlinear.CLAIMS,
    *relu.CLAIMS,
    *multi_armed.CLAIMS,
)


def find(label: str) -> tuple[Claim, ...]:
    """The claim of a label, or all parts of the statement with that label.

    Examples
    --------
    >>> [claim.label for claim in find("theorem::upper_eluder")]
    ['theorem::upper_eluder', 'theorem::upper_eluder/repaired', 'theorem::upper_eluder/construction']
    """
    found = tuple(claim for claim in CLAIMS if claim.label == label or claim.label.startswith(label + "/"))
    if not found:
        statements = sorted({claim.label.partition("/")[0] for claim in CLAIMS})
        raise InvalidValueError(f"there is no claim {label!r}; the labels are {', '.join(statements)}.")
    return found
