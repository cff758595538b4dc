"""Creating, opening and listing studies."""

from dataclasses import dataclass
from os import PathLike
from typing import Any

from warmer.certification import Goal
from warmer.choice import ModelChoice
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.studies.choice_study import ChoiceStudy, stored_choice
from warmer.studies.choice_view import chooses_models, is_set_up_alike
from warmer.studies.engine import Engine
from warmer.studies.formats.exchange import Exported, Whole, exported, read_file
from warmer.studies.formats.stored_problems import pack
from warmer.studies.formats.table_lines import read_table
from warmer.studies.spec import Spec, read_spec
from warmer.studies.storage import Store, open_database, storage_url
from warmer.studies.study import Study


class ChoosesModelsError(InvalidValueError):
    """A study without a table of candidates: people label points in it."""


@dataclass(frozen=True)
class StudySummary:
    """A study as a list shows it."""

    name: str
    created_at: float
    """In seconds since 1970, like `last_at`."""
    n_events: int
    n_asks: int
    n_answers: int
    """Told, retracted ones included."""
    n_open: int
    """Tickets that nobody has answered."""
    last_at: float | None
    """When something last happened."""
    n_overdue: int
    """Open tickets whose lease has run out."""
    id: str
    """It names the study where its name cannot, as in an address."""


def create_study(
    name: str,
    problem: Problem | ModelChoice,
    *,
    goal: Goal | None = None,
    noise: Any = None,
    delta: float | None = None,
    prior: Any = None,
    tolerance: float | None = None,
    learner: Any = None,
    seed: int = 0,
    outside: str = "refuse",
    unit: str | None = None,
    storage: str | None = None,
) -> Any:
    """Create a study, or open the one of that name if it was set up in the same way.

    A `Study` for a problem; for a `ModelChoice` a `ChoiceStudy`, in which people label points.

    Parameters
    ----------
    name
        What people call it; one study of a name in a database.
    problem
        The table, or a `ModelChoice` that nobody has asked or told anything; a copy is kept, so that the study can go
        on wherever the database is. A `ModelChoice` without a seed also opens a study that was begun with one.
    goal, noise, delta, prior, tolerance, seed, outside
        As in `Session`.
    learner
        Who chooses the queries; `TopTwo` where None.
    unit
        What rewards are measured in, such as "mg/l"; for people, it changes no number.
    storage
        `sqlite:///lab.db` or `postgresql://user@host/database`; where None, what the environment variable
        WARMER_STORAGE says, else `sqlite:///warmer.db`.
    """
    _checked_name(name)
    database = open_database(storage_url(storage))
    if isinstance(problem, ModelChoice):
        given = {"goal": goal, "noise": noise, "delta": delta, "prior": prior, "tolerance": tolerance}
        unwanted = [name for name, value in {**given, "learner": learner, "unit": unit}.items() if value is not None]
        if unwanted or seed:
            raise InvalidValueError(
                f"a ModelChoice says itself what is to be proven; leave out {', '.join(unwanted) or 'seed'}."
            )
        spec_text, digest, payload = stored_choice(problem)
        store = Store(database)
        if problem.seed is None:
            for row in store.studies():
                if row.name == name and is_set_up_alike(row.spec, spec_text):
                    return ChoiceStudy(store, row)
        return ChoiceStudy(store, store.create(name, spec=spec_text, digest=digest, payload=payload))
    payload = pack(problem)
    spec = Spec(problem, goal, noise, delta, prior, tolerance, learner, seed, outside, unit)
    spec.check_shareable()
    text, _ = spec.text, Engine(spec)  # raises for what does not fit together
    store = Store(database)
    return Study(store, store.create(name, spec=text, digest=spec.digest, payload=payload))


def open_study(name: str, *, storage: str | None = None, read_only: bool = False) -> Study:
    """The study of that name, on any machine that reaches the database; `read_only` for somebody who only looks."""
    store = Store(open_database(storage_url(storage), must_exist=True, read_only=read_only))
    row = store.find(name)
    if chooses_models(row.spec):
        store.close()
        raise ChoosesModelsError(
            f"study {name!r} chooses a model: open it with open_choice_study, or use warmer choose --study {name!r}."
        )
    return Study(store, row)


def open_choice_study(name: str, *, storage: str | None = None, read_only: bool = False) -> ChoiceStudy:
    """The study of that name in which people label points; `read_only` for somebody who only looks."""
    store = Store(open_database(storage_url(storage), must_exist=True, read_only=read_only))
    return ChoiceStudy(store, store.find(name))


def list_studies(*, storage: str | None = None) -> list[StudySummary]:
    """The studies of a database, in the order they were created; looking locks nobody out."""
    store = Store(open_database(storage_url(storage), must_exist=True, read_only=True))
    try:
        return [StudySummary(row.name, *row[3:], row.id) for row in store.summaries()]
    finally:
        store.close()


def import_study(path: str | PathLike[str], *, name: str | None = None, storage: str | None = None) -> Any:
    """Bring an exported study into a database, with every event, number and key as it was.

    Parameters
    ----------
    path
        A file that `Study.export` or `Session.save` wrote.
    name
        What to call it here; what it was called there where None.
    storage
        As in `create_study`.
    """
    found = read_file(path, _importable)
    study = found.study if name is None else found.study._replace(name=_checked_name(name))
    store = Store(open_database(storage_url(storage)))
    store.restore(study, digest=found.digest, payload=found.payload, events=found.events, tickets=found.tickets)
    row = store.find(study.name)
    return ChoiceStudy(store, row) if chooses_models(row.spec) else Study(store, row)


def _importable(whole: Whole) -> Exported:
    """What a file holds, if several people can go on with it."""
    if not chooses_models(whole.study.spec):
        read_spec(whole.study.spec, lambda _: read_table(whole.table)).check_shareable()
    return exported(whole)


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not name.strip() or len(name) > 200 or not name.isprintable():
        raise InvalidValueError(f"a study needs a name of 1 to 200 printable characters, got {name!r}.")
    return name
