"""`python -m tests.gpu` names the GPU; `compare` plays the grid on it, or a part such as 0/8; `store` keeps what the
CPU plays. `compute-sanitizer --tool racecheck python -m tests.gpu play 0/8` plays a few runs of each case, several in
each of a few blocks, for tools that watch every access to memory.
"""

import json
import sys
import time

from tests.gpu import grid
from tests.gpu.grid import GRID, N_RUNS, STORED, digest, played, stored
from warmer.model.errors import WarmerError
from warmer.simulation.cuda import launches
from warmer.simulation.cuda.device import cupy

FEW_RUNS, FEW_BLOCKS = 60, 20


def compare(part="0/1"):
    """How many of the grid, or of its part k of n, differ from what the CPU gave."""
    first, step = map(int, part.split("/"))
    found, start, cases = stored(), time.perf_counter(), GRID[first::step]
    wrong = [case for case in cases if digest(played(*case, engine="cuda")) != found["/".join(case)]]
    print(f"{len(cases) - len(wrong)} of {len(cases)} cases of {N_RUNS} runs equal the CPU's to the last bit")
    print(f"({time.perf_counter() - start:.0f} s, most of it for compiling)", *wrong, sep="\n")
    return len(wrong)


def play(part="0/1"):
    """Play a few runs of each case of the grid, or of its part k of n, and name those that are done."""
    first, step = map(int, part.split("/"))
    grid.N_RUNS, launches.n_at_once = FEW_RUNS, lambda *_: FEW_BLOCKS
    for case in GRID[first::step]:
        played(*case, engine="cuda")
        print("played", *case, sep="/", flush=True)


if __name__ == "__main__":
    what = sys.argv[1:]
    if what == ["store"]:
        STORED.write_text(json.dumps({"/".join(case): digest(played(*case)) for case in GRID}, indent=0) + "\n")
        sys.exit()
    try:
        gpus = cupy().cuda.runtime
        print(gpus.getDeviceProperties(gpus.getDevice())["name"].decode())
    except WarmerError as error:
        sys.exit(f"The runs on a GPU were left out: {error}")
    if what[:1] == ["compare"]:
        sys.exit(compare(*what[1:]))
    if what[:1] == ["play"]:
        play(*what[1:])
