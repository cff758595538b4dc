"""A systematic sample of the candidates of all shards, by their weights."""

import numpy as np

from warmer.certification.sharded import part as on_shards
from warmer.certification.weights import MOST_LIKELY, N_DRAWN
from warmer.model import Array
from warmer.model.sharded import Pieces


def drawn(parts: Pieces, firsts: Array, start: float) -> tuple[Array, Array]:
    """Possible candidates with weight, by their numbers, and their shares: all of them where they are few.

    Else a systematic sample; `start`, between 0 and 1, is where it starts. As `kernels.evidence.draw` of a whole table.
    """
    found = parts.each(on_shards.mass)
    masses = np.array([mass for _, mass in found])
    total, running = masses.sum(), np.cumsum(masses)
    if sum(n for n, _ in found) <= MOST_LIKELY:
        each = parts.each(on_shards.having_weight)
    else:
        aims = (np.arange(N_DRAWN) + start) * total / N_DRAWN
        owners = np.minimum(running.searchsorted(aims), np.flatnonzero(masses)[-1])
        wanted = Pieces(tuple(aims[owners == k] for k in range(masses.size)))
        each = parts.each(on_shards.drawn, Pieces(tuple((running - masses).tolist())), wanted)
        total = N_DRAWN
    places = np.concatenate([own + first for (own, _), first in zip(each, firsts.tolist(), strict=True)])
    return places, np.concatenate([shares for _, shares in each]) / max(total, 1e-300)
