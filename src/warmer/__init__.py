"""Find a hidden target from noisy answers to "how warm am I?"."""

from warmer.model import Problem

__all__ = ["Problem"]
__version__ = "0.1.0"
