"""K arms: the evidence is what the page says, certificates are right, and the goals have their words."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.certification.crowds import Crowd, Law, arms_crowd, coin, either, normal
from tests.certification.worlds import most_allowed
from warmer import Session, TopTwo, UntilCertified, goals, noise
from warmer.certification import FamilyCertificate, certifier_for
from warmer.certification.continuous.arms import ArmsModel
from warmer.certification.one_sided import mixed
from warmer.families import KArms, ReLU, Separation
from warmer.learners import MaxInformation, Thompson
from warmer.model.errors import InvalidValueError, ProtocolError

DECLARED = [
    noise.Coin(),
    noise.Bounded(),
    noise.SubGaussian(0.5),
    noise.SubGaussian([0.5, 0.25]),
    noise.BoundedNoise(0.5),
]


def plain_capitals(bets: np.ndarray, answers: list[float], x: float) -> np.ndarray:
    """The capital of each bet that the mean is above x, answer by answer."""
    capital, seen = np.ones(len(bets)), [0.5]
    for answer in answers:
        forecast = sum(seen) / len(seen)
        for j, (theta, cost, price, is_coin) in enumerate(bets):
            if is_coin:
                capital[j] *= np.exp(theta * answer) / (1 - x + x * np.exp(theta))
            else:
                capital[j] *= np.exp(theta * (answer - x) - cost - price * (answer - forecast) ** 2)
        seen.append(answer)
    return capital


def plain_pair(bets: np.ndarray, first: list[float], second: list[float], epsilon: float) -> float:
    """The least mixed capital over a fine grid of means x and x + epsilon."""
    joint, other = mixed(bets), [1 - answer for answer in second]
    return min(
        float(np.log(plain_capitals(bets[0], first, x) @ joint @ plain_capitals(bets[1], other, 1 - x - epsilon)))
        for x in np.linspace(0, 1 - epsilon, 201)
    )


answers = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=6)


@settings(deadline=None, max_examples=60)
@given(answers, answers, st.sampled_from(DECLARED), st.sampled_from([0.05, 0.2]))
def test_the_evidence_between_two_arms_is_the_least_product_of_their_bets(first, second, declared, epsilon):
    model = ArmsModel(KArms(2, reward_range=(0, 1)), declared, 0.05)
    data = model.start()
    for arm, told in enumerate((first, second)):
        for answer in told:
            data = model.update(data, arm, answer)
    slow = {
        leader: plain_pair(model.bets(epsilon)[[leader, 1 - leader]], *pair, epsilon)
        for leader, pair in ((0, (first, second)), (1, (second, first)))
    }
    verdict = model.question(goals.BestQuery(epsilon)).judge(data)
    fast = verdict.detail[0][1 - verdict.answer]
    assert fast <= slow[verdict.answer] + 1e-9
    assert fast >= slow[verdict.answer] - 0.05


@settings(deadline=None, max_examples=60)
@given(answers, st.sampled_from(DECLARED), st.floats(0.01, 0.99))
def test_the_evidence_that_a_mean_is_above_a_level_is_the_mean_capital(told, declared, level):
    model = ArmsModel(KArms(2, reward_range=(0, 1)), declared, 0.05)
    data = model.start()
    for answer in told:
        data = model.update(data, 0, answer)
    bets = model.bets(0.1)
    slow = np.log(plain_capitals(bets[0], told, level) @ mixed(bets).sum(axis=0))
    assert np.isclose(model.above(0.1, data, 0, level), slow)
    below = np.log(plain_capitals(bets[0], [1 - answer for answer in told], 1 - level) @ mixed(bets).sum(axis=0))
    assert np.isclose(model.below(0.1, data, 0, level), below)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=6), st.floats(0.01, 0.99))
def test_the_mean_of_several_answers_is_never_more_evidence_than_the_answers(told, level):
    model = ArmsModel(KArms(1, reward_range=(0, 1)), noise.Bounded(), 0.05)
    one_forecast = model.update(model.start(), 0, float(np.mean(told)), len(told))
    surprises = sum((answer - 0.5) ** 2 for answer in told)
    assert one_forecast.surprises[0] >= surprises - 1e-12
    assert one_forecast.counts[0] == len(told)


def is_false(goal: Any, answer: Any, means: Any) -> bool:
    """Whether an answer is wrong."""
    means = np.array(means)
    if isinstance(goal, goals.BestQuery):
        return bool(means[answer] < means.max() - goal.epsilon)
    if isinstance(goal, goals.BestAbove):
        return bool(
            means.max() <= goal.threshold - goal.epsilon if answer else means.max() > goal.threshold + goal.epsilon
        )
    value = means.max() if isinstance(goal.values, str) else means @ np.array(goal.values)
    return not answer[0] <= value <= answer[1]


Case = tuple[Any, Law, Any, list[float]]
CASES: list[Case] = [
    (noise.Coin(), coin, goals.BestQuery(0.3), [0.3, 0.301 + 0.3, 0.3]),
    (noise.Coin(), coin, goals.BestQuery(0.1), [0.02, 0.1201]),
    (noise.Bounded(), either(0.25), goals.BestQuery(0.2), [0.4, 0.601, 0.4]),
    (noise.Bounded(), coin, goals.BestAbove(0.3), [0.3, 0.3, 0.3]),
    (noise.SubGaussian(0.25), normal(0.25), goals.BestQuery(0.2), [0.4, 0.601]),
    (noise.SubGaussian(0.25), normal(0.25), goals.BestAbove(0.5, epsilon=0.1), [0.601, 0.3]),
    (noise.BoundedNoise(0.25), either(0.25), goals.ValueOf("best", 0.2), [0.5, 0.5]),
    (noise.SubGaussian(0.25), normal(0.25), goals.ValueOf([1.0, -1.0], 0.25), [0.5, 0.25]),
]


def certifier_of(case: Case, delta: float, declared: Any = None) -> Any:
    honest, _, goal, means = case
    arms = KArms(len(means), reward_range=(-0.5, 1.5) if isinstance(honest, noise.SubGaussian) else (0, 1))
    return certifier_for(arms, goal, noise=declared or honest, delta=delta)


def n_wrong(case: Case, n_runs: int, delta: float, declared: Any = None) -> int:
    """How often something false is certified in 200 answers, to arms asked where luck helps the false answer."""
    _, law, goal, means = case
    certifier = certifier_of(case, delta, declared)
    wrong, rng, truth = 0, np.random.default_rng(5), np.array(means)
    for _ in range(n_runs):
        state = certifier.start()
        for t in range(200):
            arm = t % truth.size if t < 3 * truth.size else certifier.most_telling(state, rng)
            state = certifier.update(state, arm, float(law(rng, truth[arm])))
            if certifier.is_settled(state):
                break
        wrong += certifier.is_settled(state) and is_false(goal, state.settled, truth)
    return wrong


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}, {type(case[2]).__name__}")
def test_false_certificates_are_rare(case):
    assert n_wrong(case, 60, 0.3) <= most_allowed(60, 0.3)


def crowd_of(case: Case, n_runs: int, law: Law | None = None) -> Crowd:
    _, honest, goal, means = case
    return arms_crowd(certifier_of(case, 0.3).model, goal, np.array(means), law or honest, n_runs, horizon=150)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}, {type(case[2]).__name__}")
def test_the_truth_is_rarely_ruled_out_in_ten_thousand_runs(case):
    crowd = crowd_of(case, 10_000)
    assert crowd.is_covered()
    certifier, is_lost = certifier_of(case, 0.3), crowd.is_lost(0.3)
    for run in crowd.some(0.3):
        state = crowd.told(certifier, run)
        assert is_lost[run] or not certifier.is_settled(state) or not is_false(case[2], state.settled, case[3])


@pytest.mark.parametrize("case", [CASES[4], CASES[5], CASES[7]], ids=lambda case: type(case[2]).__name__)
def test_noise_louder_than_declared_is_found_out(case):
    assert crowd_of(case, 200).is_covered()
    assert not crowd_of(case, 200, normal(0.75)).is_covered()


class Forgetful(noise.SubGaussian):
    """The cost per answer is missing."""

    def bets(self, family, scale):
        bets = super().bets(family, scale)
        bets[..., 1] = 0
        return bets


def test_bets_that_cost_nothing_are_found_out():
    case = CASES[4]
    assert n_wrong(case, 200, 0.05, Forgetful(0.25)) > most_allowed(200, 0.05)
    assert n_wrong(case, 200, 0.05) <= most_allowed(200, 0.05)


def played(session: Session, means: dict[str, float], most: int = 3000) -> FamilyCertificate:
    rng = np.random.default_rng(0)
    while not session.is_done and len(session.history) < most:
        arm = session.ask()
        session.tell(arm, float(rng.random() < means[arm]))
    certificate = session.certificate()
    assert isinstance(certificate, FamilyCertificate)
    return certificate


MEANS = {"A": 0.2, "B": 0.8, "C": 0.4}
ARMS = KArms(3, labels=MEANS, reward_range=(0, 1))


@pytest.mark.parametrize(
    ("goal", "answer", "words"),
    [
        (goals.BestQuery(0.1), "B", "proven: 'B' is within 0.1 of the best query, with probability at least 0.95"),
        (goals.BestAbove(0.6), True, "proven: some query is worth more than 0.6, with probability at least 0.95"),
        (goals.BestAbove(0.95), False, "proven: no query is worth more than 0.95, with probability at least 0.95"),
        (goals.BestAbove(-1), True, "proven: some query is worth more than -1, with probability at least 0.95"),
        (goals.BestAbove(1), False, "proven: no query is worth more than 1, with probability at least 0.95"),
    ],
)
def test_a_session_with_arms_ends_with_a_proof(goal, answer, words):
    certificate = played(Session(ARMS, goal=goal, noise=noise.Coin()), MEANS)
    assert certificate.answer == answer
    assert str(certificate) == words


@pytest.mark.parametrize(("values", "value"), [("best", 0.8), ({"B": 1.0, "A": -1.0}, 0.6), ([0, 0, 1], 0.4)])
def test_values_are_known_up_to_the_tolerance(values, value):
    session = Session(ARMS, goal=goals.ValueOf(values, 0.15), noise=noise.Coin())
    low, high = played(session, MEANS).answer
    assert low <= value <= high
    assert np.isclose(high - low, 0.3)
    assert session.recommend() == "B" or values == [0, 0, 1]


def test_what_is_open_and_what_is_known_is_said():
    session = Session(ARMS, goal=goals.BestQuery(0.1), noise=noise.Coin())
    session.tell("B", 0.9, count=10)
    certificate = session.certificate()
    assert str(certificate) == "not yet proven: 'B' leads, and 2 queries leave it open"
    assert set(certificate.objectors) == {"A", "C"}
    assert certificate.intervals["A"] == (0.0, 1.0)
    assert certificate.intervals["B"][0] > 0.2
    assert not session.is_misspecified
    with pytest.raises(ProtocolError, match="intervals says what is"):
        _ = session.remaining


def test_one_session_speaks_of_several_goals():
    session = Session(ARMS, goal=goals.BestQuery(0.1), noise=noise.Coin())
    played(session, MEANS)
    assert session.certificate(goals.BestAbove(0.3)).answer is True
    assert not session.certificate(goals.BestQuery(0.001))


def test_means_outside_their_interval_are_misspecified():
    arms = KArms(2, means=(0.4, 0.6), reward_range=(0, 1))
    session = Session(arms, goal=goals.BestQuery(0.05), noise=noise.Coin())
    session.tell(0, 1.0, count=100)
    assert session.is_misspecified
    assert session.is_done
    assert str(session.certificate()).startswith("not proven: the data contradict the whole class")
    session.tell(1, 0.0, count=100)
    assert not session.certificate()


def test_what_was_proven_stays_proven():
    session = Session(ARMS, goal=goals.BestQuery(0.1), noise=noise.Coin())
    played(session, MEANS)
    session.tell("A", 1.0, count=1000)
    assert session.certificate().answer == "B"


def test_queries_under_way_are_counted():
    session = Session(ARMS, goal=goals.BestQuery(0.1), noise=noise.Coin())
    assert set(session.ask(3)) == {"A", "B", "C"}


def test_one_arm_and_a_wide_epsilon_need_no_answers():
    assert Session(KArms(1), goal=goals.BestQuery(0.1)).is_done
    assert Session(KArms(5), goal=goals.BestQuery(1)).is_done


def test_any_learner_can_be_stopped_by_the_certificate():
    learner = UntilCertified(Thompson(ARMS), goals.BestQuery(0.5), noise=noise.Coin())
    rng, means = np.random.default_rng(0), list(MEANS.values())
    state, n_answers = learner.init(rng), 0
    while not learner.is_done(state) and n_answers < 500:
        arm = learner.ask(state, rng)
        state, n_answers = learner.tell(state, arm, float(rng.random() < means[arm])), n_answers + 1
    assert learner.recommend(state) == 1
    assert learner.promise.is_proven


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: certifier_for(ARMS, goals.WhichTarget()), "no table of candidates, so WhichTarget cannot be decided"),
        (lambda: certifier_for(ARMS, goals.BestQuery), "goal must be a goal"),
        (lambda: certifier_for(ARMS, goals.BestQuery(0.1), prior=[1, 1, 1]), "a prior needs a table"),
        (lambda: certifier_for(ARMS, goals.BestQuery(0.1), tolerance=0.1), "takes its class to be exactly right"),
        (
            lambda: certifier_for(ARMS, goals.BestQuery(0.1), noise=noise.Gaussian()),
            "says nothing about one arm's mean",
        ),
        (lambda: certifier_for(ARMS, goals.ValueOf("worst", 0.1)), "must be 'best' or a weight for each query"),
        (lambda: certifier_for(ARMS, goals.ValueOf([1.0], 0.1)), "a weight for each of the 3 queries"),
        (lambda: certifier_for(3, goals.BestQuery(0.1)), "nothing can be certified of int"),
        (lambda: TopTwo(ReLU(3, bias=0.5), goals.BestQuery(0.1)), "nothing can be certified of ReLU"),
        (lambda: TopTwo(Separation(2), goals.BestQuery(0.1)), "nothing can be certified of Separation"),
        (lambda: MaxInformation(ARMS, goals.BestQuery(0.1)), "needs a table of them in memory"),
    ],
)
def test_what_cannot_be_certified_is_refused_with_a_reason(build, message):
    with pytest.raises(InvalidValueError, match=message):
        build()
