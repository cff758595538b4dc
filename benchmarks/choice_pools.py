"""Pools for choosing a model: classifiers fitted to real and made-up data, and predictions made up outright."""

import hashlib
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.choice_collections import COLLECTIONS

__all__ = ["SETS", "pool_of"]

N_MODELS = 120


def real(name: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    from sklearn import datasets

    points, labels = getattr(datasets, f"load_{name}")(return_X_y=True)
    return points / np.maximum(points.std(axis=0), 1e-9), labels


def synthetic(n_classes: int, flip: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import make_classification

    seed = int(rng.integers(10**6))
    return make_classification(2400, 20, n_informative=8, n_classes=n_classes, flip_y=flip, random_state=seed)


DATA = {
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


SETS = (*DATA, "experts")
"""The sets that the goals are stated for; 120 models each."""


def pool_of(name: str, seed: int, cache: Path | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Predictions, models x points, and labels; fitted once where there is a folder to keep them in."""
    if cache is None or name not in DATA:
        return _made(name, np.random.default_rng(seed))
    file = cache / f"{hashlib.sha256(name.encode()).hexdigest()[:8]}-{seed}.npz"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        predictions, labels = _made(name, np.random.default_rng(seed))
        np.savez_compressed(file, predictions=predictions, labels=labels)
    with np.load(file) as kept:
        return kept["predictions"], kept["labels"]


def _made(name: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    if name in COLLECTIONS:
        return COLLECTIONS[name](rng)
    if name == "experts":
        return experts(rng)
    points, labels = DATA[name](rng)
    order = rng.permutation(len(points))
    train, pool = order[: len(order) // 3], order[len(order) // 3 :]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = list(fitted(points[train], labels[train], rng))
        return np.array([model.predict(points[pool][:, columns]) for model, columns in models]), labels[pool]
