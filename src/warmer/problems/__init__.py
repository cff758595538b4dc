"""Builders and readers of problems.

Here are the builders that people call most. The rest is one room further: all classes of hypotheses in
`problems.hypotheses`, counterexamples in `problems.extremal`, names and recipes in `problems.catalog`.
"""

from warmer.problems import catalog as catalog
from warmer.problems import extremal as extremal
from warmer.problems import hypotheses as hypotheses
from warmer.problems.bandits import arms, from_features, glm, linear, needle, random_table, relu
from warmer.problems.catalog import build
from warmer.problems.classifiers import classifiers
from warmer.problems.extremal import conference
from warmer.problems.files import read_problem
from warmer.problems.geometry import circle, from_vectors, sphere
from warmer.problems.hypotheses import from_functions, from_hypotheses, parities
from warmer.problems.models import from_model
from warmer.problems.separation import separation
from warmer.problems.treasure import treasure

__all__ = [
    "arms",
    "build",
    "circle",
    "classifiers",
    "conference",
    "from_features",
    "from_functions",
    "from_hypotheses",
    "from_model",
    "from_vectors",
    "glm",
    "linear",
    "needle",
    "parities",
    "random_table",
    "read_problem",
    "relu",
    "separation",
    "sphere",
    "treasure",
]
