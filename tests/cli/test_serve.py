"""`warmer serve` and `warmer key` from the terminal."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from warmer import Problem, create_study, goals
from warmer.cli import main


def test_serve_prints_a_link_that_works_and_ends_at_ctrl_c(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/lab.db"
    create_study("weather", Problem.from_table([[0.0, 1.0]]), goal=goals.WhichTarget(), storage=url).close()
    command = [sys.executable, "-m", "warmer", "serve", "--storage", url, "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        lines = [server.stdout.readline() for _ in range(3)]
        try:
            assert "--write" in lines[0]
            address, token = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)\?token=(\S+)\n", lines[1]).groups()
            assert len(token) >= 32
            with urlopen(f"{address}health") as answer:
                assert answer.read() == b"ok"
            with pytest.raises(HTTPError, match="401"):
                urlopen(f"{address}studies/weather")
        finally:
            server.send_signal(signal.SIGINT)
            _, said = server.communicate(timeout=60)
    assert said == ""


def test_serve_refuses_in_one_line_what_cannot_be_served(tmp_path: Path, capsys):
    assert main(["serve", "--storage", f"sqlite:///{tmp_path}/none.db"]) == 2
    assert "there is no file" in capsys.readouterr().err
    assert main(["serve", "--port", "99999"]) == 2
    assert "between 0 and 65535" in capsys.readouterr().err


def test_keys_are_made_listed_and_revoked(tmp_path: Path, capsys):
    at = ["--keys", str(tmp_path / "keys.json")]
    assert main(["key", "list", *at]) == 0
    assert main(["key", "create", "robot", "--write", *at]) == 0
    out = capsys.readouterr().out
    assert "There are no keys." in out
    assert "warmer_" in out
    assert main(["key", "create", "robot", *at]) == 2
    assert main(["key", "create", "screen", "--json", *at]) == 0
    assert json.loads(capsys.readouterr().out)["may_write"] is False
    assert main(["key", "list", *at]) == 0
    assert capsys.readouterr().out == "robot: reads and records\nscreen: reads\n"
    assert main(["key", "revoke", "robot", *at]) == 0
    assert main(["key", "revoke", "screen", "--json", *at]) == 0
    capsys.readouterr()
    assert main(["key", "list", "--json", *at]) == 0
    assert json.loads(capsys.readouterr().out) == {"keys": []}
