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
