"""Every command in the user's own units: what is a number of queries stays, what is a reward scales."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Command

TABLE = np.array([[0.8, -0.6, 0.1], [-0.7, 0.6, 0.3], [-0.2, 0.05, 0.9], [0.45, 0.2, -0.1]])


def units(seed: int) -> tuple[float, float]:
    """What one unit of reward is, and where 0 lies."""
    rng = np.random.default_rng(seed)
    scale = float(10 ** rng.uniform(-3, 4))
    return scale, float(scale * rng.uniform(-5, 5))


def said(warmer: Command, words: str, scale: float, shift: float, rewards: Sequence[str] = (), **options: float) -> Any:
    """What a command says of the table in these units, its options that are rewards, or differences of them, too."""
    table, ends = shift + scale * TABLE, (shift - scale, shift + scale)
    np.savez("units.npz", rho=np.clip(table, *ends), reward_range=ends)
    given = [f"--{name}={(shift if name in rewards else 0) + scale * value!r}" for name, value in options.items()]
    told = warmer(*words.replace("FILE", "units.npz").split(), *given, "--json")
    assert told.code == 0, told.err
    return told.form


@pytest.mark.parametrize("seed", range(5))
def test_a_budget_is_the_same_in_all_units(warmer: Command, seed: int) -> None:
    plain, scaled = (
        said(warmer, "budget FILE --runs 2", *unit, epsilon=0.15, sigma=0.3) for unit in ((1.0, 0.0), units(seed))
    )
    for name in ("theorem", "anytime"):
        assert scaled[name]["queries"] == pytest.approx(plain[name]["queries"], rel=1e-6)
    for name in ("dimension", "round_robin"):
        assert scaled[name] == plain[name]
    assert scaled["simulation"]["median"] == plain["simulation"]["median"]
    assert scaled["lower_bound"]["n_answers"] == pytest.approx(plain["lower_bound"]["n_answers"], rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_regret_scales_with_the_units(warmer: Command, seed: int) -> None:
    command, unit = "simulate FILE --runs 3 --horizon 40 --environment gaussian", units(seed)
    plain, scaled = (said(warmer, command, *each, width=0.3, epsilon=0.15) for each in ((1.0, 0.0), unit))
    for before, after in zip(plain["outcomes"], scaled["outcomes"], strict=True):
        assert after["regret"]["estimate"] == pytest.approx(unit[0] * before["regret"]["estimate"], rel=1e-6), after
        assert (after["bad_queries"], after["success"]) == (before["bad_queries"], before["success"])


@pytest.mark.parametrize("seed", range(5))
def test_dimensions_are_the_same_and_breakpoints_scale(warmer: Command, seed: int) -> None:
    scale, shift = units(seed)
    both = ((1.0, 0.0), (scale, shift))
    dimensions = [said(warmer, "dimension FILE", *unit, ["alpha"], alpha=0.5, epsilon=0.31) for unit in both]
    assert dimensions[0]["lower"] == dimensions[1]["lower"]
    assert dimensions[0]["upper"] == dimensions[1]["upper"]
    plain, scaled = (said(warmer, "profile FILE", *unit, ["alpha"], alpha=0.5)["pieces"] for unit in both)
    for before, after in zip(plain, scaled, strict=True):
        assert after["value"] == before["value"]
        assert after["low"] == pytest.approx(scale * before["low"], rel=1e-6)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_a_report_is_written_in_all_units(warmer: Command, seed: int) -> None:
    command = "report FILE -o page.html --runs 1 --horizon 300 --time-limit 5"
    plain, scaled = (said(warmer, command, *unit, epsilon=0.15, sigma=0.05) for unit in ((1.0, 0.0), units(seed)))
    assert [row["value"] for row in plain["measures"]] == [row["value"] for row in scaled["measures"]]
    assert scaled["budget"]["round_robin"] == plain["budget"]["round_robin"]


def test_a_report_in_own_units_with_a_small_sigma(warmer: Command) -> None:
    """An error budget of ln 2T, scaled and scaled back, was a hair too small for the regret theorem."""
    np.savez("t.npz", rho=[[200, 20, 30], [10, 180, 40], [50, 60, 190.0]], reward_range=[0, 250.0])
    told = warmer("report", "t.npz", "-o", "t.html", "--sigma", "18", "--runs", "1", "--time-limit", "5")
    assert (told.code, told.err) == (0, "")
