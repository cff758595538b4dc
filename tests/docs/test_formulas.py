"""Formulas of the pages keep to what their converter reads."""

import re
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
FORMULA = re.compile(r"\$+([^$]+)\$+")


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_formulas_are_plain_latex(page: Path) -> None:
    formulas = FORMULA.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    assert [formula for formula in formulas if not formula.isascii()] == []
