r"""What counts as an answer: for every candidate, which answers would be right if it were the truth.

What can be asked and what is to be decided need not be the same things. A goal of your own is a boolean table
(`Accepts`), or a class with the two methods of `Goal`.
"""

from warmer.certification.goals.goal import Goal as Goal
from warmer.certification.goals.of_candidates import Accepts as Accepts
from warmer.certification.goals.of_candidates import ValueOf as ValueOf
from warmer.certification.goals.of_candidates import WhichGroup as WhichGroup
from warmer.certification.goals.of_candidates import WhichTarget as WhichTarget
from warmer.certification.goals.of_queries import BestAbove as BestAbove
from warmer.certification.goals.of_queries import BestDecision as BestDecision
from warmer.certification.goals.of_queries import BestQuery as BestQuery
from warmer.certification.goals.of_queries import preferred_queries as preferred_queries
from warmer.lazy import lazily as _lazily

_lazily(__name__)
