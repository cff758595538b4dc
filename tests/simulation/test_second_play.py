"""Learners and environments that change while they play are noticed: the first rounds are played a second time."""

import numpy as np
import pytest

from tests.simulation.test_plain import PROBLEM, Answering, Asking
from tests.simulation.test_players import Adversary, Remembering, Resetting
from warmer import InvalidValueError, Thompson, UntilCertified, environments, goals, simulate


def test_an_environment_whose_budget_leaks_from_run_to_run_is_noticed():
    with pytest.raises(
        InvalidValueError, match=r"^run 0, seed 0, played a second time: in round \d Adversary answers 0 to"
    ) as found:
        simulate(Asking(0), Adversary(), horizon=30, runs=20, seed=0)
    assert "Give each run one of its own by a factory" in str(found.value)
    assert len(found.value.runs) == 20
    assert not found.value.runs.is_interrupted


def test_a_learner_that_remembers_runs_is_noticed():
    for learner in (Remembering(), UntilCertified(Remembering(), goals.WhichTarget())):
        with pytest.raises(
            InvalidValueError, match=r"in round 1 Remembering asks for 'middle' where it asked for 'left'"
        ):
            simulate(learner, environments.Coin(PROBLEM, 0), horizon=30, runs=3, seed=0)


def test_chance_of_ones_own_is_noticed():
    class Drawing(Answering):
        own = np.random.default_rng(0)

        def reward(self, query, t):
            return float(self.own.random())

    with pytest.raises(InvalidValueError, match=r"Drawing answers .* draws chance of its own"):
        simulate(Asking(0), Drawing(0), horizon=30, runs=2, seed=0)
    with pytest.raises(InvalidValueError, match=r"Drawing answers .* draws chance of its own"):
        simulate(Asking(0), lambda: Drawing(0), horizon=30, runs=2, seed=0)


def test_a_function_that_draws_chance_of_its_own_is_a_caveat():
    rng = np.random.default_rng(0)
    runs = simulate(Asking(0), lambda label: float(rng.random()), horizon=30, runs=3, seed=0)
    [caveat] = runs.caveats
    assert caveat.startswith("run 0, seed 0, played a second time: in round 1 the function answers 0.")
    assert runs[1].caveats == runs.caveats


def test_a_function_that_ends_is_a_caveat_of_the_runs_that_it_answered():
    answers = iter(np.full(60, 0.5).tolist())
    runs = simulate(Asking(0), lambda label: next(answers), horizon=30, runs=2, seed=0)
    assert len(runs) == 2
    assert (
        "it breaks off (run 0, round 1, seed 0, query 'left': FunctionEnvironment.reward() raised StopIteration)"
        in runs.caveats[0]
    )


@pytest.mark.parametrize("horizon", [30, 256, 700])
def test_noise_that_draws_one_column_after_the_other_is_no_change(horizon):
    class InColumns(Answering):
        def noise(self, horizon, rng):
            return np.column_stack([rng.random(horizon), rng.random(horizon)])

        def reward(self, query, row):
            return float(row.min() > 0 and row[1] < PROBLEM.rho[query, 0])

    assert simulate(Asking(0), InColumns(0), horizon=horizon, runs=3, seed=0).caveats == ()


def test_parts_that_keep_nothing_are_played_again_in_silence():
    for answering in (Resetting(), environments.Coin(PROBLEM, 0), Answering(0.25), lambda label: 0.5):
        assert simulate(Asking(0), answering, horizon=30, runs=3, seed=0).caveats == ()
    assert simulate(Thompson(PROBLEM), Answering(0.25), horizon=30, runs=3, seed=0).caveats == ()


def test_it_can_be_turned_off_and_one_run_is_never_played_again():
    assert len(simulate(Asking(0), Adversary(), horizon=30, runs=20, seed=0, replay=False)) == 20
    assert len(simulate(Asking(0), Adversary(), horizon=30, seed=0)) == 1
    assert len(simulate(Asking(0), [Adversary(), Adversary()], horizon=30, seed=0)) == 2


@pytest.mark.parametrize(("horizon", "runs", "n_more"), [(30, 20, 30), (100, 2, 10), (3, 2, 1), (30_000, 2, 1000)])
def test_a_twentieth_of_the_rounds_is_played_again(horizon, runs, n_more):
    heard = []
    simulate(Asking(0), lambda label: heard.append(label) or 0.5, horizon=horizon, runs=runs, seed=0)
    assert len(heard) == horizon * runs + n_more


def test_until_and_progress_hear_nothing_of_the_second_play():
    seen, told = [], []
    simulate(
        Asking(0),
        lambda label: 0.5,
        horizon=30,
        runs=3,
        seed=0,
        until=lambda state: seen.append(state) or state == 20,
        progress=told.append,
    )
    assert (len(seen), sum(told)) == (63, 60)


def test_a_second_play_starts_from_the_same_state_and_number():
    class Dealing(Answering):
        def noise(self, horizon, rng):
            return rng.random(horizon)

        def reward(self, query, chance):
            return float(chance < 0.25)

    runs = simulate(Asking(0), Dealing(0), horizon=300, runs=3, seed=5, first=7, state=40)
    assert runs.caveats == ()
    assert len(runs) == 3


class Counting(Answering):
    """Knows the round by counting the rows of noise that it gives."""

    def noise(self, horizon, rng):
        return np.column_stack([np.arange(horizon), rng.random(horizon)])

    def reward(self, query, row):
        return float(row[0] < 100)


def test_a_counter_in_the_noise_that_starts_again_with_every_block_is_noticed():
    with pytest.raises(
        InvalidValueError, match=r"^Counting\.noise\(\) counts rounds, and starts again after every 256: "
    ) as found:
        simulate(Asking(0), Counting(0), horizon=600, seed=0)
    assert found.value.runs.n_answers.tolist() == [600]
    assert simulate(Asking(0), Counting(0), horizon=256, seed=0).rewards.sum() == 100


def test_noise_that_repeats_as_it_should_is_none_of_that():
    class Alternating(Counting):
        def noise(self, horizon, rng):
            return np.tile([0, 1], horizon)[:horizon, None]

    class Told(Counting):
        def noise(self, horizon, rng, start):
            return np.arange(start, start + horizon)[:, None]

    assert simulate(Asking(0), Alternating(0), horizon=600, seed=0).rewards.sum() == 600
    assert simulate(Asking(0), Told(0), horizon=600, runs=2, seed=0).rewards.sum() == 200
    assert len(simulate(Asking(0), Answering(0.5), horizon=600, runs=2, seed=0)) == 2


def test_ctrl_c_keeps_the_finished_runs_and_plays_nothing_again():
    def until_ctrl_c(n):
        heard = []

        def answer(label):
            heard.append(label)
            if len(heard) > n:
                raise KeyboardInterrupt
            return 0.5

        return heard, answer

    heard, answer = until_ctrl_c(75)
    runs = simulate(Asking(0), answer, horizon=30, runs=20, seed=0)
    assert (len(runs), runs.is_interrupted, runs.caveats, len(heard)) == (2, True, (), 76)
    heard, answer = until_ctrl_c(60)
    runs = simulate(Asking(0), answer, horizon=30, runs=2, seed=0)
    assert (len(runs), runs.is_interrupted, runs.caveats, len(heard)) == (2, False, (), 61)
