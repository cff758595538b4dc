"""Every Python block of the documents runs as it stands, and prints what the document says it prints."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import warmer

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)
BLOCKS = {page.name: found for page in PAGES if (found := BLOCK.findall(page.read_text()))}
"""By page, what each block says and what it prints, if the page says so."""

RUN_EACH = """
import contextlib, io, json, sys
printed = []
for code in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, f"block {len(printed) + 1}", "exec"), {"__name__": "__main__"})
    printed.append(out.getvalue())
json.dump(printed, sys.stdout)
"""


@pytest.mark.parametrize("page", BLOCKS)
def test_the_blocks_of_a_page_run_verbatim(page, tmp_path):
    """One process per page, which loads the library once; no block sees a name of another."""
    codes, said = zip(*BLOCKS[page], strict=True)
    result = subprocess.run(
        [sys.executable, "-c", RUN_EACH],
        input=json.dumps(codes),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    printed = json.loads(result.stdout)
    assert [out if expected else "" for out, expected in zip(printed, said, strict=True)] == list(said)


def test_the_readme_has_a_block_to_run():
    assert "README.md" in BLOCKS


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
