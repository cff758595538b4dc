"""Ask and tell for people."""

from warmer.studies.session import Session

__all__ = ["Session"]
