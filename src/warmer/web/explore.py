"""What could be: how many experiments a goal takes, how learners compare, how complex a problem is."""

from typing import Any

from warmer.analysis import Task, compare, draw_targets
from warmer.analysis.budgets.trials import Trials, simulate_candidates
from warmer.analysis.task import common_alpha
from warmer.analysis.witnesses import witness_values
from warmer.dimensions import DissimilarityWitness, complexity, dissimilarity_profile
from warmer.learners import CATALOG
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.report.text import counted, witnesses_in_words
from warmer.web.jobs import Job
from warmer.web.rendering import html

MOST_TRUTHS = 24
_RUNS = 3
_HORIZON = 2000
_MOST_LEARNERS = 12
_SECONDS = 20.0


def estimate(job: Job, problem: Problem, task: Task) -> dict[str, Any]:
    """How many experiments a goal will take, by simulation with candidates in turn as the truth."""
    trials = _trials(job, problem, task)
    return {**_numbers(trials), "words": in_words(trials), "html": html("job_estimate.html", words=in_words(trials))}


def budget(job: Job, cases: list[tuple[str, Problem, Task]]) -> dict[str, Any]:
    """The same for a problem as it is, and with what is to be added or left out."""
    found = [(name, problem, _trials(job, problem, task)) for name, problem, task in cases]
    forms = {name: _numbers(trials) for name, _, trials in found}
    rows = [(name, f"{each.n_targets:,}", f"{each.n_queries:,}", in_words(trials)) for name, each, trials in found]
    return {**forms, "html": html("job_budget.html", rows=rows)}


def total_steps(problem: Problem) -> int:
    """How many runs an estimate takes."""
    return _RUNS * min(MOST_TRUTHS, problem.n_targets)


def comparison(job: Job, problem: Problem, task: Task, learners: list[str], horizon: int, runs: int) -> dict[str, Any]:
    """Learners side by side, on the same truths and the same noise."""
    targets = draw_targets(problem, runs=runs, seed=0)
    worlds = [task.environment(problem, target) for target in targets]
    found = compare(worlds, learners, task.on(problem), horizon=horizon, seed=0, with_proofs=True, progress=job.step)
    rows = sorted(found.outcomes, key=lambda each: (-each.n_proven, each.answers_for(0.5) or horizon))
    forms = [
        {
            "learner": each.learner,
            "proven": each.n_proven,
            "median": each.answers_for(0.5),
            "regret": each.regret.estimate,
        }
        for each in rows
    ]
    return {"outcomes": forms, "html": html("job_compare.html", rows=rows, runs=runs, horizon=horizon)}


def check_learners(given: list[str]) -> list[str]:
    """The names of learners, each of the catalogue."""
    unknown = [name for name in given if name not in CATALOG]
    if unknown or not 0 < len(given) <= _MOST_LEARNERS:
        raise InvalidValueError(f"choose 1 to {_MOST_LEARNERS} of {', '.join(CATALOG)}.")
    return list(dict.fromkeys(given))


def measures(job: Job, problem: Problem, epsilon: float) -> dict[str, Any]:
    """Every measure of a problem at one scale with its witness, and the profile, as far as some seconds go."""
    # Matplotlib takes a second to load, and only who measures waits for it
    from warmer.report.pages.problem import complexity_pictures

    level = common_alpha(problem)
    alpha = float(problem.self_evaluations.min()) if level is None else level
    profile = dissimilarity_profile(problem, alpha=alpha, time_limit=_SECONDS / 2)
    job.step()
    found = complexity(
        problem, alpha=alpha, epsilon=epsilon, profile=profile, time_limit=_SECONDS, progress=lambda _: job.step()
    )
    rows, witness = [list(map(str, row)) for row in found.rows()], found.dissimilarity.witness
    values = witness_values(problem, witness) if isinstance(witness, DissimilarityWitness) else None
    page = html(
        "job_complexity.html",
        rows=rows,
        alpha=f"{float(alpha):g}",
        epsilon=f"{epsilon:g}",
        profile=profile,
        witnesses=witnesses_in_words(problem, found),
        pictures=complexity_pictures(profile, values),
    )
    return {"rows": rows, "html": page}


def in_words(trials: Trials) -> str:
    """An estimate in one sentence."""
    median, most = trials.quantile(0.5), trials.quantile(0.95)
    if median is None:
        return (
            f"More than {counted(trials.horizon, 'experiment')}, in most of {counted(trials.n_runs, 'simulated run')}."
        )
    likely = "" if most is None else f"; in 95% of {counted(trials.n_runs, 'simulated run')} {most:,} or fewer"
    return f"Probably {counted(median, 'experiment')}{likely}."


def _trials(job: Job, problem: Problem, task: Task) -> Trials:
    return simulate_candidates(problem, task, truths=MOST_TRUTHS, runs=_RUNS, horizon=_HORIZON, progress=job.step)


def _numbers(trials: Trials) -> dict[str, Any]:
    return {"median": trials.quantile(0.5), "quantile_95": trials.quantile(0.95), "runs": trials.n_runs}
