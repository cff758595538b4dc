"""The guard of the builders: a table is refused before it fills the memory."""

from warmer.model.errors import InvalidValueError

MAX_ENTRIES = 10_000_000
"""The largest table a builder makes, 80 MB of float64; larger ones come from files or from the user's own arrays."""


def check_size(n_queries: int, n_targets: int, *, advice: str) -> None:
    """Raise where a table would be too large, with advice on the parameter to lower."""
    if n_queries * n_targets > MAX_ENTRIES:
        raise InvalidValueError(
            f"a built table may hold at most {MAX_ENTRIES:,} entries, this one needs "
            f"{_size(n_queries)} x {_size(n_targets)}; {advice}, or give your own array to Problem.from_table."
        )


def _size(number: int) -> str:
    return f"{number:,}" if number < 10**12 else "more than a million million"
