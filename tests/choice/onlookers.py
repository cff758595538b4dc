"""People who see everything that a `ModelChoice` holds, know all labels, and volunteer those that help the leader."""

import copy
import pickle
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from warmer import ChoiceStudy, ModelChoice, create_study, import_study
from warmer.web import make_application

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


def draw_and_take_nothing(choice: ModelChoice) -> list[int]:
    """What was drawn and is not asked for."""
    return [int(str(drawn.point)) for drawn in choice.draw(1)]


def read_what_is_printed(choice: ModelChoice) -> list[int]:
    """Everything that is printed, and the points whose numbers stand in it."""
    text = f"{choice!r} {choice.standings} {choice.certificate()} {choice.labels_left_range}"
    return _fresh(choice, [int(word) for word in text.replace(",", " ").split() if word.isdigit()])


LOOKS: dict[str, Look] = {
    "preview": read_the_preview,
    "copy": ask_a_copy,
    "pickle": ask_a_pickle,
    "everything it holds": read_everything,
    "draw": draw_and_take_nothing,
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


def folder_in_memory() -> tempfile.TemporaryDirectory[str]:
    """A folder for a database that lasts for one run, away from the disk where that is to be had."""
    return tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)


def is_false(seed: int, look: Look, *, delta: float, batch: int = 1, chance: int | None = None) -> bool:
    """Whether an onlooker gets a false certificate from a `ModelChoice`."""
    predictions, labels = late_best(seed)
    choice = ModelChoice(predictions, epsilon=EPSILON, delta=delta, seed=chance)
    answer = meddle(
        choice.certificate, lambda: look(choice), lambda: choice.ask(batch), choice.tell, predictions[0] != labels
    )
    return is_bad(answer, predictions, labels)


def study_is_false(seed: int, look: Callable[[ChoiceStudy], list[int]], url: str, *, delta: float) -> bool:
    """Whether an onlooker gets a false certificate from a study."""
    predictions, labels = late_best(seed)
    with create_study("pets", ModelChoice(predictions, epsilon=EPSILON, delta=delta), storage=url) as study:
        answer = meddle(
            study.certificate,
            lambda: look(study),
            lambda: [ticket.query for ticket in study.ask()],
            study.tell,
            predictions[0] != labels,
        )
    return is_bad(answer, predictions, labels)


def is_false_after_going_back(seed: int, *, delta: float) -> bool:
    """Whether somebody gets a false certificate who goes back to an older copy where a label hurts."""
    predictions, labels = late_best(seed)
    choice = ModelChoice(predictions, epsilon=EPSILON, delta=delta)
    while not choice.certificate():
        older = copy.deepcopy(choice)
        [point] = choice.ask()
        if predictions[0, point] != labels[point]:
            choice = older
        else:
            choice.tell(point, int(labels[point]))
    return is_bad(int(choice.certificate().answer), predictions, labels)


def meddle(
    certificate: Callable[[], Any],
    look: Callable[[], list[int]],
    ask: Callable[[], list[int]],
    tell: Callable[[int, int], object],
    errs: np.ndarray,
) -> int:
    """Have something certified by somebody who wants the first model, which errs at these points.

    The label is 1 where the first model errs, and 0 elsewhere. Before each draw he looks, and volunteers the label of a
    point that he believes to be next if that model errs there, until he believes that no such point comes next. Of the
    points that he was asked for he tells those first where it does not err.
    """
    while not certificate():
        while not certificate() and (foreseen := [point for point in look() if errs[point]]):
            tell(foreseen[0], 1)
        for point in sorted(ask(), key=lambda point: bool(errs[point])):
            tell(point, int(errs[point]))
    return int(certificate().answer)


def is_bad(answer: int, predictions: np.ndarray, labels: np.ndarray) -> bool:
    """Whether a model is worse than the best by more than epsilon."""
    losses = (predictions != labels).mean(axis=1)
    return bool(losses[answer] > losses.min() + EPSILON + 1e-9)


def preview_of_study(study: ChoiceStudy) -> list[int]:
    """What the preview of the study shows."""
    return _fresh(study.choice, study.preview(len(study.choice.unanswered) + 1))


def copy_of_its_choice(study: ChoiceStudy) -> list[int]:
    """What a copy of its choice asks for."""
    return ask_a_copy(study.choice)


def exported_and_asked(study: ChoiceStudy) -> list[int]:
    """What a copy of the whole study, made from an export, asks for."""
    with folder_in_memory() as folder:
        study.export(Path(folder) / "pets.jsonl")
        with import_study(Path(folder) / "pets.jsonl", storage=f"sqlite:///{folder}/copy.db") as other:
            return _fresh(study.choice, [ticket.query for ticket in other.ask()])


def page_and_api(study: ChoiceStudy) -> list[int]:
    """Every number on the page of the study, and in what the program's interface says is next."""
    with TestClient(make_application(study.storage, token="secret"), base_url="http://127.0.0.1") as client:
        pages = [client.get(f"/studies/{study.name}?token=secret"), client.get(f"/api/v1/studies/{study.name}/next")]
    said = [page.text for page in pages]
    assert "Not proven" in said[0] or "may be better" in said[0]
    return _fresh(study.choice, [int(word) for text in said for word in re.findall(r"\b[0-9]{1,3}\b", text)])


STUDY_LOOKS: dict[str, Callable[[ChoiceStudy], list[int]]] = {
    "preview": preview_of_study,
    "copy": copy_of_its_choice,
    "export": exported_and_asked,
    "page and API": page_and_api,
}


def _n_more(choice: ModelChoice) -> int:
    return len(choice.unanswered) + 1


def _fresh(choice: ModelChoice, points: list[int]) -> list[int]:
    """Those that have no label, as far as there are such points."""
    known = choice.labels
    return [point for point in points if 0 <= point < len(choice.points) and point not in known]
