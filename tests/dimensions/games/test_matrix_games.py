"""Measures decided by linear programs: known values, and both certificates."""

import dataclasses
import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from warmer.dimensions import decision_estimation_coefficient, fractional_covering_number
from warmer.model import Problem
from warmer.model import time_limit as clock_module
from warmer.model.errors import CertificateError, InvalidValueError

GOLDEN = json.loads((Path(__file__).parents[2] / "data" / "golden.json").read_text())["instances"]
MEASURED = [instance for instance in GOLDEN if "extra_measures" in instance]


def number(value):
    return Fraction(value) if isinstance(value, str) else value


@pytest.mark.parametrize("instance", MEASURED, ids=lambda instance: instance["name"])
def test_golden_instances_have_their_known_values(instance):
    functions = [[number(value) for value in row] for row in instance["F"]]
    problem = Problem.from_table([list(row) for row in zip(*functions, strict=True)], reward_range=(-2, 2))
    extra = instance["extra_measures"]
    cover = fractional_covering_number(problem, gap=number(instance["eps"]))
    assert cover.value == pytest.approx(extra["fractional_cover_gap_eps"], abs=1e-6)
    assert cover.check(problem) < 1e-6
    coefficient = decision_estimation_coefficient(problem, gamma=4)
    assert coefficient.value == pytest.approx(extra["dec_squared_loss_proper_gamma4"], abs=1e-6)
    assert coefficient.check(problem) < 1e-6
    assert coefficient.is_exact


def grid(n_arms, levels=(Fraction(0), Fraction(1, 2), Fraction(1))):
    return Problem.from_table([list(row) for row in zip(*product(levels, repeat=n_arms), strict=True)])


@pytest.mark.parametrize("n_arms", [2, 3, 4])
def test_k_arms_cost_k_minus_one_twentieths(n_arms):
    assert decision_estimation_coefficient(grid(n_arms), gamma=4).value == pytest.approx((n_arms - 1) / 20)


def test_a_time_limit_also_ends_what_is_known_without_a_program(monkeypatch):
    problem = Problem.from_table(np.random.default_rng(0).uniform(-1, 1, (3, 60)))
    whole = decision_estimation_coefficient(problem, gamma=4)
    monkeypatch.setattr(clock_module, "_BLOCK", 1)
    for n_looks in (1, 2, 30, 61):
        looks = iter([False] * n_looks)
        monkeypatch.setattr(clock_module.Clock, "has_passed", property(lambda clock, looks=looks: next(looks, True)))
        coefficient = decision_estimation_coefficient(problem, gamma=4, time_limit=1000)
        assert coefficient.lower <= whole.lower + 1e-9
        assert whole.upper <= coefficient.upper + 1e-9
        coefficient.check(problem)
        assert next(looks, None) is None


def test_needles_need_all_and_thresholds_one():
    for k in (2, 5, 9):
        assert fractional_covering_number(Problem.from_table(np.eye(k)), gap=0.5).value == pytest.approx(k)
        thresholds = np.tril(np.ones((k, k)))
        assert fractional_covering_number(Problem.from_table(thresholds), gap=0.5).value == pytest.approx(1)


def test_a_gap_of_exactly_the_regret_counts():
    problem = Problem.from_table([[Fraction(3, 10), 0], [0, Fraction(3, 10)]])
    assert fractional_covering_number(problem, gap=0.3).value == pytest.approx(1)
    assert fractional_covering_number(problem, gap="299/1000").value == pytest.approx(2)
    assert fractional_covering_number(problem, gap=0).value == pytest.approx(2)


