"""Figures for verbs: Matplotlib is loaded only if somebody wants one."""

from pathlib import Path

from warmer.analysis import Comparison, Hunt, WitnessValues
from warmer.dimensions import Profile

__all__ = ["check_figure", "write_hunt", "write_profile", "write_regret", "write_witness"]


def check_figure(path: Path | None) -> None:
    """Refuse a path before the long work, not after it."""
    if path is not None:
        from warmer.report import check_path

        check_path(path)


def write_regret(path: Path | None, comparison: Comparison) -> None:
    """Draw the regret curves, if a path is given."""
    if path is not None:
        from warmer.report import regret_figure, save

        save(regret_figure(comparison), path)


def write_hunt(path: Path, trip: Hunt, comparison: Comparison, *, title: str) -> None:
    """Draw the map of a hunt beside the regret curves."""
    from warmer.report import save, treasure_figure

    save(treasure_figure(trip, comparison, title=title), path)


def write_witness(path: Path, values: WitnessValues, *, title: str) -> None:
    """Draw where the values of a witness lie."""
    from warmer.report import save, witness_figure

    save(witness_figure(values, title=title), path)


def write_profile(path: Path | None, profile: Profile, *, title: str) -> None:
    """Draw the step function, if a path is given."""
    if path is not None:
        from warmer.report import profile_figure, save

        save(profile_figure(profile, title=title), path)
