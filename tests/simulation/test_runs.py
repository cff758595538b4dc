"""The loop: seeds, shapes, functions as environments, and what it refuses."""

from collections.abc import Sequence

import numpy as np
import pytest

from warmer import (
    InvalidValueError,
    LeastSquares,
    Optimistic,
    Problem,
    ProtocolError,
    Thompson,
    UntilCertified,
    environments,
    families,
    goals,
    noise,
    problems,
    simulate,
)
from warmer.simulation.streams import ENVIRONMENT, key_of, stream

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


def test_the_noise_of_a_run_is_the_beginning_of_its_own_stream():
    learner, environment = LeastSquares(PROBLEM, alpha=0.5), environments.UniformNoise(PROBLEM, 1, width=0.25)
    runs = simulate(learner, environment, horizon=20, runs=2, seed=3)
    for run in range(2):
        noise = environment.noise(20, stream(key_of(3), run, ENVIRONMENT))
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
    with pytest.raises(ProtocolError, match="this environment has no declared target"):
        runs.regret(0.5)


@pytest.mark.parametrize("answer", [float("nan"), 1.5, None, "warm"])
def test_a_function_that_answers_nonsense_is_named_with_the_query(answer):
    with pytest.raises(InvalidValueError, match=r"the answer to 'right' must be a number in \[-1, 1\], got"):
        simulate(LeastSquares(PROBLEM, alpha=0.5), lambda query: answer, horizon=4, seed=0)


def test_progress_counts_every_round():
    rounds = []
    thompson_runs(horizon=600, runs=2, progress=rounds.append)
    assert sum(rounds) == 1200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"horizon": 0}, "horizon must be at least 1, got 0"),
        ({"runs": 0}, "runs must be at least 1"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"jobs": 0}, "jobs must be at least 1"),
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


def test_runs_may_start_anywhere_and_are_the_same():
    all_of_them, later = thompson_runs(runs=5), thompson_runs(runs=2, first=3)
    assert (later.queries == all_of_them.queries[3:]).all()
    assert (later.rewards == all_of_them.rewards[3:]).all()
    one = all_of_them[-1]
    assert (one.first, one.queries.tolist(), len(one)) == (4, all_of_them.queries[[4]].tolist(), 1)
    with pytest.raises(IndexError):
        all_of_them[5]


def test_every_run_may_have_a_learner_and_an_environment_of_its_own():
    several = [environments.Coin(PROBLEM, target) for target in (0, 1)]
    learners = [LeastSquares(PROBLEM, alpha=answering.alpha_star) for answering in several]
    together = simulate(learners, several, horizon=20, seed=4)
    for k, (learner, answering) in enumerate(zip(learners, several, strict=True)):
        alone = simulate(learner, answering, horizon=20, seed=4, first=k)
        assert together.rewards[k].tolist() == alone.rewards[0].tolist()
        assert together.regret()[k] == alone.regret()[0] == alone.regret(answering.alpha_star)[0]
        assert (together[k].learner, together[k].environment) == (learner, answering)
    same = simulate(learners[0], several, horizon=20, seed=4)
    assert same.rewards[0].tolist() == together.rewards[0].tolist()


def test_runs_that_end_early_know_their_number_of_answers_and_what_they_settled_on():
    base, several = Optimistic(PROBLEM, sigma=0.5), [environments.UniformNoise(PROBLEM, target) for target in range(3)]
    learner = UntilCertified(base, goals.BestQuery(0.25), noise=noise.SubGaussian(0.5))
    early = simulate(learner, several, horizon=600, seed=1, until=learner.is_done)
    whole = simulate(base, several, horizon=600, seed=1)
    assert early.horizon == 600
    for k, n in enumerate(early.n_answers):
        assert 0 < n < 600
        assert early.rewards[k, :n].tolist() == whole.rewards[k, :n].tolist()
        assert np.isnan(early.rewards[k, n:]).all()
        assert (early.queries[k, n:] == -1).all()
        assert early.regret()[k] == pytest.approx((several[k].alpha_star - early.means[k, :n]).sum())
        assert several[k].means[early.recommended[k]] >= several[k].alpha_star - 0.25
    assert whole.recommended == ()
    assert simulate(learner, several[0], horizon=1, seed=1, until=learner.is_done).recommended == (None,)


