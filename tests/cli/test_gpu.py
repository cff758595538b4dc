"""The driver of a GPU is started early, for commands that name one alone."""

import ctypes
import subprocess
import sys

import pytest

from warmer.cli.gpu import start_driver


class Driver:
    """One that notes down what it is asked for; it starts, or it does not."""

    def __init__(self, code):
        self.code, self.calls = code, []

    def cuInit(self, flags):  # noqa: N802 - its name
        self.calls.append(("cuInit", flags))
        return self.code

    def cuDevicePrimaryCtxRetain(self, where, gpu):  # noqa: N802 - its name
        self.calls.append(("cuDevicePrimaryCtxRetain", gpu))


@pytest.mark.parametrize(("code", "calls"), [(0, ["cuInit", "cuDevicePrimaryCtxRetain"]), (100, ["cuInit"])])
def test_a_driver_that_starts_makes_the_context_of_the_first_gpu(monkeypatch, code, calls):
    driver = Driver(code)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: driver)
    start_driver().join()
    assert driver.calls == [(name, 0) for name in calls]


def test_without_a_driver_nothing_is_said_here(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    start_driver().join()


@pytest.mark.parametrize("engine", ["cuda", "cpu"])
def test_after_a_gpu_the_process_ends_at_once_with_all_that_was_printed(engine):
    code = (
        "import atexit, sys, types; sys.modules['cupy'] = types.ModuleType('cupy'); atexit.register(print, 'slowly');"
        f"from warmer.cli import main; sys.argv = ['warmer', 'simulate', '--engine', {engine!r}, '--help'];"
        "sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, "--horizon" in done.stdout) == (0, True)
    assert ("slowly" in done.stdout) == (engine == "cpu")


@pytest.mark.parametrize(("engine", "printed"), [("--engine=cuda", "started\n"), ("--engine=cpu", "")])
def test_only_a_command_for_a_gpu_starts_it(engine, printed):
    code = (
        "import sys, warmer.cli as cli; cli.start_driver = lambda: print('started', flush=True);"
        f"sys.argv = ['warmer', 'simulate', 'needle', {engine!r}, '--horizon', '0']; sys.exit(cli.main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (printed, 2)
