"""Compiled runs give the arrays of the plain loop: every learner in every environment."""

from dataclasses import fields

import numpy as np
import pytest

from warmer import (
    LeastSquares,
    Optimistic,
    Problem,
    Thompson,
    TopTwo,
    UntilCertified,
    environments,
    families,
    goals,
    noise,
    simulate,
)
from warmer.learners import CATALOG, UCB1, Elimination, MaxInformation, Settings, Uniform, build
from warmer.model.errors import InvalidValueError
from warmer.simulation import ended_runs, engine

COMPILED = ["least-squares", "optimistic", "optimistic-paper", "thompson", "elimination", "ucb1", "uniform"]
PROVING = ["top-two", "max-information"]
FAMILIAR = ["exact", "coin", "uniform", "gaussian", "mean", "adversarial", "simulated-samples"]
N_RUNS, HORIZON, FIRST = 4, 50, 7
PRECISIONS = [
    pytest.param(np.float64, id="double"),
    pytest.param(np.float32, id="single", marks=pytest.mark.long),
]
"""Single precision is compiled once more, which takes half a minute."""


def a_table(dtype=np.float64, **options):
    return Problem.from_table(np.random.default_rng(5).uniform(-0.9, 0.9, (7, 11)).astype(dtype), **options)


def is_known(learner, answering):
    return engine.plan([learner], [answering], horizon=20, jobs=1) is not None


def both_ways(learners, several, seed=3, horizon=HORIZON, jobs=2, until=None, state=None):
    """Queries, rewards, what was settled on and what was proven: by the plain loop, and compiled."""
    arguments = {"horizon": horizon, "seed": seed, "first": FIRST, "jobs": jobs, "until": until, "state": state}
    assert engine.plan(learners, several, horizon=horizon, jobs=jobs, until=until, state=state) is not None
    compiled = simulate(learners, several, **arguments)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "plan", lambda *given, **more: None)
        plainly = simulate(learners, several, **arguments)
    return [
        [runs.queries.tolist(), np.nan_to_num(runs.rewards, nan=9.0).tolist(), runs.recommended, runs.proven]
        for runs in (plainly, compiled)
    ]


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("environment", FAMILIAR)
@pytest.mark.parametrize("learner", COMPILED + PROVING)
def test_compiled_runs_are_those_of_the_plain_loop(learner, environment, dtype):
    problem = a_table(dtype, forbidden=[False, True] + [False] * 5)
    player = build(learner, problem, Settings(alpha=0.5, delta=0.05, sigma=0.3, horizon=HORIZON))
    answering = environments.build(environment, problem, 2, width=0.3, n=3)
    plainly, compiled = both_ways([player] * N_RUNS, [answering] * N_RUNS)
    assert compiled == plainly


@pytest.mark.parametrize("environment", ["coin", "gaussian"])
@pytest.mark.parametrize(
    "learner",
    [
        lambda arms: LeastSquares(arms, alpha=0.7),
        lambda arms: Optimistic(arms, sigma=0.3),
        lambda arms: Optimistic(arms, "paper", horizon=HORIZON),
        lambda arms: Optimistic(arms, 0.5),
    ],
    ids=["least squares", "anytime", "paper", "radius"],
)
def test_compiled_runs_on_k_arms_are_those_of_the_plain_loop(learner, environment):
    arms = families.KArms(5, reward_range=(0, 1))
    player = learner(arms)
    answering = environments.build(environment, arms, np.array([0.1, 0.8, 0.4, 0.7, 0.2]), width=0.3)
    plainly, compiled = both_ways([player] * N_RUNS, [answering] * N_RUNS, horizon=120)
    assert compiled == plainly


@pytest.mark.parametrize("learner", COMPILED + PROVING)
def test_tables_of_several_blocks_and_many_answers_agree_too(learner):
    problem = Problem.from_table(np.random.default_rng(1).uniform(-0.5, 0.5, (9, 2600)))
    player = build(learner, problem, Settings(alpha=0.3, delta=0.05, sigma=0.3, horizon=400))
    plainly, compiled = both_ways([player] * 2, [environments.UniformNoise(problem, 2100)] * 2, horizon=400)
    assert compiled == plainly


@pytest.mark.parametrize("strategy", environments.STRATEGIES)
def test_every_strategy_of_an_adversary_is_compiled_as_it_is_plain(strategy):
    problem = a_table()
    answering = environments.Adversarial(problem, 4, tau=0.2, strategy=strategy)
    plainly, compiled = both_ways([build("ucb1", problem, Settings(0.5, 0.05, 0.3, 50))] * 2, [answering] * 2)
    assert compiled == plainly


