"""Linear classes: the evidence is what the page says, certificates are right, and the goals have their words."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.certification.crowds import either, normal, parameter_crowd
from tests.certification.worlds import most_allowed
from warmer import Session, UntilCertified, goals, noise
from warmer.certification import FamilyCertificate, certifier_for
from warmer.certification.continuous.ellipsoids import Moments, optimal_design, reaching
from warmer.certification.continuous.linear import LinearModel
from warmer.families import Linear
from warmer.learners import Optimistic
from warmer.model.errors import InvalidValueError

POINTS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [-0.5, 0.5]])
SIGMA = 0.5
GRID = np.stack(np.meshgrid(*[np.linspace(-1, 1, 161)] * 2), axis=-1).reshape(-1, 2)
GRID = GRID[np.linalg.norm(GRID, axis=1) <= 1]


def plain_evidence(precision: np.ndarray, told: list[tuple[int, float]], theta: np.ndarray) -> float:
    """The capital of bets that the parameter is theta + s, s drawn from a Gaussian: a sum over a fine grid of s."""
    side = 6 / np.sqrt(np.linalg.eigvalsh(precision)[0])
    steps = np.linspace(-side, side, 151)
    shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    logs = -np.einsum("si,ij,sj->s", shifts, precision, shifts) / 2
    shares = np.exp(logs) / np.exp(logs).sum()
    capital = np.ones(len(shifts))
    for query, reward in told:
        moved = shifts @ POINTS[query]
        capital *= np.exp((moved * (reward - theta @ POINTS[query]) - moved**2 / 2) / SIGMA**2)
    return float(np.log(shares @ capital))


def observed(model: LinearModel, told: list[tuple[int, float]]) -> Moments:
    data = model.start()
    for query, reward in told:
        data = model.update(data, query, reward)
    return data


def a_model(delta: float = 0.05, points: np.ndarray = POINTS, sigma: float = SIGMA) -> LinearModel:
    return LinearModel(Linear(points, reward_range=(-2, 2)), noise.SubGaussian(sigma), delta)


answers = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-1.0, -0.25, 0.5, 1.5])), max_size=6)
parameters = st.sampled_from([(0.0, 0.0), (0.5, -0.25), (-0.75, 0.5), (0.25, 0.875)])


@settings(deadline=None, max_examples=12)
@given(answers, parameters, st.sampled_from([0, 1]))
def test_the_evidence_of_a_scale_is_the_mean_capital_of_bets_on_other_parameters(told, theta, scale):
    model = a_model()
    fast = model.scales.quadratics(observed(model, told)).at(np.array(theta))[scale] + np.log(8)
    precision = 0.5 * 6.0**scale * model.scales.design
    assert np.isclose(fast, plain_evidence(precision, told, np.array(theta)), atol=1e-3)


@pytest.mark.parametrize("adversary", [0, 1, 2])
def test_the_mean_of_the_evidence_against_the_truth_is_never_above_one(adversary):
    """All sequences of seven answers up or down by sigma, to queries chosen by what came before."""
    model, truth, total = a_model(), np.array([0.5, -0.5]), 0.0
    for signs in itertools.product([-1.0, 1.0], repeat=7):
        data, luck = model.start(), np.zeros(2)
        for t, sign in enumerate(signs):
            query = [t % 4, int((POINTS @ luck).argmax()), int(np.abs(POINTS @ luck).argmin())][adversary]
            data = model.update(data, query, float(truth @ POINTS[query]) + SIGMA * sign)
            luck += sign * POINTS[query]
        total += np.exp(model.scales.quadratics(data).at(truth)).sum() / 2**7
    assert total <= 1 + 1e-9


def plain_values(model: LinearModel, data: Moments) -> np.ndarray:
    """The evidence of each scale (rows) at each point of the grid."""
    grams, sums, constants = model.scales.quadratics(data)
    return np.stack(
        [
            np.einsum("gi,ij,gj->g", GRID, g, GRID) / 2 - GRID @ s + c
            for g, s, c in zip(grams, sums, constants, strict=True)
        ]
    )


@settings(deadline=None, max_examples=20)
@given(answers, st.floats(0.05, 0.6), st.floats(-2.0, 3.0))
def test_a_set_is_ruled_out_when_one_scale_speaks_against_all_of_it(told, level, threshold):
    model = a_model()
    data = observed(model, told)
    columns = np.ascontiguousarray(POINTS.T)
    slow = plain_values(model, data)[:, (GRID @ columns >= level).any(axis=1)].min(axis=1).max()
    minimiser = reaching(columns, level, 1.0)
    quadratics, likeliest = model.scales.quadratics(data), minimiser(*data)
    assert quadratics.rule_out(minimiser, slow - 0.3, likeliest)
    assert not quadratics.rule_out(minimiser, slow + 1e-6, likeliest)
    assert not quadratics.rule_out(minimiser, max(threshold, slow + 1e-6), likeliest)


@settings(deadline=None, max_examples=20)
@given(answers, st.floats(0.0, 6.28))
def test_bounds_of_linear_functions_hold_and_are_close(told, angle):
    model = a_model()
    data = observed(model, told)
    direction = np.array([np.cos(angle), np.sin(angle)])
    heights = GRID @ direction
    slow = min(
        (heights[values < np.log(20)].max(initial=-1.0) for values in plain_values(model, data)),
        default=1.0,
    )
    fast = model.bounds(data, direction[None])[1][0]
    assert slow - 1e-9 <= fast <= slow + 0.06


def test_under_the_optimal_design_no_action_is_much_less_certain():
    rng = np.random.default_rng(0)
    for points in (rng.normal(size=(30, 4)), np.eye(3), np.array([[1.0, 0.0], [2.0, 0.0]])):
        widths = ((points @ np.linalg.inv(optimal_design(points))) * points).sum(axis=1)
        assert widths.max() <= 1.1 * points.shape[1] + 1e-9


ACTIONS = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [-1.0, 0.0]])
TRUTH = np.array([0.5, 0.5])
CASES: list[tuple[Any, str]] = [
    (goals.BestQuery(0.199), "normal"),
    (goals.BestQuery(0.199), "up or down"),
    (goals.BestAbove(0.7), "normal"),
    (goals.ValueOf([1.0, -1.0, 0.0, 0.0], 0.4), "up or down"),
    (goals.ValueOf("best", 0.4), "normal"),
]
"""Either the truth is at the edge of what must be told apart, or luck soon shows."""


def is_false(goal: Any, answer: Any, values: np.ndarray) -> bool:
    """Whether an answer is wrong."""
    if isinstance(goal, goals.BestQuery):
        return bool(values[answer] < values.max() - goal.epsilon)
    if isinstance(goal, goals.BestAbove):
        return bool(answer != (values.max() > goal.threshold))
    value = values.max() if isinstance(goal.values, str) else values @ np.array(goal.values)
    return not answer[0] <= value <= answer[1]


LAWS = {"normal": normal(SIGMA), "up or down": either(SIGMA)}


@pytest.mark.parametrize("law", LAWS)
def test_the_truth_is_rarely_ruled_out(law):
    assert parameter_crowd(a_model(0.3, ACTIONS), TRUTH, LAWS[law], 400, horizon=40).is_covered()


@pytest.mark.long
@pytest.mark.parametrize("law", LAWS)
def test_the_truth_is_rarely_ruled_out_in_ten_thousand_runs(law):
    model = a_model(0.3, ACTIONS)
    crowd = parameter_crowd(model, TRUTH, LAWS[law], 10_000, horizon=80)
    assert crowd.is_covered()
    wide, values = Linear(ACTIONS, reward_range=(-4, 4)), ACTIONS @ TRUTH
    certifiers = [certifier_for(wide, goal, noise=noise.SubGaussian(SIGMA), delta=0.3) for goal, _ in CASES]
    for run, certifier in itertools.product(crowd.some(0.3, 12), certifiers):
        state = crowd.told(certifier, run)
        evidence = np.logaddexp.reduce(model.scales.quadratics(state.data).at(TRUTH))
        assert np.isclose(crowd.evidence[run, -1], evidence)
        is_wrong = certifier.is_settled(state) and is_false(certifier.goal, state.settled, values)
        assert crowd.is_lost(0.3)[run] or not is_wrong


def test_noise_declared_too_small_is_found_out():
    assert parameter_crowd(a_model(0.3, ACTIONS), TRUTH, normal(SIGMA), 200, horizon=60).is_covered()
    assert not parameter_crowd(a_model(0.3, ACTIONS), TRUTH, normal(2 * SIGMA), 200, horizon=60).is_covered()


def n_wrong(goal: Any, law: str, n_runs: int, delta: float) -> int:
    """How often something false is certified within 150 answers."""
    family = Linear(ACTIONS, reward_range=(-4, 4))
    certifier = certifier_for(family, goal, noise=noise.SubGaussian(SIGMA), delta=delta)
    values, rng, wrong = ACTIONS @ TRUTH, np.random.default_rng(3), 0
    for _ in range(n_runs):
        state = certifier.start()
        for _ in range(150):
            query = certifier.most_telling(state, rng)
            state = certifier.update(state, query, float(LAWS[law](rng, values[query])))
            if certifier.is_settled(state):
                break
        wrong += certifier.is_settled(state) and is_false(goal, state.settled, values)
    return wrong


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{type(case[0]).__name__}, {case[1]}")
def test_false_certificates_are_rare(case):
    assert n_wrong(*case, 8, 0.05) <= most_allowed(8, 0.05)


LABELS = ["east", "north-east", "north", "west"]
FAMILY = Linear(ACTIONS, labels=LABELS, reward_range=(-2, 2))


def played(session: Session, *, scale: float = 0.2, most: int = 3000) -> FamilyCertificate:
    rng, values = np.random.default_rng(0), dict(zip(LABELS, ACTIONS @ TRUTH, strict=True))
    while not session.is_done and len(session.history) < most:
        action = session.ask()
        session.tell(action, values[action] + rng.uniform(-scale, scale))
    certificate = session.certificate()
    assert isinstance(certificate, FamilyCertificate)
    return certificate


@pytest.mark.parametrize(
    ("goal", "answer", "words"),
    [
        (goals.BestQuery(0.1), "north-east", "proven: 'north-east' is within 0.1 of the best query, with probability"),
        (goals.BestAbove(0.6), True, "proven: some query is worth more than 0.6, with probability"),
        (goals.BestAbove(0.8), False, "proven: no query is worth more than 0.8, with probability"),
        (goals.BestAbove(-2), True, "proven: some query is worth more than -2, with probability"),
        (goals.BestAbove(1.5), False, "proven: no query is worth more than 1.5, with probability"),
    ],
)
def test_a_session_with_a_linear_class_ends_with_a_proof(goal, answer, words):
    certificate = played(Session(FAMILY, goal=goal, noise=noise.BoundedNoise(0.2)))
    assert certificate.answer == answer
    assert str(certificate).startswith(words)
    assert certificate.objectors == []


@pytest.mark.parametrize(("values", "value"), [("best", 0.7), ({"north": 1.0, "west": 2.0}, -0.5), ([0, 1, 0, 0], 0.7)])
def test_values_are_known_up_to_the_tolerance(values, value):
    session = Session(FAMILY, goal=goals.ValueOf(values, 0.15), noise=noise.SubGaussian(0.2))
    assert session.certificate().objectors
    low, high = played(session).answer
    assert low <= value <= high
    assert np.isclose(high - low, 0.3)
    assert session.recommend() in LABELS


def test_nothing_need_be_declared_but_the_range():
    session = Session(Linear(ACTIONS, labels=LABELS), goal=goals.BestQuery(0.3), delta=0.2)
    certificate = played(session, scale=0.1)
    assert certificate.answer in ("east", "north-east", "north")
    assert certificate


def test_what_is_open_and_what_is_known_is_said():
    session = Session(FAMILY, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.2))
    session.tell("east", 0.5, count=100)
    certificate = session.certificate()
    assert str(certificate) == "not yet proven: 'east' leads, and 2 queries leave it open"
    assert set(certificate.objectors) == {"north-east", "north"}
    assert 0.35 < certificate.intervals["east"][0] < 0.5 < certificate.intervals["east"][1] < 0.65
    assert certificate.intervals["west"] == pytest.approx([-end for end in certificate.intervals["east"][::-1]])
    assert not session.is_misspecified


def test_all_goals_are_read_from_one_confidence_set():
    session = Session(FAMILY, goal=goals.BestQuery(0.1), noise=noise.BoundedNoise(0.2))
    played(session)
    assert session.certificate(goals.BestAbove(0.3)).answer is True
    assert not session.certificate(goals.BestAbove(0.7001))
    assert session.certificate(goals.BestAbove(0.7001)).objectors
    assert not session.certificate(goals.BestQuery(0.001))


def test_a_parameter_longer_than_the_norm_is_misspecified():
    session = Session(FAMILY, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.2))
    session.tell("east", 1.5, count=100)
    assert session.is_misspecified
    assert str(session.certificate()).startswith("not proven: the data contradict the whole class")


def test_queries_under_way_are_counted():
    session = Session(FAMILY, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.2))
    assert len(set(session.ask(6))) > 1


def test_queries_under_way_that_would_settle_the_goal_are_no_end():
    session = Session(FAMILY, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.2))
    session.tell("north-east", 0.7, count=20)
    assert set(session.ask(60)) <= set(LABELS)


def test_loud_actions_are_asked_less():
    louder = noise.SubGaussian({"east": 1.0, "north-east": 0.1, "north": 0.1, "west": 0.1})
    session = Session(FAMILY, goal=goals.ValueOf([1.0, 0.0, 0.0, 0.0], 0.1), noise=louder)
    assert session.ask() == "west"


def test_a_wide_epsilon_needs_no_answers():
    assert Session(FAMILY, goal=goals.BestQuery(2.01)).is_done
    assert Session(Linear([[1.0, 0.5]], reward_range=(-2, 2)), goal=goals.BestQuery(0.1)).is_done


def test_actions_that_do_not_span_the_space_are_compared():
    family = Linear([[1.0, 0.0], [-0.5, 0.0]])
    session = Session(family, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.1))
    session.tell(0, 0.5, count=20)
    assert session.certificate().answer == 0
    assert session.certificate()


def test_any_learner_can_be_stopped_by_the_certificate():
    learner = UntilCertified(Optimistic(FAMILY, sigma=0.2), goals.BestQuery(0.5), noise=noise.SubGaussian(0.2))
    rng = np.random.default_rng(0)
    state, n_answers, values = learner.init(rng), 0, ACTIONS @ TRUTH
    while not learner.is_done(state) and n_answers < 1000:
        action = learner.ask(state, rng)
        state, n_answers = learner.tell(state, action, values[action] + rng.uniform(-0.2, 0.2)), n_answers + 1
    assert values[learner.recommend(state)] >= 0.2
    assert learner.promise.is_proven


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: certifier_for(FAMILY, goals.WhichTarget()), "no table of candidates, so WhichTarget cannot be"),
        (lambda: certifier_for(FAMILY, goals.BestQuery(0.1), noise=noise.Gaussian()), "nothing about sums of answers"),
        (lambda: certifier_for(FAMILY, goals.ValueOf([1.0], 0.1)), "a weight for each of the 4 queries"),
        (lambda: certifier_for(FAMILY, goals.BestQuery(0.1), noise=noise.SubGaussian([0.1])), "one for each of the 4"),
    ],
)
def test_what_cannot_be_certified_is_refused_with_a_reason(build, message):
    with pytest.raises(InvalidValueError, match=message):
        build()
