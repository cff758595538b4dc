"""Longer and longer chains of items, each with a partner that all items before it keep alive."""

import numpy as np

from warmer.dimensions import kernels

_MEMORY = 1 << 15
"""Live sets that a search of chains remembers."""


class ChainSearch:
    """A search for chains of more and more items, from one more than `more_than` up to `enough`."""

    def __init__(self, reach: kernels.Bits, own: kernels.Bits, n_partners: int, *, more_than: int, enough: int) -> None:
        self._links = kernels.chains.Links(reach, own, compatible(reach, own, n_partners))
        self._memory = kernels.chains.Memory(
            np.zeros((_MEMORY, reach.shape[1]), dtype=np.uint64), np.zeros(_MEMORY, dtype=np.int32)
        )
        self._everyone = kernels.bits.pack(np.ones((1, n_partners), dtype=bool))[0]
        self._enough = min(enough, len(reach), n_partners)
        self.chain: list[tuple[int, int]] = []
        self._stack: kernels.chains.Stack
        self._look_for(more_than + 1)

    def advance(self, n_nodes: int) -> None:
        """Visit up to `n_nodes` more nodes."""
        if not kernels.chains.search(self._links, self._stack, self._memory, n_nodes):
            return
        alive, current = self._stack.alive, self._stack.current
        if self._stack.counters[kernels.chains.DEPTH] != len(current):
            self.is_finished = True
            return
        partners = [kernels.bits.first(alive[place] & self._links.own[item]) for place, item in enumerate(current)]
        self.chain = [(int(item), int(partner)) for item, partner in zip(current, partners, strict=True)]
        self._look_for(len(current) + 1)

    def _look_for(self, length: int) -> None:
        n_items, words = self._links.reach.shape
        self.is_finished = length > self._enough
        self._stack = kernels.chains.Stack(
            alive=np.zeros((length + 1, words), dtype=np.uint64),
            choices=np.zeros((length, n_items), dtype=np.int32),
            n_left=np.zeros(length, dtype=np.int32),
            current=np.zeros(length, dtype=np.int32),
            counters=np.array([0, 0, 1], dtype=np.int64),
        )
        self._stack.alive[0] = self._everyone


def compatible(reach: kernels.Bits, own: kernels.Bits, n_partners: int) -> kernels.Bits:
    """For each partner those that can share a chain with it: some item owns one and reaches the other."""
    can_precede = np.unpackbits(
        kernels.chains.followers(reach, own, n_partners).view(np.uint8), axis=1, count=n_partners, bitorder="little"
    ).view(np.bool_)
    return kernels.bits.pack(can_precede | can_precede.T)
