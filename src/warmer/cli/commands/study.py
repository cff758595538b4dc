"""`warmer study`: experiments that last, from the terminal."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.padding import Padding

from warmer import report as pages
from warmer.cli import options
from warmer.cli.console import show, show_json
from warmer.cli.goal_argument import find_task
from warmer.cli.options import AsJSON
from warmer.cli.problem_argument import find_problem
from warmer.cli.study_output import log_table, standing_picture, study_table, ticket_table
from warmer.model import Label, Problem
from warmer.model.errors import HypothesisError, InvalidValueError, ProtocolError
from warmer.report.study_text import entry_in_words, odd_in_words, status_in_words
from warmer.report.text import counted
from warmer.studies import Study, create_study, import_study, list_studies, open_study
from warmer.studies.formats.json_forms import (
    certificate_form,
    entry_form,
    event_form,
    status_form,
    summary_form,
    ticket_form,
)
from warmer.studies.standing import Forecast
from warmer.studies.storage import storage_url

study = typer.Typer(
    name="study",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_SIGNED = {"ignore_unknown_options": True}  # so that -0.5 is a reward and no option

Name = Annotated[str, typer.Argument(metavar="NAME", help="The study.")]
Query = Annotated[str, typer.Argument(metavar="QUERY", help="The label of the query.")]
Reward = Annotated[float, typer.Argument(metavar="REWARD", parser=options.real("reward"), help="The reward.")]
EventNumber = Annotated[int, typer.Argument(metavar="EVENT", help="The number of the answer in the log.")]
Storage = Annotated[
    str | None,
    typer.Option(
        "--storage",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/DATABASE; by default what WARMER_STORAGE says, else "
        "sqlite:///warmer.db.",
    ),
]
Author = Annotated[str | None, typer.Option("--author", metavar="WHO", help="Who says so; by default user@machine.")]
Key = Annotated[
    str | None, typer.Option("--key", metavar="KEY", help="Makes it safe to repeat the command: it counts once.")
]
Reason = Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; it stays in the log.")]
TicketNumber = Annotated[
    int | None, typer.Option("--ticket", metavar="N", help="Its ticket; by default the oldest open one for the query.")
]
Reasoned = Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; it stays in the log.")]
Outside = Annotated[
    str,
    typer.Option(
        "--outside",
        metavar="refuse|keep",
        help="Whether answers beyond the reward range are refused, or kept, as sub-gaussian and gaussian noise permit.",
    ),
]
Unit = Annotated[
    str | None, typer.Option("--unit", metavar="UNIT", help="What rewards are measured in, such as mg/l; for people.")
]


@study.callback(invoke_without_command=True)
def _study(context: typer.Context) -> None:
    """Experiments that last for weeks, with several people.

    A study lives in a database and loses nothing: create it once, then ask, do the experiment, and tell. The database
    is a file or a server: --storage, else the environment variable WARMER_STORAGE, else sqlite:///warmer.db.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


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
    with made:
        if as_json:
            sizes = {"n_queries": table.n_queries, "n_targets": table.n_targets}
            show_json(
                {"name": name, "storage": made.storage, **sizes, "goal": repr(task.goal), "noise": repr(task.noise)}
            )
        else:
            show(f"Study {name!r} of {_size(table)} is in {made.storage}. Next: warmer study ask {name}")


@study.command("list")
def list_(storage: Storage = None, as_json: AsJSON = False) -> None:
    """List the studies of a database."""
    found = list_studies(storage=storage)
    if as_json:
        show_json({"studies": [summary_form(each) for each in found]})
    elif found:
        show(study_table(found))
    else:
        show(f"There are no studies in {storage_url(storage)}.")


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
        found, ahead = opened.status(), _forecast(opened) if forecast else None
        if as_json:
            show_json(status_form(found) | {"forecast": None if ahead is None else vars(ahead)})
            return
        show(f"{name} ({opened.storage}), {_size(opened.problem)}", *status_in_words(found, ahead))
        if found.standing is not None:
            show("", *standing_picture(found.standing))
        if found.open:
            show(Padding(ticket_table(found.open), (1, 0, 0, 0)))


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
    if as_json:
        show_json({"tickets": [ticket_form(ticket) for ticket in tickets]})
    else:
        show(ticket_table(tickets))


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
        _say(entry, as_json)
        if entry.is_odd and not as_json:
            show(odd_in_words(entry, name))


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
        if event is None:
            _say(opened.undo(reason=reason, author=author), as_json)
        else:
            _say(opened.retract(event, reason=reason, author=author), as_json)


