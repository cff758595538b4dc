"""Names of a package that are loaded when somebody first looks."""

import ast
import inspect
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def lazily(package: str) -> None:
    """Make a package load what it imports for type checkers alone, and its modules, at first use.

    The package names each public name once, under `if TYPE_CHECKING:` or where it is loaded at once, as
    `from home import name as name`; a room's own modules can be named so too, and are no public names of it. Compiled
    kernels and figures need it: what they import takes longer to load than all of ours.

    Examples
    --------
    >>> import warmer
    >>> warmer.learners.PAC.__name__, "PAC" in warmer.learners.__all__
    ('PAC', True)
    """
    module = sys.modules[package]
    lines = ast.parse(inspect.getsource(module)).body
    lines += [line for block in lines if isinstance(block, ast.If) for line in block.body]
    imports = [line for line in lines if isinstance(line, ast.ImportFrom)]
    homes = {each.name: line.module or "" for line in imports for each in line.names if each.name == each.asname}

    def load(name: str) -> Any:
        home = homes.get(name, package)
        if home != package:
            found = getattr(import_module(home), name)
        elif find_spec(f"{package}.{name}"):
            found = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(module, name, found)
        return found

    public = sorted(name for name, home in homes.items() if home != package or "." not in package)
    shown = [*public, *vars(module).keys() & {"__version__"}]
    vars(module).update({"__getattr__": load} | ({"__all__": public, "__dir__": lambda: shown} if public else {}))
