"""Every claim, in the order of the paper."""

from dataclasses import replace
from importlib import import_module
from typing import Any

from warmer.claims.claim import Claim
from warmer.model.errors import InvalidValueError

_SECTIONS = {
    "2 Setting": ("setting",),
    "3 Algorithms, Appendix A": ("algorithms", "bad_queries", "exact_rewards", "pac_theorem"),
    "Appendix A": ("lemmas",),
    "4 Statistical queries, Appendix B": ("strong_sq", "sq_lower_bounds", "adversarial"),
    "5 Bandits, Appendix C": ("eluder", "linear", "glm", "relu"),
    "Appendix D": ("multi_armed",),
}
CLAIMS: tuple[Claim[Any], ...] = tuple(
    replace(claim, section=section)
    for section, modules in _SECTIONS.items()
    for module in modules
    for claim in vars(import_module(f"warmer.claims.statements.{module}")).values()
    if isinstance(claim, Claim)
)


def find(label: str) -> tuple[Claim[Any], ...]:
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
