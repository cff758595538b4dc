"""The page of benchmarks: sections are put in their places, and replaced one at a time."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from benchmarks.__main__ import write, write_all
from benchmarks.document import Measured, machine, verdict, with_section
from benchmarks.figures import FOLDER, draw, exponent
from benchmarks.linucb import seeds_of, worst_ratio
from benchmarks.process import Done
from benchmarks.sections import SECTIONS, Section

from benchmarks import document, linear, peers, process, regret, solvers

ORDER = ["first", "second", "third"]


def section(name: str, printed: str = "12.5", *, is_quick: bool = False, **more) -> Measured:
    return Measured(name, is_quick, name.title(), "as fast as light.", "2 cores", printed, **more)


def test_sections_stand_in_the_order_of_the_list_however_they_came():
    page = with_section(with_section("", section("third"), ORDER), section("first"), ORDER)
    assert page.startswith("# Benchmarks\n")
    assert page.index("## First (`first`)") < page.index("## Third (`third`)")


def test_measuring_a_section_again_replaces_its_part_alone():
    page = with_section(with_section("", section("first", "old"), ORDER), section("second", "kept"), ORDER)
    again = with_section(page, section("first", "new"), ORDER)
    assert "old" not in again
    assert again.count("## First") == 1
    assert again.count("kept") == 1
    assert with_section(again, section("first", "new"), ORDER) == again


def test_a_quick_run_never_replaces_a_section_of_full_size():
    full = with_section("", section("first", "full figures"), ORDER)
    assert with_section(full, section("first", "small figures", is_quick=True), ORDER) == full
    quick = with_section("", section("first", "small figures", is_quick=True), ORDER)
    assert "small version" in quick
    assert "small figures" not in with_section(quick, section("first", "full figures"), ORDER)


def test_a_section_that_is_no_longer_listed_goes():
    page = with_section("", section("first"), ORDER)
    assert "First" not in with_section(page, section("second"), ["second"])


def test_verdicts_become_a_table_and_the_rest_is_shown_as_it_was_printed(capsys):
    print("before   ")
    verdict("ours / theirs", "31", "at least 30")
    print("after")
    page = with_section("", section("first", capsys.readouterr().out), ORDER)
    assert "| what | measured | goal |\n|---|---|---|\n| ours / theirs | 31 | at least 30 |" in page
    assert "```text\nbefore\nafter\n```" in page
    assert "goal |" not in page.partition("```text")[2]


def test_a_verdict_without_a_goal_may_come_last(capsys):
    verdict("ours", "31 s", "")
    assert "| ours | 31 s |  |\n" in with_section("", section("first", capsys.readouterr().out), ORDER)


def test_figures_are_linked():
    assert "![a](benchmarks/a.svg)" in with_section("", section("first", figures=["benchmarks/a.svg"]), ORDER)


def test_the_machine_is_described_without_its_name_or_paths():
    words = machine()
    assert "cores" in words
    assert "numpy" in words
    assert "/" not in words
    import platform

    assert platform.node() not in words


def test_peers_that_are_missing_are_named():
    assert document.peers(["numpy", "no-such-package-at-all"]).endswith("; not installed: no-such-package-at-all")


def test_a_peer_that_cannot_be_installed_is_named_and_the_others_are_still_tried(monkeypatch, capsys):
    tried = []

    def run(command, **options):
        tried.append(command[-1])
        failed = command[-1].startswith("igraph")
        return subprocess.CompletedProcess(command, int(failed), "", "no compiler" if failed else "")

    monkeypatch.setattr(peers.subprocess, "run", run)
    assert peers.install() == ["igraph"]
    assert tried == peers.requirements()
    assert "igraph could not be installed, its figures are left out: no compiler" in capsys.readouterr().out


def test_the_exponent_is_that_of_a_power_law():
    sizes = np.array([1.0, 10, 100, 1000])
    assert exponent(sizes, 3 * sizes**1.5) == pytest.approx(1.5)


def test_a_figure_is_drawn_where_a_folder_is_named_and_is_the_same_twice(tmp_path, monkeypatch):
    curves = {"ours": (np.array([1.0, 10, 100]), np.array([1.0, 10, 100]))}
    draw("scaling", curves, x="targets", y="seconds")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    drawn = []
    for _ in range(2):
        draw("scaling", curves, x="targets", y="seconds")
        drawn.append((tmp_path / "scaling.svg").read_text())
    assert drawn[0] == drawn[1]
    assert "exponent 1.00" in drawn[0]


def test_what_a_process_prints_is_written_and_a_failure_leaves_the_page_alone(tmp_path, monkeypatch):
    page, ran = tmp_path / "page.md", []

    def run(command, *, env, **options):
        ran.append(command)
        Path(env[FOLDER], "steps-a.svg").write_text("<svg/>")
        return Done("goal | speed | 2 | 3\n", "FAILED" if len(ran) > 1 else "", "")

    monkeypatch.setattr("benchmarks.process.run", run)
    assert write(page, "steps", [], is_quick=True)
    assert ran == [[sys.executable, "-m", "benchmarks", "steps", "--quick"]]
    text = page.read_text()
    assert "| speed | 2 | 3 |" in text
    assert "(page/steps-a.svg)" in text
    assert (tmp_path / "page" / "steps-a.svg").exists()
    assert not write(page, "steps", [], is_quick=False)
    assert page.read_text() == text


def test_a_section_that_fails_does_not_stop_the_others_and_is_named_at_the_end(tmp_path, monkeypatch, capsys):
    def run(command, *, env, name, **options):
        return Done("fine\n", "FAILED" if name == "engine" else "", "a reason")

    monkeypatch.setattr("benchmarks.process.run", run)
    assert write_all(tmp_path / "page.md", ["scaling", "engine", "steps"], [], is_quick=True) == ["engine"]
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1].endswith("; these failed and stayed as they were: engine")
    assert "a reason" in shown.err
    assert "3 sections, about 1 minutes on two free cores" in shown.out
    assert "[3 of 3] steps: about 0.3 minutes" in shown.out
    assert "(`steps`)" in (tmp_path / "page.md").read_text()


def test_a_process_gives_what_it_printed_and_why_it_failed():
    program = "import sys; print('seen'); print('heard', file=sys.stderr); sys.exit(3)"
    settings = {"env": os.environ, "name": "one", "expected": 0.1}
    assert process.run([sys.executable, "-c", program], **settings, most=1.0) == ("seen\n", "FAILED", "heard")


def test_a_process_beyond_its_minutes_is_interrupted_with_all_that_it_started(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "_STEP", 0.05)
    left = tmp_path / "left"
    program = f"""
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
try:
    time.sleep(60)
