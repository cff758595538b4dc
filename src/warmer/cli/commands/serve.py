"""`warmer serve`: the studies of a database as pages."""

from pathlib import Path
from typing import Annotated, Any

import typer

from warmer.cli.options import Storage, option
from warmer.cli.verbs import group
from warmer.model.errors import InvalidValueError, missing_extra
from warmer.studies.storage import storage_url

Keys = Annotated[Path | None, option("FILE", "Where the keys are kept; by default WARMER_KEYS, else your settings.")]

key, verb = group("Keys for programs that use the pages of serve.")


def serve(
    storage: Storage = None,
    port: Annotated[int | None, option("N", "By default 8765, or the next that is free.")] = None,
    write: Annotated[bool, typer.Option("--write", help="Let pages and programs record answers.")] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the link.")] = False,
    keys: Keys = None,
) -> None:
    """Show the studies of a database as pages on this machine.

    Prints one link with a secret in it, and opens it where there is a browser. Without --write the pages only show.
    Programs come in with a key (`warmer key`) under /api/v1.
    """
    if port is not None and not 0 <= port <= 65535:
        raise InvalidValueError(f"--port must lie between 0 and 65535, got {port}.")
    try:
        from warmer.web import serve as run
        from warmer.web.keys import default_path
    except ImportError as error:
        raise missing_extra("serve", "web") from error
    run(storage_url(storage), port=port, may_write=write, keys=keys or default_path(), opens_browser=not no_browser)
    raise typer.Exit(0)  # Ctrl-C is how it ends


@verb()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the program or instrument; the log names it.")],
    write: Annotated[bool, typer.Option("--write", help="It may also record; else it only reads.")] = False,
    keys: Keys = None,
) -> Any:
    """Make a key, and print its secret once."""
    secret = _ring(keys).add(name, may_write=write)
    return {"name": name, "may_write": write, "secret": secret}, secret


@verb("list")
def list_(keys: Keys = None) -> Any:
    """List the keys; their secrets are kept nowhere."""
    found = _ring(keys).keys()
    form = {"keys": [{"name": each.name, "may_write": each.may_write} for each in found]}
    words = [f"{each.name}: {'reads and records' if each.may_write else 'reads'}" for each in found]
    return form, *(words or ["There are no keys."])


@verb()
def revoke(name: Annotated[str, typer.Argument(metavar="NAME", help="The key.")], keys: Keys = None) -> Any:
    """From now on nobody comes in with this key."""
    _ring(keys).revoke(name)
    return {"revoked": name}, f"{name!r} no longer comes in."


def _ring(path: Path | None) -> Any:
    from warmer.web.keys import KeyRing, default_path

    return KeyRing(path or default_path())
