"""Errors in bounds are noticed: every number of every bound, spoiled, fails the test of its statement."""

from pathlib import Path

import pytest

from tests.bounds.catalog import EVERY_BOUND
from tests.mutations import REASONS, TEST, mutants, served_by

PAPER_MAP = Path(__file__).parents[1] / "docs" / "paper-map.md"


def unnoticed(chosen):
    return [str(mutant) for mutant in chosen if mutant.killer() is None and mutant.reason is None]


def test_the_test_of_every_bound_notices_a_mutant_of_it_or_of_what_it_calls():
    blind = set(EVERY_BOUND)
    for mutant in mutants():
        blind -= {name for name in blind & set(served_by(mutant.function)) if mutant.is_noticed_by(name)}
    assert blind == set()


@pytest.mark.long
def test_every_mutant_of_the_bounds_is_noticed():
    assert unnoticed(mutants()) == []


def test_every_reason_belongs_to_a_mutant():
    given = {(mutant.function.__name__, mutant.reason) for mutant in mutants() if mutant.reason is not None}
    assert {(name, reason) for (name, _), reason in REASONS.items()} == given


def test_the_paper_map_names_the_test_that_notices():
    rows = [line for line in PAPER_MAP.read_text().splitlines() if line.startswith("| ") and "`warmer.bounds." in line]
    assert rows
    assert [row for row in rows if f"`{TEST}`" not in row] == []
