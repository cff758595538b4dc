"""The GPU: whether there is one, and the compiled kernel of a rule."""

from functools import cache
from importlib import resources
from typing import Any

from warmer.model.errors import ProtocolError, missing_extra

_CODE = "runs.cu"
_OPTIONS = ("--fmad=false", "-std=c++17")
"""No multiplication and addition are contracted into one: the results are those of the plain loop."""


def cupy() -> Any:
    """CuPy with a GPU that works; one sentence where either is missing.

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
    return found


@cache
def kernel(
    number: str, rule: int, noise: int, watching: int, *, n_per_thread: int, n_threads: int, n_blocks: int
) -> Any:
    """The kernel of a type of number, a rule, a noise model and the evidence that is kept, with so many targets per
    thread (0: kept in memory), so many threads at most and so many blocks per processor at the least.
    """
    code = resources.files("warmer.simulation.cuda").joinpath(_CODE).read_text()
    name = f"play<{number}, {rule}, {noise}, {watching}, {n_per_thread}, {n_threads}, {n_blocks}>"
    return cupy().RawModule(code=code, options=_OPTIONS, name_expressions=[name]).get_function(name)


def pinned(n_bytes: int) -> Any:
    """Memory of this machine that the GPU writes at full speed."""
    import cupyx

    return cupyx.empty_pinned(n_bytes, dtype="uint8")
