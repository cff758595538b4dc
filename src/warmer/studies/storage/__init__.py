"""Where studies are kept: one URL, SQLite or PostgreSQL, tables that only grow."""

from warmer.studies.storage.store import EventRow, Head, Store, StudyRow, TicketRow, Writer
from warmer.studies.storage.urls import DEFAULT_URL, open_database, storage_url

__all__ = [
    "DEFAULT_URL",
    "EventRow",
    "Head",
    "Store",
    "StudyRow",
    "TicketRow",
    "Writer",
    "open_database",
    "storage_url",
]
