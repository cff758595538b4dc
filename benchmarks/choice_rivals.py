"""Rules for choosing a model with few labels, re-implemented from the ideas of their papers; none gives a proof.

Each takes predictions (models x points) and labels, and yields the model that leads after each label.
"""

from collections.abc import Iterator

import numpy as np

__all__ = ["RIVALS"]


def random_labels(predictions: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Iterator[int]:
    """Points in random order; every label scores all models."""
    hits = np.zeros(len(predictions))
    for point in rng.permutation(len(labels)):
        hits += predictions[:, point] == labels[point]
        yield int(hits.argmax())


def model_picker(predictions: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> Iterator[int]:
    """Model Picker: a stream of points, labelled with a probability that grows with the weighted disagreement."""
    n_models, n_points = predictions.shape
    losses = np.zeros(n_models)
    left = list(rng.permutation(n_points))
    seen = 0
    while left:
        point = left.pop(0)
        seen += 1
        rate = np.sqrt(np.log(n_models) / (2 * seen))
        weights = np.exp(-rate * (losses - losses.min()))
        weights /= weights.sum()
        shares = np.bincount(predictions[:, point], weights)
        spread = float((shares * (1 - shares)).max())
        chance = max(spread, rate) if spread > 1e-9 else 0.0
        if rng.random() < min(1.0, chance):
            losses += (predictions[:, point] != labels[point]) / min(1.0, chance)
            yield int(losses.argmin())


def model_selector(
    predictions: np.ndarray, labels: np.ndarray, rng: np.random.Generator, error: float = 0.46
) -> Iterator[int]:
    """Model Selector: the label expected to say most about which model is best, under one error rate for all."""
    n_models, n_points = predictions.shape
    ratio = (1 - error) / error
    classes = [predictions == name for name in range(int(max(predictions.max(), labels.max())) + 1)]
    log_weights = np.zeros(n_models)
    hits = np.zeros(n_models)
    is_open = np.ones(n_points, bool)
    while is_open.any():
        weights = np.exp(log_weights - log_weights.max())
        weights /= weights.sum()
        surprise = weights * np.log(np.maximum(weights, 1e-300))
        entropy = np.zeros(n_points)
        chances = np.zeros(n_points)
        for is_class in classes:
            share, inside = weights @ is_class, surprise @ is_class
            # posterior if this class is the label: weights * ratio inside, weights outside, over a common total
            total = 1 + (ratio - 1) * share
            plogp = ratio * (inside + np.log(ratio) * share) + surprise.sum() - inside
            after = np.log(total) - plogp / total
            entropy += share * after
            chances += share
        entropy[~is_open | (chances <= 0)] = np.inf
        point = int(entropy.argmin())
        is_right = predictions[:, point] == labels[point]
        log_weights += np.log(ratio) * is_right
        hits += is_right
        is_open[point] = False
        yield int(hits.argmax())


def coda(
    predictions: np.ndarray, labels: np.ndarray, rng: np.random.Generator, n_candidates: int = 24
) -> Iterator[int]:
    """CODA's idea: accuracies per class, priors from the consensus, the label that says most about which is best."""
    n_models, n_points = predictions.shape
    n_classes = int(max(predictions.max(), labels.max())) + 1
    votes = np.stack([(predictions == name).sum(axis=0) for name in range(n_classes)])
    consensus = votes.argmax(axis=0)
    sizes = np.bincount(consensus, minlength=n_classes)
    agree = np.stack([((predictions == consensus) & (consensus == c)).sum(axis=1) for c in range(n_classes)], axis=1)
    strength = 10.0 / np.maximum(sizes, 10)  # the consensus counts as ten labels for each class
    right = 1 + agree * strength
    wrong = 1 + (sizes - agree) * strength
    share = np.maximum(sizes, 1) / np.maximum(sizes, 1).sum()
    normals = rng.standard_normal((100, n_models))
    is_open = np.ones(n_points, bool)

    def chances_of_best(right: np.ndarray, wrong: np.ndarray) -> np.ndarray:
        total = right + wrong
        mean = (right / total) @ share
        variance = (right * wrong / (total**2 * (total + 1))) @ share**2
        winners = (mean + np.sqrt(variance) * normals).argmax(axis=1)
        return np.bincount(winners, minlength=n_models) / len(normals)

    def entropy(chances: np.ndarray) -> float:
        return float(-(chances * np.log(np.maximum(chances, 1e-300))).sum())

    while is_open.any():
        best = chances_of_best(right, wrong)
        accuracy = right / (right + wrong)
        log_odds = np.log(accuracy / (1 - accuracy) * max(1, n_classes - 1))
        scores = np.log(share)[:, None] + 0.1 * np.stack(
            [log_odds[:, c] @ (predictions == c) for c in range(n_classes)]
        )
        posterior = np.exp(scores - scores.max(axis=0))
        posterior /= posterior.sum(axis=0)
        leading = np.argsort(-best)[:10]
        spread = (predictions[leading] != predictions[leading[0]]).sum(axis=0) + 1e-3 * (1 - posterior.max(axis=0))
        spread = np.where(is_open, spread + 1e-6 * rng.random(n_points), -np.inf)
        candidates = np.argsort(-spread)[:n_candidates]
        expected = []
        for point in candidates[is_open[candidates]]:
            value = 0.0
            for name in np.argsort(-posterior[:, point])[:2]:
                is_right = predictions[:, point] == name
                more_right, more_wrong = right.copy(), wrong.copy()
                more_right[:, name] += is_right
                more_wrong[:, name] += ~is_right
                value += posterior[name, point] * entropy(chances_of_best(more_right, more_wrong))
            expected.append(value)
        point = int(candidates[is_open[candidates]][int(np.argmin(expected))])
        is_right = predictions[:, point] == labels[point]
        right[:, labels[point]] += is_right
        wrong[:, labels[point]] += ~is_right
        is_open[point] = False
        yield int(chances_of_best(right, wrong).argmax())


RIVALS = {"random": random_labels, "Model Picker": model_picker, "Model Selector": model_selector, "CODA": coda}
