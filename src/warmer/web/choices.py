"""Goal and noise as a person chooses them on a page, or a program in a request."""

from collections.abc import Callable
from typing import Any

import numpy as np

from warmer import goals, noise
from warmer.analysis import Task
from warmer.certification.noise import SIGMA
from warmer.model import Label, Problem
from warmer.model.errors import InvalidValueError
from warmer.studies.spec import Spec
from warmer.web.api.fields import Field
from warmer.web.tables import WIDEST, read_pasted

GOALS = {
    "best-query": "a query whose expected reward is within this of the best",
    "which-target": "which candidate is true",
    "best-above": "whether some query is worth more than this",
    "which-group": "which group the true candidate belongs to",
    "value-of": "a number that is known of each candidate, up to this much",
    "best-decision": "a decision whose value is within this of the best, where what is chosen is not what is asked",
}
"""What can be decided, in words."""

NOISES = {
    "bounded": "nothing is known but the range of answers",
    "sub-gaussian": f"answers scatter around their mean by this, {SIGMA.replace('Coin', 'one of two values')}",
    "bounded-noise": "answers are always within this of their mean",
    "coin": "every answer is one of two values, the ends of the range",
    "gaussian": "Gaussian noise, of unknown size (simulated with the standard deviation above)",
}
"""What can be declared about the noise, in words."""

FIELDS = (
    Field("goal", "text", f"What is to be decided: {', '.join(GOALS)}; or own, for what the study decides."),
    Field("epsilon", "number", "For best-query: how close to the best is good enough."),
    Field("threshold", "number", "For best-above."),
    Field("margin", "number", "For best-above: how close to the threshold either answer is right; 0 where missing."),
    Field("groups", "lines", "For which-group: a candidate and its group per line, with a comma between them."),
    Field("values", "lines", "For value-of: a candidate and its number per line, with a comma between them."),
    Field("tolerance", "number", "For value-of: how close the number must be known."),
    Field(
        "decisions", "lines", "For best-decision: a table with a row for each decision, a column for each candidate."
    ),
    Field("decision_epsilon", "number", "For best-decision: how close to the best is good enough."),
    Field("noise", "text", f"What is known of the noise: {', '.join(NOISES)}; or own, for what the study declares."),
    Field("sigma", "number", f"For sub-gaussian: {SIGMA}; for gaussian the deviation of simulated answers."),
    Field("resolution", "number", "For gaussian: the unit to which an instrument rounds; missing where it does not."),
    Field("width", "number", "For bounded-noise."),
    Field("delta", "number", "The probability with which the answer may be wrong; 0.05 where missing."),
)

_SIMPLE_GOALS = {goals.BestQuery: "best-query", goals.WhichTarget: "which-target", goals.BestAbove: "best-above"}
_NOISES: dict[str, Callable[..., Any]] = {
    "bounded": noise.Bounded,
    "sub-gaussian": noise.SubGaussian,
    "bounded-noise": noise.BoundedNoise,
    "coin": noise.Coin,
    "gaussian": noise.Gaussian,
}
_SIZES = {"sub-gaussian": "sigma", "bounded-noise": "width"}


def task_of(given: dict[str, Any], problem: Problem, own: Spec | None = None) -> Task:
    """What the fields ask for; `own` is the study that is meant where they say so."""
    goal = _goal(given, problem, own)
    goal.answers(problem)  # raises where the goal does not fit the table
    epsilon = goal.epsilon if isinstance(goal, goals.BestQuery) else problem.scale / 10
    known = _noise(given, own)
    simulated = given.get("sigma") if isinstance(known, noise.Gaussian) else None
    return Task(epsilon, given.get("delta", 0.05), simulated, goal=goal, noise=known)


