"""Numbers as people read them, the same on a screen and on a page."""

__all__ = ["counted", "short"]


def short(value: float) -> str:
    """Three digits, and hundreds and more without a fraction.

    Examples
    --------
    >>> short(9.7), short(12345.6)
    ('9.70', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".rstrip(".")


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number and its noun, in the plural where it is one.

    Examples
    --------
    >>> counted(1, "run"), counted(2000, "run"), counted(2, "query", "queries")
    ('1 run', '2,000 runs', '2 queries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
