"""A new study from a table: a look at it, the goal and the noise in plain words, and an estimate before the button."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.model import Problem
from warmer.web.choices import GOALS, NOISES
from warmer.web.library import Library
from warmer.web.rendering import page
from warmer.web.tables import SUFFIXES, Tables

_ROWS, _COLUMNS = 8, 6


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
            low=f"{low:g}",
            high=f"{high:g}",
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
