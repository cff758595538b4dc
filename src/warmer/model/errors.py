"""What can go wrong, as types.

::

    WarmerError
    ├── InvalidValueError (also ValueError)   a value that cannot be used, named where it stands
    ├── HypothesisError                       a theorem asked outside its hypotheses
    ├── ProtocolError                         a call that makes no sense now
    ├── CertificateError                      a witness that does not check
    ├── StorageError                          a database that cannot be reached, read or written
    └── MissingExtraError (also ImportError)  an optional package that is not installed
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from warmer.model.history import Runs


class WarmerError(Exception):
    """Anything `warmer` refuses to do, in one sentence that says what to do instead."""

    runs: Optional["Runs"] = None
    """The runs that were finished before it, where it came while runs were played."""


class InvalidValueError(WarmerError, ValueError):
    """A value that cannot be used; the message names where it stands and what was needed."""


class HypothesisError(WarmerError):
    """A theorem was asked to speak outside its hypotheses."""


class ProtocolError(WarmerError):
    """A call that makes no sense in the present situation."""


class CertificateError(WarmerError):
    """A witness that does not satisfy the definition; the message names the pair that fails."""


class StorageError(WarmerError):
    """The database of a study cannot be reached, read or written; what was acknowledged before is safe."""


class MissingExtraError(WarmerError, ImportError):
    """Something needs an optional package; the message names the extra to install."""


def optional_module(name: str, what: str, extra: str) -> Any:
    """The module of an optional package; `missing_extra` where it is not there."""
    try:
        return import_module(name)
    except ImportError as error:
        raise missing_extra(what, extra) from error


def missing_extra(what: str, extra: str) -> MissingExtraError:
    """The error to raise where an optional package is not there.

    Examples
    --------
    >>> print(missing_extra("to_frame", "tables"))
    to_frame needs the extra warmer[tables]; install it with: pip install 'warmer[tables]'
    """
    return MissingExtraError(f"{what} needs the extra warmer[{extra}]; install it with: pip install 'warmer[{extra}]'")


@contextmanager
def calling(part: Any, method: str) -> Iterator[None]:
    """A block that calls a part of a user's own: an error in it becomes one of ours, with the user's as its cause.

    Examples
    --------
    >>> with calling(3, "ask"):
    ...     1 / 0
    Traceback (most recent call last):
    ...
    warmer.model.errors.InvalidValueError: int.ask() raised ZeroDivisionError: division by zero.
    """
    try:
        yield
    except WarmerError:
        raise
    except Exception as error:  # whatever a user's own code raises
        raise blamed(error, giver_of(part, method)) from error


def blamed(error: Exception, giver: str, where: str = "") -> WarmerError:
    """An error of a part as one of ours that says where it came from, in one line; ours keep their kind.

    Examples
    --------
    >>> blamed(KeyError("left"), "Mine.tell()", "round 2")
    InvalidValueError("round 2: Mine.tell() raised KeyError: 'left'.")
    """
    prefix = where and f"{where}: "
    if not isinstance(error, WarmerError):
        said = " ".join(str(error).split()).rstrip(".")
        return InvalidValueError(f"{prefix}{giver} raised {type(error).__name__}{said and f': {said}'}.")
    kind = next(each for each in type(error).__mro__ if each.__module__ == WarmerError.__module__)
    found: WarmerError = kind(f"{prefix}{error}")
    return found


def is_own(part: Any) -> bool:
    """Whether a part is of a class of the user's own.

    Examples
    --------
    >>> is_own(WarmerError())
    False
    """
    return type(part).__module__.partition(".")[0] != "warmer"


def giver_of(part: Any, method: str) -> str:
    """How a message names a method of a part."""
    return f"{type(part).__name__}.{method}()"
