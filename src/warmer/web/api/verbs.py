"""What can be done with a study, each verb a function of the study and the fields of a request."""

from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

from warmer.model import Label
from warmer.model.errors import InvalidValueError, WarmerError
from warmer.studies import Study
from warmer.studies.formats.json_forms import entry_form, event_form, status_form, ticket_form
from warmer.studies.records.plain import label_of
from warmer.studies.records.tickets import Ticket
from warmer.web.api.fields import Field, read_values
from warmer.web.snapshot import Desk

_MOST_ROWS = 1000
_MOST_EVENTS = 1000

_AUTHOR = Field("author", "text", "Who says so; by default the name of the key, else of who runs the server.")
_KEY = Field("key", "text", "Makes it safe to repeat the request: it counts once.")
_TICKET = Field("ticket", "whole", "The number of the ticket.")
_QUERY = Field("query", "label", "The label of the query; the ticket's where one is named.")
_ONE_TICKET, _ONE_QUERY = (field._replace(is_required=True) for field in (_TICKET, _QUERY))
_REASON = Field("reason", "text", "Why; it stays in the log.", is_required=True)
_ANY_REASON = _REASON._replace(is_required=False)
_EVENT = Field("event", "whole", "The number of the answer in the log.", is_required=True)
_REWARD = Field("reward", "number", "The reward, in the problem's own units.", is_required=True)
_ANSWER = (
    _QUERY,
    _TICKET,
    Field("token", "text", "The token of the ticket, so that a late answer says which lease it is for."),
    _REWARD,
    Field("count", "whole", "The reward is the mean of so many; 1 where missing."),
    Field("note", "text", "Anything to remember."),
    _AUTHOR,
    _KEY,
)
_AFTER = Field("after", "whole", "Only what came after this event.")
_LIMIT = Field("limit", "whole", f"How many at the most; {_MOST_EVENTS} where missing.")


class RefusedRowsError(InvalidValueError):
    """Some of several answers cannot be recorded, so none was."""

    def __init__(self, rows: dict[int, str]) -> None:
        first, words = next(iter(rows.items()))
        super().__init__(words if len(rows) == 1 else f"row {first + 1}: {words}")
        self.rows = rows


class Verb(NamedTuple):
    """Something to do with a study."""

    name: str
    """The end of its address."""
    words: str
    work: Callable[[Desk, dict[str, Any]], Any]
    fields: tuple[Field, ...] = ()
    method: str = "POST"


def _status(desk: Desk, given: dict[str, Any]) -> Any:
    problem = desk.study.problem
    size = {"n_queries": problem.n_queries, "n_targets": problem.n_targets, "reward_range": list(problem.reward_range)}
    return {**status_form(desk.study.status()), "unit": desk.study.spec.unit, "problem": size}


def _next(desk: Desk, given: dict[str, Any]) -> Any:
    return {"queries": desk.study.preview(given.get("n", 1))}


def _ask(desk: Desk, given: dict[str, Any]) -> Any:
    n, worker = given.get("n", 1), given.get("worker") or given.get("author")
    if n > _MOST_ROWS:
        raise InvalidValueError(f"at most {_MOST_ROWS} tickets are given out at once, got n={n}.")
    tickets = desk.study.ask(n, worker=worker, lease=given.get("lease"), key=given.get("key"))
    return {"tickets": [ticket_form(ticket) for ticket in tickets]}


def _tell(desk: Desk, given: dict[str, Any]) -> Any:
    if "answers" not in given:
        return entry_form(_told(desk.study, read_values(given, _ANSWER)))
    common: dict[str, Any] = {name: given[name] for name in ("author", "key") if name in given}
    if not 0 < len(given["answers"]) <= _MOST_ROWS:
        raise InvalidValueError(f"answers must hold 1 to {_MOST_ROWS} of them, got {len(given['answers'])}.")
    rows = _checked_rows(desk.study, given["answers"])
    entries = []
    for place, row in enumerate(rows):
        key = {"key": f"{common['key']}:{place}"} if "key" in common else {}
        entries.append(entry_form(_told(desk.study, {**common, **key, **row})))
    return {"answers": entries}


