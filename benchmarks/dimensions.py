"""Exact dimensions: clique graphs beside other exact solvers, random tables, eluder dimensions, and memory.

    python -m benchmarks dimensions                      # all of it; peers are run where they are installed
    python -m benchmarks dimensions --dimacs FOLDER      # with the .clq files of the DIMACS challenge elsewhere
    python -m benchmarks dimensions --only random

A graph becomes a table with 1 on the diagonal and on non-edges and 0 on edges; at alpha = epsilon = 1 its dimension is
its clique number. Peers (networkx, igraph, OR-Tools) are timed on the same graph in the same run, and ended at the cap;
where ours takes more than that they are not tried. MoMC is the state of the art, in C, measured once on a machine like
this one. All times are CPU seconds of one core.
"""

import argparse
import importlib.util
import json
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.document import verdict
from benchmarks.solvers import clique_peers, cp_sat_order, run_capped
from warmer.dimensions import dissimilarity_dimension, eluder_dimension
from warmer.dimensions.eluder import scale_search
from warmer.dimensions.search.clique import maximum_clique
from warmer.model import Problem
from warmer.model.time_limit import Clock

EASY = [
    "hamming6-4", "johnson8-4-4", "MANN_a9", "c-fat200-5", "p_hat300-1", "san200_0.7_1", "hamming8-4", "brock200_2",
    "keller4", "C125.9", "sanr200_0.7", "brock200_4", "MANN_a27", "p_hat300-3", "DSJC500_5", "gen200_p0.9_55",
]  # fmt: skip
_QUICK = 5.0
"""CPU seconds up to which a call is timed a second time."""
HARD = ["p_hat500-3", "brock400_4"]
MOMC = {
    "hamming8-4": 0.16, "brock200_2": 0.03, "keller4": 0.05, "brock200_4": 0.17, "C125.9": 0.02, "MANN_a27": 0.19,
    "p_hat300-3": 0.31, "DSJC500_5": 2.4, "p_hat500-3": 12.3, "brock400_4": 24.0,
}  # fmt: skip
_SMALL, _FASTER = 0.1, 10
"""CPU seconds from which on peers should take ten times as long, and those times."""
_ALONE = 2.0
"""Seconds that the search of eluder sequences from the start alone gets."""
_MEMORY_LIMIT = 25.0
"""Seconds on the largest table: its memory is what is looked at."""
ELUDER = [
    ("uniform", 40, 30, 0.6), ("uniform", 40, 30, 1.0), ("uniform", 40, 30, 0.8), ("uniform", 50, 40, 0.6),
    ("uniform", 50, 40, 1.0), ("uniform", 60, 60, 0.6), ("sign", 40, 30, 1.0), ("sign", 60, 20, 1.0),
    ("linear", 40, 30, 0.5), ("linear", 40, 30, 0.8),
]  # fmt: skip
DIMACS = Path("../shared/dimacs")


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["graphs", "random", "eluder", "memory"], help="one part of the benchmark")
    parser.add_argument("--dimacs", type=Path, default=DIMACS, help="folder of .clq files and omega.json")
    parser.add_argument("--graphs", nargs="*", help="names of graphs; all where none are given")
    parser.add_argument("--cap", type=float, default=5.0, help="CPU seconds a peer may take on one instance")
    parser.add_argument("--limit", type=float, default=120.0, help="time_limit of every call of ours")
    options = parser.parse_args(arguments)
    warm_up()
    if options.only in (None, "graphs"):
        run_graphs(options.dimacs, options.graphs or EASY + HARD, cap=options.cap, limit=options.limit)
    if options.only in (None, "random"):
        run_random(cap=options.cap, limit=options.limit)
    if options.only in (None, "eluder"):
        run_eluder(ELUDER, cap=min(options.cap, _ALONE), limit=options.limit)
    if options.only in (None, "memory"):
        run_memory(limit=min(options.limit, _MEMORY_LIMIT))


def warm_up() -> None:
    start = time.perf_counter()
    rng = np.random.default_rng(0)
    for problem in (random_symmetric(8, rng), random_asymmetric(8, rng), random_bandit(8, 6, rng)):
        dissimilarity_dimension(problem, alpha=0.5, epsilon=0.5)
    dissimilarity_dimension(Problem.from_similarity(np.eye(8, dtype=int)), alpha=1, epsilon=1)
    eluder_dimension(eluder_table("uniform", 40, 30), epsilon=0.6)
    print(f"first calls, compilation included where nothing was cached: {time.perf_counter() - start:.1f} s\n")


