"""The documents as a site: Sphinx writes them without one warning, formulas included."""

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.long
def test_the_site_is_written_without_a_warning(tmp_path):
    site, trees = tmp_path / "site", tmp_path / "trees"
    result = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", trees, DOCS, site],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (result.returncode, result.stderr) == (0, "")
    pages = {page.stem for page in DOCS.glob("*.md")}
    assert pages <= {page.stem for page in site.glob("*.html")}
    assert "<math" in (site / "evidence.html").read_text()
