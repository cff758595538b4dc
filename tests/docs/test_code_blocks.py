"""Every Python block of the documents runs as it stands, and prints what the document says it prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import warmer

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)
BLOCKS = [
    pytest.param(code, printed, id=f"{page.name}-{number}")
    for page in PAGES
    for number, (code, printed) in enumerate(BLOCK.findall(page.read_text()), start=1)
]


@pytest.mark.parametrize(("code", "printed"), BLOCKS)
def test_a_block_runs_verbatim(code, printed, tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False
    )
    assert result.returncode == 0, result.stderr
    if printed:
        assert result.stdout == printed


def test_the_readme_has_a_block_to_run():
    assert any(parameters.id.startswith("README") for parameters in BLOCKS)


SCRIPTS = sorted(set((ROOT / "examples").glob("*.py")) - {ROOT / "examples" / "instrument.py"})
"""Those that need no server; the tests of the pages play the other one."""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_an_example_runs(script, tmp_path):
    result = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout


def test_the_readme_names_every_learner_and_every_family():
    learners = [name for name in warmer.learners.__all__ if hasattr(getattr(warmer.learners, name), "ask")]
    families = [name for name in warmer.families.__all__ if hasattr(getattr(warmer.families, name), "fit")]
    assert {"PAC", "OracleLeastSquares"} < set(learners)
    assert {"KArms", "GLM"} < set(families)
    text = (ROOT / "README.md").read_text()
    assert [name for name in (*learners, *families) if not re.search(rf"\b{name}\b", text)] == []
