"""A study in words, the same in the terminal and on a page."""

from warmer.model.errors import HypothesisError, ProtocolError
from warmer.model.words import certainty, exact
from warmer.report.task_text import goal_in_words, noise_in_words
from warmer.report.text import counted
from warmer.studies import Study
from warmer.studies.records.events import Answered, Asked, Body, Corrected, Failed, Noted, Released, Retracted
from warmer.studies.records.history import moment
from warmer.studies.records.ledger import Entry
from warmer.studies.spec import Spec
from warmer.studies.standing import Forecast, Standing
from warmer.studies.status import Status

_MOST_NAMED = 5


def decision_of(spec: Spec) -> str:
    """What a study decides and what a proof will say; empty where nobody said what is to be decided."""
    certifier = spec.certifier
    if certifier is None or not spec.has_goal:
        return ""
    return goal_in_words(certifier.goal, tolerance=getattr(certifier, "margin", 0.0))


def declaration_of(spec: Spec, *, beside: str = "") -> str:
    """What a study declares about noise and table, by itself or by its learner; not what stands `beside` it already."""
    certifier = spec.certifier
    if certifier is None:
        return noise_in_words(spec.noise)
    tolerance = getattr(certifier, "margin", 0.0)
    within = f"entries are right within {exact(tolerance)}"
    table = f"; the table's {within}" if tolerance and within not in beside else ""
    return f"{noise_in_words(certifier.noise)}{table}"


def when(at: float | None) -> str:
    """A time in words, to the minute, in UTC.

    Examples
    --------
    >>> when(0.0), when(None)
    ('1970-01-01 00:00', '-')
    """
    return "-" if at is None else f"{moment(at):%Y-%m-%d %H:%M}"


def ago(at: float | None, now: float) -> str:
    """How long ago something was, roughly.

    Examples
    --------
    >>> ago(0.0, 30.0), ago(0.0, 7200.0), ago(None, 0.0)
    ('just now', '2 hours ago', '-')
    """
    if at is None:
        return "-"
    for seconds, noun in ((86400 * 365, "year"), (86400, "day"), (3600, "hour"), (60, "minute")):
        if now - at >= seconds:
            return f"{counted(int((now - at) // seconds), noun)} ago"
    return "just now"


def forecast_of(study: Study) -> Forecast | None:
    """How many more answers it will take, by simulation; None where nothing is to be decided, or nobody remains."""
    try:
        return study.forecast(n_runs=20, most=200)
    except (HypothesisError, ProtocolError):
        return None


def decision_in_words(
    status: Status, *, next_query: object, n_remaining: int, n_targets: int, forecast: Forecast | None = None
) -> tuple[str, str]:
    """Where a study stands and what to do now, in a sentence and another below it."""
    certificate = status.certificate
    noise = None if certificate is None else certificate.about_noise
    left = f"{n_remaining:,} of {counted(n_targets, 'candidate')} {'remains' if n_remaining == 1 else 'remain'}"
    if certificate is not None and certificate.certificate.is_misspecified:
        if noise is not None and noise.refuted:
            return "The answers refute the declared noise.", _sentence(noise.reason)
        words = "Every candidate is ruled out, so nothing can be concluded: check the table, the noise and the answers."
        before = "" if noise is None else noise.withdrawn
        return "The data contradict every candidate.", " ".join(filter(None, [words, before and _sentence(before)]))
    if noise is not None and noise.question:
        return "Say how readings are rounded before anything is proven.", _sentence(noise.reason)
    if certificate:
        proven = certificate.certificate
        head = f"Proven: {proven.statement}."
        where = "".join(f", if {each}" for each in noise.conditions) if noise else ""
        sentences = [
            f"This holds with probability at least {certainty(proven.delta)}{where}; {left}.",
            f"Caveat: {noise.doubt}." if noise and noise.doubt else "",
            _after_a_proof(status),
        ]
        return head, " ".join(filter(None, sentences))
    head = "No query can be asked now."
    if next_query is not None:
        purpose = None if status.standing is None else status.standing.purpose
        separates = "" if purpose is None else f": it separates {purpose.first} from {purpose.second}"
        head = f"{_more(forecast)}{next_query}{separates}."
    if certificate is None:
        return head, f"{left}. The best query so far is {status.recommendation}."
    objecting = counted(len(certificate.objectors), "of them objects", "of them object")
    return head, f"{left}; the likeliest answer so far is {certificate.answer}, and {objecting}."


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def confirm_in_words(standing: Standing) -> str:
    """What to ask once more before a proof is relied on, in a sentence or two; empty where nothing need be."""
    if not standing.to_confirm:
        return ""
    named = ", ".join(map(repr, standing.to_confirm[:_MOST_NAMED]))
    n_more = len(standing.to_confirm) - _MOST_NAMED
    more = f" and {n_more:,} more" if n_more > 0 else ""
    return f"Before you rely on the proof, ask once more: {named}{more}. A typo shows only then."


def _after_a_proof(status: Status) -> str:
    """What to do when something is proven: what to ask once more, or nothing; warnings speak for themselves."""
    if status.standing is None:
        return "Nothing more need be asked."
    return confirm_in_words(status.standing) or ("" if status.standing.warnings else "Nothing more need be asked.")


def _more(forecast: Forecast | None) -> str:
    """How many experiments are still needed, and the start of what comes next."""
    if forecast is None:
        return "Next: "
    if forecast.median is None:
        return f"More than {counted(forecast.most, 'experiment')}, probably; next: "
    return f"{counted(forecast.median, 'more experiment')}, probably; next: "


