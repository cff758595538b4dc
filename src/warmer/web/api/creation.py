"""Tables that are sent, studies that are made of them, and computations about either."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.studies import create_study
from warmer.web import choices, explore
from warmer.web.api.fields import Field, read_body
from warmer.web.api.openapi import Operation
from warmer.web.api.responses import answer
from warmer.web.jobs import Job, Jobs
from warmer.web.library import Library, address_of
from warmer.web.tables import Tables, read_pasted

_RANGE = (
    Field("low", "number", "The smallest possible reward; what the table suggests where missing."),
    Field("high", "number", "The largest possible reward."),
)
_TABLE = Field("table", "text", "The table, as the answer to POST /tables names it.")
_CREATE = Operation(
    "POST",
    "/studies",
    "Create a study from a table that was sent.",
    (
        Field("name", "text", "What to call the study.", is_required=True),
        _TABLE._replace(is_required=True),
        *_RANGE,
        *choices.FIELDS,
        Field("unit", "text", "What rewards are measured in."),
    ),
    status=201,
)
_SEND = Operation(
    "POST",
    "/tables",
    "Send a table; the body is the file.",
    (Field("name", "text", "What the file is called: its ending says what it is.", is_required=True),),
    status=201,
    is_file=True,
)
_START = Operation(
    "POST",
    "/jobs",
    "Start a computation; nothing is recorded.",
    (
        Field("kind", "text", "estimate, budget, compare or complexity.", is_required=True),
        _TABLE,
        Field("study", "text", "A study, in place of a table."),
        *_RANGE,
        *choices.FIELDS,
        Field("drop_queries", "text", "For budget: labels of experiments to leave out, one per line."),
        Field("drop_targets", "text", "For budget: labels of candidates to leave out, one per line."),
        Field("add", "lines", "For budget: a table of experiments or candidates to add, with all labels."),
        Field("add_table", "text", "For budget: the same as a table that was sent."),
        Field("learners", "texts", "For compare: which learners."),
        Field("runs", "whole", "For compare: how many runs of each, up to 200."),
        Field("horizon", "whole", "For compare: how many queries per run, up to 2,000."),
    ),
    status=202,
)
_LOOK = Operation("GET", "/jobs/{job}", "How far a computation is, and what it found.")
_CANCEL = Operation("POST", "/jobs/{job}/cancel", "End a computation.")
OPERATIONS = (_SEND, _CREATE, _START, _LOOK, _CANCEL)
"""What can be done here, for the document."""


def creation_routes(library: Library, tables: Tables, jobs: Jobs) -> list[Route]:
    """The routes that make something."""

    async def send(request: Request) -> Response:
        name, content = request.query_params.get("name", ""), await request.body()
        kept = await library.run(tables.keep, name, content)
        low, high = kept.reward_range
        size = {"n_queries": kept.problem.n_queries, "n_targets": kept.problem.n_targets}
        return answer({"table": kept.id, **size, "reward_range": [low, high], "next": f"/new/{kept.id}"}, 201)

    async def create(request: Request) -> Response:
        given = await read_body(request, _CREATE.fields)
        return answer(await library.run(_create, library, tables, given), 201)

    async def start(request: Request) -> Response:
        given = await read_body(request, _START.fields)
        total, work = await library.run(_work, library, tables, given)
        return answer(jobs.start(total, work).form(), 202)

    async def look(request: Request) -> Response:
        return answer(jobs.find(request.path_params["job"]).form())

    async def cancel(request: Request) -> Response:
        job = jobs.find(request.path_params["job"])
        job.cancel()
        return answer(job.form())

    work = {_SEND: send, _CREATE: create, _START: start, _LOOK: look, _CANCEL: cancel}
    return [Route(f"/api/v1{each.path}", done, methods=[each.method]) for each, done in work.items()]


def _create(library: Library, tables: Tables, given: dict[str, Any]) -> dict[str, Any]:
    problem = _problem(tables, given)
    task = choices.task_of(given, problem)
    if any(each.name == given["name"] for each in library.summaries()):
        raise InvalidValueError(f"there is a study {given['name']!r} already; choose another name.")
    made = create_study(
        given["name"],
        problem,
        goal=task.goal,
        noise=task.noise,
        delta=task.delta,
        unit=given.get("unit"),
        storage=library.storage,
    )
    with made:
        library.forget_list()
        address = address_of(made)
    return {"name": given["name"], "address": address, "next": f"/studies/{address}"}


def _problem(tables: Tables, given: dict[str, Any]) -> Problem:
    kept = tables.find(given.get("table", ""))
    low, high = kept.reward_range
    return kept.read((given.get("low", low), given.get("high", high)))


def _work(library: Library, tables: Tables, given: dict[str, Any]) -> tuple[int, Callable[[Job], Any]]:
    """How many steps a computation takes, and what it does; what cannot be computed is refused before it starts."""
    own = library.desk(given["study"]).study.spec if "study" in given else None
    problem = _problem(tables, given) if own is None else own.problem
    kind, steps = given["kind"], explore.total_steps(problem)
    if kind == "complexity":
        epsilon = given.get("epsilon", problem.scale / 10)
        if not 0 < epsilon < 1e100:
            raise InvalidValueError(f"epsilon must be greater than 0, got {epsilon:g}.")
        return 9, lambda job: explore.measures(job, problem, epsilon)
    task = choices.task_of(given, problem, own)
    task.on(problem).environment(problem, problem.targets[0])  # raises where answers cannot be simulated
    if kind == "estimate":
        return steps, lambda job: explore.estimate(job, problem, task)
    if kind == "budget":
        cases = [("as it is", problem, task)]
        edited = _edited(tables, problem, given)
        if edited is not None:
            cases.append(("edited", edited, choices.task_of(given, edited, own)))
        return sum(explore.total_steps(each) for _, each, _ in cases), lambda job: explore.budget(job, cases)
    if kind == "compare":
        learners = explore.check_learners(given.get("learners", ["top-two", "elimination", "uniform"]))
        runs, horizon = _within("runs", given.get("runs", 20), 200), _within("horizon", given.get("horizon", 200), 2000)
        return len(learners) * runs * horizon, lambda job: explore.comparison(
            job, problem, task, learners, horizon, runs
        )
    raise InvalidValueError(f"there is no computation {kind!r}; choose estimate, budget, compare or complexity.")


def _edited(tables: Tables, problem: Problem, given: dict[str, Any]) -> Problem | None:
    """The problem with what is to be added, and without what is to be left out; None where nothing is."""
    more = [read_pasted(given["add"], problem.reward_range)] if "add" in given else []
    more += [tables.find(given["add_table"]).read(problem.reward_range)] if "add_table" in given else []
    edited = problem
    for each in more:
        edited = edited.append(each)
    dropped = {}
    for name in ("queries", "targets"):
        lines = filter(None, map(str.strip, given.get(f"drop_{name}", "").splitlines()))
        dropped[name] = [getattr(edited, name).find(line) for line in lines]
    edited = edited.drop(**dropped) if any(dropped.values()) else edited
    return None if edited is problem else edited


def _within(name: str, number: int, most: int) -> int:
    if not 1 <= number <= most:
        raise InvalidValueError(f"{name} must lie between 1 and {most:,}, got {number:,}.")
    return number
