"""Who writes."""

import getpass
import socket


def this_author() -> str:
    """The user and the machine, as in `ada@lab3`; what is unknown is left out.

    Examples
    --------
    >>> bool(this_author())
    True
    """
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container without a list of users
        user = "somebody"
    return f"{user}@{socket.gethostname()}"
