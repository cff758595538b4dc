"""Other exact solvers on one graph, each in a process of its own that ends after so many seconds of its processor.

They are imported before the processes are forked: nobody's imports count. Several are run at once; the machine may be
shared, and CPU seconds are what is compared.
"""

import importlib.util
import multiprocessing
import resource
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Solve = Callable[[np.ndarray], int]
_PATIENCE = 30
"""How many times its seconds a process may take on the wall."""


def networkx_clique(edges: np.ndarray) -> int:
    import networkx

    return len(networkx.max_weight_clique(networkx.from_numpy_array(edges), weight=None)[0])


def igraph_clique(edges: np.ndarray) -> int:
    import igraph

    return int(igraph.Graph.Adjacency(edges.astype(int).tolist(), mode="undirected").clique_number())


def cp_sat_clique(edges: np.ndarray) -> int:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [model.new_bool_var(str(vertex)) for vertex in range(len(edges))]
    for first, second in np.argwhere(np.triu(~edges, 1)):
        model.add_bool_or(chosen[first].negated(), chosen[second].negated())
    model.maximize(sum(chosen))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else -1


def cp_sat_order(arcs: np.ndarray) -> int:
    """The longest sequence of one window: an element that may not precede another stands after it."""
    from ortools.sat.python import cp_model

    size = len(arcs)
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"chosen {vertex}") for vertex in range(size)]
    place = [model.new_int_var(0, size - 1, f"place {vertex}") for vertex in range(size)]
    for first in range(size):
        for second in range(size):
            if first != second and not arcs[first, second]:
                model.add(place[first] > place[second]).only_enforce_if(chosen[first], chosen[second])
    model.maximize(sum(chosen))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else -1


_CLIQUE: dict[str, tuple[str, Solve]] = {
    "networkx": ("networkx", networkx_clique),
    "igraph": ("igraph", igraph_clique),
    "CP-SAT": ("ortools", cp_sat_clique),
}


def clique_peers() -> dict[str, Solve]:
    """Those that are installed here."""
    return {name: solve for name, (module, solve) in _CLIQUE.items() if importlib.util.find_spec(module)}


def run_capped(solvers: Mapping[str, Solve], instance: np.ndarray, cap: float) -> dict[str, tuple[int, float] | None]:
    """The answer and the CPU seconds of each, or None where the cap came first."""
    for solve in solvers.values():
        solve(np.zeros((2, 2), dtype=bool))
    started = {name: _started(solve, instance, cap) for name, solve in solvers.items()}
    return {name: _ended(*process, cap) for name, process in started.items()}


def _started(solve: Solve, instance: np.ndarray, cap: float) -> tuple[Any, Any]:
    answers: Any = multiprocessing.SimpleQueue()
    process = multiprocessing.Process(target=_answer, args=(solve, instance, answers, cap))
    process.start()
    return process, answers


def _ended(process: Any, answers: Any, cap: float) -> tuple[int, float] | None:
    process.join(_PATIENCE * cap)
    if process.is_alive():
        process.kill()
        process.join()
    return None if answers.empty() else answers.get()


def _answer(solve: Solve, instance: np.ndarray, answers: Any, cap: float) -> None:
    start = time.process_time()
    whole = round(start + cap + 0.5)  # the limit is on all that the process has used, in whole seconds
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))
    found = solve(instance)
    seconds = time.process_time() - start
    if seconds <= cap:
        answers.put((found, seconds))
