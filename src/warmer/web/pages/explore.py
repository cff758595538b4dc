"""What could be: budgets, learners side by side, and how complex the problem is."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.certification.goals import BestAbove, BestQuery, WhichTarget
from warmer.certification.noise import BoundedNoise, Coin, Gaussian, SubGaussian
from warmer.learners import CATALOG
from warmer.studies.spec import Spec
from warmer.web.choices import GOALS, NOISES
from warmer.web.library import Library, address_of
from warmer.web.rendering import page

_LEARNERS = ("top-two", "elimination", "uniform")


def explore_pages(library: Library) -> list[Route]:
    """The page of a study on which nothing is recorded."""

    async def explore(request: Request) -> Response:
        study = (await library.run(lambda: library.desk(request.path_params["study"]))).study
        return page(
            request,
            "explore.html",
            study=study,
            address=address_of(study),
            problem=study.problem,
            scale=study.problem.scale,
            chosen=chosen(study.spec),
            goals=GOALS,
            noises=NOISES,
            learners=list(CATALOG),
            first=_LEARNERS,
        )

    return [Route("/studies/{study}/explore", explore)]


def chosen(spec: Spec) -> dict[str, object]:
    """The study's own goal and noise, as the form has them."""
    goal, noise, scale = spec.goal, spec.noise, spec.problem.scale
    goal_name = {BestQuery: "best-query", WhichTarget: "which-target", BestAbove: "best-above"}.get(type(goal))
    noise_name = {
        SubGaussian: "sub-gaussian",
        BoundedNoise: "bounded-noise",
        Coin: "coin",
        Gaussian: "gaussian",
    }.get(type(noise), "bounded")
    sigma = noise.sigma if isinstance(noise, SubGaussian) and isinstance(noise.sigma, int | float) else scale / 4
    return {
        "goal": goal_name or "which-target",
        "epsilon": goal.epsilon if isinstance(goal, BestQuery) else scale / 10,
        "threshold": goal.threshold if isinstance(goal, BestAbove) else 0.0,
        "noise": noise_name,
        "sigma": sigma,
        "width": noise.width if isinstance(noise, BoundedNoise) else scale / 4,
        "delta": 0.05 if spec.delta is None else spec.delta,
    }