def body_in_words(body: Body) -> str:
    """What happened, in one line.

    Examples
    --------
    >>> body_in_words(Answered("agar", 0.5, number=3)), body_in_words(Retracted(7, "no agar"))
    ("answered 'agar': 0.5 (ticket 3)", 'retracted event 7: no agar')
    """
    match body:
        case Asked():
            again = f", attempt {body.attempt}" if body.attempt > 1 else ""
            return f"asked {body.query!r} (ticket {body.number}{again})"
        case Answered():
            mean = f", mean of {body.count}" if body.count > 1 else ""
            note = f": {body.note}" if body.note else ""
            ticket = _ticket(body.number) or " (unasked)"
            return f"answered {body.query!r}: {exact(body.reward)}{mean}{ticket}{note}"
        case Corrected():
            return f"corrected event {body.seq} to {exact(body.reward)}: {body.reason}"
        case Retracted():
            return f"retracted event {body.seq}: {body.reason}"
        case Failed():
            return f"failed {body.query!r}{_ticket(body.number)}: {body.reason}"
        case Released():
            return f"released {body.query!r}{_ticket(body.number)}" + (f": {body.reason}" if body.reason else "")
        case Noted():
            return f"note: {body.text}"
        case _:
            return f"{type(body).__name__.lower()} {body.query!r}" + (f": {body.reason}" if body.reason else "")


def entry_in_words(entry: Entry) -> str:
    """An answer or a failure, and whether it counts."""
    mean = f", mean of {entry.count}" if entry.count > 1 else ""
    value = "failed" if entry.reward is None else f"{exact(entry.reward)}{mean}"
    came_unasked = entry.is_unasked and entry.counts and entry.reward is not None
    unasked = "; its query was not open" if came_unasked else ""
    return f"event {entry.seq}: {entry.query!r} {value}{_ticket(entry.number)}, {entry.standing}{unasked}"


def odd_in_words(entry: Entry, study: str) -> str:
    """What to do about an answer that no remaining candidate explains."""
    odd = f"This answer is odd: no remaining candidate explains it (p = {entry.surprise:.2g})."
    if entry.n_agreeing:
        others = f"{counted(entry.n_agreeing, 'other answer')} to {entry.query!r}"
        agree = f"{others} {'agrees' if entry.n_agreeing == 1 else 'agree'} with it, so it is hardly a typo"
        return f"{odd} {agree}: check the table, the noise and the experiment."
    return f"{odd} If it is a typo: warmer study correct {study} {entry.seq} VALUE --reason typo"


def repeat_in_words(entry: Entry, study: str) -> str:
    """What to do about an unasked answer that equals the one before it."""
    return (
        "The same answer twice? It came unasked and equals the one before it. If so: "
        f"warmer study undo {study} {entry.seq} --reason twice"
    )


def factor(evidence: float | None) -> str:
    """Evidence as a factor.

    Examples
    --------
    >>> factor(4.5), factor(1234567.0), factor(None)
    ('4.5x', '1e+06x', 'long')
    """
    if evidence is None:
        return "long"
    return f"{evidence:.0e}x" if evidence >= 10_000 else f"{evidence:,.0f}x" if evidence >= 10 else f"{evidence:#.2g}x"


def status_in_words(status: Status, forecast: Forecast | None = None) -> list[str]:
    """Where a study stands, a sentence at a time: what is decided first, then what to look at."""
    others = [
        *([f"{status.n_corrected} corrected"] if status.n_corrected else []),
        *([f"{status.n_retracted} retracted"] if status.n_retracted else []),
        *([counted(status.n_failed, "failed experiment")] if status.n_failed else []),
    ]
    told = counted(status.n_answers, "answer") + (f" ({', '.join(others)})" if others else "")
    stale = f", {status.n_expired} expired" if status.n_expired else ""
    last = "no events yet" if status.last_at is None else f"last event {when(status.last_at)} UTC"
    lines = [f"{told}; {counted(len(status.open), 'open ticket')}{stale}; {last}."]
    if status.closed:
        lines.append(f"Not asked now (forbidden or failing): {', '.join(map(repr, status.closed))}.")
    lines.append(f"Best query so far: {status.recommendation!r}.")
    if status.certificate is not None:
        lines += str(status.certificate).splitlines()
    lines += status.remarks
    if status.standing is not None:
        lines += standing_in_words(status.standing)
    return [*lines, *([f"Forecast: {forecast}."] if forecast is not None else [])]


def standing_in_words(standing: Standing) -> list[str]:
    """How far a study has come, a sentence at a time: what is odd first."""
    ruled_out = f"{standing.n_ruled_out:,} of {counted(standing.n_candidates, 'candidate')} ruled out."
    lines = [f"Warning: {words}" for words in standing.warnings] + [ruled_out]
    if standing.tolerance:
        lines.append(f"Declared: the table's entries are right within {exact(standing.tolerance)}.")
    if standing.purpose is not None:
        lines.append(f"Next: {standing.purpose}.")
    if standing.noise is not None and not standing.noise.is_contradicted:
        lines.append(f"Noise: {standing.noise}.")
    return [*lines, *filter(None, [confirm_in_words(standing)])]


def _ticket(number: int | None) -> str:
    return "" if number is None else f" (ticket {number})"
