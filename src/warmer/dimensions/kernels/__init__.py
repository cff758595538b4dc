"""Compiled searches: arrays in, arrays and numbers out."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.dimensions.kernels import bits, chains, clique, colouring, covering, eluder, endings, stars, windows

Bits = npt.NDArray[np.uint64]
"""Sets as rows of bits, 64 a word."""
Ints = npt.NDArray[np.int32]
Counters = npt.NDArray[np.int64]

lazily(__name__)
