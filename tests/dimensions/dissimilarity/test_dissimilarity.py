"""The dissimilarity dimension: brute force, known values, laws, limits and messages."""

import json
import math
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.dimensions import graphs
from tests.dimensions.instances import random_instance
from tests.dimensions.reference import dimension, dimension_by_backtracking
from warmer.dimensions import DissimilarityWitness, dissimilarity_dimension
from warmer.model import Problem
from warmer.model.errors import InvalidValueError

GOLDEN = json.loads((Path(__file__).parents[2] / "data" / "golden.json").read_text())["instances"]
KINDS = ["symmetric", "asymmetric", "bandit"]


def as_problem(instance: dict[str, Any]) -> Problem:
    entries = instance["rho"] if instance["kind"] == "rho" else instance["F"]
    table = np.array([[Fraction(x) if instance["exact"] else x for x in row] for row in entries])
    wide = (-2.0, 2.0)
    if instance["kind"] == "rho":
        return Problem.from_similarity(table, reward_range=wide)
    return Problem.from_table(table.T, reward_range=wide)


def pentagon() -> Problem:
    angles = 2 * np.pi * np.arange(5) / 5
    return Problem.from_similarity(np.clip(np.cos(angles[:, None] - angles[None, :]), -1, 1))


def random_symmetric(size: int, seed: int) -> Problem:
    upper = np.triu(np.random.default_rng(seed).uniform(-1, 1, (size, size)), 1)
    return Problem.from_similarity(upper + upper.T + np.eye(size))