def test_learners_and_environments_that_change_from_run_to_run_are_compiled():
    problem = a_table(reward_range=(-1, 3))
    several = [environments.build(name, problem, k) for k, name in enumerate(FAMILIAR)]
    learners = [LeastSquares(problem, alpha=float(problem.self_evaluations[k])) for k in range(len(several))]
    plainly, compiled = both_ways(learners, several)
    assert compiled == plainly


GOALS = {
    "best query": lambda n: goals.BestQuery(0.1),
    "target": lambda n: goals.WhichTarget(),
    "group": lambda n: goals.WhichGroup((list("abc") * n)[:n]),
    "value": lambda n: goals.ValueOf(np.random.default_rng(1).uniform(0, 1, n), 0.2),
    "threshold": lambda n: goals.BestAbove(0.8),
    "decision": lambda n: goals.BestDecision(np.random.default_rng(1).uniform(0, 1, (5, n)), 0.1),
}
NOISES = {
    "sub-Gaussian": noise.SubGaussian(0.4),
    "coins": noise.Coin(),
    "nothing declared": None,
    "bounded noise": noise.BoundedNoise(0.6),
}
SIZES = {"a small table": 30, "ruled out candidates put aside": 150}


def a_game(n_targets, tolerance=0.0, **options):
    """A table with so many candidates, and coins that one of them throws."""
    table = np.random.default_rng(5).uniform(-0.9, 0.9, (6, n_targets))
    problem = Problem.from_table(table, tolerance=tolerance, **options)
    return problem, [environments.Coin(problem, 2)] * 3


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("declared", NOISES)
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("base", ["uniform", "elimination", "optimistic"])
def test_compiled_runs_end_with_the_certificates_of_the_plain_loop(base, goal, declared, size):
    for tolerance in (0.0, 0.05):
        problem, several = a_game(SIZES[size], tolerance)
        learner = build(base, problem, Settings(alpha=0.25, delta=0.05, sigma=0.5, horizon=60))
        player = UntilCertified(learner, GOALS[goal](SIZES[size]), noise=NOISES[declared])
        plainly, compiled = both_ways([player] * 3, several, horizon=150, until=player.is_done)
        assert compiled == plainly


