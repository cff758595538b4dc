"""Which parameter is true? Trials until it is certified, beside ADOpy on its own tasks; and the time of one trial.

ADOpy has no stopping rule. It is stopped by the set of parameters whose posterior is at least delta times their prior,
which is valid at all times, when all of them agree to the task's tolerance. Ours is stopped by its certificate.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.document import verdict
from warmer import MaxInformation, Problem, TopTwo, goals, noise, problems

DELTA = 0.05
RULES = (TopTwo, MaxInformation)
MOST = 400


class Task(NamedTuple):
    """A yes/no task: the chance of a yes, the grids, the parameter that is asked for and how exactly."""

    name: str
    chance: Callable[..., Any]
    designs: Mapping[str, Any]
    parameters: Mapping[str, Any]
    wanted: str
    tolerance: float


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


TASKS = (
    Task(
        "psychometric function",
        lambda stimulus, threshold, slope: 0.5 + 0.46 * logistic(slope * (stimulus - threshold)),
        {"stimulus": np.linspace(-5, 5, 41)},
        {"threshold": np.linspace(-3, 3, 25), "slope": np.linspace(1, 5, 8)},
        "threshold",
        1.0,
    ),
    Task(
        "delay discounting",
        lambda r_ss, t_ll, k, tau: logistic(tau * (800 / (1 + k * t_ll) - r_ss)),
        {"r_ss": np.arange(50, 800, 50), "t_ll": [0.43, 2.15, 4.3, 12.9, 26, 52, 104, 260, 520]},
        {"k": np.geomspace(1e-3, 1, 20), "tau": [0.05, 0.1, 0.2]},
        "k",
        0.05,
    ),
    Task(
        "choice under risk",
        lambda p_var, r_var, alpha, gamma: logistic(gamma * (p_var * r_var**alpha - 0.5 * 10.0**alpha)),
        {"p_var": [0.13, 0.25, 0.38, 0.5, 0.75], "r_var": [12, 17, 24, 38, 58]},
        {"alpha": np.linspace(0.3, 1.5, 25), "gamma": np.linspace(1, 5, 5)},
        "alpha",
        0.2,
    ),
)


def main() -> None:
    trials()
    seconds()


def trials(n_truths: int = 30) -> None:
    table = Table(
        "task", "candidates", "who", "mean trials", "95%", "not certified", "wrong", "estimate within tolerance"
    )
    rng = np.random.default_rng(0)
    for task in track(TASKS, console=Console(stderr=True), transient=True):
        problem = made(task)
        values, truths = problem.parameters[task.wanted], rng.integers(0, problem.n_targets, n_truths)
        contenders = {
            "warmer TopTwo": Ours(TopTwo, task, problem),
            "warmer MaxInformation": Ours(MaxInformation, task, problem),
        }
        if (peer := adopy_engine(task, problem)) is not None:
            contenders["ADOpy"] = peer
        means = {}
        for name, contender in contenders.items():
            played = [contender.play(problem.rho[:, truth], values[truth], seed=k) for k, truth in enumerate(truths)]
            stopped = [run.n_trials for run in played]
            means[name] = float(np.mean(stopped))
            table.add_row(
                task.name,
                str(problem.n_targets),
                name,
                f"{np.mean(stopped):.1f}",
                f"{np.quantile(stopped, 0.95):.0f}",
                str(sum(run.n_trials >= MOST for run in played)),
                str(sum(run.is_wrong for run in played)),
                f"{np.mean([run.n_close for run in played]):.1f}",
            )
        for name in list(means)[:-1] if peer is not None else []:
            verdict(f"{task.name}, {name}: trials / ADOpy's", f"{means[name] / means['ADOpy']:.2f}", "at most 1")
    Console().print(table)


def seconds() -> None:
    """One ask and tell at a million grid cells: 100 designs, 10,000 parameters."""
    task = TASKS[0]._replace(
        designs={"stimulus": np.linspace(-5, 5, 100)},
        parameters={"threshold": np.linspace(-3, 3, 100), "slope": np.linspace(1, 5, 100)},
    )
    problem = made(task)
    contenders: dict[str, Any] = {rule.__name__: Ours(rule, task, problem) for rule in RULES}
    if (peer := adopy_engine(task, problem)) is not None:
        contenders["ADOpy"] = peer
    table, times = Table("1,000,000 cells", "median ms per trial"), {}
    for name, contender in contenders.items():
        contender.play(problem.rho[:, 5000], 0.0, seed=0, most=3)
        times[name] = contender.play(problem.rho[:, 5000], 0.0, seed=1, most=15).seconds
        table.add_row(name, f"{1e3 * times[name]:.2f}")
    Console().print(table)
    for name in list(times)[:-1] if peer is not None else []:
        verdict(
            f"a million cells, ADOpy / {name}: time per trial", f"{times['ADOpy'] / times[name]:.0f}", "at least 20"
        )


def made(task: Task) -> Problem:
    return problems.from_model(task.chance, designs=task.designs, parameters=task.parameters, reward_range=(0, 1))


class Played(NamedTuple):
    """How one run went."""

    n_trials: int
    is_wrong: bool
    n_close: int
    """Trials after which the estimate is within tolerance for good."""
    seconds: float


class Ours:
    """A learner that proves, stopped by its certificate."""

    def __init__(self, rule: Any, task: Task, problem: Problem) -> None:
        self.task, self.problem = task, problem
        self.learner = rule(problem, goals.ValueOf(task.wanted, task.tolerance), noise=noise.Coin(), delta=DELTA)

    def play(self, chances: np.ndarray, truth: float, *, seed: int, most: int = MOST) -> Played:
        """Trials until the parameter is certified."""
        rng = np.random.default_rng(seed)
        values = self.problem.parameters[self.task.wanted]
        state, estimates, times = self.learner.init(rng), [], []
        while not self.learner.is_done(state) and len(estimates) < most:
            start = time.perf_counter()
            query = self.learner.ask(state, rng)
            answer = float(rng.random() < chances[query])
            state = self.learner.tell(state, query, answer)
            times.append(time.perf_counter() - start)
            estimates.append(values[self.learner.certifier.leader(state)])
        inside = [abs(value - truth) <= self.task.tolerance for value in estimates]
        is_wrong = state.settled is not None and not _covers(self.learner.certifier.certificate(state).answer, truth)
        return Played(len(estimates), is_wrong, _settled(inside), float(np.median(times)) if times else 0.0)


class Peer:
    """ADOpy's engine, stopped by the parameters whose posterior is at least delta times their prior."""

    def __init__(self, engine: Any, task: Task, problem: Problem) -> None:
        self.engine, self.task, self.problem = engine, task, problem

    def play(self, chances: np.ndarray, truth: float, *, seed: int, most: int = MOST) -> Played:
        """Trials until the parameter is certified."""
        rng = np.random.default_rng(seed)
        values = self.engine.grid_param[self.task.wanted].to_numpy()
        designs = np.stack([axis.ravel() for axis in np.meshgrid(*self.task.designs.values(), indexing="ij")], axis=1)
        self.engine.reset()
        estimates, times, left = [], [], values
        while len(estimates) < most and np.ptp(left) > 2 * self.task.tolerance + 1e-9:
            start = time.perf_counter()
            design = self.engine.get_design()
            place = int(np.abs(designs - np.array([design[name] for name in self.task.designs])).sum(axis=1).argmin())
            self.engine.update(design, {"choice": int(rng.random() < chances[place])})
            times.append(time.perf_counter() - start)
            left = values[self.engine.post >= DELTA / len(values)]
            estimates.append(values[self.engine.post.argmax()])
        inside = [abs(value - truth) <= self.task.tolerance for value in estimates]
        is_wrong = np.ptp(left) <= 2 * self.task.tolerance and not left.min() - 1e-9 <= truth <= left.max() + 1e-9
        return Played(len(estimates), bool(is_wrong), _settled(inside), float(np.median(times)))


