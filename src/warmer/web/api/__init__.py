"""The interface for programs, which the pages use too: every verb of a study as JSON under `/api/v1`."""

from warmer.web.api.routes import api_routes

__all__ = ["api_routes"]
