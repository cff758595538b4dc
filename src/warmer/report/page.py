"""The report of a problem as one page that needs nothing but itself: no network, no scripts, every picture inside."""

from pathlib import Path

from warmer.analysis import ProblemReport
from warmer.analysis.budgets import Trials
from warmer.report.budget_text import (
    answers_for,
    assumption_in_words,
    budget_rows,
    goal_in_words,
    limit_in_words,
    needs_table,
    trials_in_words,
    which_to_believe,
)
from warmer.report.distance_figure import MOST_TARGETS, draw_distances
from warmer.report.evidence_figure import draw_evidence, draw_possible, evidence_in_words
from warmer.report.figure_style import check_file, replace
from warmer.report.profile_figure import draw_profile
from warmer.report.regret_figure import draw_regret
from warmer.report.templating import Picture, picture, render
from warmer.report.text import (
    counted,
    level_in_words,
    neighbour_row,
    outcome_row,
    problem_in_words,
    size_in_words,
    told_in_words,
    winner,
)
from warmer.report.witness_figure import draw_witness

_ORDER = ("simulated 95%", "simulated median", "lower bound", "round robin", "anytime theorem", "theorem")
"""What to plan with comes before what theorems promise."""


def report_page(report: ProblemReport, *, source: str, made_by: str) -> str:
    """The page as text.

    Parameters
    ----------
    report
        What it tells.
    source
        What the user calls the problem.
    made_by
        The command that makes it again.
    """
    comparison, trials = report.comparison, report.budget.trials
    dimension = report.budget.dimension
    most = 0 if dimension is None else dimension.upper
    epsilon = f"{report.task.epsilon:g}"
    return render(
        "problem.html",
        source=source,
        made_by=made_by,
        report=report,
        goal=goal_in_words(report.budget),
        decision=_decision(trials),
        facts=[
            ("queries to plan for (95% of simulated runs)", answers_for(trials, 0.95)),
            ("queries until certified, simulated median", answers_for(trials, 0.5)),
            winner(comparison),
            size_in_words(report.problem),
        ],
        about=problem_in_words(report.problem),
        level=level_in_words(report.level),
        epsilon=epsilon,
        budget=sorted(budget_rows(report.budget), key=lambda row: _ORDER.index(row.name)),
        budget_dimension=f"{most}" if dimension is None or dimension.is_exact else f"at most {most}",
        simulation=trials_in_words(trials),
        needs=needs_table(report.budget),
        limit=limit_in_words(report.budget),
        evidence=evidence_in_words(report.evidence),
        advice=f"{assumption_in_words(report.budget)} {which_to_believe(trials)}".strip(),
        regret=comparison,
        told=told_in_words(comparison),
        outcomes=[_named(outcome_row(comparison, outcome)) for outcome in comparison.ranking],
        near=report.neighbours,
        neighbours=[neighbour_row(pair) for pair in report.neighbours.pairs],
        pictures=_pictures(report),
    )


def check_page_path(path: Path) -> Path:
    """Return the path if a page can be saved there, or say why not; to be called before the long work."""
    return check_file(path, noun="page", suffixes=(".html", ".htm"))


def save_page(page: str, path: Path) -> None:
    """Write the page whole or not at all."""
    check_page_path(path)
    replace(path, lambda file: file.write(page.encode("utf-8")))


def _decision(trials: Trials) -> str:
    """What to do with the page, in one sentence."""
    most, median = trials.quantile(0.95), trials.quantile(0.5)
    if most is None:
        return f"No plan yet: {trials.n_proven:,} of {counted(trials.n_runs, 'simulated run')} were certified in time."
    return f"Plan for {counted(most, 'query', 'queries')}; half of the simulated runs were certified after {median:,}."


def _named(row: tuple[str, ...]) -> tuple[str, ...]:
    """A learner that was told more than the others says so itself."""
    return (row[0].replace("*", " (told the best value)"), *row[1:])


def _pictures(report: ProblemReport) -> dict[str, Picture | None]:
    near = report.neighbours
    has_map = 1 < len(near.labels) <= MOST_TARGETS and len(near.labels) == near.n_targets
    longest = f"A longest sequence found: {report.complexity.dissimilarity.lower}"
    return {
        "witness": picture(
            lambda axes: draw_witness(axes, report.witness, title=longest), wide=(8, 3.2), narrow=(4.2, 3.4)
        ),
        "profile": picture(
            lambda axes: draw_profile(axes, report.profile, title="The dimension at every scale"),
            wide=(8, 3.4),
            narrow=(4.2, 3.2),
        ),
        "evidence": picture(
            lambda axes: draw_evidence(axes, report.evidence, title="Evidence against each candidate"),
            wide=(8, 4.2),
            narrow=(4.2, 4.2),
        ),
        "possible": picture(
            lambda axes: draw_possible(axes, report.evidence, title="Candidates that remain"),
            wide=(8, 2.8),
            narrow=(4.2, 3.0),
        ),
        "regret": picture(
            lambda axes: draw_regret(axes, report.comparison, report.regret_bounds), wide=(8, 4.6), narrow=(4.2, 4.6)
        ),
        "distances": picture(
            lambda axes: draw_distances(axes, near, title="Distances between targets"),
            wide=(5.4, 4.6),
            narrow=(4.2, 3.8),
        )
        if has_map
        else None,
    }
