"""The benchmarks: what each is called, what it should reach, and its small version."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks import (
    adaptive_design,
    arms,
    choice,
    dimensions,
    engine,
    fits,
    gpu,
    large_study,
    linear,
    memory,
    mistakes,
    outages,
    pages,
    regret,
    scaling,
    separation,
    steps,
    stopping,
    storm,
    studies,
)
from warmer.model.errors import WarmerError
from warmer.simulation.cuda.device import cupy


class Section(NamedTuple):
    """One benchmark: its whole, its title and goal in the document, the minutes that it takes on two free cores, its
    small version, if it has one, with its minutes, and what it lacks on this machine: the document keeps what was
    measured elsewhere.
    """

    main: Callable[..., Any]
    title: str
    goal: str
    minutes: float
    quick: Callable[[], Any] | None = None
    quick_minutes: float = 0.0
    lacks: Callable[[], str] = lambda: ""

    def expected(self, *, is_quick: bool) -> float:
        """Minutes of the whole or of the small version."""
        return self.quick_minutes if is_quick else self.minutes


def no_gpu() -> str:
    """Why nothing can be measured on a GPU; empty where there is one."""
    try:
        cupy()
    except WarmerError as error:
        return str(error)
    return ""


def quick_steps() -> None:
    steps.whole_runs(n_truths=1, n_times=3)
    steps.measure(100_000, np.float64)
    steps.measure(10_000_000, np.float32)


def quick_engine() -> None:
    engine.structured()
    engine.arms(10)
    engine.arms(100)
    engine.own_parts(times=5)


def quick_dimensions() -> None:
    dimensions.warm_up()
    few = ["hamming8-4", "brock200_2", "keller4", "brock200_4"]
    dimensions.run_graphs(dimensions.DIMACS, few, cap=3.0, limit=20.0)
    dimensions.run_eluder(dimensions.ELUDER[:2], cap=3.0, limit=20.0)


SECTIONS = {
    "scaling": Section(
        scaling.main,
        "How time grows",
        "in proportion to targets, at most in proportion to queries and runs, inversely to free cores; "
        "more where a size leaves the caches.",
        minutes=0.6,
        quick=scaling.quick,
        quick_minutes=0.3,
    ),
    "engine": Section(
        engine.main,
        "Whole runs, compiled, beside the plain loop and peers",
        "4x the plain loop for least squares and 8x for Thompson, 30x the fastest peer that uses features of the class,"
        " 100x river on K arms; budgets 20x; looking at parts of one's own costs at most 20% of the plain loop.",
        minutes=0.9,
        quick=quick_engine,
        quick_minutes=0.3,
    ),
    "steps": Section(
        steps.main,
        "One step at many targets",
        "least squares within 1.5x of a bare compiled loop, and at ten million targets of a streaming pass; TopTwo "
        "within 10 passes at 100,000 targets, 20 where nothing is declared.",
        minutes=0.4,
        quick=quick_steps,
        quick_minutes=0.3,
    ),
    "regret": Section(
        regret.main,
        "Regret on a structured class",
        "on W3 least squares at most 15, optimism 60, Thompson 20, each below every peer in the same run.",
        minutes=1.3,
        quick=lambda: regret.main(n_seeds=3, ours=("least-squares", "optimistic", "thompson", "ucb1", "uniform")),
        quick_minutes=0.4,
    ),
    "linear": Section(
        linear.main,
        "Regret on linear bandits and K arms",
        "least squares below every peer on W2; optimism with a declared scale of 1 no worse than the best LinUCB.",
        minutes=1.5,
        quick=lambda: linear.main(n_seeds=2, shorter=10),
        quick_minutes=0.1,
    ),
    "dimensions": Section(
        dimensions.main,
        "Exact dimensions beside clique solvers",
        "at least 10x faster than networkx, igraph and CP-SAT on graphs over 0.1 s, within 2x of a bare search; "
        "eluder tables with 40 to 60 actions and dimensions over 12 close.",
        minutes=4.4,
        quick=quick_dimensions,
        quick_minutes=0.4,
    ),
    "stopping": Section(
        stopping.main,
        "Answers until the certificate",
        "the answers below, wrong proofs within delta, and at most 2.3 times the limit over five families.",
        minutes=1.3,
        quick=lambda: stopping.noise_models(n_tables=2, n_truths=5),
        quick_minutes=0.1,
    ),
    "arms": Section(
        arms.main,
        "Answers until an arm is certified",
        "fewer answers than every method with a proof.",
        minutes=3.0,
        quick=lambda: arms.show(0.05, 3),
        quick_minutes=0.2,
    ),
    "gpu": Section(
        gpu.main,
        "Runs on a GPU",
        "4e8 run-steps per second (float64, 2,048 targets), 2e8 with certificates, results fetched; a budget in 5 s.",
        minutes=2.0,
        lacks=no_gpu,
    ),
    "memory": Section(
        memory.main, "Ten million targets in a memory map", "under 1,500 MiB beyond the map.", minutes=1.5
    ),
    "fits": Section(
        fits.main, "Continuous fits beside a general optimiser", "never beaten by more than 1e-6.", minutes=2.2
    ),
    "separation": Section(
        separation.main, "The separation class", "regret that does not grow with N, exact answers.", minutes=0.7
    ),
    "choose": Section(
        choice.main, "Choosing a model", "never more labels than random points; no wrong certificate.", minutes=3.6
    ),
    "adaptive-design": Section(
        adaptive_design.main,
        "Which parameter is true",
        "no more trials than ADOpy, and none wrong beyond delta.",
        minutes=0.4,
    ),
    "studies": Section(
        studies.main,
        "Ask and tell on a database",
        "2x Optuna on the same database with 8 workers, 5x with a write-ahead log.",
        minutes=2.6,
    ),
    "large-study": Section(
        large_study.main,
        "A study of 100,000 answers",
        "open in under 2 s, status in under 0.2 s, ask and tell as at the start.",
        minutes=0.9,
    ),
    "storm": Section(storm.main, "A storm of kills", "nothing lost, nothing doubled, no gap.", minutes=3.0),
    "outages": Section(
        outages.main, "A server that is stopped", "every acknowledged answer is there once.", minutes=1.5
    ),
    "mistakes": Section(mistakes.main, "Typos, failures, onlookers", "no wrong proof in silence.", minutes=20),
    "pages": Section(
        pages.main,
        "Two hundred pages on one study",
        "nothing lost, 95% of pages within 200 ms, memory flat.",
        minutes=1.3,
    ),
}
