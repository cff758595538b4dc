"""Figures for verbs: Matplotlib is loaded only if somebody wants one."""

from pathlib import Path

from warmer.analysis import Comparison, WitnessValues
from warmer.dimensions import Profile
from warmer.report.treasure import TreasureRun

__all__ = ["check_figure", "write_profile", "write_regret", "write_treasure", "write_witness"]


def check_figure(path: Path | None) -> None:
    """Refuse a path before the long work, not after it."""
    if path is not None:
        from warmer.report import check_path

        check_path(path)


def write_regret(path: Path | None, comparison: Comparison) -> None:
    """Draw the regret curves, if a path is given."""
    if path is not None:
        from warmer.report import plot_regret, save

        save(plot_regret(comparison), path)


def write_treasure(path: Path, run: TreasureRun, comparison: Comparison, *, title: str) -> None:
    """Draw the map of a hunt beside the regret curves."""
    from warmer.report import plot_treasure, save

    save(plot_treasure(run, comparison, title=title), path)


def write_witness(path: Path, values: WitnessValues, *, title: str) -> None:
    """Draw where the values of a witness lie."""
    from warmer.report import plot_witness, save

    save(plot_witness(values, title=title), path)


def write_profile(path: Path | None, profile: Profile, *, title: str) -> None:
    """Draw the step function, if a path is given."""
    if path is not None:
        from warmer.report import plot_profile, save

        save(plot_profile(profile, title=title), path)
