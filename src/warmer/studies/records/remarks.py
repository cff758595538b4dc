"""What whoever reads a proof must know of the answers: what was retracted, corrected or failed, and why."""

from collections import Counter
from collections.abc import Iterator

from warmer.model.words import exact
from warmer.studies.records.events import Retracted
from warmer.studies.records.ledger import Entry, Ledger

_MOST = 20
"""How many changes are told one by one."""


def remarks_of(ledger: Ledger) -> tuple[str, ...]:
    r"""How many answers were changed and what a proof is worth then; each change with its reason; what failed.

    The evidence is valid at all times if *which* answers count does not depend on what they say. A reading that was
    wrong, whatever it said, may go; one that goes because of its value takes the guarantee with it. Nobody can see from
    the numbers which it was: so the reasons are told.

    Examples
    --------
    >>> from warmer.studies.records.events import Answered, Corrected, Event
    >>> ledger = Ledger()
    >>> bodies = [Answered("left", 0.5), Answered("right", 19.6), Corrected(2, 0.25, "typo"), Retracted(1, "no agar")]
    >>> _ = [ledger.add(Event(seq, f"k{seq}", 0.0, "Ada", body)) for seq, body in enumerate(bodies, 1)]
    >>> summary, *changes = remarks_of(ledger)
    >>> print(summary.partition(";")[0], *changes, sep="\n")
    1 answer was retracted, 1 answer was corrected
    answer 1 to 'left' (0.5) was retracted: no agar
    answer 2 to 'right' was corrected from 19.6 to 0.25: typo
    """
    changes = list(_changes(ledger))
    failures = [
        f"an experiment with {entry.query!r} failed: {entry.note}"
        for entry in ledger.special
        if entry.standing == "failed"
    ]
    return (
        *_summary(Counter(kind for kind, _ in changes)),
        *_first([words for _, words in changes]),
        *_first(failures),
    )


def _changes(ledger: Ledger) -> Iterator[tuple[tuple[str, str], str]]:
    """What was changed and how, in a word each and in a sentence."""
    for entry in ledger.special:
        yield from _changes_of(entry)
    for event in ledger.retracted:
        body = event.body
        if isinstance(body, Retracted) and (answer := ledger.answer_of(body.seq)) != body.seq:
            yield ("correction", "retracted"), f"a correction of answer {answer} was retracted: {body.reason}"


def _changes_of(entry: Entry) -> Iterator[tuple[tuple[str, str], str]]:
    if entry.corrections:
        last = entry.corrections[-1]
        words = f"answer {entry.seq} to {entry.query!r} was corrected from {exact(entry.told)} to {exact(last.reward)}"
        yield ("answer", "corrected"), f"{words}: {last.reason}"
    if entry.retraction is not None:
        what, value = ("failure", "") if entry.reward is None else ("answer", f" ({exact(entry.reward)})")
        words = f"{what} {entry.seq} to {entry.query!r}{value} was retracted: {entry.retraction.reason}"
        yield (what, "retracted"), words


def _summary(counts: Counter[tuple[str, str]]) -> list[str]:
    if not counts:
        return []
    parts = [
        f"{number} {what} was {how}" if number == 1 else f"{number} {what}s were {how}"
        for (what, how), number in sorted(counts.items(), key=lambda item: item[0][1], reverse=True)
    ]
    return [f"{', '.join(parts)}; a proof holds if the reasons lie in the experiment or its record, not in the result"]


def _first(lines: list[str]) -> list[str]:
    return lines if len(lines) <= _MOST else [*lines[:_MOST], f"and {len(lines) - _MOST} more, which the log has"]