def run_graphs(folder: Path, names: list[str], *, cap: float, limit: float) -> None:
    if not (folder / "omega.json").exists():
        print(
            f"No graphs in {folder}: give --dimacs a folder with DIMACS .clq files and omega.json. They are left out.\n"
        )
        return
    cliques = json.loads((folder / "omega.json").read_text())
    peers = clique_peers()
    header("graph", "omega", "ours s", "bare s", "MoMC s (ratio)", *(f"{name} s (ratio)" for name in peers))
    least: dict[str, tuple[float, str]] = {}
    bares = []
    for name in names:
        edges, omega = read_graph(folder / f"{name}.clq"), cliques[name]
        problem = Problem.from_similarity(1 - edges.astype(int))
        bracket, seconds = timed(partial(dissimilarity_dimension, problem, alpha=1, epsilon=1, time_limit=limit))
        assert bracket.lower <= omega <= bracket.upper, f"{name}: {bracket}, but omega is {omega}"
        bracket.witness.check(problem)
        _, bare = timed(partial(_bare, edges, limit))
        row(name, f"{bracket.lower}" if bracket.is_exact else str(bracket), f"{seconds:.3f}", f"{bare:.3f}")
        most = max(cap, 1.2 * _FASTER * seconds)
        found = run_capped(peers, edges, most) if seconds <= cap else {}
        known = f"{MOMC[name]:g} ({MOMC[name] / seconds:.1f}x)" if name in MOMC else ""
        cells([known, *(ratio(found[peer], seconds, omega, most) if found else "not tried" for peer in peers)])
        if seconds > _SMALL:
            bares.append(seconds / bare)
            for peer, run in found.items():
                bound = run[1] / seconds if run else most / seconds, "" if run else "more than "
                least[peer] = min(least.get(peer, bound), bound)
        if name in HARD:
            words = "proved" if bracket.is_exact else "not proved"
            verdict(
                name,
                f"{words} in {seconds:.1f} s",
                f"within 120 s; MoMC needs {MOMC[name]:g} s",
            )
    for peer, (times, words) in least.items():
        verdict(f"graphs over {_SMALL} s: {peer} / ours, the least", f"{words}{times:.0f}", f"at least {_FASTER}")
    if bares:
        verdict(f"graphs over {_SMALL} s: ours / a bare search, the largest", f"{max(bares):.2f}", "at most 2")


def run_random(*, cap: float, limit: float) -> None:
    header("random table", "epsilon", "dimension", "ours s", "ours s, one window", "CP-SAT s, that window (ratio)")
    rng = np.random.default_rng(1)
    cases: list[tuple[str, Problem, float]] = [("300 symmetric", random_symmetric(300, rng), 1.0)]
    cases += [(f"{size} asymmetric", random_asymmetric(size, rng), 1.0) for size in (100, 150)]
    cases += [("500 functions x 60 actions", random_bandit(500, 60, rng), 0.5)]
    slowest: dict[str, float] = defaultdict(float)
    times: dict[str, list[float]] = defaultdict(list)
    for name, problem, alpha in cases:
        for epsilon, monotone in product((0.25, 0.5, 1.0), (False, True)):
            bracket, seconds = timed(
                partial(
                    dissimilarity_dimension, problem, alpha=alpha, epsilon=epsilon, monotone=monotone, time_limit=limit
                )
            )
            bracket.witness.check(problem)
            row(f"{name}{', monotone' * monotone}", f"{epsilon}", str(bracket), f"{seconds:.2f}")
            slowest[name] = max(slowest[name], seconds)
            if "asymmetric" in name and not monotone and importlib.util.find_spec("ortools"):
                window = Problem.from_similarity(1 - busiest_window(problem, alpha, epsilon, bracket.lower).astype(int))
                alone, one_window = timed(partial(dissimilarity_dimension, window, alpha=1, epsilon=1))
                peer = run_capped({"CP-SAT": cp_sat_order}, window.rho == 0, cap)["CP-SAT"]
                cells([f"{one_window:.3f}", ratio(peer, one_window, alone.value, cap)])
                times[name].append((peer[1] if peer else cap) / one_window)
            else:
                cells(["", ""])
    for name, most in {"300 symmetric": 10, "100 asymmetric": 5, "500 functions x 60 actions": 10}.items():
        verdict(f"{name}, the slowest", f"{slowest[name]:.2f} s", f"under {most} s")
    if times:
        verdict("100 asymmetric: CP-SAT / ours, the least", f"{min(times['100 asymmetric']):.0f}", "at least 100")


