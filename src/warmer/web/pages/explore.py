"""What could be: budgets, learners side by side, and how complex the problem is."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.learners import CATALOG
from warmer.model import Problem
from warmer.web.choices import GOALS, NOISES, chosen
from warmer.web.library import Library, address_of
from warmer.web.rendering import page
from warmer.web.tables import SUFFIXES

_LEARNERS = ("top-two", "elimination", "uniform")


def explore_pages(library: Library) -> list[Route]:
    """The page of a study on which nothing is recorded."""

    async def explore(request: Request) -> Response:
        study = await library.study(request)
        return page(
            request,
            "explore.html",
            study=study,
            address=address_of(study),
            problem=study.problem,
            ranges=_ranges(study.problem),
            chosen=chosen(study.spec),
            goals=GOALS,
            noises=NOISES,
            learners=list(CATALOG),
            first=_LEARNERS,
            suffixes=",".join(SUFFIXES),
        )

    return [Route("/studies/{study}/explore", explore)]


def _ranges(problem: Problem) -> dict[str, tuple[float, float]]:
    """Between which numbers a slider moves."""
    scale = problem.scale
    return {
        "epsilon": (scale / 50, scale / 2),
        "threshold": problem.reward_range,
        "sigma": (scale / 100, scale),
        "width": (scale / 100, scale),
        "delta": (0.01, 0.3),
    }
