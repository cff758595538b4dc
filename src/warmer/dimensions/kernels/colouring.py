"""Greedy colouring of a graph on bitsets: how large a clique can be, and which vertices must be tried.

Candidates are coloured class by class; a vertex that no class among the first `n_free` can take is a branch. Before it
becomes one it is pruned where it can be, by unit propagation: that finds k + 1 classes which together add at most k
vertices to a clique (an infra-chromatic bound, as in MaxSAT).
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from warmer.dimensions.kernels import Bits, Ints
from warmer.dimensions.kernels.bits import one, popcount, trailing_zeros


@njit(cache=True)
def colours(adjacency: Bits, candidates: Bits) -> int:
    """How many colours a greedy colouring of the candidates needs: no clique among them is larger."""
    uncoloured = candidates.copy()
    taken = np.zeros_like(candidates)
    n_colours = 0
    while _take_class(adjacency, uncoloured, taken):
        n_colours += 1
    return n_colours


@njit(cache=True)
def _take_class(adjacency: Bits, uncoloured: Bits, taken: Bits) -> bool:
    """Move a greedy class of vertices no two of which are adjacent out of `uncoloured`; whether there was any."""
    words = adjacency.shape[1]
    is_used = False
    for word in range(words):
        taken[word] = uncoloured[word]
    for word in range(words):
        while taken[word]:
            vertex = word * 64 + trailing_zeros(taken[word])
            is_used = True
            uncoloured[word] &= ~one(vertex)
            taken[word] &= ~one(vertex)
            for other in range(word, words):
                taken[other] &= ~adjacency[vertex, other]
    return is_used


class Classes(NamedTuple):
    """Room for a colouring: the classes as sets, the vertices that a propagation forced, and marks of classes.

    Row 0 of the marks tells which classes are used up by a conflict, row 1 which vertex a class forced, and rows 2 and
    3 serve to trace a conflict back.
    """

    members: Bits
    scratch: Bits
    units: Ints
    marks: Ints

    @classmethod
    def room(cls, n_classes: int, words: int) -> "Classes":
        """Room for so many classes."""
        return cls(
            np.zeros((n_classes, words), dtype=np.uint64),
            np.zeros((3, words), dtype=np.uint64),
            np.zeros(n_classes + 2, dtype=np.int32),
            np.zeros((4, n_classes + 2), dtype=np.int32),
        )


@njit(cache=True)
def branch(adjacency: Bits, candidates: Bits, branches: Ints, bounds: Ints, n_free: int, colouring: Classes) -> int:
    """Colour the candidates; list the vertices that `n_free` colours cannot hold, and return how many.

    The candidates that are not listed hold no clique larger than `n_free`; with the first k listed ones, none larger
    than the bound of the k-th.
    """
    words = adjacency.shape[1]
    n_free = max(0, n_free)
    classes, marks = colouring.members, colouring.marks
    uncoloured = colouring.scratch[0]
    taken = colouring.scratch[1]
    uncoloured[:] = candidates
    for colour in range(n_free):
        for word in range(words):
            classes[colour, word] = uncoloured[word]
        if not _take_class(adjacency, uncoloured, taken):
            return 0
        for word in range(words):
            classes[colour, word] &= ~uncoloured[word]
    marks[0, :n_free] = 0
    n_branches = 0
    colour = n_free
    while uncoloured.any():
        taken[:] = uncoloured
        is_used = False
        for word in range(words):
            while taken[word]:
                vertex = word * 64 + trailing_zeros(taken[word])
                taken[word] &= ~one(vertex)
                uncoloured[word] &= ~one(vertex)
                if n_free > 1 and _conflict(adjacency, vertex, n_free, colouring):
                    continue
                is_used = True
                branches[n_branches] = vertex
                bounds[n_branches] = colour + 1
                n_branches += 1
                for other in range(word, words):
                    taken[other] &= ~adjacency[vertex, other]
        if is_used:
            colour += 1
    return n_branches


@njit(cache=True)
def _conflict(adjacency: Bits, vertex: int, n_free: int, colouring: Classes) -> bool:
    """Whether the vertex and some k unmarked classes together add at most k to a clique; those are then marked.

    Assume that a clique takes one vertex of each class and this one. A class with one candidate left forces it, and
    that removes the candidates which are not its neighbours; a class with none left is a contradiction. Only the
    classes that the contradiction rests on are marked.
    """
    words = adjacency.shape[1]
    classes, units, marks = colouring.members, colouring.units, colouring.marks
    alive = colouring.scratch[2]
    alive[:] = adjacency[vertex]
    marks[1, :n_free] = 0  # or 1 + the place among the units of the one that the class forced
    units[0] = vertex
    n_units = 1
    while True:
        empty = -1
        forced = -1
        for colour in range(n_free):
            if marks[0, colour] or marks[1, colour]:
                continue
            n_alive = 0
            last = -1
            for word in range(words):
                rest = classes[colour, word] & alive[word]
                if rest:
                    n_alive += popcount(rest)
                    if n_alive > 1:
                        break
                    last = word * 64 + trailing_zeros(rest)
            if n_alive == 0:
                empty = colour
                break
            if n_alive == 1:
                forced = last
                marks[1, colour] = n_units + 1
                units[n_units] = forced
                n_units += 1
                for word in range(words):
                    alive[word] &= adjacency[forced, word]
        if empty >= 0:
            _blame(adjacency, empty, n_free, n_units, colouring)
            return True
        if forced < 0:
            return False


@njit(cache=True)
def _blame(adjacency: Bits, empty: int, n_free: int, n_units: int, colouring: Classes) -> None:
    """Mark the classes that emptied class `empty`, and those that forced their units, and so on back."""
    marks = colouring.marks
    owner = marks[2]
    is_blamed = marks[3]
    is_blamed[:n_units] = 0
    owner[:n_units] = -1
    for colour in range(n_free):
        if marks[1, colour]:
            owner[marks[1, colour] - 1] = colour
    marks[0, empty] = 1
    _blame_removals(adjacency, empty, -1, n_units, colouring)
    for place in range(n_units - 1, 0, -1):
        if is_blamed[place]:
            colour = owner[place]
            marks[0, colour] = 1
            _blame_removals(adjacency, colour, colouring.units[place], place, colouring)


@njit(cache=True)
def _blame_removals(adjacency: Bits, colour: int, kept: int, n_units: int, colouring: Classes) -> None:
    """For each vertex of the class but `kept`, blame the first unit that removed it."""
    for word in range(adjacency.shape[1]):
        rest = colouring.members[colour, word]
        while rest:
            vertex = word * 64 + trailing_zeros(rest)
            rest &= rest - np.uint64(1)
            if vertex == kept:
                continue
            for place in range(n_units):
                unit = colouring.units[place]
                if not adjacency[unit, vertex >> 6] & one(vertex):
                    colouring.marks[3, place] = 1
                    break
