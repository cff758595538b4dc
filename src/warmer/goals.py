"""What is to be decided: a goal says which answers would be right if a candidate were the truth."""

from warmer.certification.goals import (
    Accepts,
    BestAbove,
    BestDecision,
    BestQuery,
    Goal,
    ValueOf,
    WhichGroup,
    WhichTarget,
)

__all__ = ["Accepts", "BestAbove", "BestDecision", "BestQuery", "Goal", "ValueOf", "WhichGroup", "WhichTarget"]
