"""A real Ctrl-C, from another process, at commands that would run for very long."""

import signal
import subprocess
import sys

import numpy as np
import pytest

LONG = {
    "simulate": "simulate random_table:n_queries=40,n_targets=900 --learner least-squares --learner ucb1"
    " --target 0 --horizon 20000 --runs 20000",
    "simulate plainly": "simulate random_table:n_queries=40,n_targets=300 --learner max-information --goal which-target"
    " --horizon 2000 --runs 20000",
    "budget": "budget random_table:n_queries=40,n_targets=90 --epsilon 0.05 --runs 100000",
    "profile": "profile table.npy --alpha 0.2 --time-limit 1000",
    "bench": "bench table.npy --seconds 1000",
    "demo": "demo --runs 20000 --horizon 20000 --figure demo.png",
}
QUICK = ["simulate", "budget"]
SCRIPT = "import sys; from warmer.cli import main; print('ready', flush=True); sys.exit(main(sys.argv[1:]))"


def interrupted(command, folder, delay):
    """The exit code, stdout and stderr of a command that gets a Ctrl-C after so many seconds of work."""
    arguments = [sys.executable, "-c", SCRIPT, *command.split()]
    with subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
        return process.returncode, out, err


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in LONG]
)
def test_ctrl_c_ends_a_command_with_what_is_finished(name, tmp_path):
    np.save(tmp_path / "table.npy", np.random.default_rng(0).uniform(-0.5, 0.5, (300, 600)))
    for delay in [2.0] if name in QUICK else [0.3, 1.0, 3.0, 6.0]:
        code, out, err = interrupted(LONG[name], tmp_path, delay)
        assert "Traceback" not in err
        assert code in (0, 1, 130)
        assert out or "interrupted before the end" in err
