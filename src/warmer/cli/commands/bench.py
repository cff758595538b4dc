"""`warmer bench`: the time each learner takes per query on this machine."""

from typing import Annotated, Any

from warmer import environments
from warmer.analysis import draw_targets
from warmer.cli.commands.simulate import sensible_learners
from warmer.cli.console import progress
from warmer.cli.json_output import problem_form
from warmer.cli.options import LearnerNames, RewardRange, Seed, Source, Square, option
from warmer.cli.problem_argument import find_problem
from warmer.cli.tables import new_table, size_of
from warmer.learners import Settings, build
from warmer.model.checks import check_positive
from warmer.simulation import pass_seconds, step_seconds


def bench(
    problem: Source = "random_table:n_queries=200,n_targets=2000",
    learner: LearnerNames = None,
    seconds: Annotated[float, option("S", "Seconds for which each learner is timed.")] = 0.5,
    seed: Seed = 0,
    square: Square = None,
    reward_range: RewardRange = None,
) -> Any:
    """Measure each learner's time per query.

    A query is one ask and one tell; one NumPy pass over the targets is timed for comparison. Each time is the smallest
    of many, because other load on the machine only adds. Answers have uniform noise.
    """
    table = find_problem(problem, square, reward_range)
    check_positive("seconds", seconds)
    truth = draw_targets(table, runs=1, seed=seed)[0]
    environment = environments.build("uniform", table, truth, width=table.scale / 2, n=1)
    level = float(table.self_evaluations[table.targets.position(truth)])
    settings = Settings(alpha=level, delta=0.05, sigma=environment.sigma, horizon=1000, epsilon=table.scale / 10)
    names = list(dict.fromkeys(learner or sensible_learners(table)))
    players = {name: build(name, table, settings) for name in names}
    times = {}
    with progress("timing", total=len(players) + 1) as advance:
        a_pass = pass_seconds(table, seconds=seconds)
        for name, player in players.items():
            advance(1)
            times[name] = step_seconds(player, environment, seconds=seconds, seed=seed)
    found = [{"learner": name, "seconds": time, "steps_per_second": 1 / time} for name, time in times.items()]
    rows = (
        (name, f"{1e6 * time:,.1f}", f"{1 / time:,.0f}", f"{time / a_pass:,.1f}")
        for name, time in sorted(times.items(), key=lambda item: item[1])
    )
    return (
        {"source": problem, "problem": problem_form(table), "pass_seconds": a_pass, "learners": found},
        f"{problem}, {size_of(table)}. One NumPy pass over the targets takes {1e6 * a_pass:,.1f} microseconds.",
        "",
        new_table(("learner", "microseconds/query", "queries/s", "passes/query"), rows, numbers=3),
    )
