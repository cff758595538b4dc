"""The eluder dimension against its definition."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.dimensions.eluder import reference_eluder as reference
from warmer.dimensions.eluder import dimension as module
from warmer.dimensions.eluder import scale_search
from warmer.dimensions.eluder.dimension import eluder_dimension
from warmer.dimensions.eluder.witness import EluderWitness, is_independent
from warmer.dimensions.search import anytime
from warmer.model import Problem
from warmer.model import time_limit as clock_module
from warmer.model.errors import CertificateError, InvalidValueError

GOLDEN = json.loads((Path(__file__).parents[2] / "data" / "golden.json").read_text())["instances"]
BANDITS = [instance for instance in GOLDEN if instance["kind"] == "bandit"]


def number(value):
    return Fraction(value) if isinstance(value, str) else value


def golden_problem(instance):
    functions = [[number(value) for value in row] for row in instance["F"]]
    return Problem.from_table([list(row) for row in zip(*functions, strict=True)], reward_range=(-2, 2))


def random_case(rng, largest=5):
    n_actions, n_functions, q = (int(rng.integers(1, largest + 1)) for _ in range(3))
    table = rng.integers(-q, q + 1, (n_actions, n_functions))
    epsilon = Fraction(int(rng.integers(1, 4 * q + 1)), 2 * q)
    functions = [[Fraction(int(table[a, f]), q) for a in range(n_actions)] for f in range(n_functions)]
    problems = Problem.from_table(table, denominator=q), Problem.from_table(table / q)
    return functions, epsilon, problems


@pytest.mark.parametrize("instance", BANDITS, ids=lambda instance: instance["name"])
def test_golden_instances_have_their_known_values(instance):
    problem, epsilon, dims = golden_problem(instance), number(instance["eps_eluder"]), instance["dims"]
    plain = eluder_dimension(problem, epsilon=epsilon)
    monotone = eluder_dimension(problem, epsilon=epsilon, monotone=True)
    assert (plain.value, monotone.value) == (dims["eluder"], dims["eluder_monotone"])
    if "eluder_monotone_at_2eps_over_3" in dims:
        wider = eluder_dimension(problem, epsilon=number(instance["eps"]) * 2 / 3, monotone=True)
        assert wider.value == dims["eluder_monotone_at_2eps_over_3"]


@pytest.mark.parametrize("seed", range(10))
def test_the_search_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    for _ in range(250):
        functions, epsilon, problems = random_case(rng)
        expected = reference.eluder(functions, epsilon**2)
        for problem in problems:
            bracket = eluder_dimension(problem, epsilon=epsilon)
            assert bracket.value == expected
            assert (bracket.witness is None) == (expected == 0)
            assert expected == 0 or len(bracket.witness) == expected


@pytest.mark.parametrize("seed", range(5))
def test_the_monotone_search_equals_the_definition(seed):
    rng = np.random.default_rng(100 + seed)
    for _ in range(60):
        functions, epsilon, problems = random_case(rng, largest=4)
        expected = reference.monotone_eluder(functions, epsilon**2)
        for problem in problems:
            bracket = eluder_dimension(problem, epsilon=epsilon, monotone=True)
            assert bracket.value == expected
            assert expected == 0 or bracket.witness.epsilon >= epsilon
            assert expected == 0 or bracket.witness.check(problem) >= 0


def test_numbers_too_large_for_the_machine_are_searched_exactly():
    rng = np.random.default_rng(5)
    unit = 10**12
    for _ in range(60):
        functions, epsilon, (problem, _) = random_case(rng)
        tiny = [[value / 2 + Fraction(1, 7 * unit) for value in row] for row in functions]
        shifted = Problem.from_table([list(row) for row in zip(*tiny, strict=True)])
        assert eluder_dimension(shifted, epsilon=epsilon / 2).value == eluder_dimension(problem, epsilon=epsilon).value
        assert (
            eluder_dimension(shifted, epsilon=epsilon / 2, monotone=True).value
            == eluder_dimension(problem, epsilon=epsilon, monotone=True).value
        )


def test_independence_of_actions_follows_the_definition():
    rng = np.random.default_rng(7)
    for _ in range(300):
        functions, epsilon, problems = random_case(rng)
        n_actions = len(functions[0])
        action = int(rng.integers(n_actions))
        on = [int(a) for a in rng.permutation(n_actions)[: int(rng.integers(n_actions + 1))]]
        expected = reference.is_independent(functions, action, on, epsilon**2)
        for problem in problems:
            assert is_independent(problem, action, on, epsilon=epsilon) == expected


def test_equality_at_the_scale_is_close_and_not_apart():
    problem = Problem.from_table([[Fraction(3, 10), 0], [Fraction(4, 10), 0], [1, 0]])
    assert is_independent(problem, 2, [0, 1], epsilon=0.5)  # 0.09 + 0.16 is exactly 0.25
    assert not is_independent(problem, 2, [0, 1], epsilon=Fraction(4999, 10000))
    assert not is_independent(problem, 0, [], epsilon=0.3)  # 0.3 means 3/10, not the nearest binary fraction
    floats = Problem.from_table([[0.3, 0], [0.4, 0], [1, 0]])
    assert is_independent(floats, 2, [0, 1], epsilon=0.5)
    assert not is_independent(floats, 0, [], epsilon=0.3)


def test_labels_name_actions():
    problem = Problem.from_table([[0, 1], [0, 1]], queries=["left", "right"])
    assert not is_independent(problem, "left", ["right"], epsilon=0.5)
    with pytest.raises(InvalidValueError, match="there is no query 'middle'"):
        is_independent(problem, "middle", [], epsilon=0.5)


def test_forbidden_queries_are_no_actions():
    table = np.eye(4)
    problem = Problem.from_table(table, forbidden=[False, True, False, True])
    assert eluder_dimension(problem, epsilon=0.5).value == 2
    witness = EluderWitness((1,), ((1, 2),), 0.5)
    with pytest.raises(CertificateError, match=r"query 1 \(place 1\) is forbidden"):
        witness.check(problem)


def test_a_square_problem_reads_rows_as_actions():
    table = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    square = eluder_dimension(Problem.from_similarity(table), epsilon=0.5)
    assert square.value == eluder_dimension(Problem.from_table(table), epsilon=0.5).value == 2


def test_every_subsequence_of_a_witness_is_a_witness():
    rng = np.random.default_rng(3)
    for _ in range(40):
        problem = Problem.from_table(rng.uniform(-1, 1, (8, 8)))
        witness = eluder_dimension(problem, epsilon=0.6).witness
        places = np.flatnonzero(rng.random(len(witness)) < 0.6)
        part = witness.subsequence(int(place) for place in places)
        assert len(part) == places.size
        assert part.check(problem) >= 0


def test_wrong_witnesses_name_what_fails():
    problem = Problem.from_table(np.eye(3), queries=["a", "b", "c"], targets=["f", "g", "h"])
    good = EluderWitness((0, 1), ((0, 1), (1, 2)), 0.5)
    assert good.check(problem) == 0.5
    assert EluderWitness((), (), 0.5).check(problem) == float("inf")
    with pytest.raises(CertificateError, match=r"query 'b' \(place 2\): targets 'f' and 'g' differ by 1 on its pred"):
        EluderWitness((0, 1), ((0, 1), (0, 1)), 0.5).check(problem)
    with pytest.raises(CertificateError, match=r"query 'c' \(place 1\): targets 'f' and 'g' differ by 0 there, not mo"):
        EluderWitness((2,), ((0, 1),), 0.5).check(problem)
    with pytest.raises(CertificateError, match="2 queries need as many pairs, got 1"):
        EluderWitness((0, 1), ((0, 1),), 0.5).check(problem)
    exact = Problem.from_table(np.eye(3, dtype=int))
    with pytest.raises(CertificateError, match="not more than 1"):
        EluderWitness((0,), ((0, 1),), 1).check(exact)


@pytest.mark.parametrize(
    ("epsilon", "message"),
    [
        (0, "greater than 0, got 0"),
        (-1, "got -1"),
        (float("nan"), 'finite number such as 0.5 or "5/4", got nan'),
        ("x", "got 'x'"),
        (None, "got None"),
    ],
)
def test_scales_that_mean_nothing_are_refused(epsilon, message):
    problem = Problem.from_table(np.eye(2))
    for call in (
        lambda: eluder_dimension(problem, epsilon=epsilon),
        lambda: is_independent(problem, 0, [], epsilon=epsilon),
    ):
        with pytest.raises(InvalidValueError, match=message):
            call()
    with pytest.raises(InvalidValueError, match="time_limit must be greater than 0"):
        eluder_dimension(problem, epsilon=1, time_limit=0)


def test_twins_and_negated_rows_add_nothing():
    rng = np.random.default_rng(11)
    for _ in range(30):
        table = rng.integers(-4, 5, (5, 5))
        doubled = np.concatenate([table, table, -table], axis=0)[:, [0, 1, 2, 3, 4, 0, 1]]
        small, large = (Problem.from_table(t, denominator=4) for t in (table, doubled))
        for monotone in (False, True):
            assert (
                eluder_dimension(small, epsilon=0.5, monotone=monotone).value
                == eluder_dimension(large, epsilon=0.5, monotone=monotone).value
            )


def test_more_functions_or_actions_never_make_it_smaller_and_the_monotone_version_falls():
    rng = np.random.default_rng(12)
    for _ in range(10):
        table = rng.integers(-4, 5, (6, 6))
        whole = Problem.from_table(table, denominator=4)
        part = Problem.from_table(table[:5, :4], denominator=4)
        scales = [Fraction(k, 8) for k in range(1, 17)]
        values = [eluder_dimension(whole, epsilon=scale, monotone=True).value for scale in scales]
        assert values == sorted(values, reverse=True)
        assert all(eluder_dimension(part, epsilon=e).value <= eluder_dimension(whole, epsilon=e).value for e in scales)
        assert values == [max(eluder_dimension(whole, epsilon=e).value for e in fine(whole, scale)) for scale in scales]


def fine(problem, least):
    """Scales from `least` on that decide the maximum: itself and a little below each difference."""
    numerators = problem.rational.numerators
    gaps = {abs(int(row[f]) - int(row[g])) for row in numerators for f in range(6) for g in range(6)}
    below = [Fraction(2 * gap**2 - 1, 8 * gap) for gap in gaps if Fraction(gap, 4) > least]
    return [least, *(max(least, scale) for scale in below)]


def test_a_time_limit_gives_an_honest_bracket():
    rng = np.random.default_rng(1)
    problem = Problem.from_table(rng.uniform(-0.5, 0.5, (60, 60)))
    for monotone in (False, True):
        bracket = eluder_dimension(problem, epsilon=0.5, monotone=monotone, time_limit=0.2)
        assert bracket.reason.startswith("time limit; upper bound: ")
        assert 0 <= bracket.lower < bracket.upper <= 60
        assert bracket.witness is None or bracket.witness.check(problem) >= 0


def test_an_interrupt_gives_the_bracket_reached_so_far():
    problem = Problem.from_table(np.random.default_rng(1).uniform(-0.5, 0.5, (60, 60)))

    def interrupt(lower, upper):
        if lower >= 10:
            raise KeyboardInterrupt

    bracket = eluder_dimension(problem, epsilon=0.5, progress=interrupt)
    assert bracket.reason.startswith("interrupted; ")
    assert bracket.lower >= 10
    assert bracket.witness.check(problem) >= 0


class Countdown(clock_module.Clock):
    """A clock that stops the computation, or interrupts it, at a given look."""

    n_looks = 0
    last = 0
    is_interrupt = False

    @property
    def is_over(self):
        Countdown.n_looks += 1
        if self.n_looks == self.last and self.is_interrupt:
            raise KeyboardInterrupt
        return self.n_looks >= self.last > 0 and not self.is_interrupt


@pytest.mark.parametrize("is_interrupt", [False, True], ids=["time limit", "interrupted"])
@pytest.mark.parametrize("monotone", [False, True])
def test_a_stop_at_any_moment_gives_an_honest_bracket(monkeypatch, monotone, is_interrupt):
    problem = Problem.from_table(np.random.default_rng(3).uniform(-0.5, 0.5, (9, 9)))
    exact = eluder_dimension(problem, epsilon=0.4, monotone=monotone).value
    monkeypatch.setattr(anytime, "Clock", Countdown)
    monkeypatch.setattr(clock_module, "_BLOCK", 40)
    monkeypatch.setattr(Countdown, "is_interrupt", is_interrupt)
    brackets = []
    for last in range(1, 60):
        monkeypatch.setattr(Countdown, "n_looks", 0)
        monkeypatch.setattr(Countdown, "last", last)
        brackets.append(eluder_dimension(problem, epsilon=0.4, monotone=monotone))
        assert brackets[-1].lower <= exact <= brackets[-1].upper
        assert brackets[-1].is_exact or brackets[-1].reason.startswith("interrupted" if is_interrupt else "time limit")
    assert (brackets[0].lower, brackets[0].upper) == (1, 9)


def test_progress_sees_the_ends_close_in():
    problem = Problem.from_table(np.random.default_rng(2).uniform(-0.5, 0.5, (14, 14)))
    told = []
    bracket = eluder_dimension(problem, epsilon=0.5, progress=lambda lower, upper: told.append((lower, upper)))
    lowers, uppers = zip(*told, strict=True)
    assert list(lowers) == sorted(lowers)
    assert list(uppers) == sorted(uppers, reverse=True)
    assert told[-1] == (bracket.value, bracket.value)


@pytest.mark.parametrize("epsilon", [1e10, 1e300, "1e300", Fraction(10) ** 30], ids=str)
@pytest.mark.parametrize("one", [1, 1.0, Fraction(1, 3**50)], ids=["whole", "float", "large"])
def test_no_action_is_independent_at_an_enormous_scale(one, epsilon):
    problem = Problem.from_similarity([[one, 0 * one], [0 * one, one]])
    for monotone in (False, True):
        assert eluder_dimension(problem, epsilon=epsilon, monotone=monotone).value == 0
    assert not is_independent(problem, 0, [], epsilon=epsilon)
    assert eluder_dimension(Problem.from_table([[one]]), epsilon=epsilon).value == 0


def test_a_difference_equal_to_the_scale_given_as_a_float_is_no_difference():
    problem = Problem.from_table([[Fraction(3, 10), 0]])
    for monotone in (False, True):
        assert eluder_dimension(problem, epsilon=0.3, monotone=monotone).value == 0
        assert eluder_dimension(problem, epsilon=0.29, monotone=monotone).value == 1


def test_too_many_pairs_leave_the_upper_end_open(monkeypatch):
    from warmer.dimensions.eluder import pairs

    monkeypatch.setattr(pairs, "_MAX_ENTRIES", 60)
    problem = Problem.from_table(np.eye(6))
    bracket = eluder_dimension(problem, epsilon=0.5)
    assert (bracket.lower <= 5, bracket.upper) == (True, 6)
    assert "too many pairs" in bracket.reason


def in_cells(monkeypatch):
    """The search as for very many functions, of which pairs of two are held."""
    from warmer.dimensions.eluder import pairs

    monkeypatch.setattr(pairs, "MAX_FUNCTIONS", 2)
    monkeypatch.setattr(module, "MAX_FUNCTIONS", 2)


@pytest.mark.parametrize("monotone", [False, True])
def test_of_more_functions_than_pairs_are_held_of_the_ends_are_honest(monkeypatch, monotone):
    rng = np.random.default_rng(5)
    n_exact = n_longer = 0
    for _ in range(60):
        table = rng.integers(-6, 7, (int(rng.integers(1, 5)), int(rng.integers(3, 40))))
        for problem in (Problem.from_table(table, denominator=6), Problem.from_table(table / 6)):
            exact = eluder_dimension(problem, epsilon=0.5, monotone=monotone)
            with monkeypatch.context() as few:
                in_cells(few)
                bracket = eluder_dimension(problem, epsilon=0.5, monotone=monotone)
            assert bracket.lower <= exact.value <= bracket.upper
            assert bracket.witness is None or bracket.witness.check(problem) >= -1e-9
            assert len(bracket.witness or ()) == bracket.lower
            assert bracket.is_exact or bracket.reason.startswith("too many pairs of functions to hold at once")
            n_exact, n_longer = n_exact + bracket.is_exact, n_longer + (bracket.lower > 1)
    assert n_exact > 40
    assert n_longer > 40


def test_numbers_too_large_for_the_machine_are_put_into_cells_exactly(monkeypatch):
    in_cells(monkeypatch)
    tiny = Fraction(1, 3**60)
    problem = Problem.from_table([[0, tiny, 3 * tiny, 5 * tiny], [0, 1, Fraction(1, 2), Fraction(1, 4)]])
    bracket = eluder_dimension(problem, epsilon=tiny)
    assert bracket.value == 2
    assert bracket.witness.check(problem) >= 0


@pytest.mark.parametrize("monotone", [False, True])
def test_850668_functions_have_a_bracket_whose_pairs_would_not_fit_into_any_memory(monotone):
    problem = Problem.from_table(np.random.default_rng(0).uniform(-1, 1, (3, 850_668)).astype(np.float32))
    bracket = eluder_dimension(problem, epsilon=0.25, monotone=monotone)
    assert bracket.value == 3
    assert bracket.witness.check(problem) >= 0


def test_more_than_64_actions_fill_more_than_one_word():
    needles = Problem.from_table(np.eye(70))
    assert eluder_dimension(needles, epsilon=0.5).value == 69
    twice = np.random.default_rng(4).uniform(-0.5, 0.5, (80, 4))
    assert eluder_dimension(Problem.from_table(twice), epsilon=0.3, time_limit=20).is_exact


def test_forgetting_only_repeats_work(monkeypatch):
    problem = Problem.from_table(np.random.default_rng(2).uniform(-0.5, 0.5, (16, 16)))
    expected = eluder_dimension(problem, epsilon=0.5).value
    monkeypatch.setattr(scale_search, "_MEMORY", 1 << 12)
    monkeypatch.setattr(module, "_QUICK", 100)
    assert eluder_dimension(problem, epsilon=0.5).value == expected