@pytest.mark.parametrize("is_exact", [True, False], ids=["rational", "floats"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("block", range(10))
def test_search_equals_brute_force(kind: str, is_exact: bool, block: int) -> None:
    rng = np.random.default_rng([block, KINDS.index(kind), is_exact])
    for number in range(100):
        instance = random_instance(rng, kind, is_exact=is_exact)
        is_monotone, is_two_sided = bool(number & 1), number % 3 == 0
        bracket = dissimilarity_dimension(
            instance.problem,
            alpha=instance.alpha,
            epsilon=instance.epsilon,
            monotone=is_monotone,
            sided="two" if is_two_sided else "one",
        )
        assert bracket.value == dimension(
            instance.rho,
            instance.alpha,
            instance.epsilon,
            is_square=instance.problem.is_square,
            is_monotone=is_monotone,
            is_two_sided=is_two_sided,
            slack=instance.slack,
        )
        if bracket.witness is not None:
            bracket.witness.check(instance.problem)


@pytest.mark.parametrize("is_monotone", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_search_equals_backtracking_where_every_entry_differs(kind: str, is_monotone: bool, seed: int) -> None:
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    numerators = rng.integers(-1000, 1001, (9, 9) if kind != "bandit" else (5, 7))
    if kind == "symmetric":
        numerators = np.triu(numerators) + np.triu(numerators, 1).T
    if kind != "bandit":
        np.fill_diagonal(numerators, 1000)
    make = Problem.from_table if kind == "bandit" else Problem.from_similarity
    problem = make(numerators, denominator=1000)
    rho = [[Fraction(int(entry), 1000) for entry in row] for row in numerators]
    alpha, epsilon = Fraction(7, 10), Fraction(int(rng.integers(3, 12)), 8)
    bracket = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon, monotone=is_monotone)
    assert bracket.value == dimension_by_backtracking(
        rho, alpha, epsilon, is_square=problem.is_square, is_monotone=is_monotone
    )


@pytest.mark.parametrize("instance", GOLDEN, ids=[instance["name"] for instance in GOLDEN])
def test_golden_values_are_reproduced(instance: dict[str, Any]) -> None:
    problem = as_problem(instance)
    options: dict[str, Any] = {
        "dissimilarity": {},
        "dissimilarity_monotonic": {"monotone": True},
        "dissimilarity_two_sided": {"sided": "two"},
    }
    for name in options.keys() & instance["dims"].keys():
        bracket = dissimilarity_dimension(problem, alpha=instance["alpha"], epsilon=instance["eps"], **options[name])
        assert bracket.value == instance["dims"][name]
        if bracket.witness is not None:
            bracket.witness.check(problem)


def test_golden_witnesses_check() -> None:
    for instance in GOLDEN:
        sequence = instance["witness"].get("dissimilarity", {}).get("sequence", [])
        if instance["kind"] != "rho" or not sequence or not instance["exact"]:
            continue
        center = Fraction(instance["witness"]["dissimilarity"]["c"])
        point = Fraction(instance["alpha"]), Fraction(instance["eps"])
        DissimilarityWitness(tuple(sequence), tuple(sequence), center, *point).check(as_problem(instance))


@pytest.mark.parametrize(("epsilon", "value"), [(1.25, 5), ("5/4", 5), (1.2499, 4), (1.2501, 4)])
def test_the_pentagon_meets_its_bound_at_one_point_only(epsilon: Any, value: int) -> None:
    assert dissimilarity_dimension(pentagon(), alpha=1, epsilon=epsilon).value == value


def test_a_rational_boundary_is_met_exactly_and_missed_by_any_amount() -> None:
    size = 9  # nine equal values v: feasible iff epsilon (1 - 1/3) <= 1 - v
    rho = [[Fraction(1) if i == j else Fraction(1, 4) for j in range(size)] for i in range(size)]
    problem = Problem.from_similarity(rho)
    boundary = Fraction(9, 8)
    assert dissimilarity_dimension(problem, alpha=1, epsilon=boundary).value == 9
    assert dissimilarity_dimension(problem, alpha=1, epsilon=boundary + Fraction(1, 10**30)).value == 8


def test_numerators_beyond_64_bits_are_compared_exactly() -> None:
    over, fine = 10**40, 10**60
    rho = np.array([[Fraction(1)] * 2] * 2)
    rho[0, 1] = rho[1, 0] = Fraction(over // 2 + 1, over)
    problem = Problem.from_similarity(rho)
    # two elements: epsilon (1 - 1/sqrt 2) <= 1/2 - 1/over, that is epsilon <= 1 + sqrt(1/2) - (2 + sqrt 2)/over
    nearly = 1 + Fraction(math.isqrt(fine**2 // 2), fine)
    assert dissimilarity_dimension(problem, alpha=1, epsilon=nearly - Fraction(4, over)).value == 2
    assert dissimilarity_dimension(problem, alpha=1, epsilon=nearly - Fraction(3, over)).value == 1


@pytest.mark.parametrize("n_arms", [2, 3, 5])
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)])
def test_arms_with_free_rewards_follow_the_closed_form(n_arms: int, epsilon: Fraction) -> None:
    """On {0, 1}^K the dimension is the largest d <= K with epsilon (1 - 1/sqrt d) <= alpha."""
    functions = [[(code >> arm) & 1 for arm in range(n_arms)] for code in range(2**n_arms)]
    problem = Problem.from_table(np.array(functions).T)
    expected = max(d for d in range(1, n_arms + 1) if d == 1 or d * (epsilon - 1) ** 2 <= epsilon**2 or epsilon <= 1)
    assert dissimilarity_dimension(problem, alpha=1, epsilon=epsilon).value == expected


@pytest.mark.parametrize(
    ("adjacency", "size"),
    [(graphs.hamming(6, 4), 4), (graphs.hamming(8, 4), 16), (graphs.johnson(8, 4, 4), 14), (graphs.keller(4), 11)],
    ids=["hamming6-4", "hamming8-4", "johnson8-4-4", "keller4"],
)
def test_a_graph_as_a_table_has_its_clique_number_as_dimension(adjacency: Any, size: int) -> None:
    problem = Problem.from_similarity(1 - (adjacency & ~np.eye(len(adjacency), dtype=bool)).astype(int))
    bracket = dissimilarity_dimension(problem, alpha=1, epsilon=1)
    assert bracket.value == size
    assert bracket.witness is not None
    bracket.witness.check(problem)


@pytest.mark.parametrize("kind", KINDS)
def test_a_witness_and_each_of_its_subsequences_check(kind: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(25):
        instance = random_instance(rng, kind, is_exact=True, largest=8)
        bracket = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=1, monotone=True)
        witness = bracket.witness
        if witness is None:
            continue
        assert isinstance(witness, DissimilarityWitness)
        for size in range(1, len(witness) + 1):
            for places in combinations(range(len(witness)), size):
                assert witness.subsequence(places).check(instance.problem) >= 0


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_a_subset_has_no_larger_dimension_and_a_union_no_more_than_the_sum(seed: int, monotone: bool) -> None:
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, "asymmetric", is_exact=True, largest=12)
    numerators, over = instance.problem.rational or (None, 1)
    assert numerators is not None
    is_left = rng.random(len(numerators)) < 0.5

    def value(places: Any) -> int:
        part = Problem.from_similarity(numerators[np.ix_(places, places)], denominator=over)
        return dissimilarity_dimension(part, alpha=instance.alpha, epsilon=instance.epsilon, monotone=monotone).value

    whole = value(np.arange(len(numerators)))
    parts = [value(np.flatnonzero(side)) for side in (is_left, ~is_left) if side.any()]
    assert max(parts) <= whole <= sum(parts)


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_order_twins_and_affine_maps_do_not_matter(seed: int, monotone: bool) -> None:
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, ["symmetric", "asymmetric"][seed % 2], is_exact=True, largest=9)
    numerators, over = instance.problem.rational or (None, 1)
    assert numerators is not None

    def value(table: Any, denominator: int, alpha: Any, epsilon: Any) -> int:
        problem = Problem.from_similarity(table, denominator=denominator, reward_range=(-10, 10))
        return dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon, monotone=monotone).value

    alpha, epsilon = instance.alpha, instance.epsilon
    original = value(numerators, over, alpha, epsilon)
    order = rng.permutation(len(numerators))
    assert value(numerators[np.ix_(order, order)], over, alpha, epsilon) == original
    twins = np.append(np.arange(len(numerators)), 0)
    if numerators[0, 0] >= alpha * over:
        assert value(numerators[np.ix_(twins, twins)], over, alpha, epsilon) == original
    assert value(3 * numerators + over, 2 * over, (3 * alpha + 1) / 2, 3 * epsilon / 2) == original


