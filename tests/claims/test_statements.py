"""Statements of the appendix against what they speak of: games, enumerations, matrices and runs."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from warmer import bounds
from warmer.claims.adversarial import most_excluded
from warmer.claims.generators import hypotheses
from warmer.dimensions import strong_sq_dimension

TOLERANCES = [Fraction(1, 12), Fraction(1, 4), Fraction(1, 3), Fraction(49, 100)]


def n_queries_of_the_game(rows, width):
    """The queries that single out a target, each answer being the one that costs most; infinite if it never ends."""
    keeps = [
        {sum(1 << k for k, value in enumerate(row) if start <= value <= start + width) for start in row}
        for row in map(list, rows)
    ]

    @cache
    def needed(left):
        if left.bit_count() == 1:
            return 0
        worst = ({left & kept for kept in windows if left & kept} for windows in keeps)
        return min(1 + max(map(needed, after)) if left not in after else float("inf") for after in worst)

    return needed((1 << len(rows[0])) - 1)


@pytest.mark.parametrize("tau", TOLERANCES)
def test_no_algorithm_beats_the_adversarial_lower_bound(tau):
    """The best algorithm against the worst oracle, by playing the whole game, on small classes."""
    games = set()
    for seed in range(60):
        instance = hypotheses(np.random.default_rng(seed))
        found = strong_sq_dimension(instance.problem, epsilon=2 * instance.epsilon)
        if not 3 <= found.value <= 7:
            continue
        numerators, denominator = instance.problem.exact
        rows = numerators[:, list(found.witness.targets)].astype(int) * tau.denominator
        needed = n_queries_of_the_game(rows.tolist(), 2 * tau.numerator * denominator)
        bound = bounds.adversarial_sq_lower_bound(strong_sq=found.value, tau=tau)
        assert bound <= needed
        excluded = most_excluded(instance.problem, found.witness.targets, tau=tau)
        assert needed == float("inf") if excluded == 0 else excluded * needed >= found.value - 1
        games.add(needed / bound)
    assert min(games) <= 2  # so that three times the bound would fail