def test_two_queries_agree_with_a_scan_over_distributions():
    rng = np.random.default_rng(0)
    for _ in range(40):
        table = rng.uniform(-1, 1, (2, 4))
        problem, gamma = Problem.from_table(table), float(rng.uniform(0.5, 8))
        regrets = table.max(axis=0) - table

        def worst(p, reference, table=table, regrets=regrets, gamma=gamma):
            losses = regrets - gamma * (table - table[:, [reference]]) ** 2
            return (np.array([p, 1 - p]) @ losses).max()

        values = []
        for reference in range(4):
            inner = minimize_scalar(worst, bounds=(0, 1), args=(reference,), method="bounded", options={"xatol": 1e-12})
            values.append(min(inner.fun, worst(0.0, reference), worst(1.0, reference)))
        coefficient = decision_estimation_coefficient(problem, gamma=gamma)
        assert coefficient.value == pytest.approx(max(values), abs=1e-7)
        assert values[coefficient.reference] == pytest.approx(max(values), abs=1e-7)
        coefficient.check(problem)


def test_forbidden_queries_are_never_drawn():
    table = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.9, 0.9, 0.9]])
    free, bound = Problem.from_table(table), Problem.from_table(table, forbidden=[False, False, False, True])
    assert fractional_covering_number(free, gap=0.5).value == pytest.approx(1)
    cover = fractional_covering_number(bound, gap=0.5)
    assert cover.value == pytest.approx(3)
    assert cover.distribution[3] == 0
    coefficient = decision_estimation_coefficient(bound, gamma=1)
    assert (coefficient.distributions[:, 3] == 0).all()
    coefficient.check(bound)


def test_the_coefficient_falls_with_gamma_and_is_at_least_zero():
    problem = Problem.from_table(np.random.default_rng(2).uniform(-1, 1, (5, 12)))
    values = [decision_estimation_coefficient(problem, gamma=gamma).value for gamma in (0.1, 1, 4, 16, 64)]
    assert values == sorted(values, reverse=True)
    assert values[-1] >= -1e-9  # the target may be the reference: no regret is worse than none


def test_a_time_limit_keeps_an_honest_bracket():
    problem = Problem.from_table(np.random.default_rng(2).uniform(-1, 1, (6, 60)))
    exact = decision_estimation_coefficient(problem, gamma=2)
    told = []
    limited = decision_estimation_coefficient(
        problem, gamma=2, time_limit=1e-9, progress=lambda lower, upper: told.append((lower, upper))
    )
    assert limited.lower - 1e-9 <= exact.value <= limited.upper + 1e-9
    assert limited.upper >= exact.upper
    assert len(told) == 1
    limited.check(problem)


def test_wrong_certificates_name_what_fails():
    problem = Problem.from_table(np.eye(3), queries=list("abc"), targets=list("xyz"))
    cover = fractional_covering_number(problem, gap=0.5)
    with pytest.raises(CertificateError, match=r"for target 'x' the distribution succeeds with probability 0, less"):
        dataclasses.replace(cover, distribution=np.array([0, 0, 1.0])).check(problem)
    with pytest.raises(CertificateError, match=r"under the prior query 'a' succeeds with probability 1, more than 1/3"):
        dataclasses.replace(cover, prior=np.array([1.0, 0, 0])).check(problem)
    with pytest.raises(CertificateError, match="distribution over queries must be 3 weights"):
        dataclasses.replace(cover, distribution=np.ones(3)).check(problem)
    coefficient = decision_estimation_coefficient(problem, gamma=0.1)
    with pytest.raises(CertificateError, match="the prior only forces a loss of"):
        dataclasses.replace(coefficient, lower=5.0, upper=6.0).check(problem)
    with pytest.raises(CertificateError, match=r"for reference 'x' target '.' costs 0.\d+, more than"):
        dataclasses.replace(coefficient, upper=coefficient.lower - 0.5, lower=coefficient.lower - 0.5).check(problem)


def test_parameters_that_mean_nothing_are_refused():
    problem = Problem.from_table(np.eye(2))
    with pytest.raises(InvalidValueError, match="gap must be at least 0, got -1"):
        fractional_covering_number(problem, gap=-1)
    with pytest.raises(InvalidValueError, match="gap must be a finite number"):
        fractional_covering_number(problem, gap=float("nan"))
    with pytest.raises(InvalidValueError, match="gamma must be greater than 0"):
        decision_estimation_coefficient(problem, gamma=0)
    with pytest.raises(InvalidValueError, match="time_limit must be"):
        decision_estimation_coefficient(problem, gamma=1, time_limit=0)
