"""Plain twins of the compiled kernels, on Python's sets."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations, permutations

Relation = Mapping[int, frozenset[int]]


def largest_clique(neighbours: Relation) -> int:
    """The size of the largest clique, by Bron and Kerbosch."""

    def grow(size: int, candidates: frozenset[int]) -> int:
        best = size
        for vertex in sorted(candidates):
            best = max(best, grow(size + 1, candidates & neighbours[vertex]))
            candidates -= {vertex}
        return best

    return grow(0, frozenset(neighbours))


def largest_ordered_set(after: Relation) -> int:
    """The length of the longest sequence in which each element may precede all that follow, over all orders."""
    vertices = sorted(after)
    lengths = range(len(vertices), 0, -1)
    return next(d for d in lengths if any(_is_ordered(after, sequence) for sequence in permutations(vertices, d)))


def longest_chain(reach: Relation, own: Relation, partners: Iterable[int]) -> int:
    """The most items, each with a live partner of its own when it joins; an item keeps its reach alive."""

    @cache
    def grow(alive: frozenset[int]) -> int:
        return max((1 + grow(alive & reach[item]) for item in reach if own[item] & alive), default=0)

    return grow(frozenset(partners))


def greedy_colours(neighbours: Relation, order: Iterable[int]) -> int:
    """How many colour classes are filled, each by going through what is left in order."""
    left, n_colours = list(order), 0
    while left:
        taken: list[int] = []
        for vertex in left:
            if not any(vertex in neighbours[other] for other in taken):
                taken.append(vertex)
        left = [vertex for vertex in left if vertex not in taken]
        n_colours += 1
    return n_colours


def core(edges: Iterable[tuple[int, int]], n_vertices: int, least_degree: int) -> list[int]:
    """What is left when vertices with too few edges are removed one by one."""
    left, pairs = set(range(n_vertices)), list(edges)
    is_poor: Callable[[int], bool] = lambda v: sum(v in e for e in pairs if left.issuperset(e)) < least_degree  # noqa: E731
    while poor := [vertex for vertex in left if is_poor(vertex)]:
        left.remove(poor[0])
    return sorted(left)


def width(neighbours: Relation) -> int:
    """The largest degree met when a vertex of least degree is removed again and again."""
    left, widest = set(neighbours), 0
    while left:
        vertex = min(left, key=lambda v: len(neighbours[v] & left))
        widest = max(widest, len(neighbours[vertex] & left))
        left.remove(vertex)
    return widest


def _is_ordered(after: Relation, sequence: tuple[int, ...]) -> bool:
    return all(later in after[earlier] for earlier, later in combinations(sequence, 2))
