"""The pages that people look at; what they record goes through the interface for programs."""

from starlette.routing import Route

from warmer.web.library import Library
from warmer.web.live import Channels
from warmer.web.pages.overview import overview_routes
from warmer.web.pages.planning import creation_pages, explore_pages
from warmer.web.pages.records import download_routes, log_routes
from warmer.web.pages.study import study_routes
from warmer.web.tables import Tables

__all__ = ["page_routes"]


def page_routes(library: Library, channels: Channels, tables: Tables) -> list[Route]:
    """Every page."""
    return [
        *overview_routes(library, channels),
        *creation_pages(library, tables),
        *explore_pages(library),
        *download_routes(library),
        *log_routes(library),
        *study_routes(library, channels),
    ]
