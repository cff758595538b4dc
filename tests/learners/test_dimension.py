"""The dimension that stands in a guarantee."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

from warmer import Problem, dissimilarity_dimension
from warmer.learners.dimension import guarantee_dimension


@settings(max_examples=150, deadline=None)  # kernels are compiled at the first call
@given(st.integers(0, 2**32), st.booleans())
def test_without_a_level_it_is_the_largest_at_any_value_of_the_truth(seed, is_square):
    rng = np.random.default_rng(seed)
    rho = rng.integers(-4, 5, (4, 4) if is_square else (4, 6))
    problem = (Problem.from_similarity if is_square else Problem.from_table)(rho, denominator=4)
    found = guarantee_dimension(problem, alpha=None, epsilon="1/2")
    levels = {problem.entry(query, target) for target, query in enumerate(problem.best_queries)}
    each = [dissimilarity_dimension(problem, alpha=level, epsilon="1/2", monotone=True) for level in levels]
    assert found.value == max(bracket.value for bracket in each)
    assert len(found.witness.targets) == found.value
    found.witness.check(problem)