finally:
    pathlib.Path({str(left)!r}).write_text(str(child.wait()))
"""
    settings = {"env": os.environ, "name": "one", "expected": 0.1}
    done = process.run([sys.executable, "-c", program], **settings, most=0.5 / 60)
    assert done.failure == "FAILED, ended after 0 minutes"
    assert int(left.read_text()) == -signal.SIGINT


def test_a_peer_is_held_to_seconds_of_its_processor():
    def count(graph):
        return len(graph)

    def never(graph):
        while len(graph) > 2:
            pass
        return 0

    found = solvers.run_capped({"quick": count, "slow": never}, np.zeros((5, 5), dtype=bool), 0.2)
    assert found["quick"][0] == 5
    assert found["slow"] is None


def test_tables_of_regret_say_what_was_to_be_reached(capsys):
    found = {name: (np.array([3.0, 5.0] * 5), 1e5) for name in ("warmer least-squares", "warmer optimistic", "peer")}
    regret.show("W3: random functions", found | {"warmer thompson": (np.ones(10), 1e5)})
    shown = capsys.readouterr().out
    assert "goal | W3, warmer least-squares | 4.0 | at most 15, and below 4.0, the best peer" in shown
    regret.show("W3: random functions", {name: (each[:3], speed) for name, (each, speed) in found.items()})
    assert "goal" not in capsys.readouterr().out
    games = [lambda game, horizon, each=each: each for each in (2.0, 3.0, 4.0)]
    players = dict(zip(("warmer LeastSquares(alpha*)", "warmer Optimistic(1.0)", "peer"), games, strict=True))
    linear.show("W2: a game", lambda rng: None, players, horizon=10, n_seeds=10)
    words = "goal | W2: a game: regret of warmer Optimistic(1.0) / that of the best peer, peer | 0.75 | at most 1"
    assert words in capsys.readouterr().out


def test_a_slow_peer_is_compared_on_the_seeds_that_it_played():
    ours, slow = np.array([1.0, 1, 1, 1, 1, 9, 9]), np.full(seeds_of("MABWiser UCB1", 7), 2.0)
    assert slow.size == 5
    assert worst_ratio(ours, {"MABWiser UCB1": slow, "NumPy": np.full(7, 100.0)}) == (0.5, "MABWiser UCB1")


def test_every_benchmark_has_a_title_and_a_goal():
    assert all(isinstance(each, Section) and each.title and each.goal.endswith(".") for each in SECTIONS.values())


def test_the_page_holds_only_sections_that_exist():
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text()
    found = document._SECTION.findall(page)
    assert found
    assert {name for name, _, _ in found} <= set(SECTIONS)
    for path in (name for _, _, body in found for name in document.linked(body)):
        assert (Path(__file__).parents[2] / "docs" / path).exists()


def test_a_section_that_cannot_be_measured_here_stays_as_it_was_measured_elsewhere(tmp_path, monkeypatch, capsys):
    page = tmp_path / "benchmarks.md"
    page.write_text("what a GPU did")
    monkeypatch.setitem(SECTIONS, "gpu", SECTIONS["gpu"]._replace(lacks=lambda: "there is no GPU."))
    assert write(page, "gpu", [], is_quick=False)
    assert page.read_text() == "what a GPU did"
    assert capsys.readouterr().out == "gpu: left as it is; there is no GPU.\n"
