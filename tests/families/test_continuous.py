"""What every family without a table refuses, in the same words."""

import numpy as np
import pytest

from warmer import InvalidValueError, Optimistic
from warmer.estimation import VovkAzouryWarmuth
from warmer.families import GLM, KArms, Linear, LinearBall, ReLU, Sphere, logistic

FAMILIES = [
    KArms(2),
    Linear(np.eye(2)),
    LinearBall(2),
    GLM(np.eye(2), logistic),
    ReLU(2, 0.2),
    Sphere(2),
]


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
@pytest.mark.parametrize("horizon", [0, np.nan, np.inf, "x", [1]])
def test_the_papers_radius_needs_a_number_of_rounds(family, horizon):
    with pytest.raises(InvalidValueError, match="horizon must be"):
        Optimistic(family, "paper", horizon=horizon)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
@pytest.mark.parametrize("sigma", [1e-200, 1e200])
def test_noise_whose_square_is_no_number_is_refused(family, sigma):
    with pytest.raises(InvalidValueError, match=r"sigma must be a deviation of rewards, between 1e-100 and 1e\+100"):
        Optimistic(family, sigma=sigma)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
@pytest.mark.parametrize("sigma", [1e-100, 1e100])
def test_noise_at_the_ends_of_what_is_allowed_can_be_played(family, sigma):
    learner, rng = Optimistic(family, sigma=sigma), np.random.default_rng(0)
    state = learner.init(rng)
    state = learner.tell(state, learner.ask(state, rng), 0.5)
    assert np.isfinite(learner.ask(state, rng)).all()


@pytest.mark.parametrize("make", [lambda: KArms(2, labels=3), lambda: Linear(np.eye(2), labels=3)])
def test_labels_are_a_list(make):
    with pytest.raises(InvalidValueError, match="the query labels must be a list of names, got 3"):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda huge: Linear([[huge]]),
        lambda huge: VovkAzouryWarmuth([[huge]]),
        lambda huge: Sphere(2).targets.position([huge, 0]),
        lambda huge: KArms(2).targets.position([huge, 0]),
    ],
)
def test_numbers_beyond_all_floats_are_refused(make):
    with pytest.raises(InvalidValueError, match=r"must be numbers.*, got .*1000"):
        make(10**400)


def test_a_unit_vector_in_single_precision_is_one_and_is_brought_to_length_one():
    vector = np.random.default_rng(0).standard_normal((50, 8)).astype(np.float32)
    for each in vector:
        each /= np.linalg.norm(each)
        assert abs(np.linalg.norm(Sphere(8).queries.position(each)) - 1) < 1e-15
    with pytest.raises(InvalidValueError, match=r"divide it by its own length"):
        Sphere(8).queries.position(vector[0] * np.float32(1.001))
