r"""What counts as an answer: for every candidate, which answers would be right if it were the truth.

What can be asked and what is to be decided need not be the same things. A goal of your own is a boolean table
(`Accepts`), or a class with the two methods of `Goal`.
"""

from warmer.certification.goals.goal import Goal
from warmer.certification.goals.of_candidates import Accepts, ValueOf, WhichGroup, WhichTarget
from warmer.certification.goals.of_queries import BestAbove, BestDecision, BestQuery, preferred_queries

__all__ = [
    "Accepts",
    "BestAbove",
    "BestDecision",
    "BestQuery",
    "Goal",
    "ValueOf",
    "WhichGroup",
    "WhichTarget",
    "preferred_queries",
]
