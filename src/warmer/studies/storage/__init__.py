"""Where studies are kept: one URL, SQLite or PostgreSQL, tables that only grow."""

from warmer.lazy import lazily as _lazily
from warmer.studies.storage.store import EventRow as EventRow
from warmer.studies.storage.store import Head as Head
from warmer.studies.storage.store import Store as Store
from warmer.studies.storage.store import StudyRow as StudyRow
from warmer.studies.storage.store import TicketRow as TicketRow
from warmer.studies.storage.store import Writer as Writer
from warmer.studies.storage.urls import DEFAULT_URL as DEFAULT_URL
from warmer.studies.storage.urls import open_database as open_database
from warmer.studies.storage.urls import storage_url as storage_url

_lazily(__name__)
