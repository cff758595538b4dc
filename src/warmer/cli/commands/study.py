"""`warmer study`: experiments that last, from the terminal."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from warmer import report as pages
from warmer.cli import options
from warmer.cli.console import show, show_json, show_result, written
from warmer.cli.goal_argument import find_task
from warmer.cli.options import AsJSON
from warmer.cli.problem_argument import find_problem
from warmer.cli.study_options import (
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
)
from warmer.cli.tables import log_table, size_of, standing_picture, study_table, ticket_table
from warmer.model.errors import InvalidValueError
from warmer.report.study_text import entry_in_words, forecast_of, odd_in_words, status_in_words
from warmer.report.text import counted
from warmer.studies import Study, create_study, import_study, list_studies, open_study
from warmer.studies.formats import json_forms
from warmer.studies.storage import storage_url

study = options.group(
    """Experiments that last for weeks, with several people.

    A study lives in a database and loses nothing: create it once, then ask, do the experiment, and tell. The database
    is a file or a server: --storage, else the environment variable WARMER_STORAGE, else sqlite:///warmer.db.
    """,
)

_SIGNED = {"ignore_unknown_options": True}  # so that -0.5 is a reward and no option


@study.command()
def create(
    name: Name,
    problem: options.Source,
    goal: options.GoalName = None,
    noise: options.NoiseName = None,
    epsilon: options.Epsilon = None,
    sigma: options.Sigma = None,
    delta: options.Delta = 0.05,
    seed: options.Seed = 0,
    unit: Unit = None,
    outside: Outside = "refuse",
    square: options.Square = None,
    reward_range: options.RewardRange = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Create a study of a problem, or find the one that is there."""
    table = find_problem(problem, square, reward_range)
    task = find_task(table, goal=goal, noise=noise, epsilon=epsilon, delta=delta, sigma=sigma, alpha=None)
    made = create_study(
        name,
        table,
        goal=task.goal,
        noise=task.noise,
        delta=delta,
        seed=seed,
        unit=unit,
        outside=outside,
        storage=storage,
    )
    made.close()
    sizes = {"n_queries": table.n_queries, "n_targets": table.n_targets}
    form = {"name": name, "storage": made.storage, **sizes, "goal": repr(task.goal), "noise": repr(task.noise)}
    words = f"Study {name!r} of {size_of(table)} is in {made.storage}. Next: warmer study ask {name}"
    show_result(as_json, form, words)


@study.command("list")
def list_(storage: Storage = None, as_json: AsJSON = False) -> None:
    """List the studies of a database."""
    found = list_studies(storage=storage)
    table = study_table(found) if found else f"There are no studies in {storage_url(storage)}."
    show_result(as_json, {"studies": [json_forms.summary_form(each) for each in found]}, table)


