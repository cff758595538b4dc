"""`warmer study`: experiments that last, from the terminal."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from warmer import report as pages
from warmer.cli import options
from warmer.cli.console import written
from warmer.cli.options import (
    Author,
    EventNumber,
    Key,
    Name,
    Outside,
    Query,
    Reason,
    Reward,
    Storage,
    TicketNumber,
    Unit,
    option,
)
from warmer.cli.study_tables import standing_picture, ticket_table
from warmer.cli.tables import new_table, size_of
from warmer.cli.verbs import Given, GivenGoal, Needs, group
from warmer.model.errors import InvalidValueError
from warmer.report.study_text import (
    body_in_words,
    entry_in_words,
    forecast_of,
    odd_in_words,
    repeat_in_words,
    status_in_words,
    when,
)
from warmer.report.text import counted
from warmer.studies import Study, create_study, import_study, list_studies, open_study
from warmer.studies.formats import json_forms
from warmer.studies.storage import storage_url

study, verb = group(
    """Experiments that last for weeks, with several people.

    A study lives in a database and loses nothing: create it once, then ask, do the experiment, and tell. The database
    is a file or a server: --storage, else the environment variable WARMER_STORAGE, else sqlite:///warmer.db.
    """
)

_SIGNED = {"ignore_unknown_options": True}  # so that -0.5 is a reward and no option


def _open(name: Name, storage: Storage = None) -> Study:
    return open_study(name, storage=storage)


Opened = Annotated[Study, Needs(_open)]
"""The study that is named, open until the verb is done."""


@verb()
def create(
    name: Name,
    given: Given,
    decided: Annotated[GivenGoal, Needs(GivenGoal)],
    seed: options.Seed = 0,
    unit: Unit = None,
    outside: Outside = "refuse",
    storage: Storage = None,
) -> Any:
    """Create a study of a problem, or find the one that is there."""
    table, task = given.table, decided.on(given.table)
    kept: Any = {"seed": seed, "unit": unit, "outside": outside, "storage": storage}
    made = create_study(name, table, goal=task.goal, noise=task.noise, delta=task.delta, **kept)
    made.close()
    sizes = {"n_queries": table.n_queries, "n_targets": table.n_targets}
    form = {"name": name, "storage": made.storage, **sizes, "goal": repr(task.goal), "noise": repr(task.noise)}
    return form, f"Study {name!r} of {size_of(table)} is in {made.storage}. Next: warmer study ask {name}"


@verb("list")
def list_(storage: Storage = None) -> Any:
    """List the studies of a database."""
    found = list_studies(storage=storage)
    rows = (
        (each.name, when(each.created_at), when(each.last_at), f"{each.n_answers:,}", f"{each.n_open:,}")
        for each in found
    )
    table = new_table(("study", "created", "last event", "answers", "open tickets"), rows, numbers=2)
    words = table if found else f"There are no studies in {storage_url(storage)}."
    return {"studies": [json_forms.summary_form(each) for each in found]}, words


@verb()
def status(
    opened: Opened,
    forecast: Annotated[
        bool, typer.Option("--forecast/--no-forecast", help="Whether to simulate how many more answers it will take.")
    ] = True,
) -> Any:
    """Show where a study stands: what is proven, who objects, what is odd, how far it is."""
    found, ahead = opened.status(), forecast_of(opened) if forecast else None
    form = json_forms.status_form(found) | {"forecast": None if ahead is None else vars(ahead)}
    words = [f"{opened.name} ({opened.storage}), {size_of(opened.problem)}", *status_in_words(found, ahead)]
    picture = [] if found.standing is None else ["", *standing_picture(found.standing)]
    return form, *words, *picture, *(["", ticket_table(found.open)] if found.open else [])


@verb()
def ask(
    opened: Opened,
    n: Annotated[int, typer.Option("-n", "--n", metavar="N", help="How many queries.")] = 1,
    worker: Annotated[str | None, option("WHO", "Who will do it.")] = None,
    lease: Annotated[float | None, option("S", "Seconds after which others may have it; by default never.")] = None,
    key: Key = None,
) -> Any:
    """Take tickets for the next queries."""
    tickets = opened.ask(n, worker=worker, lease=lease, key=key)
    return {"tickets": [json_forms.ticket_form(ticket) for ticket in tickets]}, ticket_table(tickets)


@verb(context_settings=_SIGNED)
def tell(
    opened: Opened,
    query: Query,
    reward: Reward,
    ticket: TicketNumber = None,
    count: Annotated[int, option("N", "The reward is the mean of so many.")] = 1,
    note: Annotated[str, option("TEXT", "Anything to remember.")] = "",
    author: Author = None,
    key: Key = None,
) -> Any:
    """Record an answer."""
    meant = _meant(opened, query, ticket)
    entry = opened.tell(meant, reward, count=count, note=note, author=author, key=key)
    odd = [odd_in_words(entry, opened.name)] if entry.is_odd else []
    repeated = [repeat_in_words(entry, opened.name)] if entry.is_repeat else []
    return *_recorded(entry), *odd, *repeated


@verb()
def fail(
    opened: Opened, query: Query, reason: Reason, ticket: TicketNumber = None, author: Author = None, key: Key = None
) -> Any:
    """Record that an experiment gave no answer."""
    return _recorded(opened.fail(_meant(opened, query, ticket), reason=reason, author=author, key=key))


@verb(context_settings=_SIGNED)
def correct(
    opened: Opened, event: EventNumber, reward: Reward, reason: Reason, author: Author = None, key: Key = None
) -> Any:
    """Put another reward in the place of an answer; both stay in the log."""
    return _recorded(opened.correct(event, reward, reason=reason, author=author, key=key))


@verb()
def undo(
    opened: Opened,
    reason: Reason,
    event: Annotated[int | None, typer.Argument(metavar="[EVENT]", help="Its number; by default the last one.")] = None,
    author: Author = None,
) -> Any:
    """Let an answer, a failure or a correction no longer count; it stays in the log."""
    undone = opened.undo if event is None else partial(opened.retract, event)
    return _recorded(undone(reason=reason, author=author))


@verb()
def release(
    opened: Opened,
    ticket: Annotated[int, typer.Argument(metavar="TICKET", help="The number of the ticket.")],
    reason: Reason = "",
    author: Author = None,
) -> Any:
    """Give a ticket back unanswered."""
    held = opened.ticket(ticket)
    opened.release(held, reason=reason, author=author)
    return {"released": ticket, "query": held.query}, f"Ticket {ticket} ({held.query!r}) is free."


@verb()
def forbid(opened: Opened, query: Query, reason: Reason, author: Author = None) -> Any:
    """Close a query: it is not asked from now on."""
    label = opened.problem.queries.find(query)
    opened.forbid(label, reason=reason, author=author)
    return {"forbidden": label}, f"{label!r} is not asked from now on."


@verb()
def allow(opened: Opened, query: Query, reason: Reason = "", author: Author = None) -> Any:
    """Open a query again that was forbidden or kept failing."""
    label = opened.problem.queries.find(query)
    opened.allow(label, reason=reason, author=author)
    return {"allowed": label}, f"{label!r} may be asked again."


@verb()
def note(
    opened: Opened,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember.")],
    author: Author = None,
    key: Key = None,
) -> Any:
    """Write something down."""
    event = opened.note(text, author=author, key=key)
    return {"event": event}, f"Noted as event {event}."


@verb()
def log(opened: Opened, after: Annotated[int, option("EVENT", "Only what came after this event.")] = 0) -> Any:
    """Show everything that happened."""
    events = list(opened.log(after=after))
    form = {"events": [json_forms.event_form(event) for event in events]}
    rows = ((str(each.seq), when(each.at), each.author, body_in_words(each.body)) for each in events)
    table = new_table(("event", "time (UTC)", "author", "what"), rows)
    return form, table if events else "Nothing has happened yet."


@verb()
def report(opened: Opened, output: options.PagePath) -> Any:
    """Write a self-contained HTML page about a study: the decision, the evidence, and what the proof rests on."""
    page = pages.study_page(opened)
    pages.save_page(page, output)
    return {"name": opened.name, "page": output}, written(page, output)


@verb()
def verify(opened: Opened) -> Any:
    """Choose every query again from the log alone, and say whether they agree."""
    n_checked, status = opened.verify(), opened.status()
    form = {"tickets": n_checked, "certificate": json_forms.certificate_form(status.certificate)}
    return form, f"{counted(n_checked, 'ticket')}: every query follows from the answers before it."


@verb("export")
def export_(
    opened: Opened,
    path: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Where to; by default to the screen.")] = None,
) -> Any:
    """Write a study as JSON lines that a person and `study import` can read."""
    if path is None:
        sys.stdout.writelines(opened.export_lines())
        raise typer.Exit
    opened.export(path)
    return {"name": opened.name, "file": path}, f"Wrote {path}."


@verb("import")
def import_(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `study export` wrote.")],
    name: Annotated[str | None, option("NAME", "What to call it here.")] = None,
    storage: Storage = None,
) -> Any:
    """Bring an exported study into a database, with every event as it was."""
    with import_study(path, name=name, storage=storage) as made:
        n_events = made.status().n_events
    form = {"name": made.name, "storage": made.storage, "n_events": n_events}
    return form, f"Study {made.name!r} with {counted(n_events, 'event')} is in {made.storage}."


def _meant(opened: Study, text: str, number: int | None) -> Any:
    """The query whose label reads like the text, or its ticket."""
    label = opened.problem.queries.find(text)
    if number is None:
        return label
    ticket = opened.ticket(number)
    if ticket.query != label:
        raise InvalidValueError(f"ticket {number} is for {ticket.query!r}, not for {label!r}.")
    return ticket


def _recorded(entry: Any) -> Any:
    return json_forms.entry_form(entry), f"Recorded, {entry_in_words(entry)}."
