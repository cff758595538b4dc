"""The class that separates the two dimensions (Section 5), on rational points of the circle, exactly."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.dimensions.eluder.reference_eluder import is_independent
from tests.dimensions.reference import dimension_by_backtracking
from warmer import HypothesisError, LeastSquares, Problem, bounds, environments, problems, simulate
from warmer.dimensions import covering_number, dissimilarity_dimension, dissimilarity_profile, eluder_dimension

SCALES = [Fraction(1, 8), Fraction(1, 4), Fraction(9, 20), Fraction(1, 2), Fraction(5, 4), Fraction(2), Fraction(7, 2)]


def half(problem, axis):
    """The functions F_{j,N,eps} whose bumps lie in one of the two semicircles."""
    columns = [place for place, label in enumerate(problem.targets) if f"{axis}>0" in str(label)]
    numerators, denominator = problem.rational
    return Problem.from_table(numerators[:, columns], queries=problem.queries, denominator=denominator)


def inside(problem, axis):
    """The actions in an open semicircle."""
    place = "xy".index(axis)
    points = [str(label).strip("()").split(",") for label in problem.queries]
    return [k for k, point in enumerate(points) if Fraction(point[place].strip()) > 0]


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize(("n_bumps", "height"), [(1, Fraction(1, 4)), (2, Fraction(1, 10)), (5, Fraction(1, 2))])
def test_every_action_of_the_semicircle_is_independent_of_those_before_it(axis, n_bumps, height):
    problem = half(problems.separation(n_bumps, epsilon=height), axis)
    numerators, denominator = problem.rational
    functions, square = numerators.T.tolist(), (height * denominator) ** 2
    places = inside(problem, axis)
    for k, action in enumerate(places):
        assert is_independent(functions, action, places[:k], square)
    found = eluder_dimension(problem, epsilon=height)
    found.witness.check(problem)
    assert found.value >= len(places) >= n_bumps


@pytest.mark.parametrize("height", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("n_bumps", [1, 2, 5])
def test_its_dissimilarity_dimension_is_small_at_every_scale(n_bumps, height):
    problem = problems.separation(n_bumps, epsilon=height)
    for epsilon in SCALES:
        whole = dissimilarity_dimension(problem, alpha=1, epsilon=epsilon).value
        halves = [dissimilarity_dimension(half(problem, axis), alpha=1, epsilon=epsilon).value for axis in "xy"]
        assert max(halves) <= 3
        assert whole <= bounds.class_dimensions.union_dimension_bound(dimensions=halves)
        assert whole <= bounds.class_dimensions.separation_dimension_bound(epsilon=epsilon, height=height) == 6
        if n_bumps == 1 and epsilon <= 2:
            assert whole >= 4  # with bumps elsewhere: north, east, west, south, all values 0 around c = 0


def test_bumps_that_reach_alpha_make_it_larger():
    """Why the bumps must stay below 1: at 1 they are targets' best queries themselves."""
    assert dissimilarity_dimension(problems.separation(1, epsilon=1), alpha=1, epsilon=Fraction(1, 4)).value > 6
    with pytest.raises(HypothesisError, match="lower than 1, got 1"):
        bounds.class_dimensions.separation_dimension_bound(epsilon=Fraction(1, 4), height=1)


def test_no_four_points_of_a_semicircle_are_dissimilar_at_any_scale():
    """The step of the proof: on all sets of 31 angles from 0 to 180 degrees, and at all scales at once."""
    semicircle = np.arange(0, 181, 6) * np.pi / 180
    rho = np.clip(np.cos(semicircle[:, None] - semicircle[None, :]), -1, 1)
    profile = dissimilarity_profile(Problem.from_similarity(rho), alpha=1)
    assert {piece.value for piece in profile.pieces()} == {1, 2, 3}