@study.command()
def status(
    name: Name,
    forecast: Annotated[
        bool, typer.Option("--forecast/--no-forecast", help="Whether to simulate how many more answers it will take.")
    ] = True,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Show where a study stands: what is proven, who objects, what is odd, how far it is."""
    with open_study(name, storage=storage) as opened:
        found, ahead = opened.status(), forecast_of(opened) if forecast else None
        if as_json:
            show_json(json_forms.status_form(found) | {"forecast": None if ahead is None else vars(ahead)})
            return
        show(f"{name} ({opened.storage}), {size_of(opened.problem)}", *status_in_words(found, ahead))
        if found.standing is not None:
            show("", *standing_picture(found.standing))
        if found.open:
            show("", ticket_table(found.open))


@study.command()
def ask(
    name: Name,
    n: Annotated[int, typer.Option("-n", "--n", metavar="N", help="How many queries.")] = 1,
    worker: Annotated[str | None, typer.Option("--worker", metavar="WHO", help="Who will do it.")] = None,
    lease: Annotated[
        float | None,
        typer.Option("--lease", metavar="S", help="Seconds after which others may have it; by default never."),
    ] = None,
    key: Key = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Take tickets for the next queries."""
    with open_study(name, storage=storage) as opened:
        tickets = opened.ask(n, worker=worker, lease=lease, key=key)
    show_result(as_json, {"tickets": [json_forms.ticket_form(ticket) for ticket in tickets]}, ticket_table(tickets))


@study.command(context_settings=_SIGNED)
def tell(
    name: Name,
    query: Query,
    reward: Reward,
    ticket: TicketNumber = None,
    count: Annotated[int, typer.Option("--count", metavar="N", help="The reward is the mean of so many.")] = 1,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Anything to remember.")] = "",
    author: Author = None,
    key: Key = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Record an answer."""
    with open_study(name, storage=storage) as opened:
        meant = _meant(opened, query, ticket)
        entry = opened.tell(meant, reward, count=count, note=note, author=author, key=key)
    _say(entry, as_json, *([odd_in_words(entry, name)] if entry.is_odd else []))


@study.command()
def fail(
    name: Name,
    query: Query,
    reason: Reason,
    ticket: TicketNumber = None,
    author: Author = None,
    key: Key = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Record that an experiment gave no answer."""
    with open_study(name, storage=storage) as opened:
        _say(opened.fail(_meant(opened, query, ticket), reason=reason, author=author, key=key), as_json)


@study.command(context_settings=_SIGNED)
def correct(
    name: Name,
    event: EventNumber,
    reward: Reward,
    reason: Reason,
    author: Author = None,
    key: Key = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Put another reward in the place of an answer; both stay in the log."""
    with open_study(name, storage=storage) as opened:
        _say(opened.correct(event, reward, reason=reason, author=author, key=key), as_json)


@study.command()
def undo(
    name: Name,
    reason: Reason,
    event: Annotated[int | None, typer.Argument(metavar="[EVENT]", help="Its number; by default the last one.")] = None,
    author: Author = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Let an answer, a failure or a correction no longer count; it stays in the log."""
    with open_study(name, storage=storage) as opened:
        undone = opened.undo if event is None else partial(opened.retract, event)
        _say(undone(reason=reason, author=author), as_json)


@study.command()
def release(
    name: Name,
    ticket: Annotated[int, typer.Argument(metavar="TICKET", help="The number of the ticket.")],
    reason: Reason = "",
    author: Author = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Give a ticket back unanswered."""
    with open_study(name, storage=storage) as opened:
        held = opened.ticket(ticket)
        opened.release(held, reason=reason, author=author)
    show_result(as_json, {"released": ticket, "query": held.query}, f"Ticket {ticket} ({held.query!r}) is free.")


@study.command()
def forbid(
    name: Name, query: Query, reason: Reason, author: Author = None, storage: Storage = None, as_json: AsJSON = False
) -> None:
    """Close a query: it is not asked from now on."""
    with open_study(name, storage=storage) as opened:
        label = opened.problem.queries.find(query)
        opened.forbid(label, reason=reason, author=author)
    show_result(as_json, {"forbidden": label}, f"{label!r} is not asked from now on.")


@study.command()
def allow(
    name: Name,
    query: Query,
    reason: Reason = "",
    author: Author = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Open a query again that was forbidden or kept failing."""
    with open_study(name, storage=storage) as opened:
        label = opened.problem.queries.find(query)
        opened.allow(label, reason=reason, author=author)
    show_result(as_json, {"allowed": label}, f"{label!r} may be asked again.")


@study.command()
def note(
    name: Name,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember.")],
    author: Author = None,
    key: Key = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Write something down."""
    with open_study(name, storage=storage) as opened:
        event = opened.note(text, author=author, key=key)
    show_result(as_json, {"event": event}, f"Noted as event {event}.")


@study.command()
def log(
    name: Name,
    after: Annotated[int, typer.Option("--after", metavar="EVENT", help="Only what came after this event.")] = 0,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Show everything that happened."""
    with open_study(name, storage=storage) as opened:
        events = list(opened.log(after=after))
    form = {"events": [json_forms.event_form(event) for event in events]}
    show_result(as_json, form, log_table(events) if events else "Nothing has happened yet.")


@study.command()
def report(
    name: Name,
    output: options.PagePath,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Write a self-contained HTML page about a study: the decision, the evidence, and what the proof rests on."""
    with open_study(name, storage=storage) as opened:
        page = pages.study_page(opened)
    pages.save_page(page, output)
    show_result(as_json, {"name": name, "page": output}, written(page, output))


@study.command()
def verify(name: Name, storage: Storage = None, as_json: AsJSON = False) -> None:
    """Choose every query again from the log alone, and say whether they agree."""
    with open_study(name, storage=storage) as opened:
        n_checked, status = opened.verify(), opened.status()
    form = {"tickets": n_checked, "certificate": json_forms.certificate_form(status.certificate)}
    show_result(as_json, form, f"{counted(n_checked, 'ticket')}: every query follows from the answers before it.")


@study.command("export")
def export_(
    name: Name,
    path: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Where to; by default to the screen.")] = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Write a study as JSON lines that a person and `study import` can read."""
    with open_study(name, storage=storage) as opened:
        if path is None:
            sys.stdout.writelines(opened.export_lines())
            return
        opened.export(path)
    show_result(as_json, {"name": name, "file": path}, f"Wrote {path}.")


@study.command("import")
def import_(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `study export` wrote.")],
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="What to call it here.")] = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Bring an exported study into a database, with every event as it was."""
    with import_study(path, name=name, storage=storage) as made:
        n_events = made.status().n_events
    form = {"name": made.name, "storage": made.storage, "n_events": n_events}
    show_result(as_json, form, f"Study {made.name!r} with {counted(n_events, 'event')} is in {made.storage}.")


def _meant(opened: Study, text: str, number: int | None) -> Any:
    """The query whose label reads like the text, or its ticket."""
    label = opened.problem.queries.find(text)
    if number is None:
        return label
    ticket = opened.ticket(number)
    if ticket.query != label:
        raise InvalidValueError(f"ticket {number} is for {ticket.query!r}, not for {label!r}.")
    return ticket


def _say(entry: Any, as_json: bool, *more: str) -> None:
    show_result(as_json, json_forms.entry_form(entry), f"Recorded, {entry_in_words(entry)}.", *more)
