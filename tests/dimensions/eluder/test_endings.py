"""Long eluder sequences sought from the end, against the definition and against the search from the start."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warmer.dimensions import kernels
from warmer.dimensions.eluder import endings, scale_search
from warmer.dimensions.eluder.dimension import eluder_dimension
from warmer.dimensions.eluder.scale_search import ScaleSearch
from warmer.dimensions.search import anytime
from warmer.model import Problem
from warmer.model.time_limit import Clock


def is_sequence(squares, hit_above, budget, sequence):
    """Whether each action hits a pair whose squares on the actions before it stay within the budget."""
    before = np.zeros(len(squares))
    for action in sequence:
        if not ((before <= budget) & (squares[:, action] > hit_above)).any():
            return False
        before = before + squares[:, action]
    return len(set(sequence)) == len(sequence)


def longest(squares, hit_above, budget):
    """The length of the longest sequence: all are tried."""
    actions = range(squares.shape[1])
    orders = (order for size in actions for order in permutations(actions, size + 1))
    return max((len(order) for order in orders if is_sequence(squares, hit_above, budget, order)), default=0)


@st.composite
def scales(draw):
    """Whole squares of some pairs, the least that is a hit, and a budget; both are the same at one scale."""
    n_pairs, n_actions = draw(st.integers(1, 7)), draw(st.integers(1, 5))
    squares = draw(st.lists(st.integers(0, 9), min_size=n_pairs * n_actions, max_size=n_pairs * n_actions))
    budget = draw(st.integers(0, 9))
    hit_above = draw(st.one_of(st.just(budget), st.integers(0, budget)))
    return np.array(squares).reshape(n_pairs, n_actions), hit_above, budget


@settings(max_examples=50, deadline=None)  # kernels are compiled at the first call
@given(scale=scales(), dtype=st.sampled_from([np.int64, float]))
def test_a_search_from_the_end_finds_a_sequence_exactly_where_there_is_one(scale, dtype):
    squares, hit_above, budget = scale
    search = ScaleSearch(squares.astype(dtype), hit_above=hit_above, budget=budget, clock=Clock(None))
    expected = longest(squares, hit_above, budget)
    for length in range(2, squares.shape[1] + 1):
        found, has_ended = search.find(length, work=np.inf)
        assert has_ended
        assert (found is not None) == (length <= expected)
        assert found is None or (len(found) == length and is_sequence(squares, hit_above, budget, found))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("hit_share", [1.0, 0.8])
def test_searches_from_the_start_and_from_the_end_agree(seed, hit_share):
    rng = np.random.default_rng(seed)
    table = rng.uniform(-1, 1, (14, 8))
    first, second = np.triu_indices(8, 1)
    squares = np.ascontiguousarray(((table[:, first] - table[:, second]) ** 2).T)
    for budget in (0.1, 0.3, 0.8):
        search = ScaleSearch(squares, hit_above=hit_share * budget, budget=budget, clock=Clock(None))
        value = len(search.run(more_than=0, stop_at=14)[0])
        assert search.find(value + 1, work=np.inf) == (None, True)
        found, has_ended = search.find(value, work=np.inf)
        assert has_ended
        assert len(found) == value
        assert is_sequence(squares, hit_share * budget, budget, found)


@pytest.mark.parametrize(
    ("kind", "n_functions", "epsilon", "value"), [("uniform", 30, 0.6, 12), ("uniform", 30, 1, 16), ("sign", 20, 1, 15)]
)
def test_tables_of_forty_actions_close(kind, n_functions, epsilon, value):
    rng, size = np.random.default_rng(0), (40, n_functions)
    problem = Problem.from_table(rng.uniform(-1, 1, size) if kind == "uniform" else rng.choice([-1, 1], size))
    bracket = eluder_dimension(problem, epsilon=epsilon)
    assert bracket.value == value == len(bracket.witness)
    assert bracket.witness.check(problem) >= 0


def test_the_witness_does_not_depend_on_the_number_of_cores(monkeypatch):
    monkeypatch.setattr(endings, "_BLOCK", 2_000)
    problem = Problem.from_table(np.random.default_rng(4).uniform(-1, 1, (24, 14)))
    witnesses = set()
    for n_cores in (1, 2, 5):
        monkeypatch.setattr(endings, "n_cores", lambda n_cores=n_cores: n_cores)
        witnesses.add(eluder_dimension(problem, epsilon=0.8).witness)
    assert len(witnesses) == 1


@pytest.mark.parametrize(("module", "name"), [(endings, "_MOST"), (scale_search, "_MANY_COSTS")])
def test_where_endings_are_too_many_the_search_from_the_start_decides(monkeypatch, module, name):
    problem = Problem.from_table(np.random.default_rng(6).uniform(-1, 1, (14, 8)))
    expected = eluder_dimension(problem, epsilon=0.7).value
    monkeypatch.setattr(module, name, 3)
    assert eluder_dimension(problem, epsilon=0.7).value == expected


@pytest.mark.parametrize("one", [1, 1.0], ids=["whole", "float"])
def test_both_searches_are_compiled_before_the_clock_starts(monkeypatch, one):
    called = set()
    anytime._on_a_small_table.cache_clear()
    for module, name in [(kernels.eluder, "search"), (kernels.endings, "extend"), (kernels.endings, "heads")]:
        kernel = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, name=name, kernel=kernel: called.add(name) or kernel(*a))
    two_arms = Problem.from_table([[one, 0 * one], [0 * one, one]])
    assert eluder_dimension(two_arms, epsilon=0.5).value == 1
    assert called == set()
    eluder_dimension(two_arms, epsilon=0.5, time_limit=60)
    assert called == {"search", "extend", "heads"}
