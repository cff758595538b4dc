"""Classes behind a link: the evidence is what the page says, certificates are right, and the goals have their words."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.certification.crowds import Crowd, Law, coin, either, glm_crowd, normal
from warmer import Session, goals, noise
from warmer.certification import certifier_for
from warmer.certification.continuous.glm import GLMModel
from warmer.families import GLM, Link, logistic, probit
from warmer.model.errors import InvalidValueError

POINTS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [-0.5, 0.5]])
NORM = 2.0
GRID = np.stack(np.meshgrid(*[np.linspace(-NORM, NORM, 15)] * 2), axis=-1).reshape(-1, 2)
GRID = GRID[np.linalg.norm(GRID, axis=1) <= NORM]
WIDE = np.stack(np.meshgrid(*[np.linspace(-9, 9, 121)] * 2), axis=-1).reshape(-1, 2)
ramp = Link(lambda x: 0.5 + 0.1 * x, lambda x: 0.1 + 0 * x, slopes=(0.05, 0.15))


def a_model(link: Link = logistic, declared: Any = None, delta: float = 0.05) -> GLMModel:
    return GLMModel(GLM(POINTS, link, norm=NORM), declared or noise.Coin(), delta)


def observed(model: GLMModel, told: list[tuple[int, float]]) -> Any:
    data = model.start()
    for query, reward in told:
        data = model.update(data, query, reward)
    return data


answers = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.0, 0.0, 1.0])), max_size=30)


@settings(deadline=None, max_examples=20)
@given(answers, st.sampled_from([(0.0, 0.0), (1.0, -0.5), (-1.5, 1.0)]))
def test_the_evidence_of_coins_is_a_likelihood_ratio_from_below(told, theta):
    """Against the mixture of all parameters, drawn from a Gaussian: a sum over a fine grid."""

    def log_likelihood(thetas):
        inner = thetas @ POINTS.T
        return sum((reward * inner[:, q] - np.logaddexp(0, inner[:, q]) for q, reward in told), np.zeros(len(thetas)))

    logs = -np.square(WIDE).sum(axis=1) / (2 * NORM**2 / 2)
    mixture = np.log(np.exp(logs + log_likelihood(WIDE)).sum() / np.exp(logs).sum())
    slow = mixture - log_likelihood(np.array([theta]))[0]
    model = a_model()
    fast = model.evidence(observed(model, told), np.array(theta))
    assert slow - 2.0 <= fast <= slow + 1e-3


DECLARED = [(logistic, None), (probit, None), (ramp, None), (logistic, noise.SubGaussian(0.5))]


@settings(deadline=None, max_examples=20)
@given(answers, st.sampled_from(DECLARED))
def test_the_quadratic_is_below_the_evidence_where_that_is_below_the_threshold(told, declared):
    model = a_model(*declared)
    data = observed(model, told)
    evidence = np.array([model.evidence(data, theta) for theta in GRID])
    quadratics = model.quadratics(data)
    below = np.array([quadratics.at(theta)[0] for theta in GRID])
    assert (below <= np.where(evidence < np.log(20), evidence, np.inf) + 1e-9).all()
    center = model.estimate(data)
    assert np.isclose(quadratics.at(center)[0], model.evidence(data, center))
    directions = np.array([[1.0, 0.0], [-0.6, 0.8]])
    lows, tops = model.bounds(data, directions)
    inside = GRID[evidence < np.log(20)] @ directions.T
    assert (inside >= lows - 1e-9).all()
    assert (inside <= tops + 1e-9).all()


@pytest.mark.parametrize("link", [logistic, probit, ramp], ids=["logistic", "probit", "ramp"])
@pytest.mark.parametrize("adversary", [0, 1])
def test_the_mean_of_the_evidence_against_the_truth_is_never_above_one(link, adversary):
    """All sequences of eight coins, to queries chosen by what came before."""
    model, truth, total = a_model(link), np.array([1.0, -0.5]), 0.0
    chances = link.function(POINTS @ truth)
    for heads in itertools.product([0.0, 1.0], repeat=8):
        data, luck, chance = model.start(), np.zeros(2), 1.0
        for t, reward in enumerate(heads):
            query = t % 4 if adversary == 0 else int((POINTS @ luck).argmax())
            data = model.update(data, query, reward)
            chance *= chances[query] if reward else 1 - chances[query]
            luck += (reward - chances[query]) * POINTS[query]
        total += chance * np.exp(model.evidence(data, truth))
    assert total <= 1 + 1e-9


LABELS = ["east", "north", "between", "back"]
TRUTH = np.array([1.0, 0.5])
FAMILY = GLM(POINTS, logistic, norm=NORM, labels=LABELS)
CHANCES = dict(zip(LABELS, logistic.function(POINTS @ TRUTH).tolist(), strict=True))


def played(session: Session, most: int = 2500) -> Any:
    rng = np.random.default_rng(0)
    while not session.is_done and len(session.history) < most:
        for action in session.ask(20):
            session.tell(action, float(rng.random() < CHANCES[action]))
    return session.certificate()


@pytest.mark.parametrize(
    ("goal", "answer", "words"),
    [
        (goals.BestQuery(0.2), "east", "proven: 'east' is within 0.2 of the best query, with probability"),
        (goals.BestAbove(0.5), True, "proven: some query is worth more than 0.5, with probability"),
        (goals.BestAbove(0.85), False, "proven: no query is worth more than 0.85, with probability"),
        (goals.BestAbove(0.99), False, "proven: no query is worth more than 0.99, with probability"),
        (goals.BestAbove(0.01), True, "proven: some query is worth more than 0.01, with probability"),
    ],
)
def test_a_session_with_a_link_ends_with_a_proof(goal, answer, words):
    session = Session(FAMILY, goal=goal, noise=noise.Coin())
    assert session.is_done or session.certificate().objectors
    certificate = played(session)
    assert CHANCES[certificate.answer] > 0.5 if answer == "east" else certificate.answer is answer
    assert str(certificate).split("'")[-1].startswith(words.split("'")[-1])
    assert session.recommend() in LABELS


@pytest.mark.parametrize(("values", "value"), [("best", CHANCES["between"]), ({"east": 1.0, "north": -1.0}, None)])
def test_values_are_known_up_to_the_tolerance(values, value):
    certificate = played(Session(FAMILY, goal=goals.ValueOf(values, 0.35), noise=noise.Coin()))
    low, high = certificate.answer
    truth = max(CHANCES.values()) if value else CHANCES["east"] - CHANCES["north"]
    assert certificate
    assert low <= truth <= high
    assert all(low <= CHANCES[label] <= high for label, (low, high) in certificate.intervals.items())


def test_what_no_parameter_of_the_ball_explains_is_misspecified():
    session = Session(FAMILY, goal=goals.BestQuery(0.1), noise=noise.Coin())
    session.tell("east", 1.0, count=200)
    session.tell("back", 1.0, count=200)
    assert session.is_misspecified


WORLDS = {
    "logistic, coins": (logistic, noise.Coin(), coin),
    "logistic, normal": (logistic, noise.SubGaussian(0.5), normal(0.5)),
    "probit, coins": (probit, noise.Bounded(), coin),
    "probit, up or down": (probit, noise.SubGaussian(0.3), either(0.3)),
}


def told(name: str, n_runs: int, law: Law | None = None) -> Crowd:
    link, declared, honest = WORLDS[name]
    return glm_crowd(a_model(link, declared, 0.3), TRUTH, law or honest, n_runs, horizon=40)


@pytest.mark.long
@pytest.mark.parametrize("name", WORLDS)
def test_the_truth_is_rarely_ruled_out_in_ten_thousand_runs(name):
    crowd = told(name, 10_000)
    assert crowd.is_covered()
    model, is_lost, values = a_model(*WORLDS[name][:2], 0.3), crowd.is_lost(0.3), POINTS @ TRUTH
    for run in crowd.some(0.3):
        data = observed(model, list(zip(crowd.queries[run].tolist(), crowd.rewards[run].tolist(), strict=True)))
        lows, tops = model.bounds(data, POINTS)
        assert is_lost[run] or ((lows <= values) & (values <= tops)).all()


def test_noise_louder_than_declared_is_found_out():
    assert told("logistic, normal", 100).is_covered()
    assert not told("logistic, normal", 100, normal(2.0)).is_covered()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: certifier_for(FAMILY, goals.WhichTarget()), "no table of candidates, so WhichTarget cannot be"),
        (lambda: certifier_for(FAMILY, goals.BestQuery(0.1), noise=noise.Gaussian()), "nothing about sums of answers"),
    ],
)
def test_what_cannot_be_certified_is_refused_with_a_reason(build, message):
    with pytest.raises(InvalidValueError, match=message):
        build()
