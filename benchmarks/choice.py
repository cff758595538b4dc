"""Choosing a model: labels until the leader is good, and until that is proven, beside rules that were published.

`python -m benchmarks choose` fits 120 models to each of many pools; `--pools 20` is the full size, some minutes.
"""

import argparse
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.choice_rivals import RIVALS
from warmer import ModelChoice

N_MODELS = 120
BUDGET = 300
DELTA = 0.05


def real(name: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    from sklearn import datasets

    points, labels = getattr(datasets, f"load_{name}")(return_X_y=True)
    return points / np.maximum(points.std(axis=0), 1e-9), labels


def synthetic(n_classes: int, flip: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import make_classification

    seed = int(rng.integers(10**6))
    return make_classification(2400, 20, n_informative=8, n_classes=n_classes, flip_y=flip, random_state=seed)


SETS = {
    "digits": lambda rng: real("digits", rng),
    "breast cancer": lambda rng: real("breast_cancer", rng),
    "wine": lambda rng: real("wine", rng),
    "two noisy classes": lambda rng: synthetic(2, 0.1, rng),
    "five classes": lambda rng: synthetic(5, 0.02, rng),
}
"""Points and labels; a third is for fitting, the rest is the pool."""


def fitted(points: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Iterator[tuple]:
    """Models of mixed quality: each sees its own few points and its own share of the columns."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    for number in range(N_MODELS):
        size = int(rng.integers(20, 300))
        columns = rng.choice(points.shape[1], max(2, int(points.shape[1] * rng.uniform(0.2, 1))), replace=False)
        seen = rng.choice(len(points), min(size, len(points)), replace=False)
        makers = [
            lambda: LogisticRegression(C=10 ** rng.uniform(-3, 2), max_iter=50),
            lambda: DecisionTreeClassifier(max_depth=int(rng.integers(1, 12)), random_state=0),
            lambda: KNeighborsClassifier(int(rng.integers(1, 10))),
            lambda: GaussianNB(var_smoothing=1e-3),
            lambda: RandomForestClassifier(8, max_depth=int(rng.integers(2, 8)), random_state=0),
        ]
        yield makers[number % len(makers)]().fit(points[seen][:, columns], labels[seen]), columns


def experts(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Errors that are shared: points differ in difficulty, and many models make the same mistake on the hard ones."""
    n_points, n_classes = 1000, 20
    labels, decoys = rng.integers(n_classes, size=(2, n_points))
    skill, difficulty = rng.normal(1.0, 0.3, (N_MODELS, 1)), rng.normal(size=n_points)
    is_right = rng.normal(0, 0.6, (N_MODELS, n_points)) + skill > difficulty
    mistakes = np.where(rng.random((N_MODELS, n_points)) < 0.6, decoys, rng.integers(n_classes, size=is_right.shape))
    return np.where(is_right, labels, mistakes), labels


def pool_of(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Predictions, models x points, and labels."""
    rng = np.random.default_rng(seed)
    if name == "experts":
        return experts(rng)
    points, labels = SETS[name](rng)
    order = rng.permutation(len(points))
    train, pool = order[: len(order) // 3], order[len(order) // 3 :]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = list(fitted(points[train], labels[train], rng))
        return np.array([model.predict(points[pool][:, columns]) for model, columns in models]), labels[pool]


def ours(predictions: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Iterator[int]:
    """The leader of `ModelChoice` after each label, on its way to a certificate at 1%."""
    choice = ModelChoice(predictions, epsilon=0.01, delta=DELTA, seed=int(rng.integers(2**31)))
    while points := choice.ask():
        choice.tell(points[0], labels[points[0]])
        yield choice.leader


def shortfalls(rule, predictions: np.ndarray, labels: np.ndarray, seed: int) -> np.ndarray:
    """How much less accurate than the best the leader is, after 1, 2, ... labels; the last one stays."""
    accuracies = (predictions == labels).mean(axis=1)
    leaders = list(islice(rule(predictions, labels, np.random.default_rng(seed)), BUDGET))
    leaders += [leaders[-1]] * (BUDGET - len(leaders))
    return accuracies.max() - accuracies[leaders]


def labels_needed(paths: np.ndarray, within: float = 0.01, share: float = 0.9) -> int:
    """After how many labels, and ever after, this share of the paths is within so much of the best."""
    is_good = (paths <= within + 1e-12).mean(axis=0) >= share
    bad = np.flatnonzero(~is_good)
    return int(bad[-1]) + 2 if bad.size else 1


def certified(predictions: np.ndarray, labels: np.ndarray, epsilon: float, seed: int, *, shrinks: bool) -> tuple:
    """Labels to the certificate and whether it is false; without shrinking, points come from all disagreements."""
    choice = ModelChoice(predictions, epsilon=epsilon, delta=DELTA, seed=seed)
    accuracies = (predictions == labels).mean(axis=1)
    if not shrinks:
        differs = (predictions != predictions[0]).any(axis=0)
        race, everyone = choice._race, np.ones(len(predictions), bool)
        order = np.random.default_rng(seed).permutation(np.flatnonzero(differs))
        for point in order.tolist():
            if race.is_decided:
                break
            race.absorb(point, choice._race.pool.read_label(labels[point]), everyone)
        answer, n_labels = race.incumbent, race.n_labels
    else:
        while points := choice.ask():
            choice.tell(points[0], labels[points[0]])
        answer, n_labels = choice.certificate().answer, choice.n_labels
    return n_labels, bool(accuracies[answer] < accuracies.max() - epsilon - 1e-9)


def main(options: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks choose", description=__doc__)
    parser.add_argument("--pools", type=int, default=4, help="pools of each set")
    parser.add_argument("--sets", nargs="*", default=[*SETS, "experts"])
    parser.add_argument("--only", choices=("leaders", "certificates"))
    chosen = parser.parse_args(options)
    pools = {
        name: [pool_of(name, seed) for seed in track(range(chosen.pools), description=f"fitting {name}")]
        for name in chosen.sets
    }
    if chosen.only != "certificates":
        show_leaders(pools)
    if chosen.only != "leaders":
        show_certificates(pools)


def show_leaders(pools: dict[str, list[tuple[np.ndarray, np.ndarray]]]) -> None:
    rules = {"warmer": ours, **RIVALS}
    table = Table(title=f"labels until within 1% of the best in 90% of the pools, and ever after (of {BUDGET})")
    table.add_column("")
    needed: dict[str, list[int]] = {rule: [] for rule in rules}
    for name, some in pools.items():
        table.add_column(name, justify="right")
        for rule, play in rules.items():
            runs = track(enumerate(some), total=len(some), description=f"{name}: {rule}", console=Console(stderr=True))
            needed[rule].append(labels_needed(np.array([shortfalls(play, *pool, seed) for seed, pool in runs])))
    table.add_column("geometric mean", justify="right")
    for rule, counts in needed.items():
        shown = [f">{BUDGET}" if count > BUDGET else str(count) for count in counts]
        table.add_row(rule, *shown, f"{np.exp(np.log(counts).mean()):.0f}")
    Console().print(table)


def show_certificates(pools: dict[str, list[tuple[np.ndarray, np.ndarray]]]) -> None:
    """A line for each set and epsilon as soon as it is there: the whole takes a while."""
    print("labels to the certificate, medians; delta = 5%; beside it, points drawn from all disagreements")
    ratios, n_false, n_certificates = [], 0, 0
    for name, some in pools.items():
        for epsilon in (0.05, 0.02):
            runs = track(list(enumerate(some)), description=f"{name} {epsilon}", console=Console(stderr=True))
            found = [
                [certified(*pool, epsilon, seed, shrinks=shrinks) for shrinks in (True, False)] for seed, pool in runs
            ]
            mine, other = (np.array([max(1, pair[k][0]) for pair in found]) for k in (0, 1))
            ratios.append(float(np.exp(np.log(other / mine).mean())))
            false = sum(pair[0][1] for pair in found)
            n_false, n_certificates = n_false + false, n_certificates + len(found)
            medians = f"{np.median(mine):4.0f}  all disagreements {np.median(other):4.0f}"
            print(
                f"{name:18} {epsilon:.0%}  warmer {medians}  ratio {ratios[-1]:.2f}  false {false} of {len(found)}",
                flush=True,
            )
    mean = np.exp(np.log(ratios).mean())
    print(f"geometric mean of the ratios {mean:.2f}; {n_false} of {n_certificates} certificates false")


if __name__ == "__main__":
    main()
