"""Names of a package that are loaded when somebody first looks."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["lazily"]


def lazily(package: str, *modules: str) -> Callable[[str], Any]:
    """A package's `__getattr__` that loads these modules, or what they make public, at first use.

    Compiled kernels and figures need it: what they import takes longer to load than all of ours. The modules are
    looked through in this order, so put the quick ones first.

    Examples
    --------
    >>> lazily("json", "decoder")("decoder").__name__
    'json.decoder'
    >>> lazily("json", "decoder")("JSONDecoder").__name__
    'JSONDecoder'
    """

    def load(name: str) -> Any:
        if name in modules:
            return import_module(f"{package}.{name}")
        for module in () if name.startswith("_") else map(import_module, (f"{package}.{each}" for each in modules)):
            if name in module.__all__:
                return getattr(module, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
