"""The loop: seeds, shapes, functions as environments, and what it refuses."""

import numpy as np
import pytest

from warmer import InvalidValueError, LeastSquares, Problem, ProtocolError, Thompson, environments, simulate

PROBLEM = Problem.from_table([[0.0, 1.0, 0.5], [0.5, 0.0, 0.25]], queries=["left", "right"])


def thompson_runs(**options):
    return simulate(Thompson(PROBLEM), environments.Coin(PROBLEM, 0), **{"horizon": 30, "seed": 4, **options})


def test_arrays_are_runs_by_horizon_and_hold_indices():
    runs = thompson_runs(runs=3)
    assert runs.queries.shape == runs.rewards.shape == (3, 30)
    assert set(np.unique(runs.queries)) <= {0, 1}
    assert set(np.unique(runs.rewards)) <= {-1.0, 1.0}


def test_a_run_does_not_depend_on_how_many_others_there_are_nor_on_what_else_happens():
    few = thompson_runs(runs=2)
    np.random.seed(0)  # noqa: NPY002  a global seed set by somebody else must not matter
    many = thompson_runs(runs=5)
    assert (few.queries == many.queries[:2]).all()
    assert (few.rewards == many.rewards[:2]).all()


def test_different_seeds_and_different_runs_differ():
    runs = thompson_runs(runs=2)
    assert (runs.rewards[0] != runs.rewards[1]).any()
    assert (runs.rewards[0] != thompson_runs(seed=5).rewards[0]).any()


def test_the_noise_of_a_run_is_one_block_of_its_own_spawned_generator():
    """What a compiled engine has to reproduce."""
    learner, environment = LeastSquares(PROBLEM, alpha=0.5), environments.UniformNoise(PROBLEM, 1, width=0.25)
    runs = simulate(learner, environment, horizon=20, runs=2, seed=3)
    for run, seeds in enumerate(np.random.SeedSequence(3).spawn(2)):
        _, environment_seed = seeds.spawn(2)
        noise = environment.noise(20, np.random.default_rng(environment_seed))
        expected = [environment.reward(q, u) for q, u in zip(runs.queries[run], noise, strict=True)]
        assert runs.rewards[run].tolist() == expected


def test_regret_is_counted_against_any_alpha():
    runs = thompson_runs(runs=2)
    means = np.array([0.0, 0.5])[runs.queries]
    assert runs.regret(0.5) == pytest.approx(30 * 0.5 - means.sum(axis=1))
    assert (runs.regret(-1.0) < 0).all()


def test_a_plain_function_is_an_environment_that_hears_labels():
    heard = []

    def answer(query):
        heard.append(query)
        return {"left": 0.25, "right": 0.5}[query]

    runs = simulate(LeastSquares(PROBLEM, alpha=0.5), answer, horizon=4, seed=0)
    assert heard == [PROBLEM.queries[q] for q in runs.queries[0]]
    with pytest.raises(ProtocolError, match="keeps no target"):
        runs.regret(0.5)


@pytest.mark.parametrize("answer", [float("nan"), 1.5, None, "warm"])
def test_a_function_that_answers_nonsense_is_named_with_the_query(answer):
    with pytest.raises(InvalidValueError, match=r"the answer to 'right' must be a number in \[-1, 1\], got"):
        simulate(LeastSquares(PROBLEM, alpha=0.5), lambda query: answer, horizon=4, seed=0)


def test_progress_counts_every_round():
    rounds = []
    thompson_runs(horizon=600, runs=2, progress=rounds.append)
    assert rounds == [256, 256, 88] * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"horizon": 0}, "horizon must be at least 1, got 0"),
        ({"runs": 0}, "runs must be at least 1"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"seed": 0.5}, "seed must be a whole number"),
    ],
)
def test_sizes_that_mean_nothing_are_refused(options, message):
    with pytest.raises(InvalidValueError, match=message):
        thompson_runs(**options)


def test_an_environment_of_another_problem_is_refused():
    other = Problem.from_table([[0.0]])
    with pytest.raises(InvalidValueError, match="build both on the same problem"):
        simulate(Thompson(PROBLEM), environments.Coin(other, 0), horizon=3, seed=0)
    with pytest.raises(InvalidValueError, match="an environment answers queries; got int"):
        simulate(Thompson(PROBLEM), 3, horizon=3, seed=0)
