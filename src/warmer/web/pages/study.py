"""A study: the decision first, then the form for answers, then why."""

from typing import Any

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.model.words import exact
from warmer.report.markup.charts import scatter_chart, staircase_chart
from warmer.report.study_text import decision_in_words, decision_of, declaration_of
from warmer.studies.opening import ChoosesModelsError
from warmer.web.library import Library, address_of
from warmer.web.live import Channels
from warmer.web.rendering import html, page, turned
from warmer.web.snapshot import Desk, Snapshot

_SHOWN = 12
"""Candidates on the page of a study; there is a page for all of them."""
_SHOWN_FALLEN = 6
_PER_PAGE = 100
_MOST_QUERIES = 500
"""Labels that a field offers; more would only slow the page down."""
_MOST_MARKS = 400
_MOST_WARNINGS = 5
_WIDE, _NARROW = (620.0, 260.0), (340.0, 240.0)


def study_routes(library: Library, channels: Channels) -> list[Route]:
    """The pages of one study."""

    async def snapshot(request: Request) -> Snapshot:
        return await library.run(lambda: library.desk(request.path_params["study"]).snapshot())

    async def study(request: Request) -> Response:
        try:
            found = await snapshot(request)
        except ChoosesModelsError:
            choice = await library.run(library.choice, request.path_params["study"])
            return page(request, "choice.html", choice=choice, shown=choice.standings[:_SHOWN])
        desk = library.desk(request.path_params["study"])
        return page(request, "study.html", **study_values(found, desk), version=_version(found, desk))

    async def live(request: Request) -> Response:
        found = await snapshot(request)
        desk = library.desk(request.path_params["study"])

        def version() -> str:
            found = desk.snapshot()
            if desk.wants_forecast():
                library.forecast_later(desk)
            return _version(found, desk)

        name, may_write = f"study {found.study.id}", request.state.visitor.may_write
        return channels.stream(
            request,
            f"{name} {may_write}",
            version,
            lambda: html("study_parts.html", may_write=may_write, **study_values(desk.snapshot(), desk)),
        )

    async def candidates(request: Request) -> Response:
        found = await snapshot(request)
        words = request.query_params.get("search", "")[:200]
        wanted = [each for each in found.candidates() if words.casefold() in str(each.label).casefold()]
        return page(request, "candidates.html", **_head(found), search=words, **turned(request, wanted, _PER_PAGE))

    async def answer(request: Request) -> Response:
        found, seq = await snapshot(request), request.path_params["seq"]
        entry = next((each for each in found.study.entries() if each.seq == seq), None)
        if entry is None:
            raise HTTPException(404)
        return page(request, "answer.html", **_head(found), entry=entry)

    async def ticket(request: Request) -> Response:
        found, number = await snapshot(request), request.path_params["number"]
        line = next((each for each in found.tickets if each.ticket.number == number), None)
        return page(request, "ticket.html", **_head(found), line=line, number=number)

    here = "/studies/{study}"
    return [
        Route(here, study),
        Route(f"{here}/live", live),
        Route(f"{here}/candidates", candidates),
        Route(f"{here}/answers/{{seq:int}}", answer),
        Route(f"{here}/tickets/{{number:int}}", ticket),
    ]


def study_values(found: Snapshot, desk: Desk) -> dict[str, Any]:
    """Everything that the page of a study shows."""
    candidates = found.candidates()
    remaining = [each for each in candidates if not each.fell_at]
    fallen = [each for each in candidates if each.fell_at]
    headline, detail = decision_in_words(
        found.status,
        next_query=found.next_query,
        n_remaining=found.n_remaining,
        n_targets=found.problem.n_targets,
        forecast=desk.forecast(found.seq),
    )
    return {
        **_head(found),
        "headline": headline,
        "detail": detail,
        "forecast": desk.forecast(found.seq),
        "warnings": [] if found.status.standing is None else found.status.standing.warnings[:_MOST_WARNINGS],
        "remarks": found.status.remarks,
        "remaining": remaining[:_SHOWN],
        "fallen": fallen[:_SHOWN_FALLEN],
        "n_fallen": len(fallen),
        "queries": list(found.problem.queries[:_MOST_QUERIES]) if found.problem.n_queries <= _MOST_QUERIES else [],
        "staircase": [
            staircase_chart(found.progress.remaining, end=found.progress.n_answers, width=width, height=height)
            for width, height in (_WIDE, _NARROW)
        ],
        "expected": _expected(found),
    }


def _head(found: Snapshot) -> dict[str, Any]:
    low, high = found.problem.reward_range
    goal = decision_of(found.study.spec)
    return {
        "found": found,
        "address": address_of(found.study),
        "goal": goal,
        "declared": declaration_of(found.study.spec, beside=goal),
        "unit": found.unit,
        "reward_range": f"{exact(low)} to {exact(high)}" + (f" {found.unit}" if found.unit else ""),
    }


def _expected(found: Snapshot) -> list[Any]:
    """What the leader expects of each query against what came, for a desk and for a phone; empty before any answer."""
    means, counts = found.progress.means, found.progress.counts
    asked = np.flatnonzero(counts > 0)[:_MOST_MARKS]
    if not asked.size:
        return []
    leader = np.asarray(found.problem.rho[asked, found.progress.leader], dtype=float)
    low, high = min(leader.min(), means[asked].min()), max(leader.max(), means[asked].max())
    margin = 0.06 * ((high - low) or 1.0)
    standing = found.status.standing
    odd = set() if standing is None else {found.problem.queries.position(each.query) for each in standing.odd}
    points = [
        (
            float(expected),
            float(means[query]),
            float(counts[query]),
            _mark_words(found, query, float(expected)),
            query in odd,
        )
        for query, expected in zip(asked.tolist(), leader, strict=True)
    ]
    span = (float(low - margin), float(high + margin))
    return [scatter_chart(points, span=span, width=width, height=height) for width, height in (_WIDE, _NARROW)]


def _mark_words(found: Snapshot, query: int, expected: float) -> str:
    n, mean = int(found.progress.counts[query]), float(found.progress.means[query])
    observed = f"{exact(mean)}" if n == 1 else f"{mean:.6g} (mean of {n:,})"
    label = str(found.problem.queries[query])[:80]
    return f"{label}: expected {expected:.6g}, observed {observed}, off by {mean - expected:.3g}"


def _version(found: Snapshot, desk: Desk) -> str:
    return f"{found.seq}-{found.n_overdue}{'' if desk.forecast(found.seq) is None else '-forecast'}"