def run_eluder(cases: list[tuple[str, int, int, float]], *, cap: float, limit: float) -> None:
    """Eluder dimensions of long sequences, beside the search from the start alone, which has `cap` seconds."""
    print()
    header("eluder, actions x functions", "epsilon", "dimension", "seconds", f"in {cap:g} s, from the start alone")
    n_closed, dimensions = 0, []
    for kind, n_actions, n_functions, epsilon in cases:
        problem = eluder_table(kind, n_actions, n_functions)
        bracket, seconds = timed(partial(eluder_dimension, problem, epsilon=epsilon, time_limit=limit))
        bracket.witness.check(problem)
        row(f"{kind} {n_actions} x {n_functions}", f"{epsilon}", str(bracket), f"{seconds:.2f}")
        n_closed, dimensions = n_closed + bracket.is_exact, [*dimensions, bracket.lower]
        with patch.object(scale_search, "_MANY_COSTS", 0):
            alone = eluder_dimension(problem, epsilon=epsilon, time_limit=cap)
        assert alone.lower <= bracket.upper
        assert bracket.lower <= alone.upper
        cells([f"{alone.lower} to {alone.upper}"])
    words = f"{n_closed} of {len(cases)}, dimensions {min(dimensions)} to {max(dimensions)}"
    verdict("eluder dimensions of 40 to 60 actions that are closed", words, "all, and dimensions over 12")


def run_memory(*, limit: float) -> None:
    size = 5_000
    problem = random_symmetric(size, np.random.default_rng(2))
    bracket, seconds = timed(lambda: dissimilarity_dimension(problem, alpha=1, epsilon=0.25, time_limit=limit))
    bracket.witness.check(problem)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"\n{size} symmetric alternatives: {bracket}, {seconds:.1f} s, peak memory {peak:.2f} GB, table included")


def random_symmetric(size: int, rng: np.random.Generator) -> Problem:
    upper = np.triu(rng.uniform(-1, 1, (size, size)), 1)
    upper += upper.T
    np.fill_diagonal(upper, 1)
    return Problem.from_similarity(upper)


def random_asymmetric(size: int, rng: np.random.Generator) -> Problem:
    table = rng.uniform(-1, 1, (size, size))
    np.fill_diagonal(table, 1)
    return Problem.from_similarity(table)


def random_bandit(n_functions: int, n_actions: int, rng: np.random.Generator) -> Problem:
    return Problem.from_table(rng.uniform(-1, 1, (n_actions, n_functions)))


def eluder_table(kind: str, n_actions: int, n_functions: int) -> Problem:
    """Entries that are uniform in [-1, 1], signs, or products of random unit vectors in 8 dimensions."""
    rng = np.random.default_rng(0)
    if kind == "uniform":
        return Problem.from_table(rng.uniform(-1, 1, (n_actions, n_functions)))
    if kind == "sign":
        return Problem.from_table(rng.choice([-1, 1], (n_actions, n_functions)))
    actions, functions = rng.normal(size=(n_actions, 8)), rng.normal(size=(8, n_functions))
    actions /= np.linalg.norm(actions, axis=1)[:, None]
    return Problem.from_table(actions @ (functions / np.linalg.norm(functions, axis=0)))


def read_graph(path: Path) -> np.ndarray:
    lines = [line.split() for line in path.read_text().splitlines() if line]
    size = next(int(line[2]) for line in lines if line[0] == "p")
    ends = np.array([line[1:3] for line in lines if line[0] == "e"], dtype=int).T - 1
    edges = np.zeros((size, size), dtype=bool)
    edges[tuple(ends)] = True
    return edges | edges.T


def busiest_window(problem: Problem, alpha: float, epsilon: float, dimension: int) -> np.ndarray:
    """The entries of the window for one element more than the dimension that holds the most of them."""
    length = dimension + 1
    table = np.array(problem.rho)
    np.fill_diagonal(table, 2)
    width, highest = 2 * epsilon / length**0.5, alpha - epsilon * (1 - length**-0.5)
    tops = np.unique(table[table <= highest])
    top = max(tops, key=lambda value: ((table <= value) & (table >= value - width)).sum())
    return np.asarray((table <= top) & (table >= top - width))


def _bare(edges: np.ndarray, limit: float) -> Any:
    return maximum_clique(edges, clock=Clock(limit))


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """What a call gives, and its CPU seconds (the machine may be shared); a quick one is timed again, compiled."""
    start = time.process_time()
    result = call()
    seconds = time.process_time() - start
    return result, seconds if seconds > _QUICK else min(seconds, _again(call))


def _again(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def ratio(run: tuple[int, float] | None, seconds: float, expected: int | None, cap: float) -> str:
    if run is None:
        return f"> {cap:.3g} (> {cap / seconds:.0f}x)"
    assert expected is None or run[0] == expected
    return f"{run[1]:.3f} ({run[1] / seconds:.1f}x)"


def header(*names: str) -> None:
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names), flush=True)


def row(*values: str) -> None:
    print("| " + " | ".join(values), end=" ", flush=True)


def cells(values: list[str]) -> None:
    print("".join(f"| {value} " for value in values) + "|", flush=True)
