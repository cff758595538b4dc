"""`warmer choose`: which points to label next, and when the best model is proven."""

from collections.abc import Callable, Iterator
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import typer

from warmer import ChoiceStudy, InvalidValueError, ModelChoice, create_study, open_choice_study
from warmer.choice import ZeroOne
from warmer.choice.certificate import Standing, bounds_in_words, outward
from warmer.choice.draws import FORETOLD
from warmer.choice.files import read_label_file, read_prediction_file
from warmer.cli.options import Delta, Epsilon, Seed, Storage, option
from warmer.cli.tables import new_table
from warmer.report.text import counted
from warmer.studies.formats.draws_file import DrawsFile
from warmer.studies.records.authors import this_author

_SHOWN = 10

_LOST = (
    "These points are not kept. Name a file for labels with --labels, which need not exist yet, and label the points "
    "that it then gives."
)

PredictionFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[PREDICTIONS]",
        help="CSV or Parquet: a row for each point, a column for each model. Not needed for a study that exists.",
    ),
]
LabelFile = Annotated[
    Path | None,
    typer.Option("--labels", metavar="FILE", help="CSV with the columns point and label: the labels so far, if any."),
]
Batch = Annotated[int, option("N", "Points to label at a time; with --seed keep both throughout.", min=1)]
DrawSeed = Annotated[int | None, Seed.__metadata__[0]]
StudyName = Annotated[str | None, option("NAME", "Keep points and labels in this study, for several people at once.")]
Worker = Annotated[str | None, option("WHO", "In a study: who is going to label.")]
Lease = Annotated[float | None, option("S", "In a study: seconds after which others may have the points.")]
Reason = Annotated[str | None, option("WHY", "In a study: labels of the file that differ are corrections.")]
Population = Annotated[
    bool, typer.Option("--population", help="Prove it for the population that the pool is a random sample of.")
]


def choose(
    predictions: PredictionFile = None,
    label_file: LabelFile = None,
    epsilon: Epsilon = None,
    delta: Delta = 0.05,
    batch: Batch = 10,
    population: Population = False,
    seed: DrawSeed = None,
    study: StudyName = None,
    worker: Worker = None,
    lease: Lease = None,
    correct: Reason = None,
    storage: Storage = None,
) -> Any:
    """Choose the best of many classifiers with few labels.

    Prints which points to label next, and says when the leader's accuracy is proven to be within epsilon of the best.
    Add the labels to the file, or make it where there is none yet, and run the same command again; the points that
    were drawn are kept beside it, in FILE.draws.jsonl. With --study the points and labels are kept in a database:
    several people may label at once, and labels may be corrected. With --seed the same points are drawn each time; who
    can foretell them must not choose which labels come.
    """
    choice, is_kept = None, True
    if predictions is not None:
        table = read_prediction_file(predictions)
        choice = ModelChoice(
            table.predictions,
            epsilon=0.05 if epsilon is None else float(epsilon),
            delta=delta,
            seed=seed,
            points=table.points,
            population=population,
        )
    if study is None:
        if choice is None:
            raise InvalidValueError("a file of predictions is needed; or name a study that exists with --study.")
        if worker is not None or lease is not None or correct is not None:
            raise InvalidValueError("--worker, --lease and --correct are for labels in a study; name it with --study.")
        is_kept = label_file is not None or seed is not None
        asked = _beside(choice, label_file, batch)
        waiting = f"{choice.waiting}: label it first" if choice.waiting else ""
    else:
        made = choice and create_study(study, choice, storage=storage)
        with made or open_choice_study(study, storage=storage) as opened:
            _write(opened, _told(label_file, opened.choice), correct, worker)
            asked = _tickets(opened, batch, worker, lease)
            choice, waiting = opened.choice, opened.certificate().waiting
    if choice.seed is not None:
        typer.echo(FORETOLD, err=True)
    if asked and not is_kept:
        return _form(choice, asked), *_described(choice, asked, waiting), _LOST
    return _form(choice, asked), *_described(choice, asked, waiting)


def _beside(choice: ModelChoice, label_file: Path | None, batch: int) -> list[Any]:
    """The next points, where labels are in a file, and the draws in one beside it unless a seed gives them again."""
    given = label_file if label_file is not None and label_file.exists() else None
    if label_file is not None and given is None:
        typer.echo(f"{label_file} does not exist yet: no labels. Make it, with the columns point and label.", err=True)
    told = _told(given, choice)
    if choice.seed is not None:
        return _replay(choice, told, batch)
    if label_file is None:
        return choice.ask(batch)
    kept = DrawsFile(label_file.with_name(f"{label_file.name}.draws.jsonl"), choice)
    kept.tell(told)
    return kept.ask(min(batch, len(choice.unanswered) or batch))


