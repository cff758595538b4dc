"""Compiled kernels against their plain twins."""

import numpy as np
import numpy.typing as npt
import pytest

from tests.dimensions.kernels import twins
from warmer.dimensions.kernels import bits, chains, clique, colouring, windows
from warmer.dimensions.search.clique import CliqueSearch, ordered_by

Matrix = npt.NDArray[np.bool_]


def relation(matrix: Matrix) -> dict[int, frozenset[int]]:
    return {row: frozenset(np.flatnonzero(matrix[row]).tolist()) for row in range(len(matrix))}


def random_graph(rng: np.random.Generator, n_vertices: int) -> Matrix:
    upper = np.triu(rng.random((n_vertices, n_vertices)) < rng.choice([0.3, 0.6, 0.9]), 1)
    return np.asarray(upper | upper.T)


def members_of(rows: bits.Bits, size: int) -> Matrix:
    return np.unpackbits(rows.view(np.uint8), axis=1, count=size, bitorder="little").astype(bool)


@pytest.mark.parametrize("size", [1, 63, 64, 65, 130])
def test_packed_sets_keep_their_elements(size: int) -> None:
    matrix = np.random.default_rng(size).random((5, size)) < 0.4
    packed = bits.pack(matrix)
    assert packed.shape == (5, bits.n_words(size))
    assert (members_of(packed, size) == matrix).all()
    assert [bits.count(row) for row in packed] == matrix.sum(axis=1).tolist()
    assert [bits.first(row) for row in packed] == [int(row.argmax()) if row.any() else -1 for row in matrix]


def test_reordering_permutes_rows_and_elements() -> None:
    rng = np.random.default_rng(0)
    matrix, order = rng.random((70, 70)) < 0.5, rng.permutation(70)
    assert (members_of(bits.reordered(bits.pack(matrix), order), 70) == matrix[np.ix_(order, order)]).all()


@pytest.mark.parametrize("seed", range(6))
def test_clique_kernels_equal_their_twins(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(8):
        graph = random_graph(rng, int(rng.integers(2, 80)) if seed else 6)
        packed, n_vertices = bits.pack(graph), len(graph)
        everything = bits.pack(np.ones((1, n_vertices), dtype=bool))[0]
        order, width = clique.narrow_order(packed, n_vertices)
        assert sorted(order) == list(range(n_vertices))
        assert width == twins.width(relation(graph)) + 1
        assert colouring.colours(packed, everything) == twins.greedy_colours(relation(graph), range(n_vertices))
        grown = clique.greedy(packed, n_vertices, 5)
        assert graph[np.ix_(grown, grown)].sum() == len(grown) * (len(grown) - 1)


@pytest.mark.parametrize("seed", range(6))
def test_clique_search_equals_its_twin_in_slices_of_any_size(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for slice_size in (1, 7, 10_000):
        graph = random_graph(rng, int(rng.integers(5, 28)))
        search = CliqueSearch(bits.pack(graph))
        while not search.is_finished:
            search.advance(slice_size)
        assert len(search.members) == twins.largest_clique(relation(graph))


@pytest.mark.parametrize("seed", range(8))
def test_ordered_search_equals_its_twin_in_slices_of_any_size(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for slice_size in (1, 5, 10_000) * 4:
        arcs = rng.random((7, 7)) < rng.choice([0.3, 0.6, 0.9])
        np.fill_diagonal(arcs, False)
        after, before = bits.pack(arcs), bits.pack(arcs.T)
        search = CliqueSearch(after | before, forced=(after & ~before, before & ~after))
        while not search.is_finished:
            search.advance(slice_size)
        sequence = ordered_by(after, search.members.tolist())
        assert len(sequence) == twins.largest_ordered_set(relation(arcs))
        assert all(arcs[first, second] for k, first in enumerate(sequence) for second in sequence[k + 1 :])


@pytest.mark.parametrize("seed", range(8))
def test_chain_search_equals_its_twin_in_slices_of_any_size(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for slice_size in (1, 5, 10_000):
        n_items, n_partners = (int(n) for n in rng.integers(1, 9, 2))
        values = rng.random((n_items, n_partners))
        reach, own = values < rng.choice([0.4, 0.7]), values > 0.75
        length = twins.longest_chain(relation(reach), relation(own), range(n_partners))
        assert [chain_exists(reach, own, d, slice_size) for d in (length, length + 1)] == [True, False]


def chain_exists(reach: Matrix, own: Matrix, length: int, slice_size: int) -> bool:
    n_items, n_partners = reach.shape
    if length == 0:
        return True
    packed, owned = bits.pack(reach), bits.pack(own)
    can_precede = own.T.astype(int) @ reach.astype(int) > 0
    links = chains.Links(packed, owned, bits.pack(can_precede | can_precede.T))
    stack = chains.Stack(
        alive=np.zeros((length + 1, packed.shape[1]), dtype=np.uint64),
        choices=np.zeros((length, n_items), dtype=np.int32),
        n_left=np.zeros(length, dtype=np.int32),
        current=np.zeros(length, dtype=np.int32),
        counters=np.array([0, 0, 1], dtype=np.int64),
    )
    stack.alive[0] = bits.pack(np.ones((1, n_partners), dtype=bool))[0]
    memory = chains.Memory(np.zeros((16, packed.shape[1]), dtype=np.uint64), np.zeros(16, dtype=np.int32))
    while not chains.search(links, stack, memory, slice_size):
        pass
    return bool(stack.counters[chains.DEPTH] == length)


@pytest.mark.parametrize("seed", range(5))
def test_window_graphs_equal_their_twins(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = np.triu(random_graph(rng, 20))
    rows, columns = (places.astype(np.int32) for places in np.nonzero(graph))
    for least_degree in (1, 4, 8, 12):
        members = windows.core(rows, columns, 20, least_degree, 1)
        assert members.tolist() == twins.core(zip(rows, columns, strict=True), 20, least_degree)
        after, before = windows.pair_graph(rows, columns, 20, members)
        assert (members_of(after, len(members)) == graph[np.ix_(members, members)]).all()
        assert (members_of(before, len(members)) == graph.T[np.ix_(members, members)]).all()


@pytest.mark.parametrize("seed", range(4))
def test_what_a_search_in_parts_finds_after_every_slice_does_not_depend_on_the_threads(seed: int) -> None:
    upper = np.triu(np.random.default_rng(seed).random((90, 90)) < 0.8, 1)
    graph, histories = upper | upper.T, []
    for jobs in (1, 2, 5):
        search, history = CliqueSearch(bits.pack(graph), enough=90, jobs=jobs), []
        while not search.is_finished:
            search.advance(64)
            history.append(search.members.tolist())
        histories.append(history)
    assert histories[0] == histories[1] == histories[2]
    assert len(histories[0]) > 2
