"""The clique search against all subsets, and on graphs whose clique numbers are known."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from tests.dimensions.graphs import hamming, johnson, keller
from warmer.dimensions.search.clique import maximum_clique
from warmer.model.time_limit import Clock

Matrix = npt.NDArray[np.bool_]


def random_graph(n_vertices: int, density: float, rng: np.random.Generator) -> Matrix:
    upper = np.triu(rng.random((n_vertices, n_vertices)) < density, 1)
    return np.asarray(upper | upper.T)


def clique_number(adjacency: Matrix) -> int:
    n_vertices = len(adjacency)
    sizes = range(n_vertices, 0, -1)
    return next(size for size in sizes if any(is_clique(adjacency, s) for s in combinations(range(n_vertices), size)))


def is_clique(adjacency: Matrix, members: tuple[int, ...]) -> bool:
    return all(adjacency[i, j] for i, j in combinations(members, 2))


@pytest.mark.parametrize("seed", range(20))
def test_search_agrees_with_all_subsets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(10):
        adjacency = random_graph(int(rng.integers(1, 12)), rng.choice([0.1, 0.5, 0.8, 0.95]), rng)
        members, is_proved = maximum_clique(adjacency)
        assert is_proved
        assert is_clique(adjacency, tuple(members))
        assert len(members) == clique_number(adjacency)


@pytest.mark.parametrize(
    ("adjacency", "size"),
    [(hamming(6, 4), 4), (hamming(8, 4), 16), (johnson(8, 4, 4), 14), (keller(4), 11)],
    ids=["hamming6-4", "hamming8-4", "johnson8-4-4", "keller4"],
)
def test_known_clique_numbers_are_proved(adjacency: Matrix, size: int) -> None:
    members, is_proved = maximum_clique(adjacency)
    assert (len(members), is_proved) == (size, True)
    assert is_clique(adjacency, tuple(members))


def test_nothing_is_returned_when_no_clique_is_larger_than_asked() -> None:
    members, is_proved = maximum_clique(hamming(6, 4), more_than=4)
    assert (members.size, is_proved) == (0, True)


def test_relabelling_does_not_change_the_clique_number_of_dense_graphs() -> None:
    rng = np.random.default_rng(1)
    for density in (0.7, 0.9):
        adjacency = random_graph(90, density, rng)
        order = rng.permutation(90)
        assert len(maximum_clique(adjacency).members) == len(maximum_clique(adjacency[np.ix_(order, order)]).members)


def test_a_deadline_ends_the_search_without_a_proof() -> None:
    adjacency = random_graph(400, 0.9, np.random.default_rng(0))
    members, is_proved = maximum_clique(adjacency, clock=Clock(0.2))
    assert not is_proved
    assert is_clique(adjacency, tuple(members))
    assert len(members) > 30
