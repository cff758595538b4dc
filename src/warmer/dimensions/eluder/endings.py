"""The heads of long eluder sequences, found from the end: the pairs of the last actions leave room for few others."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from warmer.dimensions import kernels
from warmer.dimensions.search.clique import n_cores
from warmer.model import Array
from warmer.model.time_limit import Clock

_BLOCK = 1 << 16
"""How many endings, times pairs, a core looks at between two looks at the clock: a tenth of a second or less."""
_WORK_A_PAIR = 10  # how long a pair takes here, where a pair that one action is added to takes 1
_MOST = 1 << 21  # how many endings are held at once
_STEPS = 2  # steps per pair (and a hundred more) after which the heads of an ending are too many to go through
_HEADS = 16  # how many heads an ending may have


class TooMuchWork(Exception):  # noqa: N818 - an event, as OutOfTime is
    """There are more endings than may be looked at; it never leaves this package."""


class Heads:
    """The first actions of sequences of some length, as far as the pairs of the last actions tell them."""

    def __init__(self, plain: "kernels.eluder.Pairs", is_hit: Array, budget: Any, clock: Clock) -> None:
        self._plain, self._budget, self._clock = plain, plain.cost.dtype.type(budget), clock
        fits = plain.cost <= budget
        shares = np.where(fits, plain.cost / max(float(budget), np.finfo(float).tiny), np.inf)
        self._held = kernels.endings.Shares(shares, kernels.bits.pack(fits), is_hit)
        self._is_closed = bool(((shares == 0) | (shares > 1)).all())

    def of(self, length: int, *, work: float) -> Iterator[list[int]]:
        """Sequences such that, if there is one of this `length`, it can begin with the actions of one of them.

        Endings get longer, pair by pair, until their heads can be gone through. What is told does not depend on the
        number of cores. Raises `TooMuchWork` where that does not end in time, and `OutOfTime` at the time limit.
        """
        self._left = work
        nothing = np.zeros((1, 0), np.int64), kernels.bits.pack(np.ones((1, self._held.shares.shape[1]), bool))
        endings = kernels.endings.Endings(*nothing, np.zeros(1))
        told: set[frozenset[int]] = set()
        for need in range(length - 1, 0, -1):
            endings = self._longer(endings, need)
            are_open = [np.zeros(0, bool)]
            for found, is_open in self._map(self._heads, endings, need):
                are_open.append(is_open)
                new = {frozenset(head): head for head in found.tolist() if frozenset(head) not in told}
                told |= new.keys()
                yield from new.values()
            endings = _rows(endings, np.concatenate(are_open))
            if not len(endings.taken):
                return
        raise TooMuchWork

    def _longer(self, endings: Any, need: int) -> Any:
        """The endings with one pair more that leave room for `need` actions."""
        parts: list[Any] = []
        for part in self._map(self._extended, endings, need):
            parts.append(part)
            if sum(len(part.taken) for part in parts) > _MOST:
                raise TooMuchWork
        return self._distinct(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _extended(self, endings: Any, need: int) -> Any:
        rows, pairs, taken = kernels.endings.extend(self._plain, self._budget, self._held, endings, need)
        together = np.concatenate([endings.pairs[rows], pairs[:, None]], axis=1)
        return self._distinct(np.sort(together, axis=1), endings.fits[rows] & self._held.fits[pairs], taken)

    def _distinct(self, pairs: Array, fits: Array, taken: Array) -> Any:
        """Of the endings with the same pairs, that which takes least; where none takes anything, only fits matter."""
        by_taken = np.argsort(taken, kind="stable")
        _, first = np.unique((fits if self._is_closed else pairs)[by_taken], axis=0, return_index=True)
        return _rows(kernels.endings.Endings(pairs, fits, taken), by_taken[np.sort(first)])

    def _heads(self, endings: Any, need: int) -> Any:
        n_steps = _STEPS * (100 + len(self._plain.cost))
        return kernels.endings.heads(self._plain, self._budget, self._held, endings, need, n_steps, _HEADS)

    def _map(self, call: Callable[[Any, int], Any], endings: Any, need: int) -> Iterator[Any]:
        """What a call gives on each block of endings, in order; the blocks of all cores go on side by side."""
        n_pairs, n_threads = len(self._plain.cost), n_cores()
        size = max(1, _BLOCK // n_pairs)
        blocks = [_rows(endings, slice(start, start + size)) for start in range(0, len(endings.taken), size)]
        with ThreadPoolExecutor(n_threads) as threads:
            for start in range(0, len(blocks), n_threads):
                self._clock.check()
                if self._left < 0:
                    raise TooMuchWork
                together = blocks[start : start + n_threads]
                self._left -= _WORK_A_PAIR * n_pairs * sum(len(block.taken) for block in together)
                side_by_side = threads.map if len(together) > 1 else map
                yield from side_by_side(lambda block: call(block, need), together)


def _rows(endings: Any, which: Any) -> Any:
    return kernels.endings.Endings(*(column[which] for column in endings))