@study.command()
def release(
    name: Name,
    ticket: Annotated[int, typer.Argument(metavar="TICKET", help="The number of the ticket.")],
    reason: Reasoned = "",
    author: Author = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Give a ticket back unanswered."""
    with open_study(name, storage=storage) as opened:
        held = opened.ticket(ticket)
        opened.release(held, reason=reason, author=author)
    form = {"released": ticket, "query": held.query}
    _say_done(form, f"Ticket {ticket} ({held.query!r}) is free.", as_json)


@study.command()
def forbid(
    name: Name, query: Query, reason: Reason, author: Author = None, storage: Storage = None, as_json: AsJSON = False
) -> None:
    """Close a query: it is not asked from now on."""
    with open_study(name, storage=storage) as opened:
        label = _find_query(opened.problem, query)
        opened.forbid(label, reason=reason, author=author)
    _say_done({"forbidden": label}, f"{label!r} is not asked from now on.", as_json)


@study.command()
def allow(
    name: Name,
    query: Query,
    reason: Reasoned = "",
    author: Author = None,
    storage: Storage = None,
    as_json: AsJSON = False,
) -> None:
    """Open a query again that was forbidden or kept failing."""
    with open_study(name, storage=storage) as opened:
        label = _find_query(opened.problem, query)
        opened.allow(label, reason=reason, author=author)
    _say_done({"allowed": label}, f"{label!r} may be asked again.", as_json)


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
    _say_done({"event": event}, f"Noted as event {event}.", as_json)


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
    if as_json:
        show_json({"events": [event_form(event) for event in events]})
    else:
        show(log_table(events) if events else "Nothing has happened yet.")


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
    _say_done(
        {"name": name, "page": output}, f"Wrote {output} ({len(page.encode()) / 1024:,.0f} kB, self-contained)", as_json
    )


@study.command()
def verify(name: Name, storage: Storage = None, as_json: AsJSON = False) -> None:
    """Choose every query again from the log alone, and say whether they agree."""
    with open_study(name, storage=storage) as opened:
        n_checked, status = opened.verify(), opened.status()
    if as_json:
        show_json({"tickets": n_checked, "certificate": certificate_form(status.certificate)})
    else:
        show(f"{counted(n_checked, 'ticket')}: every query follows from the answers before it.")


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
    _say_done({"name": name, "file": path}, f"Wrote {path}.", as_json)


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
        if as_json:
            show_json({"name": made.name, "storage": made.storage, "n_events": n_events})
        else:
            show(f"Study {made.name!r} with {counted(n_events, 'event')} is in {made.storage}.")


def _size(problem: Problem) -> str:
    return f"{problem.n_queries:,} queries x {problem.n_targets:,} targets"


def _forecast(opened: Study) -> Forecast | None:
    try:
        return opened.forecast(n_runs=20, most=200)
    except (HypothesisError, ProtocolError):
        return None  # nothing is to be decided, or no candidate remains


def _meant(opened: Study, text: str, number: int | None) -> Any:
    """The query whose label reads like the text, or its ticket."""
    label = _find_query(opened.problem, text)
    if number is None:
        return label
    ticket = opened.ticket(number)
    if ticket.query != label:
        raise InvalidValueError(f"ticket {number} is for {ticket.query!r}, not for {label!r}.")
    return ticket


def _find_query(problem: Problem, text: str) -> Label:
    for label in problem.queries:
        if str(label) == text:
            return label
    return problem.queries[problem.queries.position(text)]


def _say(entry: Any, as_json: bool) -> None:
    if as_json:
        show_json(entry_form(entry))
    else:
        show(f"Recorded, {entry_in_words(entry)}.")


def _say_done(form: dict[str, Any], words: str, as_json: bool) -> None:
    if as_json:
        show_json(form)
    else:
        show(words)