def test_what_all_agree_on_needs_no_answer():
    problem = Problem.from_table([[0.5, 0.6], [0.1, 0.2]])
    learner = UntilCertified(Optimistic(problem, sigma=0.5), goals.BestQuery(0.1))
    runs = simulate(learner, environments.Coin(problem, 0), horizon=9, runs=2, seed=0, until=learner.is_done)
    assert (runs.n_answers.tolist(), runs.recommended, runs.regret().tolist()) == ([0, 0], (0, 0), [0, 0])


class Counting:
    """Asks the first query, and knows how often it has been answered."""

    problem = PROBLEM

    def init(self, rng):
        return 0

    def ask(self, state, rng):
        return 0

    def tell(self, state, query, reward, count=1):
        return state + count


@pytest.mark.parametrize(("n", "rounds"), [(300, [256, 44]), (256, [256, 0]), (0, [0]), (601, [256, 256, 88])])
def test_a_predicate_of_the_state_ends_a_run(n, rounds):
    told = []
    runs = simulate(
        Counting(),
        environments.Coin(PROBLEM, 0),
        horizon=600,
        runs=2,
        seed=0,
        until=lambda state: state >= n,
        progress=told.append,
    )
    assert runs.n_answers.tolist() == [min(n, 600)] * 2
    assert told == rounds * 2


def test_vectors_after_the_end_of_a_run_are_no_numbers():
    sphere = families.Sphere(3)
    learner = LeastSquares(sphere, alpha=1.0)
    several = [environments.Exact(sphere, target) for target in np.eye(3)]
    seen = iter(range(100))
    runs = simulate(learner, several, horizon=20, seed=0, until=lambda state: next(seen) in (5, 12))
    assert runs.n_answers.tolist() == [5, 6, 20]
    assert np.isnan(runs.queries[0, 5:]).all()
    assert runs.alpha_star == pytest.approx(1.0)
    assert runs.regret() == pytest.approx(runs.n_answers - np.nansum(runs.means, axis=1))


def test_the_best_value_is_that_of_the_best_allowed_query():
    problem = Problem.from_similarity([[0.5, 0.9], [0.75, 0.2]], forbidden=[False, True])
    assert [environments.Exact(problem, target).alpha_star for target in (0, 1)] == [0.5, 0.9]
    assert environments.Exact(problems.treasure(side=3), "B2").alpha_star == 1


@pytest.mark.parametrize(
    ("n_learners", "n_environments", "runs"), [(2, 3, 1), (0, 1, 1), (2, 2, 3)], ids=["differ", "none", "runs"]
)
def test_sequences_that_do_not_fit_together_are_refused(n_learners, n_environments, runs):
    learners, several = [Thompson(PROBLEM)] * n_learners, [environments.Coin(PROBLEM, 0)] * n_environments
    with pytest.raises(InvalidValueError, match="one learner or one per run, one environment or one per run"):
        simulate(learners, several, horizon=3, seed=0, runs=runs)


def test_learners_of_different_problems_are_refused():
    other = Problem.from_table([[0.0]])
    with pytest.raises(InvalidValueError, match="built on the same problem"):
        simulate([Thompson(PROBLEM), Thompson(other)], environments.Coin(PROBLEM, 0), horizon=3, seed=0)


def test_environments_that_are_made_one_by_one_as_they_are_looked_at():
    class Made(Sequence):
        def __len__(self):
            return 3

        def __getitem__(self, k):
            if k >= 3:
                raise IndexError
            return environments.Coin(PROBLEM, k)

    made = simulate(LeastSquares(PROBLEM, alpha=0.5), Made(), horizon=20, seed=1)
    assert [each.target for each in made.environments] == [0, 1, 2]
