"""The GPU: whether there is one, and the compiled kernel of a rule."""

from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from warmer.model import Array
from warmer.model.errors import MissingExtraError, ProtocolError, missing_extra

_CODE = "runs.cu"
_OPTIONS = ("--fmad=false", "-std=c++17")
"""No multiplication and addition are contracted into one: the results are those of the plain loop."""


def cupy() -> Any:
    """CuPy with a GPU and a compiler that work; one sentence where one is missing.

    A simulation on a GPU never goes on without one.
    """
    try:
        import cupy as found
    except ImportError as error:
        raise missing_extra('engine="cuda"', "cuda") from error
    try:
        n = found.cuda.runtime.getDeviceCount()
    except found.cuda.runtime.CUDARuntimeError as error:
        raise ProtocolError(f'engine="cuda" found no GPU that works ({error}); leave the engine out.') from error
    if not n:
        raise ProtocolError('engine="cuda" found no GPU; leave the engine out.')
    try:
        found.cuda.nvrtc.getVersion()
    except RuntimeError as error:
        why = str(error).strip().splitlines()[0]
        raise MissingExtraError(
            f'engine="cuda" found no NVRTC, which compiles its kernels ({why}); install it with: '
            "pip install 'warmer[cuda]', or leave the engine out."
        ) from error
    return found


@cache
def kernel(name: str) -> Any:
    """The kernel of this name, with the types and numbers that it is compiled for."""
    code = resources.files("warmer.simulation.cuda").joinpath(_CODE).read_text()
    return cupy().RawModule(code=code, options=_OPTIONS, name_expressions=[name]).get_function(name)


def n_at_once(compiled: Any, n_threads: int, n_shared_bytes: int) -> int:
    """Blocks of a kernel that the GPU plays at once: more would find nothing left to play."""
    cuda = cupy().cuda
    each = cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(compiled.kernel.ptr, n_threads, n_shared_bytes)
    return int(cuda.Device().attributes["MultiProcessorCount"] * each)


def free_bytes() -> int:
    """Memory of the GPU that nobody uses, with what CuPy keeps for later."""
    free, _ = cupy().cuda.Device().mem_info
    return int(free + cupy().get_default_memory_pool().free_bytes())


def pinned(n_bytes: int) -> Array:
    """Memory of this machine that the GPU writes at full speed."""
    return np.frombuffer(cupy().cuda.alloc_pinned_memory(n_bytes), np.uint8, n_bytes)
