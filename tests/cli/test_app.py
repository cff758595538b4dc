import errno
import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

import warmer as library
from tests.cli.conftest import Command
from warmer.cli.interrupts import ctrl_c

REFUSED = {
    "unknown problem": ("simulate nope", "there is no problem 'nope' in the catalogue"),
    "missing file": ("simulate nope.csv", "nope.csv: there is no such file"),
    "folder": ("simulate .", "a problem is read from a file"),
    "ragged file": ("simulate ragged.csv", "line 2 has 2 cells, but line 1 has 3"),
    "unknown parameter": ("problems treasure:sde=3", "treasure has no parameter 'sde'; perhaps 'side' was meant"),
    "bad parameter": ("problems treasure:side=x", "side of treasure must be a whole number, got 'x'"),
    "shape of the catalogue": ("simulate needle --square", "--square, --table and --reward-range are for files"),
    "unknown learner": ("simulate needle --learner nope", "choose one of least-squares, optimistic"),
    "unknown environment": ("simulate needle --environment nope", "choose one of exact, coin, uniform"),
    "unknown target": ("simulate needle --target nope", "there is no target 'nope'"),
    "alpha nobody reaches": ("simulate needle --alpha 2", "alpha must be reached by some target's own best query"),
    "alpha not a number": ("simulate needle --alpha nan --learner ucb1", "alpha must be a finite number"),
    "epsilon": ("simulate needle --epsilon 0", "epsilon must be greater than 0, got 0"),
    "width": ("simulate needle --width -1", "width must be greater than 0, got -1"),
    "width for nothing": (
        "simulate needle --environment coin --width 1",
        "--width does not apply to coin",
    ),
    "n for nothing": ("simulate needle --n 3", "--n does not apply to uniform, only to mean"),
    "n": ("simulate needle --environment mean --n 0", "n must be at least 1, got 0"),
    "delta": ("simulate needle --delta 1", "delta must lie strictly between 0 and 1"),
    "sigma": ("simulate needle --sigma 0", "sigma must be greater than 0"),
    "horizon": ("simulate needle --horizon 0", "horizon must be at least 1, got 0"),
    "huge horizon": ("simulate needle --horizon 99999999999999999999", "at most 1,000,000,000 is possible"),
    "horizon in words": ("simulate needle --horizon ten", "Invalid value for '--horizon'"),
    "runs": ("simulate needle --runs 0", "runs must be at least 1, got 0"),
    "seed": ("demo --seed -1", "seed must be at least 0, got -1"),
    "figure's suffix": ("demo --figure hunt.txt", "a figure's name must end in .png, .pdf, .svg"),
    "figure's folder": ("simulate needle --figure no/such.png", "there is no folder no; make it first"),
    "missing problem": ("simulate", "Missing argument"),
    "unknown verb": ("nope", "No such command 'nope'. Try 'warmer --help'."),
    "misspelt verb": ("bugdet", "Did you mean 'budget'? Try 'warmer --help'."),
    "unknown option": ("--nope", "No such option"),
}


@pytest.mark.parametrize(("line", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_refused_in_one_line_with_code_2(warmer: Command, line: str, reason: str) -> None:
    Path("ragged.csv").write_text(",a,b\nx,0.1\n")
    said = warmer(*line.split())
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert reason in said.err


@pytest.mark.parametrize("line", ["simulate needle --figure curves.png", "demo"])
def test_an_interrupt_says_one_line_leaves_no_file_and_gives_130(
    warmer: Command, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"warmer.cli.commands.{line.split()[0]}.compare", interrupted)
    said = warmer(*line.split())
    assert said.code == 130
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("interrupted")
    assert list(Path().iterdir()) == []


def test_an_interrupt_inside_compiled_code_is_one_too(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    monkeypatch.setattr("warmer.cli.commands.simulate.compare", interrupted)
    said = warmer("simulate", "needle")
    assert (said.code, said.err.startswith("interrupted")) == (130, True)


def test_what_fails_by_itself_after_an_interrupt_is_told(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        monkeypatch.setattr(ctrl_c, "has_broken_off", True)
        raise OSError(errno.ENOSPC, "No space left on device", "curves.png")

    monkeypatch.setattr("warmer.cli.commands.simulate.compare", full)
    said = warmer("simulate", "needle")
    assert (said.code, said.err) == (2, "error: curves.png: No space left on device.\n")


def test_an_interrupt_while_the_figure_is_written_leaves_no_file(
    warmer: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Figure, "savefig", interrupted)
    said = warmer("simulate", "needle", "--learner", "uniform", "--horizon", "5", "--figure", "curves.png")
    assert said.code == 130
    assert list(Path().iterdir()) == []


def test_too_little_memory_is_one_line(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("warmer.cli.commands.simulate.compare", full)
    said = warmer("simulate", "needle")
    assert (said.code, said.err.startswith("error: not enough memory")) == (2, True)


def test_the_version_is_that_of_the_package(warmer: Command) -> None:
    assert warmer("--version").out == f"warmer {library.__version__}\n"


def test_no_arguments_show_the_help(warmer: Command) -> None:
    said = warmer()
    assert said.code == 0
    for verb in ("demo", "simulate", "problems"):
        assert verb in said.out
    assert "..." not in said.out.partition("Commands:")[2]  # no command's sentence is cut off
    assert max(map(len, said.out.splitlines())) <= 80


def python(*arguments: str) -> str:
    """What a fresh interpreter prints that finds the package where this one did."""
    environment = {**os.environ, "PYTHONPATH": str(Path(library.__file__).parents[1])}
    run = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, env=environment)
    return run.stdout


def test_python_m_warmer_is_the_same_program() -> None:
    assert python("-m", "warmer", "--version") == f"warmer {library.__version__}\n"


def test_neither_the_package_nor_the_help_loads_what_is_slow_to_load() -> None:
    code = (
        "import sys, warmer; assert not {'typer', 'rich', 'matplotlib', 'numba'} & set(sys.modules); "
        "from warmer.cli import main; main(['--help']); assert not {'matplotlib', 'numba'} & set(sys.modules)"
    )
    assert "simulate" in python("-c", code)


def test_a_verb_loads_nothing_of_the_others() -> None:
    code = "import sys; from warmer.cli.app import application; application('budget'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "warmer.analysis.budgets" in loaded
    assert not {"warmer.studies", "warmer.web", "warmer.claims", "warmer.sweeps"} & set(loaded)


def test_a_command_inside_another_program_leaves_its_garbage_to_it(warmer: Command) -> None:
    gc.disable()
    try:
        assert warmer("--version").code == 0
        assert not gc.isenabled()
    finally:
        gc.enable()
