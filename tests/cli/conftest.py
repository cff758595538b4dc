import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from warmer.cli import main


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def form(self) -> dict[str, Any]:
        """The JSON on stdout; NaN and infinities are refused, as JSON has it."""
        parsed: dict[str, Any] = json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
        return parsed


Command = Callable[..., Said]


@pytest.fixture
def warmer(capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command line in an empty folder and an 80-column terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Said:
        code = main(arguments)
        return Said(code, *capsys.readouterr())

    return run
