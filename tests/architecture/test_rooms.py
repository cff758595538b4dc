"""The shape of the package: who may import whom, what is public, and what an import costs."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import warmer

SOURCE = Path(warmer.__file__).parent
PUBLIC = [
    *("Problem", "read_problem", "LeastSquares", "Optimistic", "OracleLeastSquares", "PAC", "Session", "simulate"),
    *("ExactPAC", "UntilCertified", "estimation.AggregatingForecaster", "estimation.VovkAzouryWarmuth"),
    *("problems", "environments", "bounds", "problems.from_functions", "claims.CLAIMS", "claims.verify"),
    *("families.KArms", "families.Sphere", "report.plot_regret", "report.report_page", "create_study", "open_study"),
    *(
        "goals.BestQuery",
        "goals.BestDecision",
        "goals.WhichTarget",
        "goals.WhichGroup",
        "goals.ValueOf",
        "goals.BestAbove",
    ),
    *("noise.Bounded", "noise.SubGaussian", "noise.Coin", "noise.BoundedNoise", "noise.Gaussian"),
    *(
        "TopTwo",
        "TrackAndStop",
        "MaxInformation",
        "bounds.characteristic_time",
        "list_studies",
        "Study.ask",
        "Study.tell",
    ),
    *("dimensions.DissimilarityWitness", "dimensions.EluderWitness", "dimensions.StrongSQWitness"),
    *("environments.Adversarial", "environments.SimulatedSamples", "environments.StatisticalOracle"),
    *("dissimilarity_dimension", "dissimilarity_profile", "eluder_dimension", "strong_sq_dimension"),
    *("covering_number", "complexity", "Bracket"),
    *("Problem.from_table", "Problem.from_similarity"),
    *("environments.Exact", "environments.Coin", "environments.UniformNoise"),
    *("environments.TruncatedGaussian", "environments.SampleMean"),
    *("ModelChoice", "ModelChoice.ask", "ModelChoice.tell", "ModelChoice.leader", "ModelChoice.standings"),
    *("ModelChoice.certificate", "ModelChoice.labels_left", "choice.Recall"),
    *("Session.ask", "Session.tell", "Session.recommend", "Session.history", "Session.remaining"),
    *("Session.certificate", "Session.is_misspecified", "Session.is_done", "Runs.regret"),
]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, cwd=SOURCE.parents[1], check=False)


def test_imports_only_go_down():
    result = run(str(Path(sys.executable).parent / "lint-imports"), "--no-cache")
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("name", PUBLIC)
def test_the_public_names_are_where_users_look(name):
    found = warmer
    for part in name.split("."):
        found = getattr(found, part)
    assert found is not None


def test_dir_shows_what_is_public_and_all_of_it_is_there():
    assert [name for name in warmer.__all__ if not hasattr(warmer, name)] == []
    assert sorted(dir(warmer)) == sorted([*warmer.__all__, "__version__"])
    assert not hasattr(warmer, "lazily")
    assert not hasattr(warmer, "plot_regret")
    for room in (warmer.learners, warmer.report):
        assert [name for name in room.__all__ if not hasattr(room, name)] == []


def test_contributing_lists_every_room():
    rooms = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    page = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == rooms


def test_a_room_makes_at_most_20_names_public():
    rooms = [path.parent.name for path in SOURCE.glob("*/__init__.py")]
    names = {room: importlib.import_module(f"warmer.{room}").__all__ for room in rooms}
    assert {room: len(public) for room, public in names.items() if len(public) > 20} == {}


def test_a_folder_holds_at_most_15_modules():
    folders = {path.parent for path in SOURCE.rglob("__init__.py") if path.parent != SOURCE}
    modules = {folder: [path for path in folder.glob("*.py") if path.name != "__init__.py"] for folder in folders}
    assert {str(folder.relative_to(SOURCE)): len(held) for folder, held in modules.items() if len(held) > 15} == {}


def test_importing_warmer_loads_nothing_heavy():
    heavy = ["numba", "scipy.special", "scipy.stats", "pandas", "sklearn", "matplotlib", "typer", "rich"]
    code = f"import sys, warmer; print([name for name in {heavy!r} if name in sys.modules])"
    assert run(sys.executable, "-c", code).stdout.strip() == "[]"


def test_no_underscore_name_crosses_a_room():
    """Private to a room: nobody outside imports it."""
    crossing = []
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("warmer."):
                other = (node.module or "").split(".")[1]
                crossing += [f"{path.name}: {a.name}" for a in node.names if a.name.startswith("_") and other != room]
    assert crossing == []


def test_every_public_function_and_class_has_a_docstring():
    bare = []
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            is_thing = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            if is_thing and not ast.get_docstring(node):
                bare.append(f"{path.name}: {node.name}")
    assert bare == []


def test_only_ci_installs_system_packages_and_it_runs_everything():
    makefile, ci = (SOURCE.parents[1] / "Makefile").read_text(), (SOURCE.parents[1] / ".ci" / "run").read_text()
    assert "apt" not in re.findall(r"\w+", makefile)
    assert re.findall(r"^make (.+)$", ci, re.MULTILINE) == ["check", "test", "test-full"]


def test_the_version_stands_in_one_place():
    settings = (SOURCE.parents[1] / "pyproject.toml").read_text()
    assert warmer.__version__ not in settings
