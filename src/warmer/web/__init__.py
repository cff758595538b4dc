"""Pages and an interface for programs on the studies of a database: `warmer serve`."""

from warmer.web.application import make_application
from warmer.web.server import serve

__all__ = ["make_application", "serve"]
