"""Covering numbers against their definition."""

from fractions import Fraction

import numpy as np
import pytest

from tests.dimensions.covering import reference_covering as reference
from warmer.dimensions import covering as module
from warmer.dimensions.covering import Cover, Packing, covering_number, prediction_distance
from warmer.dimensions.kernels import covering as kernel
from warmer.model import Problem
from warmer.model.errors import CertificateError, InvalidValueError
from warmer.model.time_limit import Clock


def random_case(rng):
    n_queries, n_targets, q = int(rng.integers(1, 4)), int(rng.integers(1, 9)), int(rng.integers(1, 7))
    table = rng.integers(-q, q + 1, (n_queries, n_targets))
    rho = [[Fraction(int(value), q) for value in row] for row in table]
    problems = Problem.from_table(table, denominator=q), Problem.from_table(table / q)
    return rho, Fraction(int(rng.integers(1, 2 * q + 1)), q), problems


@pytest.mark.parametrize("seed", range(4))
def test_the_number_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    for _ in range(150):
        rho, epsilon, problems = random_case(rng)
        expected = reference.covering_number(rho, epsilon)
        for problem in problems:
            bracket = covering_number(problem, epsilon=epsilon)
            assert bracket.value == len(bracket.witness.cover) == expected
            assert len(bracket.witness.packing) <= expected
            assert bracket.witness.check(problem) >= -1e-9


def test_distances_follow_the_definition():
    rng = np.random.default_rng(9)
    for _ in range(50):
        rho, _, (exact, floats) = random_case(rng)
        n = len(rho[0])
        for i in range(n):
            for j in range(n):
                expected = reference.distance(rho, i, j)
                assert prediction_distance(exact, i, j) == expected
                assert prediction_distance(floats, i, j) == pytest.approx(float(expected))
        close = np.zeros((n, n), dtype=bool)
        kernel.within(np.ascontiguousarray(floats.rho.T), 0.5, 0, n, close)
        assert close.tolist() == [[reference.distance(rho, i, j) <= 0.5 for j in range(n)] for i in range(n)]


@pytest.mark.parametrize("is_exact", [True, False])
def test_what_a_cover_and_a_packing_leave_follows_the_definition(is_exact):
    rng = np.random.default_rng(2)
    for _ in range(200):
        rho, epsilon, problems = random_case(rng)
        n, problem = len(rho[0]), problems[not is_exact]
        members = rng.permutation(n)[: int(rng.integers(1, n + 1))].tolist()
        distances = [sorted(reference.distance(rho, i, j) for j in members) for i in range(n)]
        farthest = max(near[0] for near in distances)
        second = min((near[1] for near in distances if len(near) > 1), default=float("inf"))
        for chosen, margin in ((Cover, epsilon - farthest), (Packing, second - epsilon)):
            witness = chosen(tuple(members), epsilon)
            if margin > 0 or (margin == 0 and chosen is Cover):
                assert witness.check(problem) == pytest.approx(float(margin))
            else:
                with pytest.raises(CertificateError):
                    witness.check(problem)


def test_a_time_limit_before_any_two_targets_were_compared_leaves_all_of_them(monkeypatch):
    problem = Problem.from_table(np.random.default_rng(0).uniform(-1, 1, (3, 40)))
    covering_number(problem, epsilon=0.5, time_limit=10)
    monkeypatch.setattr(Clock, "has_passed", True)
    bracket = covering_number(problem, epsilon=0.5, time_limit=10)
    assert (bracket.lower, bracket.upper) == (1, 40)
    assert bracket.reason == "time limit; upper bound: all targets used"
    bracket.witness.check(problem)


def test_labels_name_targets_and_forbidden_queries_do_not_count():
    problem = Problem.from_table([[0, 1], [0.5, 0.25]], targets=["f", "g"], forbidden=[True, False])
    assert prediction_distance(problem, "f", "g") == 0.25
    assert covering_number(problem, epsilon=0.25).value == 1
    with pytest.raises(InvalidValueError, match="no target 'h'"):
        prediction_distance(problem, "f", "h")