def test_the_monotone_dimension_falls_as_epsilon_grows_and_bounds_the_plain_one() -> None:
    problem = random_symmetric(25, 3)
    epsilons = np.linspace(0.1, 4, 15)
    monotone = [dissimilarity_dimension(problem, alpha=1, epsilon=e, monotone=True).value for e in epsilons]
    plain = [dissimilarity_dimension(problem, alpha=1, epsilon=e).value for e in epsilons]
    assert monotone == sorted(monotone, reverse=True)
    assert all(p <= m for p, m in zip(plain, monotone, strict=True))


def test_forbidden_queries_take_no_part() -> None:
    rho = np.eye(4)
    open_problem = Problem.from_similarity(rho)
    closed = Problem.from_similarity(rho, forbidden=np.array([True, False, False, False]))
    assert dissimilarity_dimension(open_problem, alpha=1, epsilon=1).value == 4
    assert dissimilarity_dimension(closed, alpha=1, epsilon=1).value == 3
    table = Problem.from_table(rho, forbidden=np.array([True, True, False, False]))
    assert dissimilarity_dimension(table, alpha=1, epsilon=1).value == 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_forbidden_queries_single_precision_and_other_units_follow_the_definition(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    for number in range(30):
        instance = random_instance(rng, kind, is_exact=False)
        forbidden = rng.random(instance.problem.n_queries) < 0.3
        forbidden[0] = False
        table = 4 * np.array(instance.rho, dtype=np.float32)
        make = Problem.from_table if kind == "bandit" else Problem.from_similarity
        problem = make(table, reward_range=(-4, 4), forbidden=forbidden)
        bracket = dissimilarity_dimension(
            problem, alpha=4 * instance.alpha, epsilon=4 * instance.epsilon, monotone=bool(number % 2)
        )
        left = np.flatnonzero(~forbidden)
        kept = table[left] if kind == "bandit" else table[np.ix_(left, left)]
        assert bracket.value == dimension(
            kept.astype(float).tolist(),
            4 * instance.alpha,
            4 * instance.epsilon,
            is_square=kind != "bandit",
            is_monotone=bool(number % 2),
            slack=problem.slack,
        )
        if bracket.witness is not None:
            bracket.witness.check(problem)


def test_no_alternative_that_reaches_alpha_gives_zero_and_says_so() -> None:
    bracket = dissimilarity_dimension(Problem.from_similarity(np.eye(2) / 2), alpha=0.75, epsilon=1)
    assert (bracket.value, bracket.witness, bracket.reason) == (0, None, "no alternative reaches alpha")


def test_paley_nine_meets_the_rank_bound() -> None:
    instance = next(instance for instance in GOLDEN if instance["name"] == "paley9_n4_eps9/8")
    rows = np.array([[Fraction(entry) for entry in row] for row in instance["rho"]])
    twice = np.block([[rows, rows], [rows, rows]])
    bracket = dissimilarity_dimension(Problem.from_similarity(twice), alpha=1, epsilon="9/8")
    assert (bracket.value, bracket.reason) == (9, "rank bound 2*rank+1")


@pytest.mark.parametrize("monotone", [False, True])
def test_a_time_limit_gives_an_honest_bracket(monotone: bool) -> None:
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((500, 500)) < 0.9, 1)
    problem = Problem.from_similarity(1 - (upper | upper.T).astype(int))
    bracket = dissimilarity_dimension(problem, alpha=1, epsilon=1, monotone=monotone, time_limit=0.05)
    assert 1 <= bracket.lower < bracket.upper <= 500
    assert bracket.reason.startswith("time limit")
    assert bracket.witness is not None
    assert len(bracket.witness.targets) == bracket.lower  # type: ignore[attr-defined]
    bracket.witness.check(problem)


