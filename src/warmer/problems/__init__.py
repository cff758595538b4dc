"""Builders and readers of problems.

Here are the builders that people call most. The rest is one room further: all classes of hypotheses in
`problems.hypotheses`, counterexamples in `problems.extremal`, names and recipes in `problems.catalog`.
"""

from warmer.lazy import lazily as _lazily
from warmer.problems import catalog as catalog
from warmer.problems import extremal as extremal
from warmer.problems import hypotheses as hypotheses
from warmer.problems.bandits import arms as arms
from warmer.problems.bandits import from_features as from_features
from warmer.problems.bandits import glm as glm
from warmer.problems.bandits import linear as linear
from warmer.problems.bandits import needle as needle
from warmer.problems.bandits import random_table as random_table
from warmer.problems.bandits import relu as relu
from warmer.problems.catalog import build as build
from warmer.problems.classifiers import classifiers as classifiers
from warmer.problems.extremal import conference as conference
from warmer.problems.files import read_problem as read_problem
from warmer.problems.geometry import circle as circle
from warmer.problems.geometry import from_vectors as from_vectors
from warmer.problems.geometry import sphere as sphere
from warmer.problems.hypotheses import from_functions as from_functions
from warmer.problems.hypotheses import from_hypotheses as from_hypotheses
from warmer.problems.hypotheses import parities as parities
from warmer.problems.models import from_model as from_model
from warmer.problems.separation import separation as separation
from warmer.problems.treasure import treasure as treasure

_lazily(__name__)
