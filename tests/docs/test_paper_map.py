"""The paper map is whole: every item once, every name in it real."""

import importlib
import re
from pathlib import Path

import pytest

from warmer.claims import CLAIMS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "paper-map.md").read_text()
ITEMS = [*map(str, range(1, 82)), *(f"N{number}" for number in range(1, 16)), *(f"P{number}" for number in range(1, 6))]
GENERIC = ("test_every_statement_is_what_it_is_known_to_be", "test_outside_its_hypotheses_a_theorem_is_silent")
"""Tests over all claims, or of messages alone: no item may have only these."""
CODE = re.compile(r"`([^`]+)`")
ROWS = {
    cells[0]: cells
    for line in PAGE.splitlines()
    if re.match(r"\| [NP]?\d+ \|", line)
    for cells in [[cell.strip() for cell in line.strip("|").split(" | ")]]
}


def test_every_item_has_one_line_of_six_cells():
    assert re.findall(r"^\| ([NP]?\d+) \|", PAGE, re.MULTILINE) == ITEMS
    assert {len(cells) for cells in ROWS.values()} == {6}


@pytest.mark.parametrize("item", ITEMS)
def test_what_a_line_names_exists(item):
    _, _, functions, tests, claims, verdict = ROWS[item]
    for path in CODE.findall(functions):
        assert callable_or_value(path) is not None
    for test in CODE.findall(tests):
        file, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / file).read_text(), test
    assert set(CODE.findall(claims)) <= {claim.label for claim in CLAIMS}
    assert verdict


@pytest.mark.parametrize("item", ITEMS)
def test_every_item_has_a_function_and_a_test_of_its_own(item):
    _, _, functions, tests, _, _ = ROWS[item]
    assert CODE.findall(functions)
    assert [test for test in CODE.findall(tests) if test.partition("::")[2] not in GENERIC]


def test_every_claim_has_a_line():
    named = {label for cells in ROWS.values() for label in CODE.findall(cells[4])}
    assert named == {claim.label for claim in CLAIMS}


def test_a_refuted_claim_is_never_said_to_hold():
    refuted = {claim.label for claim in CLAIMS if claim.expected.is_false}
    for cells in ROWS.values():
        if refuted & set(CODE.findall(cells[4])):
            assert "errata.md" in cells[5], cells[0]


def callable_or_value(path):
    """What a dotted path leads to: as much of it as is a module, and attributes from there."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for name in parts[length:]:
            found = getattr(found, name)
        return found
    raise AssertionError(f"no module in {path}")
