"""The options of a noise model: which apply to which."""

from typing import Any

from warmer.model.errors import InvalidValueError
from warmer.report.text import listed

ADVERSARIES = ("adversarial", "simulated-samples")
"""Noise models whose errors are chosen, not drawn."""

_USED_BY = {"width": ("uniform", "gaussian", *ADVERSARIES), "n": ("mean",), "strategy": ADVERSARIES}


def noise_settings(name: str, scale: float, **settings: Any) -> dict[str, Any]:
    """The settings that were given, if they apply to the noise model, and the default width."""
    for option, names in _USED_BY.items():
        if settings[option] is not None and name not in names:
            raise InvalidValueError(f"--{option} does not apply to {name}, only to {listed(names)}.")
    return {"width": scale / 2} | {key: value for key, value in settings.items() if value is not None}
