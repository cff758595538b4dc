"""The report of a problem as one page that needs nothing but itself: no network, no scripts, every picture inside."""

from pathlib import Path
from typing import Any

from matplotlib.colors import LinearSegmentedColormap

from warmer.analysis import ProblemReport
from warmer.analysis.budgets import Trials
from warmer.analysis.clustering import Clustered, clustered_distances, clustered_table
from warmer.analysis.witnesses import WitnessValues
from warmer.dimensions import Profile
from warmer.report import budget_text, text
from warmer.report.dimension_figures import draw_profile
from warmer.report.evidence_figure import evidence_in_words
from warmer.report.figure_style import check_file, replace
from warmer.report.heatmap_figure import CLOSENESS, WARMTH, draw_heatmap, draw_triangle
from warmer.report.pages.study import evidence_pictures
from warmer.report.regret_figure import draw_regret
from warmer.report.templating import Picture, picture, render

_ORDER = ("simulated 95%", "simulated median", "lower bound", "round robin", "anytime theorem", "theorem")
"""What to plan with comes before what theorems promise."""

_CLUSTERED = (
    "Both are in the order of a hierarchical clustering (average linkage of the largest differences), so that what is "
    "alike stands together."
)
"""What the order of rows and columns is."""


def report_page(report: ProblemReport, *, source: str, made_by: str) -> str:
    """The page as text; the source is what the user calls the problem, made_by the command that makes it again."""
    comparison, trials = report.comparison, report.budget.trials
    return render(
        "problem.html",
        source=source,
        made_by=made_by,
        report=report,
        text=text,
        budget_text=budget_text,
        decision=_decision(trials),
        facts=[
            ("queries to plan for (95% of simulated runs)", budget_text.answers_for(trials, 0.95)),
            ("queries until certified, simulated median", budget_text.answers_for(trials, 0.5)),
            text.winner(comparison),
            text.size_in_words(report.problem),
        ],
        budget=sorted(budget_text.budget_rows(report.budget), key=lambda row: _ORDER.index(row.name)),
        evidence=evidence_in_words(report.evidence),
        order=_CLUSTERED,
        outcomes=[text.outcome_row(comparison, outcome, mark=text.TOLD) for outcome in comparison.ranking],
        neighbours=[text.neighbour_row(pair) for pair in report.neighbours.pairs],
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
    runs = text.counted(trials.n_runs, "simulated run")
    if most is None:
        return f"No plan yet: {trials.n_proven:,} of {runs} were certified in time."
    queries, sample = text.counted(most, "query", "queries"), ""
    if trials.is_sample:
        sample = f" with {len(trials.truths):,} of {text.counted(trials.n_candidates, 'candidate')} as the truth"
    return f"Plan for {queries}, enough for 95% of {runs}{sample}; half of the runs were certified after {median:,}."


def complexity_pictures(profile: Profile, witness: WitnessValues | None) -> dict[str, Picture | None]:
    """The dimension at every scale, and a witness where there is one."""
    small: Any = {"wide": (5.4, 4.2), "narrow": (3.6, 3.8)}
    longest = f"A longest sequence found: {0 if witness is None else len(witness.queries)}"
    return {
        "witness": None if witness is None else picture(draw_triangle, witness, title=longest, **small),
        "profile": picture(
            draw_profile, profile, wide=(8, 3.4), narrow=(3.6, 3.2), title="The dimension at every scale"
        ),
    }


def _pictures(report: ProblemReport) -> dict[str, Picture | None]:
    return {
        "table": _map(clustered_table(report.problem), "Expected rewards", WARMTH),
        **complexity_pictures(report.profile, report.witness),
        **evidence_pictures(report.evidence),
        "regret": picture(draw_regret, report.comparison, report.regret_bounds, wide=(8, 4.6), narrow=(3.6, 5.6)),
        "distances": _map(clustered_distances(report.neighbours), "Distances between targets", CLOSENESS, low=0),
    }


def _map(table: Clustered | None, title: str, colours: LinearSegmentedColormap, low: Any = None) -> Picture | None:
    """A table as a picture; None where it is too large for one."""
    look: Any = {"wide": (5.4, 4.6), "narrow": (3.6, 3.8), "title": title, "colours": colours, "low": low}
    return None if table is None else picture(draw_heatmap, table, **look)
