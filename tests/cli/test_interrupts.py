"""A real Ctrl-C, from another process, at commands that would run for very long."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Command
from warmer.claims import CLAIMS, Verdict
from warmer.cli.interrupts import PARTLY, UNFINISHED

LONG = {
    "simulate": "simulate random_table:n_queries=40,n_targets=900 --learner least-squares --learner ucb1"
    " --target 0 --horizon 20000 --runs 20000",
    "simulate plainly": "simulate random_table:n_queries=40,n_targets=300 --learner max-information --goal which-target"
    " --horizon 2000 --runs 20000",
    "budget": "budget random_table:n_queries=40,n_targets=90 --epsilon 0.05 --runs 100000",
    "dimension": "dimension table.npy --alpha 0.2 --time-limit 1000",
    "dimension of all measures": "dimension table.npy --alpha 0.2 --measure all --gamma 2",
    "profile": "profile table.npy --alpha 0.2 --time-limit 1000",
    "report": "report table.npy -o page.html --time-limit 1000",
    "verify": "verify --instances 100000",
    "bench": "bench table.npy --seconds 1000",
    "demo": "demo --runs 20000 --horizon 20000 --figure demo.png",
    "choose": "choose pool.csv --json",
    "sweep": "sweep run many.toml --storage sqlite:///sweep.db",
    "sweep in processes": "sweep run many.toml --storage sqlite:///sweep.db --executor processes --jobs 2",
    "study": "study create wide table.npy --goal which-target --storage sqlite:///study.db",
}
QUICK = ["simulate", "budget"]
SPEC = """
problems = ["random_table:n_queries=40,n_targets=300"]
learners = ["least-squares", "ucb1"]
horizon = 20000
runs = 20000
"""
SCRIPT = "import sys; from warmer.cli import main; print('ready', flush=True); sys.exit(main())"


def interrupted(arguments, folder, delay, ready="ready\n"):
    """The exit code, stdout and stderr of a program that gets a Ctrl-C after so many seconds of work."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", *arguments]
    with subprocess.Popen(command, cwd=folder, text=True, start_new_session=True, **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == ready
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
            wait_until_gone(process.pid)
        finally:
            process.kill()
        return process.returncode, out, err


def wait_until_gone(group):
    """Return when no process of the group is left, and fail if one stays."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("a process of the command outlived it")


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in LONG]
)
def test_ctrl_c_ends_a_command_with_what_is_finished(name, tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "table.npy", rng.uniform(-0.5, 0.5, (300, 600)))
    (tmp_path / "many.toml").write_text(SPEC)
    pool = [[f"p{k}", *map(str, row)] for k, row in enumerate(rng.integers(0, 5, (20_000, 100)).tolist())]
    (tmp_path / "pool.csv").write_text("\n".join(map(",".join, [["point", *(f"m{k}" for k in range(100))], *pool])))
    before = {path.name for path in tmp_path.iterdir()}
    for delay in [2.0] if name in QUICK else [0.1, 0.5, 1.5, 5.0, 10.0]:  # while it loads, compiles and computes
        code, out, err = interrupted([SCRIPT, *LONG[name].split()], tmp_path, delay)
        if code != 0:  # it was faster
            assert (code, err) == (130, f"{PARTLY if out else UNFINISHED}\n")
            assert {path.name for path in tmp_path.iterdir() if ".db" not in path.name} == before


@pytest.mark.long
def test_ctrl_c_is_how_a_server_ends(tmp_path):
    script = "import sys; from warmer.cli import main; sys.exit(main())"
    line = [script, "serve", "--no-browser", "--write", "--storage", "sqlite:///pages.db"]
    code, _, err = interrupted(line, tmp_path, 1.0, "Pages that show and record: sqlite:///pages.db\n")
    assert (code, err) == (0, "")


HELD = """
import sys
from warmer.cli import app, interrupts, main
interrupts._UNSEEN, interrupts._SEEN, interrupts._END = 0.05, 0.1, 0.15

def work(**_):
    print("ready", flush=True)
    {work}

app.application = lambda *_: {application}
sys.exit(main())
"""
WORK = {
    "in Python": "while True: pass",
    "asleep": "import time; time.sleep(1000)",
    "inside compiled code": "import hashlib; hashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)",
    "waiting for a thread": "import threading; threading.Event().wait()",
    "loading what takes it for its own failure": "import deaf",
    "loading what fails for it": "import torn",
}
DEAF = """
import time, warnings
try:
    time.sleep(1000)
except KeyboardInterrupt:
    warnings.warn("Unable to import a part")
time.sleep(1000)
"""
TORN = """
import time
try:
    time.sleep(1000)
except KeyboardInterrupt:
    raise ImportError("a part is missing") from None
"""


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_ctrl_c_ends_what_never_looks_at_a_clock(work, tmp_path):
    (tmp_path / "deaf.py").write_text(DEAF)
    (tmp_path / "torn.py").write_text(TORN)
    assert interrupted([HELD.format(work=work, application="work")], tmp_path, 0.01) == (130, "", f"{UNFINISHED}\n")


def test_an_interrupt_while_everything_is_loaded_is_one_line(tmp_path):
    script = HELD.format(work="import time; time.sleep(1000)", application="work()")
    assert interrupted([script], tmp_path, 0.01) == (130, "", f"{UNFINISHED}\n")


def test_the_command_line_loads_nothing_slow_before_it_hears_ctrl_c():
    code = "import sys, warmer.cli; assert not {'numpy', 'typer', 'rich'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_statements_that_were_finished_are_shown_without_the_one_that_was_not(
    warmer: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts = iter([Verdict(CLAIMS[0], n_tried=3)])

    def interrupted_later(*_: object, **__: object) -> Verdict:
        for verdict in verdicts:
            return verdict
        raise KeyboardInterrupt

    monkeypatch.setattr("warmer.claims.verify", interrupted_later)
    said = warmer("verify")
    assert said.code == 130
    assert f"{len(CLAIMS) - 1} of {len(CLAIMS)} statements were not tested" in said.out
    assert "UNEXPECTED" not in said.out
    assert list(Path().iterdir()) == []
