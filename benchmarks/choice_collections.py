"""Made-up collections of predictions, of many kinds: none of them was looked at when the rule's constants were chosen.

Each takes a generator and returns predictions, models x points, and labels. What differs from kind to kind: how many
models, points and classes; how good the models are, and how far apart; whether they err together; and the labels.
"""

from collections.abc import Callable

import numpy as np

__all__ = ["COLLECTIONS"]

Pool = tuple[np.ndarray, np.ndarray]


def answers(
    rng: np.random.Generator,
    accuracies: np.ndarray,
    *,
    n_points: int = 1000,
    n_classes: int = 10,
    together: float = 0.6,
    decoys: float = 0.5,
    prior: np.ndarray | None = None,
) -> Pool:
    """Models of these accuracies that find the same points hard.

    `together` is the correlation of what makes two models right; `decoys` is the share of mistakes that go to one
    wrong class, the same for all models.
    """
    n_models = len(accuracies)
    labels = rng.choice(n_classes, n_points, p=prior)
    hard = np.sqrt(together) * rng.normal(size=n_points)
    own = np.sqrt(1 - together) * rng.normal(size=(n_models, n_points))
    noise = hard + own
    ranks = noise.argsort(axis=1).argsort(axis=1)
    is_right = ranks < np.round(np.asarray(accuracies) * n_points)[:, None]
    decoy = (labels + rng.integers(1, n_classes, n_points)) % n_classes
    other = (labels + rng.integers(1, n_classes, (n_models, n_points))) % n_classes
    wrong = np.where(rng.random((n_models, n_points)) < decoys, decoy, other)
    return np.where(is_right, labels, wrong), labels


def near_ties(rng: np.random.Generator) -> Pool:
    return answers(rng, rng.normal(0.85, 0.006, 100), n_classes=4)


def one_dominant(rng: np.random.Generator) -> Pool:
    return answers(rng, np.append(rng.uniform(0.5, 0.7, 99), 0.85))


def fine_tuned(rng: np.random.Generator) -> Pool:
    """Like checkpoints of one deep network: two classes, good, and almost the same everywhere."""
    return answers(rng, np.clip(rng.normal(0.9, 0.02, 109), 0, 0.95), n_classes=2, together=0.93, decoys=1.0)


def image_networks(rng: np.random.Generator) -> Pool:
    return answers(rng, rng.uniform(0.55, 0.83, 102), n_classes=100, together=0.75, decoys=0.5)


def weak_networks(rng: np.random.Generator) -> Pool:
    return answers(rng, rng.uniform(0.4, 0.7, 80), n_classes=10, together=0.5, decoys=0.4)


def few_models(rng: np.random.Generator) -> Pool:
    return answers(rng, rng.uniform(0.25, 0.65, 9), n_classes=6, together=0.3, decoys=0.3)


def few_good_models(rng: np.random.Generator) -> Pool:
    return answers(
        rng, rng.uniform(0.87, 0.93, 8), n_classes=4, together=0.7, decoys=0.7, prior=np.array([0.85, 0.05, 0.05, 0.05])
    )


def chance_level(rng: np.random.Generator) -> Pool:
    return answers(rng, rng.uniform(0.48, 0.6, 60), n_classes=2, together=0.1, decoys=1.0)


def label_noise(rng: np.random.Generator) -> Pool:
    predictions, labels = answers(rng, rng.uniform(0.6, 0.9, 100), n_classes=5)
    is_spoilt = rng.random(len(labels)) < 0.25
    return predictions, np.where(is_spoilt, rng.integers(5, size=len(labels)), labels)


def imbalanced(rng: np.random.Generator) -> Pool:
    """95% of one class; some models always say it, others find the rare ones and raise false alarms."""
    n_models, n_points = 100, 1000
    labels = (rng.random(n_points) < 0.05).astype(int)
    found, alarms = rng.uniform(0, 0.9, (n_models, 1)), rng.uniform(0, 0.05, (n_models, 1))
    ease = rng.random(n_points) * 0.7 + 0.3 * rng.random((n_models, n_points))
    return np.where(labels == 1, ease < found, ease < alarms).astype(int), labels


