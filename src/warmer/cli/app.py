"""The verbs in one application, and the one place where errors become lines."""

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from warmer import __version__
from warmer.cli.interrupts import INTERRUPTED, ctrl_c
from warmer.cli.verbs import verb
from warmer.model.errors import WarmerError
from warmer.model.time_limit import Clock, listening

_LONGEST_WORD = 200
_REFUSED = 2
_UNHEARD = 141

_UsageError: Any = typer.BadParameter.__base__  # Click's, or that of Typer's own copy of Click, by version

_VERBS = ("demo", "simulate", "dimension", "profile", "budget", "report", "choose", "problems", "verify", "sq", "bench")
_ALL = (*_VERBS, "bound", "serve", "study", "key", "sweep")
"""The verbs and the groups of verbs, in the order of the help."""
_HOMES = {"key": "serve"}
"""The modules of those that do not stand in one of their own name."""
_END_BY_THEMSELVES = ("verify", "serve")


def application(*names: str) -> typer.Typer:
    """The verbs of these names in one application, or all of them: what is not asked for need not be loaded.

    Examples
    --------
    >>> [command.callback.__name__ for command in application("budget").registered_commands]
    ['budget']
    """
    app = typer.Typer(name="warmer", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.callback()(_warmer)
    for name in names or _ALL:
        found: Any = getattr(import_module(f"warmer.cli.commands.{_HOMES.get(name, name)}"), name)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command()(found if name in _END_BY_THEMSELVES else verb(found))
    return app


def run(arguments: list[str], *, is_alone: bool = False) -> int:
    """Run one command line and return its exit code; alone in a process, whose garbage nobody collected so far."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter gets a question mark
    code: int | None = INTERRUPTED
    try:
        app = application(*(name for name in arguments[:1] if name in _ALL))
        if is_alone:  # what is loaded stays, and nobody need look through it again
            gc.freeze()
            gc.enable()
        with listening(ctrl_c.look), ctrl_c.recognised():
            ctrl_c.has_begun = True
            Clock(None).check()  # it may have come while everything was loaded
            code = app(args=arguments or ["--help"], prog_name="warmer", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # Rich and Click turn the first into the second
        _discard_output()
        return _UNHEARD
    except OSError as error:
        if error.filename is not None:
            return _refuse(f"{error.filename}: {error.strerror}.")
        _discard_output()
        return _refuse(f"the output cannot be written ({error.strerror}).")
    except WarmerError as error:
        return _refuse(str(error))
    except _UsageError as error:
        words = error.format_message().rstrip(".")
        return _refuse(f"{words}{'' if words.endswith('?') else '.'} Try 'warmer --help'.")
    except MemoryError:
        return _refuse("not enough memory; lower --horizon or use a smaller problem.")
    except (KeyboardInterrupt, typer.Abort):
        pass
    if code is None:  # it came to its end; a code other than this one is a verdict of its own
        code = INTERRUPTED if ctrl_c.has_come else 0
    if code == INTERRUPTED:
        ctrl_c.say()
    return int(code)


def _show(version: bool) -> None:
    if version:
        print(f"warmer {__version__}")
        raise typer.Exit


def _warmer(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show)
    ] = False,
) -> None:
    """Find a hidden target from noisy answers to "how warm am I?".

    A problem is a table of expected rewards, queries by candidate targets. Every command prints JSON with --json.
    """


def _discard_output() -> None:
    """Nobody can read any more: what Python still writes at its end goes nowhere, without a word."""
    if isinstance(sys.stdout, TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(reason: str) -> int:
    with suppress(OSError):  # nowhere left to complain
        print("error:", *map(_cut, reason.split()), file=sys.stderr, flush=True)
    return _REFUSED


def _cut(word: str) -> str:
    """A word of a message, without the middle where it is endless."""
    if len(word) <= _LONGEST_WORD:
        return word
    return f"{word[:30]}...{word[-10:]} ({len(word):,} characters)"
