"""Where the chance of a run comes from: one stream for its learner and one for its environment.

Philox4x64-10 (Salmon, Moraes, Dror and Shaw 2011) turns a key and a counter into numbers. The key comes from the seed;
the counter is made of the run, the role and the place within the stream. So every run has its own numbers whoever plays
it, and however runs are divided.
"""

import numpy as np

from warmer.model import Array

LEARNER, ENVIRONMENT = 0, 1


def key_of(seed: int) -> Array:
    """The key of a seed: two words of 64 bits."""
    return np.random.SeedSequence(seed).generate_state(2, np.uint64)


def stream(key: Array, run: int, role: int) -> np.random.Generator:
    """The numbers of a run for one of the two roles.

    Examples
    --------
    >>> first, again = (stream(key_of(3), run=7, role=ENVIRONMENT).random() for _ in range(2))
    >>> first == again, first == stream(key_of(3), run=8, role=ENVIRONMENT).random()
    (True, False)
    """
    return np.random.Generator(np.random.Philox(key=key, counter=[0, role, run, 0]))
