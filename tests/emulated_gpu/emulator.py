"""A stand-in for CuPy and a GPU: kernels are compiled for this machine, and the threads of a block take turns.

Slow, but the code of the kernels is the one that a GPU plays, and so is all that launches them and fetches results.
"""

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from warmer.simulation.cuda import device

COMPILER = shutil.which("g++")
NO_COMPILER = "The kernels for a GPU were not tested: g++ is not installed."
OPTIONS = ["-std=c++17", "-O1", "-ffp-contract=off", "-fno-strict-aliasing", "-fPIC", "-w"]
OPTIONS += ["-U_FORTIFY_SOURCE"]  # it allows no jump between stacks
THREADS = Path(__file__).with_name("threads.h")
KERNELS = resources.files("warmer.simulation.cuda").joinpath("runs.cu").read_text()
IN_OTHER_WORDS = {
    r"extern __shared__ double dynamic\[\];": "",
    r'asm volatile\("bar.sync[^;]*;" ::"n"\((\w+)\), "r"\((\w+)\) : "memory"\)': r"meet_at(\1, \2)",
    r'asm\("rcp.approx[^;]*;" : "=d"\((\w+)\) : "d"\((\w+)\)\)': r"\1 = roughly_inverse(\2)",
}
"""What is said to an NVIDIA GPU alone, and how to say it here."""
WRONG = {1: "threads wait for others that never come", 2: "lanes of a warp meet at different places"}
FORWARDS, BACKWARDS, SHUFFLED = range(3)
"""The orders in which threads take turns."""
N_BLOCKS = 3


class MixedUpError(Exception):
    """Threads do not meet where they should."""


class Memory(np.ndarray):
    """An array, with what one on a GPU has besides."""

    @property
    def data(self):
        return SimpleNamespace(ptr=self.ctypes.data)

    def get(self, stream=None, out=None):
        return np.array(self) if out is None else np.copyto(out, self)


class Kernel:
    """A kernel that was compiled for this machine; its threads take turns in one of the orders."""

    def __init__(self, library, order):
        self.kernel, self.order = SimpleNamespace(ptr=0), order
        self._launch = ctypes.CDLL(str(library)).launch

    def __call__(self, blocks, threads, given, shared_mem):
        game = np.array(given[0])
        if code := self._launch(ctypes.c_void_p(game.ctypes.data), *blocks, *threads, shared_mem, self.order):
            raise MixedUpError(WRONG[code])


def compiled(code, name, folder):
    """The library with the kernel of this name; compiled once."""
    for pattern, words in IN_OTHER_WORDS.items():
        code, n = re.subn(pattern, words, code)
        assert n == 1, pattern
    number = re.search(r"<(\w+)", name).group(1)
    call = f"""
        static void work(const void* game) {{ {name}(*(const Game<{number}>*)game); }}
        extern "C" int launch(const void* game, int n_blocks, int n_threads, int n_shared_bytes, int order) {{
            return emulator::play_blocks(work, game, n_blocks, n_threads, n_shared_bytes, order);
        }}
    """
    header = made(folder, THREADS.read_text(), ".h.gch", "-x", "c++-header")
    return made(folder, f"{code}\n{call}", ".so", "-shared", "-include", header.with_suffix(""), "-x", "c++")


def made(folder, code, suffix, *options):
    """What the compiler makes of this code; once."""
    name = hashlib.sha256(f"{COMPILER} {OPTIONS} {options} {code}".encode()).hexdigest()[:16]
    found = folder / f"{name}{suffix}"
    if not found.exists():
        source, part = folder / f"{name}.{os.getpid()}.code", folder / f"{name}.{os.getpid()}"
        source.write_text(code)
        subprocess.run([COMPILER, *OPTIONS, *options, source, "-o", part], check=True)
        part.rename(found)
    return found


def cupy(folder, order, code):
    """What is used of CuPy; the kernels are those of this code."""

    def memory(array):
        return np.array(array, order="C").view(Memory)

    def unwritten(shape, dtype=float):
        return (
            np.full(np.prod(shape) * np.dtype(dtype).itemsize, 0xFF, np.uint8).view(dtype).reshape(shape).view(Memory)
        )

    def module(name_expressions, **_):
        library = compiled(code, *name_expressions, folder)
        return SimpleNamespace(get_function=lambda _: Kernel(library, order))

    memory_left = (1 << 30, 1 << 30)
    gpu = SimpleNamespace(attributes={"MultiProcessorCount": N_BLOCKS}, synchronize=lambda: None, mem_info=memory_left)
    return SimpleNamespace(
        RawModule=module,
        asarray=lambda array, dtype=None: memory(np.asarray(array, dtype=dtype)),
        empty=unwritten,
        zeros=lambda shape, dtype=float: memory(np.zeros(shape, dtype)),
        ascontiguousarray=memory,
        get_default_memory_pool=lambda: SimpleNamespace(free_bytes=lambda: 0),
        cuda=SimpleNamespace(
            runtime=SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError),
            nvrtc=SimpleNamespace(getVersion=lambda: (12, 9)),
            driver=SimpleNamespace(occupancyMaxActiveBlocksPerMultiprocessor=lambda *_: 1),
            Device=lambda: gpu,
            Stream=lambda non_blocking: nullcontext(),
            alloc_pinned_memory=bytearray,
        ),
    )


@contextmanager
def emulated(folder, *, order=FORWARDS, code=KERNELS):
    """A block in which engine="cuda" finds a GPU that is none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", cupy(folder, order, code))
        device.kernel.cache_clear()
        try:
            yield
        finally:
            device.kernel.cache_clear()