def test_equality_at_the_scale_is_close():
    problem = Problem.from_table([[Fraction(0), Fraction(3, 10)]])
    assert covering_number(problem, epsilon=0.3).value == 1
    assert covering_number(problem, epsilon=Fraction(2999, 10000)).value == 2
    assert covering_number(Problem.from_table([[0.1 + 0.2, 0.6]]), epsilon=0.3).value == 1


def test_numbers_too_large_for_the_machine_are_compared_exactly():
    tiny = Fraction(1, 3**60)
    problem = Problem.from_table([[Fraction(0), Fraction(1, 2), Fraction(1, 2) + tiny]])
    assert covering_number(problem, epsilon=Fraction(1, 2)).value == 1
    bracket = covering_number(problem, epsilon=tiny / 2)
    assert bracket.value == 3
    assert bracket.witness.check(problem) == float(tiny / 2)


def test_needles_need_themselves_below_one_and_nothing_above():
    problem = Problem.from_table(np.eye(7))
    assert covering_number(problem, epsilon=0.5).value == 7
    assert covering_number(problem, epsilon=1).value == 1
    assert covering_number(problem, epsilon=0.5).reason == "packing and cover have equal size"


def test_the_number_falls_with_the_scale_and_a_cover_serves_every_larger_one():
    rng = np.random.default_rng(4)
    problem = Problem.from_table(rng.uniform(-1, 1, (2, 40)))
    brackets = [covering_number(problem, epsilon=e) for e in np.linspace(0.05, 2, 20)]
    values = [bracket.value for bracket in brackets]
    assert values == sorted(values, reverse=True)
    Cover(brackets[3].witness.cover.targets, 1.0).check(problem)


def test_wrong_evidence_names_what_fails():
    problem = Problem.from_table([[0, 0.5, 1]], targets=["low", "middle", "high"])
    with pytest.raises(CertificateError, match=r"target 'high' is 1 away from the cover, more than epsilon = 0.6"):
        Cover((0,), 0.6).check(problem)
    with pytest.raises(CertificateError, match="target 'low' is inf away"):
        Cover((), 0.6).check(problem)
    with pytest.raises(CertificateError, match="target 'middle' is within epsilon of both 'low' and 'high'"):
        Packing((0, 2), 0.5).check(problem)
    assert Packing((0, 2), 0.25).check(problem) == 0.25
    assert Packing((0,), 0.25).check(problem) == float("inf")
    assert Cover((1,), 0.5).check(problem) == 0


def test_scales_that_mean_nothing_are_refused():
    problem = Problem.from_table([[0, 1]])
    for epsilon in (0, -0.5, float("nan"), "x"):
        with pytest.raises(InvalidValueError, match="epsilon must be"):
            covering_number(problem, epsilon=epsilon)
    with pytest.raises(InvalidValueError, match="time_limit must be"):
        covering_number(problem, epsilon=1, time_limit=0)


def test_a_table_too_large_for_the_program_keeps_an_honest_bracket(monkeypatch):
    problem = Problem.from_table(np.random.default_rng(1).uniform(-1, 1, (3, 80)))
    exact = covering_number(problem, epsilon=0.5).value
    monkeypatch.setattr(module, "_MAX_PROGRAM", 10)
    bracket = covering_number(problem, epsilon=0.5)
    assert bracket.lower <= exact <= bracket.upper
    assert bracket.lower == len(bracket.witness.packing) < bracket.upper == len(bracket.witness.cover)
    assert "too large" in bracket.reason


