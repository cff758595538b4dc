"""Before experiments: a new study from a table, with an estimate before the button, and what could be for one that is.

Goal and noise are chosen in plain words; on the page of a study budgets, learners and the complexity are looked at.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.learners import CATALOG
from warmer.model import Problem
from warmer.model.words import exact
from warmer.web.choices import GOALS, NOISES, chosen
from warmer.web.library import Library, address_of
from warmer.web.rendering import page
from warmer.web.tables import SUFFIXES, Tables

_ROWS, _COLUMNS = 8, 6
_LEARNERS = ("top-two", "elimination", "uniform")


def creation_pages(library: Library, tables: Tables) -> list[Route]:
    """The two steps."""

    async def first(request: Request) -> Response:
        return page(request, "new.html", suffixes=",".join(SUFFIXES), words=", ".join(SUFFIXES))

    async def second(request: Request) -> Response:
        kept = tables.find(request.path_params["table"])
        low, high = kept.reward_range
        return page(
            request,
            "new_study.html",
            table=kept,
            preview=preview(kept.problem),
            low=exact(low),
            high=exact(high),
            epsilon=f"{(high - low) / 20:.2g}",
            name=kept.name.rpartition(".")[0][:100],
            goals=GOALS,
            noises=NOISES,
        )

    return [Route("/new", first), Route("/new/{table}", second)]


def preview(problem: Problem) -> dict[str, Any]:
    """The upper left corner of a table."""
    rows = range(min(_ROWS, problem.n_queries))
    columns = range(min(_COLUMNS, problem.n_targets))
    return {
        "targets": [problem.targets[place] for place in columns],
        "rows": [
            (problem.queries[row], [f"{float(problem.rho[row, column]):.4g}" for column in columns]) for row in rows
        ],
        "more_rows": problem.n_queries - len(rows),
        "more_columns": problem.n_targets - len(columns),
    }


def explore_pages(library: Library) -> list[Route]:
    """The page of a study on which nothing is recorded."""

    async def explore(request: Request) -> Response:
        study = await library.study(request)
        own = chosen(study.spec)
        return page(
            request,
            "explore.html",
            study=study,
            address=address_of(study),
            problem=study.problem,
            ranges=_ranges(study.problem, own),
            chosen=own,
            goals=GOALS,
            noises=NOISES,
            learners=list(CATALOG),
            first=_LEARNERS,
            suffixes=",".join(SUFFIXES),
        )

    return [Route("/studies/{study}/explore", explore)]


def _ranges(problem: Problem, own: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Between which numbers a slider moves; the study's own number is always one of them."""
    least, most = (float(f"{problem.scale / parts:.6g}") for parts in (100, 1))
    ranges = {
        "epsilon": (2 * least, most / 2),
        "threshold": problem.reward_range,
        "sigma": (least, most),
        "width": (least, most),
        "delta": (0.01, 0.3),
    }
    return {name: (min(low, own[name]), max(high, own[name])) for name, (low, high) in ranges.items()}
