"""The answers of a study as a table."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from warmer.model.errors import optional_module
from warmer.studies.records.ledger import Entry

if TYPE_CHECKING:
    import pandas as pd


def moment(at: float) -> datetime:
    """Seconds since 1970 as a time that a person can read.

    Examples
    --------
    >>> moment(0.0).isoformat()
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(at, tz=UTC)


def history_rows(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """A row for each answer or failure, in the order they came."""
    return [
        {
            "seq": entry.seq,
            "at": moment(entry.at),
            "query": entry.query,
            "reward": entry.reward,
            "count": entry.count,
            "ticket": entry.number,
            "standing": entry.standing,
            "told": entry.told,
            "author": entry.author,
            "note": entry.note,
            "reason": "" if entry.retraction is None else entry.retraction.reason,
        }
        for entry in entries
    ]


def history_frame(entries: Sequence[Entry]) -> "pd.DataFrame":
    """The rows as a pandas DataFrame."""
    pandas = optional_module("pandas", "history", "tables")
    columns = ["seq", "at", "query", "reward", "count", "ticket", "standing", "told", "author", "note", "reason"]
    frame: pd.DataFrame = pandas.DataFrame(history_rows(entries), columns=columns).astype({"ticket": "Int64"})
    return frame