def _checked_rows(study: Study, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every row read and checked before the first is recorded; what is wrong is said of each row that is wrong."""
    read, refused = [], {}
    for place, row in enumerate(rows):
        try:
            values = read_values(row, _ANSWER)
            meant = _meant(study, values)
            study.check_answer(_query_of(meant), values["reward"], count=values.get("count", 1))
            read.append(values)
        except WarmerError as error:
            refused[place] = str(error)
    if refused:
        raise RefusedRowsError(refused)
    return read


def _told(study: Study, given: dict[str, Any]) -> Any:
    return study.tell(_meant(study, given), **_said(given))


def _fail(desk: Desk, given: dict[str, Any]) -> Any:
    return entry_form(desk.study.fail(_meant(desk.study, given), **_said(given)))


def _release(desk: Desk, given: dict[str, Any]) -> Any:
    ticket = desk.study.ticket(given["ticket"])
    desk.study.release(ticket, **_said(given))
    return {"released": ticket.number, "query": ticket.query}


def _correct(desk: Desk, given: dict[str, Any]) -> Any:
    return entry_form(desk.study.correct(given["event"], **_said(given)))


def _retract(desk: Desk, given: dict[str, Any]) -> Any:
    return entry_form(desk.study.retract(given["event"], **_said(given)))


def _forbid(desk: Desk, given: dict[str, Any]) -> Any:
    label = _find(desk.study, given["query"])
    desk.study.forbid(label, **_said(given))
    return {"forbidden": label}


def _allow(desk: Desk, given: dict[str, Any]) -> Any:
    label = _find(desk.study, given["query"])
    desk.study.allow(label, **_said(given))
    return {"allowed": label}


def _note(desk: Desk, given: dict[str, Any]) -> Any:
    return {"event": desk.study.note(**given)}


def _said(given: dict[str, Any]) -> dict[str, Any]:
    """The fields that a study takes by their names: all but those that say what they are about."""
    return {name: value for name, value in given.items() if name not in ("query", "ticket", "token", "event")}


def _log(desk: Desk, given: dict[str, Any]) -> Any:
    after, most = max(0, given.get("after", 0)), _most(given)
    return {"events": [event_form(event) for event in desk.study.log(after=after, until=after + most)]}


def _answers(desk: Desk, given: dict[str, Any]) -> Any:
    entries = (entry for entry in desk.study.entries() if entry.seq > given.get("after", 0))
    return {"answers": [entry_form(entry) for entry in islice(entries, _most(given))]}


def _candidates(desk: Desk, given: dict[str, Any]) -> Any:
    found = desk.snapshot()
    rows = [
        {
            "candidate": each.label,
            "log_evidence": None if each.log_evidence != each.log_evidence else each.log_evidence,
            "ruled_out_by": each.fell_at or None,
        }
        for each in found.candidates()[: _most(given)]
    ]
    return {"threshold": found.progress.threshold, "n_remaining": found.n_remaining, "candidates": rows}


def _most(given: dict[str, Any]) -> int:
    return max(1, min(_MOST_EVENTS, int(given.get("limit", _MOST_EVENTS))))


def _meant(study: Study, given: dict[str, Any]) -> Any:
    """The ticket of a number, or the label of a query."""
    if "ticket" not in given:
        if "query" not in given:
            raise InvalidValueError("name a query, or a ticket by its number.")
        return _find(study, given["query"])
    ticket = study.ticket(given["ticket"])
    if "token" in given and given["token"] != ticket.token:
        raise InvalidValueError(
            f"ticket {ticket.number} was given to {ticket.worker} since; answer by its query, {ticket.query!r}."
        )
    return ticket


def _query_of(meant: Any) -> Label:
    return meant.query if isinstance(meant, Ticket) else meant


def _find(study: Study, given: Any) -> Label:
    """The query of a label, or of text that reads like it."""
    queries = study.problem.queries
    try:
        return queries[queries.position(label_of(given))]
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError):
        if isinstance(given, str | int | float):
            return queries.find(given)
    raise InvalidValueError("a label is text, a number, or an object that an answer of this interface showed.")


VERBS = (
    Verb("", "Where the study stands.", _status, method="GET"),
    Verb("/next", "The queries that would be asked next.", _next, (Field("n", "whole", "How many."),), "GET"),
    Verb("/answers", "Every answer and failure, as they count now.", _answers, (_AFTER, _LIMIT), "GET"),
    Verb(
        "/candidates", "The candidates, likeliest first, with the evidence against each.", _candidates, (_LIMIT,), "GET"
    ),
    Verb("/log", "Everything that happened.", _log, (_AFTER, _LIMIT), "GET"),
    Verb(
        "/ask",
        "Take tickets for the next queries.",
        _ask,
        (
            Field("n", "whole", "How many; 1 where missing."),
            Field("worker", "text", "Who will do it."),
            Field("lease", "number", "Seconds after which somebody else may have the ticket; never where missing."),
            _AUTHOR,
            _KEY,
        ),
    ),
    Verb(
        "/tell",
        "Record an answer, or several at once: all of them, or none where one cannot be recorded.",
        _tell,
        (
            *(field._replace(is_required=False) for field in _ANSWER),
            Field("answers", "list", "Several answers, each with the fields of one."),
        ),
    ),
    Verb("/fail", "Record that an experiment gave no answer.", _fail, (_QUERY, _TICKET, _REASON, _AUTHOR, _KEY)),
    Verb("/release", "Give a ticket back unanswered.", _release, (_ONE_TICKET, _ANY_REASON, _AUTHOR)),
    Verb(
        "/correct",
        "Put another reward in the place of an answer; both stay in the log.",
        _correct,
        (_EVENT, _REWARD, _REASON, _AUTHOR, _KEY),
    ),
    Verb("/retract", "Let an answer, a failure or a correction no longer count.", _retract, (_EVENT, _REASON, _AUTHOR)),
    Verb("/forbid", "Close a query.", _forbid, (_ONE_QUERY, _REASON, _AUTHOR)),
    Verb("/allow", "Open a query again.", _allow, (_ONE_QUERY, _ANY_REASON, _AUTHOR)),
    Verb("/note", "Write something down.", _note, (Field("text", "text", "What to remember.", True), _AUTHOR, _KEY)),
)
"""Every verb under a study's address."""