@pytest.mark.parametrize("seed", range(3))
def test_where_pairs_do_not_fit_into_memory_both_ends_come_from_a_sweep(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(module, "_MAX_PAIRS", 0)
    monkeypatch.setattr(module, "_WORK", 5)
    n_open = 0
    for _ in range(60):
        rho, epsilon, problems = random_case(rng)
        expected = reference.covering_number(rho, epsilon)
        for problem in problems:
            bracket = covering_number(problem, epsilon=epsilon)
            assert bracket.lower == len(bracket.witness.packing) <= expected
            assert expected <= bracket.upper == len(bracket.witness.cover)
            assert bracket.witness.check(problem) >= -1e-9
            n_open += not bracket.is_exact
            assert bracket.is_exact or bracket.reason == (
                "too many targets to compare all pairs at once; upper bound: "
                + ("all targets used" if bracket.upper == len(rho[0]) == 1 else "best cover found")
            )
    assert 0 < n_open < 60


def test_along_one_query_the_sweep_alone_is_exact(monkeypatch):
    monkeypatch.setattr(module, "_MAX_PAIRS", 0)
    values = np.random.default_rng(0).integers(-1000, 1001, (1, 300))
    bracket = covering_number(Problem.from_table(values, denominator=1000), epsilon=0.03)
    assert (bracket.is_exact, bracket.reason) == (True, "packing and cover have equal size")
    left, n_centers = np.unique(values), 0
    while left.size:
        center = left[left <= left[0] + 30][-1]
        left, n_centers = left[left > center + 30], n_centers + 1
    assert bracket.value == n_centers


def test_850668_targets_have_a_bracket_whose_distances_would_not_fit_into_any_memory():
    problem = Problem.from_table(np.random.default_rng(0).uniform(-1, 1, (2, 850_668)))
    bracket = covering_number(problem, epsilon=0.5, time_limit=1)
    assert 1 <= bracket.lower == len(bracket.witness.packing) <= bracket.upper == len(bracket.witness.cover) <= 850_668
    bracket.witness.packing.check(problem)


def test_a_time_limit_keeps_an_honest_bracket():
    problem = Problem.from_table(np.random.default_rng(0).uniform(-1, 1, (4, 900)))
    bracket = covering_number(problem, epsilon=0.35, time_limit=0.3)
    assert bracket.reason == "time limit; upper bound: best cover found"
    assert 1 <= bracket.lower < bracket.upper
    bracket.witness.check(problem)


def test_a_time_limit_is_spent_in_slices_the_last_of_which_is_the_longest(monkeypatch):
    problem = Problem.from_table(np.random.default_rng(1).uniform(-1, 1, (3, 80)))
    solve, slices = module.scipy.optimize.milp, []

    def hopeless(*arguments, options, **keywords):
        slices.append(options["time_limit"])
        monkeypatch.setattr(Clock, "left", property(lambda clock: clock.time_limit - sum(slices)))
        return solve(*arguments, options=options | {"time_limit": 1e-9}, **keywords)

    monkeypatch.setattr(Clock, "left", property(lambda clock: clock.time_limit))
    monkeypatch.setattr(module.scipy.optimize, "milp", hopeless)
    bracket = covering_number(problem, epsilon=0.5, time_limit=30)
    assert (slices, bracket.reason) == ([2.0, 4.0, 8.0, 16.0], "time limit; upper bound: best cover found")


def test_an_interrupt_keeps_the_cover_and_the_packing_in_hand(monkeypatch):
    problem = Problem.from_table(np.random.default_rng(1).uniform(-1, 1, (3, 80)))
    exact = covering_number(problem, epsilon=0.5).value

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(module.scipy.optimize, "milp", interrupt)
    bracket = covering_number(problem, epsilon=0.5)
    assert bracket.reason.startswith("interrupted; ")
    assert bracket.lower == len(bracket.witness.packing) <= exact <= bracket.upper == len(bracket.witness.cover)
    bracket.witness.check(problem)


def test_without_a_time_limit_the_program_runs_in_growing_slices_until_it_is_settled(monkeypatch):
    problem = Problem.from_table(np.random.default_rng(1).uniform(-1, 1, (3, 80)))
    exact = covering_number(problem, epsilon=0.5).value
    solve, slices = module.scipy.optimize.milp, []

    def slow(*arguments, options, **keywords):
        slices.append(options["time_limit"])
        is_last = len(slices) == 4
        return solve(*arguments, options=options | {"time_limit": 60.0 if is_last else 1e-9}, **keywords)

    monkeypatch.setattr(module.scipy.optimize, "milp", slow)
    told = []
    bracket = covering_number(problem, epsilon=0.5, progress=lambda *ends: told.append(ends))
    assert (bracket.value, bracket.reason) == (exact, "integer program (HiGHS)")
    assert slices == [2.0, 4.0, 8.0, 16.0]
    assert told[-1] == (exact, exact)
    assert all(lower <= exact <= upper for lower, upper in told)
