"""The command line: it parses, calls and renders."""

from warmer.cli.app import app, main

__all__ = ["app", "main"]