def adopy_engine(task: Task, problem: Problem) -> Peer | None:
    """ADOpy's engine for a task, with the names that it misses in today's NumPy put back; None where it is not
    installed.
    """
    for name, kind in (("int", int), ("float", float), ("bool", bool)):
        if name not in np.__dict__:
            setattr(np, name, kind)
    try:
        from adopy import Engine, Model
        from adopy import Task as AdopyTask
    except ImportError:
        Console(stderr=True).print("ADOpy is not installed (extra bench); it is left out.")
        return None
    from scipy.stats import bernoulli

    shape = AdopyTask(name=task.name, designs=list(task.designs), responses=["choice"])

    class Yes(Model):  # type: ignore[misc]
        def compute(self, choice: Any, **values: Any) -> Any:
            return bernoulli.logpmf(choice, task.chance(**values))

    model = Yes(name=task.name, task=shape, params=list(task.parameters))
    engine = Engine(shape, model, dict(task.designs), dict(task.parameters), {"choice": [0, 1]})
    return Peer(engine, task, problem)


def _settled(inside: list[bool]) -> int:
    """After how many trials it is true for good."""
    wrong = [k for k, is_inside in enumerate(inside) if not is_inside]
    return wrong[-1] + 2 if wrong else 1


def _covers(interval: tuple[float, float], value: float) -> bool:
    return interval[0] - 1e-9 <= value <= interval[1] + 1e-9
