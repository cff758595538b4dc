"""One page about a problem that needs nothing but itself: no network, no scripts, every picture inside."""

from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from warmer.analysis import ProblemReport
from warmer.report.budget_words import answers_for
from warmer.report.chapters import about, alike, complexity, how_many, regret
from warmer.report.figure_style import check_file, replace
from warmer.report.markup import facts
from warmer.report.text import ends, goal_in_words, size_in_words

__all__ = ["check_page_path", "report_page", "save_page"]


def report_page(dossier: ProblemReport, *, source: str, made_by: str) -> str:
    """The page as text.

    Parameters
    ----------
    dossier
        What it tells.
    source
        What the user calls the problem.
    made_by
        The command that makes it again.
    """
    template = Template(files("warmer.report").joinpath("page.html").read_text(encoding="utf-8"))
    trials = dossier.budget.trials
    tiles = [
        size_in_words(dossier.problem),
        (f"dissimilarity dimension at epsilon = {dossier.goal.epsilon:g}", ends(dossier.complexity.dissimilarity)),
        ("answers to a proof, simulated median", answers_for(trials, 0.5)),
        ("least regret, by", dossier.comparison.ranking[0].learner),
    ]
    chapters = [chapter(dossier) for chapter in (about, complexity, how_many, regret, alike)]
    return template.substitute(
        title=escape(source),
        summary=escape(goal_in_words(dossier)),
        facts=facts(tiles),
        sections="\n".join(chapters),
        footer=escape(made_by),
    )


def check_page_path(path: Path) -> Path:
    """Return the path if a page can be saved there, or say why not; to be asked before the long work."""
    return check_file(path, noun="page", suffixes=(".html", ".htm"))


def save_page(page: str, path: Path) -> None:
    """Write the page whole or not at all."""
    check_page_path(path)
    replace(path, lambda file: file.write(page.encode("utf-8")))