def test_a_short_time_limit_brackets_the_value_that_more_time_finds() -> None:
    problem = random_symmetric(60, 1)
    value = dissimilarity_dimension(problem, alpha=1, epsilon=1).value
    for limit in (1e-9, 0.002, 0.01):
        bracket = dissimilarity_dimension(problem, alpha=1, epsilon=1, time_limit=limit)
        assert bracket.lower <= value <= bracket.upper
        assert bracket.witness is not None
        bracket.witness.check(problem)


def test_an_interrupt_gives_the_bracket_reached_so_far() -> None:
    problem = random_symmetric(40, 2)
    value = dissimilarity_dimension(problem, alpha=1, epsilon=1).value

    def interrupt(lower: int, upper: int) -> None:
        if lower >= 4:
            raise KeyboardInterrupt

    bracket = dissimilarity_dimension(problem, alpha=1, epsilon=1, progress=interrupt)
    assert 4 <= bracket.lower <= value <= bracket.upper
    assert bracket.is_exact or bracket.reason.startswith("interrupted")


def test_progress_reports_ends_that_close_in() -> None:
    seen: list[tuple[int, int]] = []
    problem = random_symmetric(30, 4)
    value = dissimilarity_dimension(
        problem, alpha=1, epsilon=1, progress=lambda lower, upper: seen.append((lower, upper))
    ).value
    assert seen[0] == (1, 30)
    assert seen == sorted(seen, key=lambda ends: (ends[0], -ends[1]))
    assert seen[-1][0] == value


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": 0}, "epsilon must be greater than 0, got 0"),
        ({"epsilon": -0.5}, "epsilon must be greater than 0, got -0.5"),
        ({"alpha": float("nan")}, 'alpha must be a finite number such as 0.5 or "5/4", got nan'),
        ({"epsilon": "five"}, "epsilon must be a finite number .* got 'five'"),
        ({"alpha": None}, "alpha must be a number, got None"),
        ({"sided": "three"}, 'sided must be "one" or "two", got \'three\''),
        ({"time_limit": 0}, "time_limit must be greater than 0, got 0"),
    ],
)
def test_values_that_cannot_be_used_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        dissimilarity_dimension(Problem.from_similarity(np.eye(2)), **{"alpha": 1, "epsilon": 1, **options})


def test_two_sided_search_of_a_large_bandit_table_says_what_to_do() -> None:
    with pytest.raises(InvalidValueError, match=r"up to 30000 pairs .* got 40000; raise alpha"):
        dissimilarity_dimension(Problem.from_table(np.ones((200, 200))), alpha=1, epsilon=1, sided="two")
