"""Choosing a model: labels until the leader is good, and until that is proven, beside rules that were published.

`python -m benchmarks choose` fits 120 models to each of five pools per set; `--pools 20` takes four times as long.
Rules that draw points at random run with several orders of each pool: with one, random points alone need 515 to 965
labels on the hardest set, by luck. `--results FILE` keeps every run as it ends, so that one that was cut goes on
where it stopped; `--kinds` takes made-up collections of other shapes than the sets that the constants were chosen on.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.choice_collections import COLLECTIONS
from benchmarks.choice_pools import SETS, pool_of
from benchmarks.choice_rivals import RIVALS
from benchmarks.document import verdict
from warmer import ModelChoice
from warmer.choice.draws import LEVELS, Frame

DELTA = 0.05
EPSILONS = (0.05, 0.02)
MOST_LABELS = 1000

Run = dict[str, Any]


def ours(predictions: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Iterator[int]:
    """The leader of `ModelChoice` after each label, on its way to a certificate at 1%."""
    choice = ModelChoice(predictions, epsilon=0.01, delta=DELTA, seed=int(rng.integers(2**31)))
    while points := choice.ask():
        choice.tell(points[0], labels[points[0]])
        yield choice.leader


def leading(rule: Callable[..., Iterator[int]]) -> Callable[..., Run]:
    """After how many labels the leader begins or ceases to be within 1% of the best; the last one stays."""

    def run(predictions: np.ndarray, labels: np.ndarray, seed: int, orders: int = 1) -> Run:
        losses = (predictions != labels).mean(axis=1)
        paths = []
        for order in range(orders):
            leaders = islice(rule(predictions, labels, np.random.default_rng((seed, order))), MOST_LABELS)
            is_good = [bool(losses[leader] <= losses.min() + 0.01 + 1e-12) for leader in leaders]
            paths.append([(good, len(list(run))) for good, run in groupby(is_good)])
        return {"paths": paths, "most": min(len(labels), MOST_LABELS)}

    return run


def certified(epsilon: float) -> Callable[..., Run]:
    """Labels to the certificate, and whether it is false."""

    def run(predictions: np.ndarray, labels: np.ndarray, seed: int) -> Run:
        choice = ModelChoice(predictions, epsilon=epsilon, delta=DELTA, seed=seed)
        guesses = []
        while points := choice.ask():
            guesses.append(choice.labels_left)
            choice.tell(points[0], labels[points[0]])
        return {
            "labels": choice.n_labels,
            "false": _is_false(choice.certificate().answer, predictions, labels, epsilon),
            "guesses": guesses,
        }

    return run


def shared(epsilon: float) -> Callable[..., Run]:
    """The same test on points drawn from all disagreements, whoever is out; then certainty from all of them."""

    def run(predictions: np.ndarray, labels: np.ndarray, seed: int) -> Run:
        choice = ModelChoice(predictions, epsilon=epsilon, delta=DELTA, seed=seed)
        race, everyone, n_labels = choice._race, Frame(0, np.full(len(predictions), LEVELS)), None
        differs = (predictions != predictions[0]).any(axis=0)
        for point in np.random.default_rng(seed).permutation(np.flatnonzero(differs)).tolist():
            if race.is_decided and n_labels is None:
                n_labels, answer = race.n_labels, race.incumbent
            race.absorb(point, race.pool.read_label(labels[point]), everyone)
        if n_labels is None:
            n_labels, answer = race.n_labels, race.incumbent
        is_false = _is_false(answer, predictions, labels, epsilon)
        return {"labels": n_labels, "false": is_false, "certain": bool(race.is_decided and race.is_certain)}

    return run


def _is_false(answer: int, predictions: np.ndarray, labels: np.ndarray, epsilon: float) -> bool:
    losses = (predictions != labels).mean(axis=1)
    return bool(losses[answer] > losses.min() + epsilon + 1e-9)


TASKS: dict[str, Callable[..., Run]] = {
    "warmer": leading(ours),
    **{name: leading(rule) for name, rule in RIVALS.items()},
    **{f"certified {epsilon:g}": certified(epsilon) for epsilon in EPSILONS},
    **{f"shared {epsilon:g}": shared(epsilon) for epsilon in EPSILONS},
}

DRAWING = ("warmer", "random", "Model Picker")
"""Rules whose points depend on chance; the others have one order each."""


def main(options: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks choose", description=__doc__)
    parser.add_argument("--pools", type=int, default=5, help="pools of each set")
    parser.add_argument("--orders", type=int, default=3, help="runs on each pool of the rules that draw at random")
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--kinds", action="store_true", help="made-up collections of many kinds instead of the sets")
    parser.add_argument("--tasks", nargs="*", default=list(TASKS), help=f"some of: {', '.join(TASKS)}")
    parser.add_argument("--results", type=Path, help="file of JSON lines, added to as runs end")
    parser.add_argument("--cache", type=Path, help="folder in which fitted models' predictions are kept")
    chosen = parser.parse_args(options)
    sets = list(COLLECTIONS) if chosen.kinds else chosen.sets
    runs = known(chosen.results)
    for name in sets:
        for seed in range(chosen.pools):
            missing = [task for task in chosen.tasks if (name, seed, task) not in runs]
            pool = pool_of(name, seed, chosen.cache) if missing else None
            for task in missing:
                orders = {"orders": chosen.orders} if task in DRAWING else {}
                runs[name, seed, task] = TASKS[task](*pool, seed, **orders)
                keep(chosen.results, {"set": name, "pool": seed, "task": task, **runs[name, seed, task]})
        Console(stderr=True).print(f"{name}: done")
    found = {(name, task): _pools(runs, name, task, chosen.pools) for name in sets for task in chosen.tasks}
    show_leaders(sets, found)
    show_certificates(sets, found)
    show_forecasts(sets, found)


def known(results: Path | None) -> dict[tuple[str, int, str], Run]:
    """The runs that ended before."""
    if results is None or not results.exists():
        return {}
    runs = [json.loads(line) for line in results.read_text().splitlines()]
    return {(run["set"], run["pool"], run["task"]): run for run in runs}


def keep(results: Path | None, run: Run) -> None:
    """Add a run to the file."""
    if results is not None:
        with results.open("a") as stream:
            stream.write(json.dumps(run) + "\n")


def _pools(runs: dict[tuple[str, int, str], Run], name: str, task: str, n_pools: int) -> list[Run]:
    return [runs[name, seed, task] for seed in range(n_pools)]


def labels_needed(runs: list[Run], share: float = 0.9) -> int:
    """After how many labels, and ever after, this share of the runs has a good leader; if never, one more."""
    length = max(run["most"] for run in runs)
    paths = [[good for good, count in spans for _ in range(count)] or [False] for run in runs for spans in run["paths"]]
    filled = np.array([path + [path[-1]] * (length - len(path)) for path in paths])
    bad = np.flatnonzero(filled.mean(axis=0) < share)
    return int(bad[-1]) + 2 if bad.size else 1


def geometric_mean(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


def show_leaders(sets: list[str], found: dict[tuple[str, str], list[Run]]) -> None:
    rules = [rule for rule in ("warmer", *RIVALS) if (sets[0], rule) in found]
    if not rules:
        return
    table = Table(title="labels until within 1% of the best in 90% of the runs, and ever after")
    for heading in ("", *rules):
        table.add_column(heading, justify="right" if heading else "left")
    needed = {(name, rule): labels_needed(found[name, rule]) for name in sets for rule in rules}
    for name in sets:
        most = max(run["most"] for run in found[name, rules[0]])
        counts = [needed[name, rule] for rule in rules]
        table.add_row(name, *(str(count) if count <= most else f">{most}" for count in counts))
    table.add_row("geometric mean", *(f"{geometric_mean([needed[name, rule] for name in sets]):.0f}" for rule in rules))
    Console(width=120).print(table)
    show_rules(sets, rules, needed)


def show_rules(sets: list[str], rules: list[str], needed: dict[tuple[str, str], int]) -> None:
    """Ours beside the best of the other rules, and beside random points on each set."""
    means = {rule: geometric_mean([needed[name, rule] for name in sets]) for rule in rules}
    best = min((rule for rule in rules if rule != "warmer"), key=lambda rule: means[rule], default="")
    if "warmer" not in rules or not best:
        return
    what = f"labels to the leader, geometric mean over {len(sets)} sets / that of the best rule, {best}"
    verdict(what, f"{means['warmer'] / means[best]:.2f}", "at most 1")
    if "random" in rules:
        worst = max(needed[name, "warmer"] / needed[name, "random"] for name in sets)
        verdict("labels to the leader / those of random points, the largest of all sets", f"{worst:.2f}", "at most 1")


def show_certificates(sets: list[str], found: dict[tuple[str, str], list[Run]]) -> None:
    ratios, false, total, certain, ends = [], 0, 0, 0, 0
    table = Table(title="labels to the certificate, medians; delta = 5%")
    for heading in ("", "epsilon", "warmer", "all disagreements", "ratio", "false"):
        table.add_column(heading, justify="right" if heading else "left")
    for name in sets:
        for epsilon in EPSILONS:
            pair = found.get((name, f"certified {epsilon:g}")), found.get((name, f"shared {epsilon:g}"))
            if pair[0] is None or pair[1] is None:
                continue
            mine, other = (np.array([max(1, run["labels"]) for run in runs]) for runs in pair)
            ratios.append(geometric_mean(other / mine))
            wrong = sum(run["false"] for run in pair[0])
            false, total = false + wrong, total + len(mine)
            certain, ends = certain + sum(run["certain"] for run in pair[1]), ends + len(other)
            medians = f"{np.median(mine):.0f}", f"{np.median(other):.0f}"
            table.add_row(name, f"{epsilon:.0%}", *medians, f"{ratios[-1]:.2f}", f"{wrong} of {len(mine)}")
    if ratios:
        Console(width=120).print(table)
        what = "labels to the certificate, from all disagreements / ours, geometric mean"
        verdict(what, f"{geometric_mean(ratios):.2f}", "at least 1.7")
        verdict("false certificates", f"{false} of {total}", "none expected, delta is 5%")
        verdict("pools in which labelling all disagreements ends in certainty", f"{certain} of {ends}", "all")


def show_forecasts(sets: list[str], found: dict[tuple[str, str], list[Run]]) -> None:
    """How often `labels_left_range`, a third of `labels_left` to three times as many, held what was left in truth."""
    runs = [run for (_, task), some in found.items() if task.startswith("certified") for run in some]
    moments = [(guess, run["labels"] - k) for run in runs for k, guess in enumerate(run["guesses"])]
    if moments:
        held = np.mean([guess // 3 <= left <= 3 * guess for guess, left in moments])
        print(f"labels_left_range held the true number at {held:.0%} of {len(moments):,} moments")


if __name__ == "__main__":
    main()
