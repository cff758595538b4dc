"""Every public object of the room prints in a line or two."""

import numpy as np
import pytest

from warmer import Problem
from warmer.dimensions import complexity, dissimilarity_profile, star_number
from warmer.dimensions.continuous import search_vectors

PROBLEM = Problem.from_similarity(np.eye(60))
MEASURES = complexity(PROBLEM, alpha=1, epsilon=0.5, gamma=1)
THINGS = {
    "complexity": MEASURES,
    "profile": dissimilarity_profile(PROBLEM, alpha=1),
    "vectors": search_vectors("sphere", 4, epsilon=1.125).witness,
    "bracket": MEASURES.covering,
    "dissimilarity": MEASURES.dissimilarity.witness,
    "eluder": MEASURES.eluder.witness,
    "strong SQ": MEASURES.strong_sq.witness,
    "star": star_number(PROBLEM, epsilon=0.5).witness,
    "cover": MEASURES.covering.witness,
    "fractional cover": MEASURES.fractional_covering,
    "decision-estimation": MEASURES.decision_estimation,
}


@pytest.mark.parametrize("thing", THINGS.values(), ids=THINGS)
def test_a_repr_is_short_and_begins_with_the_name_of_its_class(thing):
    text = repr(thing)
    assert text.startswith(type(thing).__name__ + "(")
    assert len(text) <= 400, text
    assert "\n" not in text


def test_the_measures_name_their_values():
    assert "dissimilarity dimension 60; " in repr(MEASURES)
    assert repr(MEASURES.covering) == "Bracket(lower=60, upper=60, reason='packing and cover have equal size')"
    assert repr(MEASURES.eluder.witness).startswith("EluderWitness(queries=(0, 1, 2, 3, 4, 5, ...), pairs=")
