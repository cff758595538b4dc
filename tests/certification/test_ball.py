"""Linear classes whose queries fill a ball, and the sphere: certificates are right, and the goals have their words."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.certification.crowds import Crowd, Law, either, normal, parameter_crowd
from warmer import Session, goals, noise
from warmer.certification import certifier_for
from warmer.certification.continuous.ball import BallModel
from warmer.certification.continuous.paraboloid import Outside
from warmer.families import LinearBall, Sphere
from warmer.model.errors import InvalidValueError

ANGLES = np.linspace(0, 2 * np.pi, 2001)
CIRCLE = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
DISC = np.concatenate([length * CIRCLE for length in np.linspace(0, 1, 101)])


def plain_least(gram: np.ndarray, sums: np.ndarray, outside: Outside) -> float:
    """The least value on a fine grid of the parameters that object."""
    points = CIRCLE if outside.is_sphere else DISC
    points = points[np.linalg.norm(points, axis=1) - points @ outside.direction >= outside.epsilon]
    return float((np.einsum("gi,ij,gj->g", points, gram, points) / 2 - points @ sums).min())


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.booleans(), st.booleans(), st.floats(0.02, 0.5))
def test_the_bound_outside_the_paraboloid_is_never_too_high(seed, is_sphere, is_best, epsilon):
    rng = np.random.default_rng(seed)
    roots = rng.choice([1.0, 5.0]) * rng.normal(size=(3, 2))
    gram, center = roots.T @ roots, 0.4 * rng.normal(size=2)
    direction = center if is_best else rng.normal(size=2)
    outside = Outside(direction / np.linalg.norm(direction), epsilon, 1.0, is_sphere)
    bound, theta = outside.least(gram, gram @ center)
    slow = plain_least(gram, gram @ center, outside)
    assert bound <= slow + 1e-9
    assert np.linalg.norm(theta) - outside.direction @ theta >= epsilon - 1e-9
    if is_best and not is_sphere:
        assert bound >= slow - 0.02 * (1 + abs(slow)) - 0.02 * np.trace(gram)


TRUTH = np.array([0.36, -0.48])
"""Of length 0.6."""
BALL, SPHERE = LinearBall(2, reward_range=(-3, 3)), Sphere(2, reward_range=(-3, 3))
CASES: list[tuple[Any, Any, np.ndarray]] = [
    (BALL, goals.BestQuery(0.05), TRUTH),
    (BALL, goals.BestAbove(0.6), TRUTH),
    (BALL, goals.ValueOf("best", 0.3), TRUTH),
    (BALL, goals.ValueOf([1.0, 0.0], 0.3), TRUTH),
    (SPHERE, goals.BestQuery(0.05), np.array([0.6, 0.8])),
]


def is_false(goal: Any, answer: Any, truth: np.ndarray) -> bool:
    """Whether an answer is wrong."""
    best = float(np.linalg.norm(truth))
    if isinstance(goal, goals.BestQuery):
        return bool(answer @ truth < best - goal.epsilon)
    if isinstance(goal, goals.BestAbove):
        return bool(answer != (best > goal.threshold + 1e-12))
    value = best if isinstance(goal.values, str) else truth @ np.array(goal.values)
    return not answer[0] <= value <= answer[1]


def told(family: Any, law: Law, truth: np.ndarray, n_runs: int) -> Crowd:
    return parameter_crowd(BallModel(family, noise.SubGaussian(0.4), 0.3), truth, law, n_runs, horizon=60)


@pytest.mark.long
@pytest.mark.parametrize("law", [normal(0.4), either(0.4)], ids=["normal", "up or down"])
@pytest.mark.parametrize("family", [BALL, SPHERE], ids=str)
def test_the_truth_is_rarely_ruled_out_in_ten_thousand_runs(family, law):
    cases = [(goal, truth) for of, goal, truth in CASES if of is family]
    truth = cases[0][1]
    crowd = told(family, law, truth, 10_000)
    assert crowd.is_covered()
    for run, (goal, _) in itertools.product(crowd.some(0.3, 5), cases):
        certifier = certifier_for(family, goal, noise=noise.SubGaussian(0.4), delta=0.3)
        state = crowd.told(certifier, run)
        evidence = np.logaddexp.reduce(certifier.model.scales.quadratics(state.data).at(truth))
        assert np.isclose(crowd.evidence[run, -1], evidence)
        is_wrong = certifier.is_settled(state) and is_false(goal, state.settled, truth)
        assert crowd.is_lost(0.3)[run] or not is_wrong


def test_noise_louder_than_declared_is_found_out():
    assert told(BALL, normal(0.4), TRUTH, 300).is_covered()
    assert not told(BALL, normal(0.8), TRUTH, 300).is_covered()


def played(session: Session, truth: np.ndarray, most: int = 2000) -> Any:
    rng = np.random.default_rng(0)
    while not session.is_done and len(session.history) < most:
        query = session.ask()
        session.tell(query, float(query @ truth) + rng.uniform(-0.2, 0.2))
    return session.certificate()


@pytest.mark.parametrize(
    ("goal", "answer", "words"),
    [
        (goals.BestAbove(0.4), True, "proven: some query is worth more than 0.4"),
        (goals.BestAbove(0.8), False, "proven: no query is worth more than 0.8"),
        (goals.BestAbove(-0.5), True, "proven: some query is worth more than -0.5"),
        (goals.BestAbove(1.5), False, "proven: no query is worth more than 1.5"),
    ],
)
def test_a_session_with_a_ball_ends_with_a_proof(goal, answer, words):
    certificate = played(Session(BALL, goal=goal, noise=noise.BoundedNoise(0.2)), TRUTH)
    assert certificate.answer is answer
    assert str(certificate).startswith(words)


@pytest.mark.parametrize(("family", "truth"), [(BALL, TRUTH), (Sphere(3, reward_range=(-2, 2)), np.eye(3)[1])])
def test_the_best_direction_is_certified(family, truth):
    session = Session(family, goal=goals.BestQuery(0.05), noise=noise.BoundedNoise(0.2))
    assert len(session.certificate().objectors) == 1
    certificate = played(session, truth)
    assert certificate
    assert certificate.answer @ truth >= np.linalg.norm(truth) - 0.05
    assert (session.recommend() == certificate.answer).all()
    assert certificate.intervals == {}


@pytest.mark.parametrize(("values", "value"), [("best", 0.6), ([0.0, 2.0], -0.96)])
def test_values_are_known_up_to_the_tolerance(values, value):
    low, high = played(Session(BALL, goal=goals.ValueOf(values, 0.15), noise=noise.SubGaussian(0.2)), TRUTH).answer
    assert low <= value <= high
    assert np.isclose(high - low, 0.3)


def test_the_best_value_of_a_sphere_needs_no_answers():
    assert Session(Sphere(2), goal=goals.ValueOf("best", 0.1)).certificate().answer == (0.9, 1.1)
    assert Session(Sphere(2), goal=goals.BestAbove(0.5)).certificate().answer is True
    assert Session(Sphere(2), goal=goals.BestAbove(1.0)).certificate().answer is False
    assert Session(Sphere(2), goal=goals.BestQuery(2.5)).is_done


def test_a_parameter_outside_the_class_is_misspecified():
    for family, reward in ((BALL, 2.0), (Sphere(1, reward_range=(-2, 2)), 0.2)):
        session = Session(family, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.2))
        session.tell([1.0, 0.0][: family.n], reward, count=100)
        assert session.is_misspecified


def test_queries_under_way_are_counted():
    session = Session(BALL, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.2))
    first, second = session.ask(2)
    assert abs(first @ second) < 0.9


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: certifier_for(BALL, goals.WhichTarget()), "no table of candidates, so WhichTarget cannot be"),
        (lambda: certifier_for(BALL, goals.ValueOf([1.0], 0.1)), "values must"),
        (lambda: certifier_for(BALL, goals.BestQuery(0.1), noise=noise.SubGaussian([0.1, 0.2])), "must be one number"),
    ],
)
def test_what_cannot_be_certified_is_refused_with_a_reason(build, message):
    with pytest.raises(InvalidValueError, match=message):
        build()
