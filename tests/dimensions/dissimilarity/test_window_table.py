"""The entries of a table in the order of their values, and what a time limit leaves of it."""

from fractions import Fraction

import numpy as np
import pytest

from warmer.dimensions import dissimilarity_dimension, dissimilarity_profile, kernels
from warmer.dimensions.dissimilarity import window_table as module
from warmer.dimensions.dissimilarity.window_search import compatible
from warmer.model import Problem
from warmer.model.time_limit import Clock


def random_table(rng, kind):
    if kind == "whole":
        return Problem.from_table(rng.integers(-3, 4, (30, 20)), denominator=3)
    table = rng.normal(size=(30, 20)).clip(-1, 1)
    return Problem.from_table(table.astype(np.float32) if kind == "single" else table)


@pytest.mark.parametrize("kind", ["whole", "single", "double"])
def test_entries_that_are_sorted_in_parts_are_in_the_order_of_their_values(monkeypatch, kind):
    monkeypatch.setattr(module, "_TOGETHER", 40)
    rng = np.random.default_rng(0)
    for _ in range(20):
        unsorted = module.window_table(random_table(rng, kind), Fraction(2, 3))
        table = unsorted.sorted(Clock(None))
        rows, columns = np.nonzero(unsorted.is_entry)
        order = np.argsort(unsorted.table[rows, columns], kind="stable")
        assert table.rows.tolist() == rows[order].tolist()
        assert table.columns.tolist() == columns[order].tolist()
        assert table.values.tolist() == sorted(set(unsorted.table[rows, columns].tolist()))
        counts = np.unique(unsorted.table[rows, columns], return_counts=True)[1]
        assert np.diff(table.starts).tolist() == counts.tolist()


def test_without_time_to_sort_the_entries_one_alternative_is_the_witness(monkeypatch):
    problem = Problem.from_table(np.random.default_rng(0).uniform(-1, 1, (30, 20)))
    exact = dissimilarity_profile(problem, alpha=0.9)
    monkeypatch.setattr(Clock, "has_passed", True)
    bracket = dissimilarity_dimension(problem, alpha=0.9, epsilon=0.3, time_limit=100)
    assert bracket.lower == len(bracket.witness) == 1 < bracket.upper
    assert bracket.reason.startswith("time limit; upper bound: all ")
    bracket.witness.check(problem)
    profile = dissimilarity_profile(problem, alpha=0.9, time_limit=100)
    assert not profile.is_exact
    assert profile(profile.undecided_to * 1.01) == 1
    assert max(exact.breakpoints) <= profile.undecided_to


def test_partners_that_can_share_a_chain_follow_the_definition():
    rng = np.random.default_rng(1)
    for n_items, n_partners in ((3, 5), (40, 70), (65, 64)):
        reach, own = rng.random((2, n_items, n_partners)) < 0.2
        found = compatible(kernels.bits.pack(reach), kernels.bits.pack(own & ~reach), n_partners)
        one_way = ((own & ~reach).T[:, None, :] & reach.T[None, :, :]).any(axis=2)
        assert (found == kernels.bits.pack(one_way | one_way.T)).all()