def _told(label_file: Path | None, choice: ModelChoice) -> dict[Any, Any]:
    if label_file is None:
        return {}
    return dict(read_label_file(label_file, list(choice.points), choice.predictions.classes))


def _write(study: ChoiceStudy, told: dict[Any, Any], reason: str | None, worker: str | None) -> None:
    """Bring the labels of a file into the log; those that are there already are passed over."""
    known = study.choice.labels
    for point, label in told.items():
        if point in known and known[point] != label and reason is not None:
            event = study.label_event(point)
            assert event is not None
            study.correct(event, label, reason=reason, author=worker)
        elif known.get(point, None) != label:
            study.tell(point, label, author=worker)


def _tickets(study: ChoiceStudy, batch: int, worker: str | None, lease: float | None) -> list[Any]:
    """The points in this worker's hands, and new ones until there are as many as a batch."""
    if study.is_settled:
        return []
    mine = [ticket for ticket in study.tickets() if ticket.worker == (worker or this_author())]
    if len(mine) < batch:
        mine += study.ask(batch - len(mine), worker=worker, lease=lease)
    return [ticket.query for ticket in mine]


def _replay(choice: ModelChoice, told: dict[Any, Any], batch: int) -> list[Any]:
    """Ask as before, batch by batch, until a label is missing; then labels that were never asked for are told as well.

    The draws depend on the seed and on labels of earlier batches alone, so the same file leads to the same points.
    """
    while asked := choice.ask(batch):
        missing = [point for point in asked if point not in told]
        for point in asked:
            if point in told:
                choice.tell(point, told[point])
        if missing:
            break
    else:
        missing = []
    known = choice.labels
    for point, label in told.items():
        if point not in known:
            choice.tell(point, label)
    return [] if choice.certificate() else missing


def _measure(choice: ModelChoice) -> tuple[str, Callable[[Standing], tuple[float, float]]]:
    """What a model is judged by, and between which bounds it lies: accuracy where that is 1 - loss."""
    if choice.loss == ZeroOne():
        return "accuracy", lambda each: (1 - each.high, 1 - each.low)
    return "loss", lambda each: (each.low, each.high)


def _form(choice: ModelChoice, asked: list[Any]) -> dict[str, Any]:
    certificate, (measure, bounds) = choice.certificate(), _measure(choice)
    return {
        "leader": choice.leader,
        "is_proven": certificate.is_proven,
        "is_certain": certificate.is_certain,
        "on": certificate.on,
        "epsilon": choice.epsilon,
        "delta": choice.delta,
        "n_models": len(choice.models),
        "n_points": len(choice.points),
        "n_labels": choice.n_labels,
        "n_labels_waiting": choice.waiting.n_labels if choice.waiting else 0,
        "waits_for": choice.waiting.point if choice.waiting else None,
        "label_next": asked,
        "labels_left": choice.labels_left,
        "labels_left_range": list(choice.labels_left_range),
        "measure": measure,
        "n_agreed": choice.n_agreed,
        "standings": [
            {
                "model": standing.model,
                "accuracy_on_labels": None if isnan(standing.loss) or measure == "loss" else standing.accuracy,
                "low": bounds(standing)[0],
                "high": bounds(standing)[1],
                "is_ruled_out": standing.is_ruled_out,
            }
            for standing in choice.standings
        ],
    }


def _described(choice: ModelChoice, asked: list[Any], waiting: str) -> Iterator[Any]:
    standings, (measure, bounds) = choice.standings, _measure(choice)
    rows = [
        (
            str(each.model),
            " and ".join(outward(*bounds(each), scale=choice.loss.scale)),
            "ruled out" if each.is_ruled_out else "leads" if each.model == choice.leader else "",
        )
        for each in standings[:_SHOWN]
    ]
    n_out = sum(standing.is_ruled_out for standing in standings)
    labels = counted(choice.n_labels, "label")
    yield f"{len(choice.models)} models, {len(choice.points):,} points, {labels}; {n_out} ruled out."
    yield new_table(("model", f"{measure} between", ""), rows, numbers=1)
    if len(standings) > _SHOWN:
        yield f"and {len(standings) - _SHOWN} more"
    yield bounds_in_words(n_agreed=choice.n_agreed, n_points=len(choice.points), delta=choice.delta)
    certificate = str(choice.certificate())
    yield certificate[0].upper() + certificate[1:] + "."
    if waiting and not choice.certificate():
        yield f"Labels count in the order of the draws: {waiting}."
    if asked:
        low, high = choice.labels_left_range
        left = counted(choice.labels_left, "more label")
        yield f"Label next: {', '.join(map(str, asked))}"
        if not choice.waiting:
            yield f"About {left} to go, probably {low} to {high}."