def chosen(spec: Spec) -> dict[str, Any]:
    """The study's own goal and noise, as a form has them."""
    goal, known, scale = spec.goal, spec.noise, float(f"{spec.problem.scale:.6g}")
    is_plain = not isinstance(known, noise.SubGaussian) or isinstance(known.sigma, int | float)
    name = next((name for name, kind in _NOISES.items() if is_plain and type(known) is kind), "own")
    return {
        "goal": "best-query" if goal is None else _SIMPLE_GOALS.get(type(goal), "own"),
        "epsilon": goal.epsilon if isinstance(goal, goals.BestQuery) else scale / 10,
        "threshold": goal.threshold if isinstance(goal, goals.BestAbove) else sum(spec.problem.reward_range) / 2,
        "noise": name,
        "sigma": known.sigma if isinstance(known, noise.SubGaussian) and is_plain else scale / 4,
        "resolution": known.resolution if isinstance(known, noise.Gaussian) else None,
        "width": known.width if isinstance(known, noise.BoundedNoise) else scale / 4,
        "delta": 0.05 if spec.delta is None else spec.delta,
    }


def _goal(given: dict[str, Any], problem: Problem, own: Spec | None) -> Any:
    name = given.get("goal", "best-query")
    if name == "own" and own is not None:
        return own.goal or goals.BestQuery(problem.scale / 10)
    made: dict[str, Callable[[], Any]] = {
        "best-query": lambda: goals.BestQuery(given.get("epsilon", problem.scale / 10)),
        "which-target": goals.WhichTarget,
        "best-above": lambda: goals.BestAbove(
            _needed(given, "threshold", "which threshold the best query is compared with"), given.get("margin", 0.0)
        ),
        "which-group": lambda: goals.WhichGroup(_by_candidate(_needed(given, "groups", _PER_LINE), problem)),
        "value-of": lambda: goals.ValueOf(
            _numbers(_by_candidate(_needed(given, "values", _PER_LINE), problem)),
            _needed(given, "tolerance", "how close the number must be known"),
        ),
        "best-decision": lambda: _best_decision(given, problem),
    }
    if name not in made:
        raise InvalidValueError(f"there is no goal {name!r}; choose one of {', '.join(GOALS)}.")
    return made[name]()


_PER_LINE = "each candidate and what belongs to it, one per line, such as model 3, linear"


def _noise(given: dict[str, Any], own: Spec | None) -> Any:
    name = given.get("noise", "bounded")
    if name == "own" and own is not None:
        return own.noise
    if name not in _NOISES:
        raise InvalidValueError(f"there is no noise {name!r}; choose one of {', '.join(NOISES)}.")
    sizes = [_needed(given, _SIZES[name], "how large the noise is")] if name in _SIZES else []
    if name == "gaussian":
        return noise.Gaussian(resolution=given.get("resolution"))
    return _NOISES[name](*sizes)


def _needed(given: dict[str, Any], name: str, words: str) -> Any:
    if name not in given:
        raise InvalidValueError(f"say {words} ({name}).")
    return given[name]


def _by_candidate(text: str, problem: Problem) -> dict[Label, str]:
    """What stands behind the last comma, semicolon or tab of each line, by the candidate before it."""
    found = {}
    for line in filter(str.strip, text.splitlines()):
        sign = next((each for each in "\t;" if each in line), ",")
        label, _, value = line.rpartition(sign)
        found[label.strip().strip('"')] = value.strip()
    return {label: found[str(label)] for label in problem.targets if str(label) in found}


def _numbers(values: dict[Label, str]) -> dict[Label, float]:
    try:
        return {label: float(value) for label, value in values.items()}
    except ValueError as error:
        raise InvalidValueError(f"what belongs to a candidate must be a number ({error}).") from error


def _best_decision(given: dict[str, Any], problem: Problem) -> goals.BestDecision:
    table = read_pasted(_needed(given, "decisions", "what each decision is worth under each candidate"), WIDEST)
    columns = {str(label): place for place, label in enumerate(table.targets)}
    missing = next((label for label in problem.targets if str(label) not in columns), None)
    if missing is not None:
        raise InvalidValueError(f"the table of decisions has no column for candidate {missing!r}.")
    values = np.asarray(table.rho)[:, [columns[str(label)] for label in problem.targets]]
    epsilon = _needed(given, "decision_epsilon", "how close to the best decision is good enough")
    return goals.BestDecision(values, epsilon, decisions=list(table.queries))
