"""Longest eluder sequences at one scale, or at a whole interval of scales relaxed into one."""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warmer.dimensions import kernels
from warmer.model import Array

__all__ = ["Clock", "ScaleSearch"]

_WORK = 4_000_000
"""Pairs looked at between two looks at the clock: about a tenth of a second."""

_MEMORY = 1 << 25
"""How many sets are remembered at most; beyond it the search forgets, and only repeats itself."""

_DOMINANCE = 3_000
"""Up to how many pairs are compared with one another before the search."""


@dataclass
class Clock:
    """When to stop."""

    time_limit: float | None
    start: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float | None:
        """The seconds that remain, or None where there is no limit."""
        return None if self.time_limit is None else self.start + self.time_limit - time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the time limit has passed."""
        return self.left is not None and self.left <= 0


class ScaleSearch:
    """Sequences of actions where each is hit by a pair whose costs on its predecessors stay within a budget.

    An action hits a pair when its square exceeds `hit_above`; with `hit_above` equal to `budget` this is the eluder
    dimension at one scale, with less it bounds the dimension at every scale in between.
    """

    def __init__(self, squares: Array, *, hit_above: Any, budget: Any) -> None:
        is_hit = squares > hit_above
        useful = np.flatnonzero(is_hit.any(axis=1))
        squares, is_hit = squares[useful], is_hit[useful]
        self.is_whole = squares.dtype == object and int(budget) >= 1 << 61
        dtype = object if self.is_whole else float if squares.dtype == float else np.int64
        costs = np.minimum(squares, budget + 1).astype(dtype)
        if squares.dtype == float:
            costs[squares > budget] = np.inf
        if not self.is_whole and 1 < useful.size <= _DOMINANCE:
            is_hit = kernels.eluder.undominated(costs, is_hit)
            kept = np.flatnonzero(is_hit.any(axis=1))
            useful, costs, is_hit = useful[kept], costs[kept], is_hit[kept]
        # Actions that hit few pairs keep most of them alive: they come first.
        self.actions = np.argsort(is_hit.sum(axis=0), kind="stable")
        self.costs, self.is_hit, self.budget = (
            np.ascontiguousarray(costs[:, self.actions]),
            is_hit[:, self.actions],
            budget,
        )

    def bound(self) -> int:
        """A length that no sequence exceeds."""
        if self.is_whole or not self.costs.size:
            return int(self.is_hit.any(axis=0).sum())
        return int(kernels.eluder.root_bound(self.costs, self._order, self._hits, self._limit))

    def guess(self, width: int = 8) -> list[int]:
        """A long sequence, not always the longest."""
        if self.is_whole or not self.costs.size:
            return []
        return self._named(kernels.eluder.beam(self.costs, self._hits, self._limit, width))

    def run(self, *, more_than: int, stop_at: int, clock: Clock, work: float = np.inf) -> tuple[list[int] | None, bool]:
        """Look for a sequence longer than `more_than`; stop at length `stop_at`, or when the time or work is up.

        Returns the best sequence found, if any, and whether the search has ended (exhausted, or `stop_at` reached).
        """
        if not self.costs.size or more_than >= stop_at:
            return None, True
        if self.is_whole:
            return self._run_whole(more_than=more_than, stop_at=stop_at, clock=clock)
        return self._run_compiled(more_than=more_than, stop_at=stop_at, clock=clock, work=work)

    def _run_compiled(
        self, *, more_than: int, stop_at: int, clock: Clock, work: float
    ) -> tuple[list[int] | None, bool]:
        n_pairs, n_actions = self.costs.shape
        n_words = self._hits.shape[1]
        stack = (
            np.zeros((n_actions + 1, n_words), np.uint64),
            np.zeros((n_actions + 1, n_words), np.uint64),
            np.zeros((n_actions + 1, n_words), np.uint64),
            np.zeros(n_actions + 1, np.int64),
            np.empty(n_pairs * (n_actions + 1), np.int32),
            np.empty(n_pairs * (n_actions + 1), self.costs.dtype),
        )
        stack[1][0] = stack[2][0] = np.bitwise_or.reduce(self._hits, axis=0)
        stack[3][0] = n_pairs
        stack[4][:n_pairs] = np.arange(n_pairs)
        stack[5][:n_pairs] = self._limit
        memory = np.zeros((1 << 12, n_words), np.uint64), np.full(1 << 12, -1, np.int16)
        state = np.array([0, more_than, stop_at, 0, 0], np.int64)
        path, found = np.zeros(n_actions, np.int32), np.zeros(n_actions, np.int32)
        status = kernels.eluder.PAUSED
        while status != kernels.eluder.EXHAUSTED and not clock.is_over and state[4] < work:
            status = kernels.eluder.search(
                self.costs, self._order, self._hits, self._limit, self._by_closure,
                stack, memory, state, path, found, _WORK,
            )  # fmt: skip
            if status == kernels.eluder.FULL:
                memory = self._more_room(memory)
                state[3] = int((memory[1] >= 0).sum())
        best = int(state[1])
        return (self._named(found[:best]) if best > more_than else None), status == kernels.eluder.EXHAUSTED

    def _more_room(self, memory: tuple[Array, Array]) -> tuple[Array, Array]:
        keys, sizes = memory
        if sizes.size < _MEMORY:
            grown: tuple[Array, Array] = kernels.eluder.grow(keys, sizes)
            return grown
        return np.zeros_like(keys), np.full_like(sizes, -1)

    def _run_whole(self, *, more_than: int, stop_at: int, clock: Clock) -> tuple[list[int] | None, bool]:
        """The same search for numbers that only Python can hold."""
        best: list[int] = []
        seen: set[frozenset[int]] = set()
        stack: list[tuple[list[int], list[tuple[int, int]]]] = [
            ([], [(p, self.budget) for p in range(len(self.costs))])
        ]
        while stack and len(best) < stop_at:
            if clock.is_over:
                return (self._named(best) if len(best) > more_than else None), False
            path, alive = stack.pop()
            best = max(best, path, key=len)
            reach = {int(b) for p, _ in alive for b in np.flatnonzero(self.is_hit[p])} - set(path)
            if len(path) + len(reach) <= max(len(best), more_than):
                continue
            for b in reach:
                if frozenset([*path, b]) not in seen:
                    seen.add(frozenset([*path, b]))
                    left = [(p, rest - self.costs[p, b]) for p, rest in alive if self.costs[p, b] <= rest]
                    stack.append(([*path, b], left))
        return (self._named(best) if len(best) > more_than else None), True

    def _named(self, sequence: Any) -> list[int]:
        return [int(self.actions[b]) for b in sequence]

    @property
    def _limit(self) -> Any:
        return self.costs.dtype.type(self.budget)

    @property
    def _by_closure(self) -> bool:
        return bool(((self.costs == 0) | (self.costs > self._limit)).all())

    @property
    def _order(self) -> Array:
        if not hasattr(self, "_sorted"):
            self._sorted = np.argsort(self.costs, axis=1, kind="stable").astype(np.int16)
        return self._sorted

    @property
    def _hits(self) -> Array:
        if not hasattr(self, "_words"):
            self._words = kernels.bits.pack(self.is_hit)
        return self._words
