"""From what the user typed to what is to be decided and what is declared about the noise."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from warmer import goals, noise
from warmer.analysis import Task
from warmer.certification.noise import SIGMA
from warmer.cli.problem_argument import accuracy
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number
from warmer.problems.cell_files import read_lines

GOALS = {
    "best-query:EPSILON": "a query within EPSILON of the best",
    "which-target": "the true candidate",
    "which-group:PARAMETER": "the group of the true candidate; PARAMETER may be a CSV file of candidates and groups",
    "value-of:PARAMETER:TOLERANCE": "a number known of each candidate, up to TOLERANCE; PARAMETER may be a CSV file",
    "best-above:THRESHOLD[:EPSILON]": "whether the best query is worth more than THRESHOLD, either answer within "
    "EPSILON of it",
}
"""What can be decided, and what it means."""

NOISES = {
    "bounded": "answers lie in the reward range, and nothing else is known",
    "sub-gaussian:SIGMA": f"SIGMA is {SIGMA}",
    "coin": "every answer is one of the two ends of the range",
    "bounded-noise:WIDTH": "every answer is within WIDTH of its mean",
    "gaussian": "Gaussian noise of unknown deviation; with --resolution, rounded",
}
"""What can be declared about the noise, and what it means."""


def find_task(
    problem: Any,
    *,
    goal: str | None,
    noise: str | None,
    epsilon: Fraction | None,
    delta: float,
    sigma: float | None,
    alpha: Fraction | None,
    resolution: float | None = None,
) -> Task:
    """The task; `--epsilon` and `--sigma` stand for `--goal best-query` and `--noise sub-gaussian` by themselves."""
    if goal is not None and not isinstance(problem, Problem):
        raise InvalidValueError("--goal needs a table of candidates; a continuous family has none.")
    decided = None if goal is None else _read("--goal", goal, GOALS, _goal_readers(problem))
    declared = None if noise is None else _read("--noise", noise, NOISES, _NOISE_READERS)
    if resolution is not None:
        declared = _rounded(declared, resolution)
    if isinstance(decided, goals.BestQuery):
        if epsilon is not None:
            raise InvalidValueError("--epsilon E stands for --goal best-query:E; give one of the two.")
        epsilon = as_number("epsilon", str(goal).partition(":")[2])
    return Task(accuracy(problem, epsilon), delta, sigma, alpha, decided, declared)


def _rounded(declared: Any, resolution: float) -> noise.Gaussian:
    if not isinstance(declared, noise.Gaussian):
        raise InvalidValueError(
            "--resolution R says that readings are rounded to multiples of R; give it beside --noise gaussian."
        )
    return noise.Gaussian(resolution=resolution)


def _read(flag: str, text: str, forms: dict[str, str], readers: dict[str, Callable[..., Any]]) -> Any:
    """What the text stands for: a name, and what belongs to it behind colons."""
    name, _, rest = text.partition(":")
    form = next((each for each in forms if each.partition(":")[0] == name), None)
    if form is None:
        raise InvalidValueError(f"there is no {flag} {name!r}; choose one of {', '.join(forms)}.")
    most = form.count(":")
    given = [part for part in rest.rsplit(":", max(0, most - 1)) if part] if most else [rest] if rest else []
    if not form.count(":") - form.count("[") <= len(given) <= most:
        raise InvalidValueError(f"write {flag} {form}, got {text!r}.")
    return readers[name](*given)


def _goal_readers(problem: Problem) -> dict[str, Callable[..., Any]]:
    return {
        "best-query": lambda epsilon: goals.BestQuery(_number("epsilon", epsilon)),
        "which-target": goals.WhichTarget,
        "which-group": lambda groups: _checked(goals.WhichGroup(_by_candidate(problem, groups)), problem),
        "value-of": lambda values, tolerance: _checked(
            goals.ValueOf(_by_candidate(problem, values, is_number=True), _number("tolerance", tolerance)), problem
        ),
        "best-above": lambda threshold, epsilon="0": goals.BestAbove(
            _number("threshold", threshold), _number("epsilon", epsilon)
        ),
    }


_NOISE_READERS: dict[str, Callable[..., Any]] = {
    "bounded": noise.Bounded,
    "sub-gaussian": lambda sigma: noise.SubGaussian(_number("sigma", sigma)),
    "coin": noise.Coin,
    "bounded-noise": lambda width: noise.BoundedNoise(_number("width", width)),
    "gaussian": noise.Gaussian,
}


def _number(name: str, text: str) -> float:
    return float(as_number(name, text))


def _checked(goal: Any, problem: Problem) -> Any:
    """The goal, if it fits the table."""
    goal.answers(problem)
    return goal


def _by_candidate(problem: Problem, text: str, *, is_number: bool = False) -> Any:
    """The name of a parameter; or the second column of a file whose first one names the candidates."""
    path, parameters = Path(text), problem.parameters or {}
    if text in parameters or not path.is_file():
        if text not in parameters and path.suffix:
            raise InvalidValueError(f"{text}: there is no such file, and no parameter of that name.")
        return text
    try:
        rows = [line.number_texts() if is_number else line.cells for line in read_lines(path)]
    except (InvalidValueError, OSError) as error:
        raise InvalidValueError(f"{path}: {error}") from error
    if any(len(row) != 2 for row in rows):
        raise InvalidValueError(f"{path}: each line must hold a candidate and its value, such as model 3,linear.")
    found = dict(rows)
    if len(found) < len(rows):
        raise InvalidValueError(f"{path}: a candidate is named twice.")
    missing = next((label for label in problem.targets if str(label) not in found), None)
    if missing is not None:
        raise InvalidValueError(f"{path}: candidate {missing!r} is missing.")
    values = [found[str(label)] for label in problem.targets]
    return [_number(f"{path}: the value of a candidate", each) for each in values] if is_number else values
