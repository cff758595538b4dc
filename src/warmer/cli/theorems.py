"""What theorems say of the first run of a comparison: the proof that bad queries are few, the plan of Algorithm 2."""

from typing import Any

from warmer.analysis import Comparison, Task
from warmer.analysis.comparison import shared_sigma
from warmer.claims import analyse_trace
from warmer.learners import ExactPAC, build
from warmer.model import EstimatingLearner, Learner
from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.report.text import counted
from warmer.simulation import simulate


def lemma_in_words(form: dict[str, Any]) -> str:
    """What became of the proof for one learner."""
    if form["reason"] is not None:
        return f"{form['learner']}: the lemma does not apply: {form['reason'].rstrip('.')}."
    bad = counted(form["bad_queries"], "bad query", "bad queries")
    return (
        f"{form['learner']}: {bad}; the lemma allows {form['most']:,.0f} (dimension {form['dimension']}). Every step "
        "of its proof holds on the first run."
    )


def check_plan(name: str, environment: Any, task: Task, *, horizon: int) -> None:
    """Raise unless the plan of Algorithm 2, which the theorems fix, fits into the horizon."""
    learner: Any = _first_learner(name, environment, task, horizon)
    needed = learner.n_rounds if isinstance(learner, ExactPAC) else learner.plan.n_queries
    if needed > horizon:
        raise InvalidValueError(
            f"{name} makes {needed:,} queries here, more than --horizon {horizon:,}; raise the horizon, or use pac, "
            "whose plan fits any horizon."
        )


def _first_learner(name: str, environment: Any, task: Task, horizon: int) -> Learner[Any]:
    sigma = shared_sigma([environment]) if task.sigma is None else task.sigma
    alpha = environment.alpha_star if task.level is None else task.level
    return build(name, environment.problem, task.settings(alpha=alpha, sigma=sigma, horizon=horizon))


def check_lemma(comparison: Comparison, name: str) -> dict[str, Any]:
    """Every step of the proof on the first run of a learner; one without estimates of the target has no such proof."""
    task, environment = comparison.task, comparison.environments[0]
    learner = _first_learner(name, environment, task, comparison.horizon)
    form: dict[str, Any] = {"learner": name, "bad_queries": None, "most": None, "dimension": None, "reason": None}
    if not isinstance(learner, EstimatingLearner):
        return form | {"reason": "the learner does not estimate the target"}
    runs = simulate(learner, environment, horizon=comparison.horizon, seed=comparison.seed)
    try:
        alpha = float(environment.alpha_star) if task.level is None else task.level
        proof = analyse_trace(runs, alpha=alpha, epsilon=task.epsilon)
    except HypothesisError as error:
        return form | {"reason": str(error)}
    proof.check()
    return form | {"bad_queries": proof.n_bad, "most": proof.bound, "dimension": proof.constants.dimension}
