"""Names of a package that are loaded when somebody first looks."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def lazily(package: str, **names: Sequence[str]) -> Callable[[str], Any]:
    """A package's `__getattr__` that loads its modules, and these names of modules, at first use.

    Compiled kernels and figures need it: what they import takes longer to load than all of ours.

    Examples
    --------
    >>> lazily("json")("decoder").__name__
    'json.decoder'
    >>> lazily("json", decoder=["JSONDecoder"])("JSONDecoder").__name__
    'JSONDecoder'
    """
    homes = {name: module for module, those in names.items() for name in those}

    def load(name: str) -> Any:
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        if find_spec(f"{package}.{name}"):
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