def misled_majority(rng: np.random.Generator) -> Pool:
    """Two thirds learnt from swapped labels and agree with each other; the rest are right."""
    right, labels = answers(rng, rng.uniform(0.6, 0.9, 30), n_classes=10, together=0.4, decoys=0.2)
    swapped = np.where(labels >= 5, (labels - 5 + 1) % 5 + 5, labels)
    noise = rng.random((60, len(labels))) < rng.uniform(0.1, 0.3, (60, 1))
    return np.vstack([np.where(noise, rng.integers(10, size=noise.shape), swapped), right]), labels


def specialists(rng: np.random.Generator) -> Pool:
    """Five families, each good where the others are not."""
    n_points, n_models = 1000, 100
    labels = rng.integers(10, size=n_points)
    region, family = rng.choice(5, n_points, p=[0.1, 0.15, 0.2, 0.25, 0.3]), np.arange(n_models) % 5
    skill = np.where(
        family[:, None] == region, rng.uniform(0.8, 0.95, (n_models, 1)), rng.uniform(0.4, 0.6, (n_models, 1))
    )
    hard = 0.7 * rng.random(n_points) + 0.3 * rng.random((n_models, n_points))
    return np.where(hard < skill, labels, rng.integers(10, size=hard.shape)), labels


def needle(rng: np.random.Generator) -> Pool:
    """Ninety-seven models that guess and three that know."""
    return answers(rng, np.append(np.full(97, 0.12), [0.5, 0.55, 0.6]), n_classes=10, together=0.2, decoys=0.1)


def abstainers(rng: np.random.Generator) -> Pool:
    """Half of the models say nothing where they are in doubt; class 8 stands for that."""
    predictions, labels = answers(rng, rng.uniform(0.5, 0.9, 80), n_classes=8)
    is_silent = (rng.random(predictions.shape) < rng.uniform(0, 0.4, (80, 1))) & (np.arange(80) % 2 == 0)[:, None]
    return np.where(is_silent, 8, predictions), labels


def linear_students(rng: np.random.Generator) -> Pool:
    """Linear classifiers around one teacher, in families: mistakes lie at the borders between classes."""
    n_models, n_points, n_classes, size = 100, 1000, 20, 16
    points, teacher = rng.normal(size=(n_points, size)), rng.normal(size=(size, n_classes))
    families = [rng.normal(size=(size, n_classes)) for _ in range(6)]
    predictions = [
        (
            points
            @ (
                teacher
                + rng.uniform(0.1, 0.6) * families[k % 6]
                + rng.uniform(0, 0.3) * rng.normal(size=(size, n_classes))
            )
        ).argmax(axis=1)
        for k in range(n_models)
    ]
    noise = rng.gumbel(size=(n_points, n_classes)) * 0.5
    return np.array(predictions), (points @ teacher + noise).argmax(axis=1)


def questions(rng: np.random.Generator) -> Pool:
    """Multiple choice, four answers, models from guessing to good, hard questions the same for all."""
    return answers(rng, rng.uniform(0.27, 0.8, 40), n_classes=4, together=0.5, decoys=0.35)


def three_classes_independent(rng: np.random.Generator) -> Pool:
    return answers(rng, rng.uniform(0.6, 0.8, 50), n_classes=3, together=0.0, decoys=0.0)


def twins(rng: np.random.Generator) -> Pool:
    """A hundred models that are ten, with small changes."""
    base, labels = answers(rng, rng.uniform(0.6, 0.85, 10), n_classes=10, together=0.5)
    copies = base[np.arange(100) % 10]
    is_changed = rng.random(copies.shape) < 0.03
    return np.where(is_changed, rng.integers(10, size=copies.shape), copies), labels


def small_pool(rng: np.random.Generator) -> Pool:
    return answers(rng, rng.uniform(0.6, 0.9, 100), n_points=150, n_classes=3)


def large_pool(rng: np.random.Generator) -> Pool:
    return answers(rng, rng.uniform(0.6, 0.9, 60), n_points=3000, n_classes=10)


COLLECTIONS: dict[str, Callable[[np.random.Generator], Pool]] = {
    make.__name__.replace("_", " "): make
    for make in (
        near_ties,
        one_dominant,
        fine_tuned,
        image_networks,
        weak_networks,
        few_models,
        few_good_models,
        chance_level,
        label_noise,
        imbalanced,
        misled_majority,
        specialists,
        needle,
        abstainers,
        linear_students,
        questions,
        three_classes_independent,
        twins,
        small_pool,
        large_pool,
    )
}
