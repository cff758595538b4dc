"""What can go wrong, as types.

::

    WarmerError
    ├── InvalidValueError (also ValueError)   a value that cannot be used, named where it stands
    ├── HypothesisError                       a theorem asked outside its hypotheses
    ├── ProtocolError                         a call that makes no sense now
    └── CertificateError                      a witness that does not check
"""


class WarmerError(Exception):
    """Anything `warmer` refuses to do, in one sentence that says what to do instead."""


class InvalidValueError(WarmerError, ValueError):
    """A value that cannot be used; the message names where it stands and what was needed."""


class HypothesisError(WarmerError):
    """A theorem was asked to speak outside its hypotheses."""


class ProtocolError(WarmerError):
    """A call that makes no sense in the present situation."""


class CertificateError(WarmerError):
    """A witness that does not satisfy the definition; the message names the pair that fails."""