@pytest.mark.parametrize("is_ending", [True, False], ids=["until proven", "to the horizon"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("declared", NOISES)
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("kind", [TopTwo, MaxInformation])
def test_compiled_runs_prove_what_the_plain_loop_proves(kind, goal, declared, size, is_ending):
    restricted = {"tolerance": 0.05, "costs": [1, 2, 1, 3, 1, 1], "forbidden": [False, True] + [False] * 4}
    for options in ({}, restricted):
        problem, several = a_game(SIZES[size], **options)
        player = kind(problem, GOALS[goal](SIZES[size]), noise=NOISES[declared])
        until = player.is_done if is_ending else None
        plainly, compiled = both_ways([player] * 3, several, horizon=80, until=until)
        assert compiled == plainly


@pytest.mark.parametrize("is_ending", [True, False], ids=["until proven", "to the horizon"])
@pytest.mark.parametrize("goal", [goals.BestQuery(0.01), goals.WhichTarget()], ids=["best query", "target"])
def test_compiled_runs_that_contradict_every_candidate_end_as_plain_ones_do(goal, is_ending):
    problem = Problem.from_table(np.random.default_rng(5).uniform(-0.09, 0.09, (6, 70)))
    player = TopTwo(problem, goal, noise=noise.SubGaussian(0.1))
    answering = environments.Adversarial(problem, 0, tau=0.6, strategy="up")
    until = player.is_done if is_ending else None
    plainly, compiled = both_ways([player] * 2, [answering] * 2, horizon=40, until=until)
    assert compiled == plainly
    assert compiled[3] == (None, None)
    assert None not in compiled[2]


def test_runs_without_records_end_as_those_with_records_also_where_no_candidate_is_left():
    problem = Problem.from_table(np.random.default_rng(5).uniform(-0.09, 0.09, (6, 70)))
    player = UntilCertified(LeastSquares(problem, alpha=0.0), goals.BestQuery(0.01), noise=noise.SubGaussian(0.1))
    several = [environments.Adversarial(problem, 0, tau=tau, strategy="up") for tau in (0.01, 0.6)]
    found = list(ended_runs(player, several, seeds=[1, 2], horizon=60, runs=3))
    for ended, answering, seed in zip(found, several, (1, 2), strict=True):
        recorded = simulate(player, answering, horizon=60, runs=3, seed=seed, until=player.is_done)
        assert ended.n_answers.tolist() == recorded.n_answers.tolist()
        assert [None if answer < 0 else answer for answer in ended.proven.tolist()] == list(recorded.proven)
    assert found[1].proven.tolist() == [-1] * 3


def told(learner, answering, n_answers):
    """What the learner remembers after answers to any queries, some of them means of several."""
    rng = np.random.default_rng(n_answers)
    state, queries = learner.init(rng), rng.integers(len(learner.problem.queries), size=n_answers)
    for query, chance, count in zip(
        queries, answering.noise(n_answers, rng), rng.integers(1, 4, n_answers), strict=True
    ):
        state = learner.tell(state, int(query), answering.reward(int(query), chance), int(count))
    return state


@pytest.mark.parametrize("n_answers", [1, 2, 30])
@pytest.mark.parametrize("learner", COMPILED + PROVING)
def test_compiled_runs_go_on_after_answers_as_plain_ones_do(learner, n_answers):
    problem = a_table(forbidden=[False, True] + [False] * 5)
    player = build(learner, problem, Settings(alpha=0.5, delta=0.05, sigma=0.3, horizon=HORIZON))
    answering = environments.UniformNoise(problem, 2, width=0.4)
    state = told(player, answering, n_answers)
    plainly, compiled = both_ways([player] * N_RUNS, [answering] * N_RUNS, state=state)
    assert compiled == plainly
    assert compiled == both_ways([player] * N_RUNS, [answering] * N_RUNS, state=state)[1]  # it was not written on


@pytest.mark.parametrize("learner", [lambda arms: LeastSquares(arms, alpha=0.7), lambda arms: Optimistic(arms, 0.5)])
def test_compiled_runs_on_k_arms_go_on_after_answers_as_plain_ones_do(learner):
    arms = families.KArms(5, reward_range=(0, 1))
    player, answering = learner(arms), environments.Coin(arms, np.array([0.1, 0.8, 0.4, 0.7, 0.2]))
    plainly, compiled = both_ways([player] * 2, [answering] * 2, state=told(player, answering, 9))
    assert compiled == plainly


@pytest.mark.parametrize("n_answers", [3, 25])
@pytest.mark.parametrize("declared", NOISES)
@pytest.mark.parametrize("kind", ["uniform", "elimination", "optimistic-paper", TopTwo, MaxInformation])
def test_compiled_runs_prove_after_answers_what_plain_ones_prove(kind, declared, n_answers):
    for size in (30, 600):
        problem, several = a_game(size)
        goal = goals.BestQuery(0.02)
        if isinstance(kind, str):
            base = build(kind, problem, Settings(alpha=0.25, delta=0.05, sigma=0.5, horizon=60))
            player = UntilCertified(base, goal, noise=NOISES[declared])
        else:
            player = kind(problem, goal, noise=NOISES[declared])
        state = told(player, environments.Exact(problem, 2) if declared != "coins" else several[0], n_answers)
        plainly, compiled = both_ways([player] * 3, several, horizon=150, until=player.is_done, state=state)
        assert compiled == plainly


def test_runs_on_a_gpu_start_before_the_first_answer():
    problem = a_table()
    learner, coin = Uniform(problem), environments.Coin(problem, 1)
    state = learner.init(np.random.default_rng(0))
    assert simulate(learner, coin, horizon=3, seed=0, state=state).queries.shape == (1, 3)
    with pytest.raises(InvalidValueError, match="runs on a GPU start before the first answer"):
        simulate(UCB1(problem), coin, horizon=3, seed=0, engine="cuda", state=UCB1(problem).init(None))


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_many_likely_candidates_are_sampled_as_the_plain_loop_samples_them(dtype):
    table = np.random.default_rng(2).uniform(-0.5, 0.5, (8, 1500)).astype(dtype)
    problem = Problem.from_table(table)
    player = TopTwo(problem, goals.BestQuery(0.02), noise=noise.SubGaussian(0.3))
    answering = environments.TruncatedGaussian(problem, 77, sigma=0.3)
    plainly, compiled = both_ways([player] * 3, [answering] * 3, horizon=200, until=player.is_done)
    assert compiled == plainly


def test_what_is_settled_before_the_first_answer_ends_compiled_runs_at_once():
    problem = Problem.from_table([[0.5, 0.6], [0.1, 0.2]])
    player = UntilCertified(build("ucb1", problem, Settings(0.5, 0.05, 0.3, 50)), goals.BestQuery(0.1))
    plainly, compiled = both_ways([player] * 2, [environments.Coin(problem, 0)] * 2, until=player.is_done)
    assert compiled == plainly == [[[], []], [[], []], (0, 0), (0, 0)]


def test_certificates_that_compiled_runs_do_not_know_are_left_to_the_plain_loop():
    problem = a_table()
    undeclared = Problem.from_table(problem.rho, tolerance=None)
    for table, more in (
        (problem, {"noise": noise.Gaussian()}),
        (problem, {"prior": np.arange(1, 12)}),
        (undeclared, {"tolerance": 0.1}),
    ):
        base = build("uniform", table, Settings(0.3, 0.05, 0.3, 50))
        player = UntilCertified(base, goals.BestQuery(0.1), **more)
        coin = environments.Coin(table, 0)
        plan = engine.plan([player], [coin], horizon=20, jobs=1, until=player.is_done)
        assert (plan is None) == (table is not undeclared)
        assert engine.plan([player], [coin], horizon=20, jobs=1) is None
        assert engine.plan([base], [coin], horizon=20, jobs=1, until=player.is_done) is None


@pytest.mark.parametrize("learner", sorted(set(CATALOG) - {*COMPILED, *PROVING}))
def test_other_learners_are_left_to_the_plain_loop(learner):
    problem = a_table()
    player = build(learner, problem, Settings(alpha=0.3, delta=0.05, sigma=0.3, horizon=20))
    assert not is_known(player, environments.Coin(problem, 0))


def test_compiled_runs_know_every_setting_of_their_learners():
    """A new setting must be read, or sent to the plain loop, before it is listed here."""
    known = {
        LeastSquares: {"problem", "alpha"},
        Optimistic: {"problem", "radius", "delta", "sigma", "horizon"},
        Thompson: {"problem", "sigma", "noise"},
        Elimination: {"problem", "delta", "sigma"},
        UCB1: {"problem"},
        Uniform: {"problem"},
        TopTwo: {"problem", "goal", "noise", "delta", "prior", "tolerance"},
        MaxInformation: {"problem", "goal", "noise", "delta", "prior", "tolerance"},
        UntilCertified: {"base", "goal", "noise", "delta", "prior", "tolerance"},
        environments.Exact: {"problem", "target"},
        environments.Coin: {"problem", "target"},
        environments.UniformNoise: {"problem", "target", "width"},
        environments.TruncatedGaussian: {"problem", "target", "sigma"},
        environments.SampleMean: {"problem", "target", "n"},
        environments.Adversarial: {"problem", "target", "tau", "strategy"},
        environments.SimulatedSamples: {"adversary"},
    }
    assert {kind: {field.name for field in fields(kind)} for kind in known} == known


def test_what_compiled_runs_do_not_know_is_left_to_the_plain_loop():
    class Mine(LeastSquares):
        """A learner of the user's own."""

    problem = a_table()
    coin, known = environments.Coin(problem, 0), LeastSquares(problem, alpha=0.3)
    assert not is_known(Thompson(problem, noise=noise.Coin()), coin)
    assert is_known(known, coin)
    assert not is_known(Mine(problem, alpha=0.3), coin)
    assert (
        engine.plan([known], [environments.FunctionEnvironment(problem, lambda query: 0.5)], horizon=20, jobs=1) is None
    )
    odd = environments.Adversarial(problem, 0, tau=0.1, strategy=environments.towards(0.0))
    assert not is_known(known, odd)
    assert not is_known(LeastSquares(families.Sphere(3), alpha=1.0), coin)
    turned = Problem.from_table(np.asfortranarray(problem.rho))
    if not turned.rho.flags.c_contiguous:
        assert not is_known(LeastSquares(turned, alpha=0.3), coin)


@pytest.mark.parametrize("name", ["least-squares", "thompson", "top-two"])
def test_arrays_do_not_depend_on_jobs_nor_on_how_runs_are_divided(name):
    problem = a_table()
    player = build(name, problem, Settings(alpha=0.5, delta=0.05, sigma=0.3, horizon=30))
    coin = environments.Coin(problem, 1)
    whole = simulate(player, coin, horizon=30, runs=23, seed=8, jobs=1)
    for jobs in (2, 4, None):
        again = simulate(player, coin, horizon=30, runs=23, seed=8, jobs=jobs)
        assert (again.queries.tolist(), again.rewards.tolist()) == (whole.queries.tolist(), whole.rewards.tolist())
    for first, runs in ((0, 7), (7, 1), (8, 15)):
        part = simulate(player, coin, horizon=30, runs=runs, first=first, seed=8)
        assert part.queries.tolist() == whole.queries[first : first + runs].tolist()
        assert part.rewards.tolist() == whole.rewards[first : first + runs].tolist()


def test_what_goes_wrong_in_a_thread_is_raised(monkeypatch):
    def fail(*_):
        raise IndexError("no such row")

    monkeypatch.setattr("warmer.simulation.engine.kernels.play.play", fail)
    table = a_table()
    with pytest.raises(IndexError, match="no such row"):
        simulate(Uniform(table), environments.Coin(table, 1), horizon=5, seed=0)
