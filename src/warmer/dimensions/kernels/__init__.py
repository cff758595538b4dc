"""Compiled searches: arrays in, arrays and numbers out."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.dimensions.kernels import bits as bits
    from warmer.dimensions.kernels import chains as chains
    from warmer.dimensions.kernels import clique as clique
    from warmer.dimensions.kernels import colouring as colouring
    from warmer.dimensions.kernels import covering as covering
    from warmer.dimensions.kernels import elimination as elimination
    from warmer.dimensions.kernels import eluder as eluder
    from warmer.dimensions.kernels import sparse as sparse
    from warmer.dimensions.kernels import vectors as vectors
    from warmer.dimensions.kernels import windows as windows

__all__ = ["Bits"]

Bits = npt.NDArray[np.uint64]
"""Sets as rows of bits, 64 a word."""

__getattr__ = lazily(
    __name__,
    "bits",
    "chains",
    "clique",
    "colouring",
    "covering",
    "elimination",
    "eluder",
    "sparse",
    "vectors",
    "windows",
)