def test_four_dissimilar_points_need_gaps_that_a_semicircle_does_not_have():
    """C - cos 3x <= 2 (1 - C) fails up to 68.5 degrees, and four points of a semicircle are within 60."""
    gap = np.radians(np.linspace(0.5, 68.5, 1000))
    assert (np.cos(gap) - np.cos(3 * gap) > 2 * (1 - np.cos(gap))).all()
    assert np.cos(np.radians(68.6)) - np.cos(3 * np.radians(68.6)) < 2 * (1 - np.cos(np.radians(68.6)))


@pytest.mark.parametrize("epsilon", SCALES)
def test_on_four_points_the_search_agrees_with_the_definition(epsilon):
    problem = problems.separation(1, n_points=4)
    numerators, denominator = problem.rational
    rho = [[Fraction(int(value), denominator) for value in row] for row in numerators]
    found = dissimilarity_dimension(problem, alpha=1, epsilon=epsilon).value
    assert found == dimension_by_backtracking(rho, 1, epsilon, is_square=False, is_monotone=False)


def test_more_bumps_raise_the_eluder_dimension_with_the_points_but_not_the_dissimilarity_dimension():
    for n_points, n_bumps in ((12, 5), (20, 1)):
        problem = problems.separation(n_bumps, n_points=n_points)
        enough = n_points // 2 - 1

        def stop(lower, upper, enough=enough):
            if lower >= enough:
                raise KeyboardInterrupt

        assert eluder_dimension(problem, epsilon=Fraction(1, 4), progress=stop).lower >= enough >= n_bumps
        assert dissimilarity_dimension(problem, alpha=1, epsilon=Fraction(1, 4)).value <= 6


def test_with_exact_rewards_the_regret_does_not_depend_on_the_number_of_bumps():
    horizon = 60
    regrets = []
    for n_bumps in (1, 2, 3, 5):
        problem = problems.separation(n_bumps)
        dimension_ = dissimilarity_dimension(problem, alpha=1, epsilon=Fraction(1, horizon), monotone=True).value
        bound = bounds.exact_regret_bound(dimension=dimension_)
        assert bound <= bounds.exact_regret_bound(dimension=10)
        learner = LeastSquares(problem, alpha=1.0)
        for target in range(0, problem.n_targets, problem.n_targets // 15):
            environment = environments.Exact(problem, problem.targets[target])
            regrets.append(float(simulate(learner, environment, horizon=horizon, seed=0).regret(1.0)[0]))
            assert regrets[-1] <= bound
    assert max(regrets) > 1


def test_with_noise_the_regret_bound_grows_with_the_number_of_bumps():
    """All 2^N signs are further apart than any useful radius, so the logarithm inside is at least N ln 2."""
    horizon, budgets = 1000, []
    for n_bumps in (1, 2, 3):
        n_cover = covering_number(problems.separation(n_bumps), epsilon=Fraction(4, horizon)).value
        assert n_cover >= 2**n_bumps
        shared = {"horizon": horizon, "delta": 0.05}
        budgets.append(bounds.budgets.covering_error_budget(beta=2, beta_prime=4, covering_number=n_cover, **shared))
    asked = {"dimension": 4, "horizon": horizon, "form": "printed"}
    regrets = [bounds.regret_bound(**asked, error_budget=budget) for budget in budgets]
    assert (np.diff(regrets) > 0).all()


@pytest.mark.parametrize("n_targets", [2, 50, 10**6])
def test_for_finitely_many_targets_the_regret_bound_is_of_the_order_of_the_root_of_t_ln_t(n_targets):
    ratios = []
    for horizon in (10**3, 10**5, 10**7, 10**9):
        budget = bounds.paper_error_budget(n_targets=n_targets, horizon=horizon, delta=0.05)
        regret = bounds.regret_bound(form="printed", dimension=3, error_budget=budget, horizon=horizon)
        ratios.append(regret / math.sqrt(horizon * math.log(horizon)))
    assert (np.diff(ratios) < 0).all()  # so it is O(sqrt(T ln T)) with the first of them as a constant
    assert ratios[-1] > 12 * 3**1.25 * math.sqrt(128)  # and no smaller order
