"""People who see everything that a `ModelChoice` holds, know all labels, and volunteer those that help the leader."""

import copy
import pickle
from collections.abc import Callable

import numpy as np

from warmer import ModelChoice

EPSILON = 0.05

Look = Callable[[ModelChoice], list[int]]
"""From the choice as it stands to the points that somebody believes to be drawn next."""


def ask_a_copy(choice: ModelChoice) -> list[int]:
    """What a copy asks for next."""
    return _fresh(choice, copy.deepcopy(choice).ask(_n_more(choice)))


def ask_a_pickle(choice: ModelChoice) -> list[int]:
    """What asks for next that was stored and read again."""
    return _fresh(choice, pickle.loads(pickle.dumps(choice)).ask(_n_more(choice)))


def read_the_preview(choice: ModelChoice) -> list[int]:
    """What the preview shows."""
    return _fresh(choice, [drawn.point for drawn in choice.preview(_n_more(choice))])


def read_everything(choice: ModelChoice) -> list[int]:
    """Another object with everything that this one holds."""
    other = object.__new__(ModelChoice)
    other.__dict__.update(copy.deepcopy(choice.__dict__))
    return _fresh(choice, other.ask(_n_more(choice)))


def read_what_is_printed(choice: ModelChoice) -> list[int]:
    """Everything that is printed, and the points whose numbers stand in it."""
    text = f"{choice!r} {choice.standings} {choice.certificate()} {choice.labels_left_range}"
    return _fresh(choice, [int(word) for word in text.replace(",", " ").split() if word.isdigit()])


LOOKS: dict[str, Look] = {
    "preview": read_the_preview,
    "copy": ask_a_copy,
    "pickle": ask_a_pickle,
    "everything it holds": read_everything,
    "what it prints": read_what_is_printed,
}


def late_best(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two models; the second is better than the first, which leads, by a little more than epsilon."""
    rng = np.random.default_rng(seed)
    n_points, n_differing = 120, int(rng.integers(20, 90))
    places = rng.permutation(n_points)
    predictions, labels = np.zeros((2, n_points), int), np.zeros(n_points, int)
    predictions[1, places[:n_differing]] = 1
    labels[places[: int((n_differing + EPSILON * n_points) / 2) + 1]] = 1
    return predictions, labels


def is_false(seed: int, look: Look, *, delta: float, batch: int = 1, chance: int | None = None) -> bool:
    """Whether an onlooker gets a false certificate.

    He wants the first model. Before each draw he looks, and volunteers the label of a point that he believes to be next
    if that model errs there, until he believes that no such point comes next. Of the points that he was asked for he
    tells those first where it does not err.
    """
    predictions, labels = late_best(seed)
    choice = ModelChoice(predictions, epsilon=EPSILON, delta=delta, seed=chance)
    losses = (predictions != labels).mean(axis=1)

    def hurts(point: int) -> bool:
        return bool(predictions[0, point] != labels[point])

    while not choice.certificate():
        while not choice.certificate() and (foreseen := [point for point in look(choice) if hurts(point)]):
            choice.tell(foreseen[0], int(labels[foreseen[0]]))
        for point in sorted(choice.ask(batch), key=hurts):
            choice.tell(point, int(labels[point]))
    return bool(losses[choice.certificate().answer] > losses.min() + EPSILON + 1e-9)


def _n_more(choice: ModelChoice) -> int:
    return len(choice.unanswered) + 1


def _fresh(choice: ModelChoice, points: list[int]) -> list[int]:
    """Those that have no label, as far as there are such points."""
    known = choice.labels
    return [point for point in points if 0 <= point < len(choice.points) and point not in known]
