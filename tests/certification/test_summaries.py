"""Posterior summaries speak of parameters by name."""

import numpy as np
import pytest

from warmer import Problem, goals, noise, problems
from warmer.certification import Certifier, parameter_summaries
from warmer.model.errors import InvalidValueError

MODELS = problems.from_model(
    lambda x, rate, shape: np.where(shape == "up", rate * x, 1 - rate * x),
    designs={"x": [0.25, 1.0]},
    parameters={"rate": [0.1, 0.4, 0.8], "shape": ["up", "down"]},
    reward_range=(0, 1),
)


def test_each_parameter_has_its_marginal_posterior_and_its_remaining_values():
    certifier = Certifier(MODELS, goals.WhichTarget(), noise=noise.SubGaussian(0.2))
    state = certifier.replay(certifier.start(), [1, 0, 1], [0.4, 0.1, 0.3], [1, 1, 1])
    found = parameter_summaries(certifier, state)
    losses = sum((MODELS.rho[q] - r) ** 2 for q, r in zip([1, 0, 1], [0.4, 0.1, 0.3], strict=True))
    weights = np.where(state.possible, np.exp(-losses / (2 * 0.2**2)), 0.0)
    weights /= weights.sum()
    rates, shapes = MODELS.parameters["rate"], MODELS.parameters["shape"]
    rate, shape = found["rate"], found["shape"]
    mean = weights @ rates
    assert (rate.likeliest, rate.share) == (0.4, pytest.approx(weights[rates == 0.4].sum(), rel=0.05))
    assert (rate.mean, rate.deviation) == pytest.approx((mean, np.sqrt(weights @ (rates - mean) ** 2)), rel=0.1)
    assert rate.possible == sorted(set(rates[state.possible].tolist()))
    assert (shape.likeliest, shape.possible) == ("up", sorted(set(shapes[state.possible].tolist())))
    assert np.isnan(shape.mean)
    assert str(rate).startswith("rate: most likely 0.4 (")
    assert "shape: most likely up (" in str(shape)


def test_where_the_data_contradict_everybody_the_likeliest_is_named_and_none_is_possible():
    certifier = Certifier(MODELS, goals.WhichTarget(), noise=noise.SubGaussian(0.01))
    state = certifier.replay(certifier.start(), [0, 1] * 20, [1.0, 0.5] * 20, [1] * 40)
    assert state.n_possible == 0
    assert parameter_summaries(certifier, state)["rate"].possible == []
    assert "still possible: none" in str(parameter_summaries(certifier, state)["rate"])


def test_a_plain_table_has_no_parameters_to_speak_of():
    certifier = Certifier(Problem.from_table([[0.0, 1.0]]), goals.WhichTarget())
    with pytest.raises(InvalidValueError, match="the candidates have no parameters"):
        parameter_summaries(certifier, certifier.start())
