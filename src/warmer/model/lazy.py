"""Modules that are loaded when somebody first looks."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["lazily"]


def lazily(package: str, *modules: str) -> Callable[[str], Any]:
    """A package's `__getattr__` that loads these modules at first use.

    Compiled kernels need it: their compiler takes longer to import than all of ours.

    Examples
    --------
    >>> lazily("json", "decoder")("decoder").__name__
    'json.decoder'
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    return load
