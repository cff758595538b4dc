"""Forged certificates: whatever stands in their fields, a check says no in its own words, and never a false yes."""

import math
from dataclasses import fields, replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from warmer.dimensions import (
    Cover,
    DissimilarityWitness,
    EluderWitness,
    Packing,
    StrongSQWitness,
    VectorWitness,
    covering_number,
    decision_estimation_coefficient,
    dissimilarity_dimension,
    eluder_dimension,
    fractional_covering_number,
    star_number,
    strong_sq_dimension,
)
from warmer.dimensions.continuous import search_vectors
from warmer.dimensions.covering import CoverAndPacking
from warmer.dimensions.eluder.witness import is_independent
from warmer.model import Problem
from warmer.model.errors import CertificateError, InvalidValueError

EXACT = Problem.from_similarity(np.eye(4, dtype=int))
FLOATS = Problem.from_similarity(np.eye(4))
BANDIT = Problem.from_table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], forbidden=[True, False, False, False])

NO_NUMBERS = (None, "x", "", True, np.True_, math.nan, math.inf, -math.inf, 10**400, 1j, object(), (), [1], np.ones(2))
NO_PLACES = (
    *(None, 0, 1.5, math.nan, "01", "x", {0, 1}, object(), iter((0, 1)), np.array(0), np.eye(2, dtype=int)),
    *((0, 9), (0, -1), (0, 1.0), (0, None), (0, True), (False, 1), (0, (1,)), ("0", "1"), [0, 10**400], (np.True_, 1)),
)
NO_PAIRS = (*NO_PLACES, ((0, 1, 2),) * 3, ((0,),) * 3, (0, 1, 2), ((0, 9),) * 3, ((True, 2),) * 3, ((0, 1),), "abc")
NO_FLAGS = (None, 0, 1, "no", (), math.nan, np.ones(2))
NO_WEIGHTS = (
    *(None, "x", 1.0, (), np.ones(0), np.full(4, math.nan), np.full(3, math.nan), np.full(3, math.inf)),
    *([-1, 1, 1], [0.5, 0.5, 0.5], [2, -1, 0, 0], [[1, 0, 0]], np.eye(3), [1j, 0, 0], ["a", 1, 0], [10**400, 0, 0]),
)
NO_VECTORS = (
    *(None, "x", 1.0, np.ones(3), np.ones((2, 0)), np.zeros((0, 2)), np.full((3, 2), math.nan), np.eye(3) * 2),
    *(np.full((2, 2), 1e300), np.full((3, 2), "x"), np.eye(3)[:, :2].astype(object), np.zeros((9, 2))),
)
JUNK = {
    **dict.fromkeys(("center", "alpha", "gap"), NO_NUMBERS),
    **{name: (*NO_NUMBERS, 0, -1, Fraction(-1, 9)) for name in ("epsilon", "gamma")},
    **dict.fromkeys(("lower", "upper"), NO_NUMBERS),
    **dict.fromkeys(("targets", "queries"), NO_PLACES),
    **dict.fromkeys(("absolute", "is_two_sided"), NO_FLAGS),
    **dict.fromkeys(("prior", "distribution", "distributions"), NO_WEIGHTS),
    **dict.fromkeys(("parameters", "actions"), NO_VECTORS),
    **dict.fromkeys(("cover", "packing", "sequence"), (None, "x", 3)),
    "pairs": NO_PAIRS,
    "reference": (None, "x", 1.0, True, -1, 9, (0,), math.nan),
}


def genuine():
    """A true certificate of every kind, with its problem."""
    for problem in (EXACT, FLOATS):
        yield dissimilarity_dimension(problem, alpha=1, epsilon=1).witness, problem
        yield eluder_dimension(problem, epsilon=0.5).witness, problem
        yield strong_sq_dimension(problem, epsilon=0.5).witness, problem
        yield star_number(problem, epsilon=0.5, monotone=False).witness, problem
        both = covering_number(problem, epsilon=0.5).witness
        yield from ((certificate, problem) for certificate in (both, both.cover, both.packing))
    vectors = search_vectors("ball", 2, alpha=1, epsilon=1.5, starts=2).witness
    yield vectors, vectors.problem
    yield fractional_covering_number(BANDIT, gap=0.5), BANDIT
    yield decision_estimation_coefficient(BANDIT, gamma=0.1), BANDIT


def test_a_field_that_makes_no_sense_is_refused_by_every_certificate():
    accepted = []
    for certificate, problem in genuine():
        certificate.check(problem)
        for field in fields(certificate):
            forgeries = [(junk, replace(certificate, **{field.name: junk})) for junk in JUNK[field.name]]
            accepted += [(forgery, field.name, junk) for junk, forgery in forgeries if _passes(forgery, problem)]
    assert accepted == []


def test_a_certificate_of_a_game_may_not_use_forbidden_queries_or_leave_a_reference_out():
    found = decision_estimation_coefficient(BANDIT, gamma=0.1)
    all_forbidden = np.zeros_like(found.distributions)
    all_forbidden[:, 0] = 1.0
    with pytest.raises(CertificateError, match="gives weight to query 0, which is forbidden"):
        replace(found, distributions=all_forbidden, upper=0.0, lower=-1.0).check(BANDIT)
    with pytest.raises(CertificateError, match="a distribution for each of 3 references"):
        replace(found, distributions=found.distributions[:0], upper=-5.0, lower=-6.0).check(BANDIT)
    with pytest.raises(CertificateError, match="lower end must not be above"):
        replace(found, upper=found.lower - 1).check(BANDIT)
    with pytest.raises(CertificateError, match="costs"):
        replace(found, gamma=1e-9).check(BANDIT)
    with pytest.raises(CertificateError):
        replace(found, gamma=1e308, lower=-1e300).check(Problem.from_table([[-9, 9], [9, -9]], reward_range=(-9, 9)))
    cover = fractional_covering_number(BANDIT, gap=0.5)
    with pytest.raises(CertificateError, match="query 0, which is forbidden"):
        replace(cover, distribution=np.array([0.4, 0.2, 0.2, 0.2]), upper=5.0).check(BANDIT)
    with pytest.raises(CertificateError, match="gap must be at least 0"):
        replace(cover, gap=-1).check(BANDIT)
    with pytest.raises(CertificateError, match="lower end must not be above"):
        replace(cover, lower=cover.upper + 1).check(BANDIT)


def test_a_strong_sq_witness_needs_a_square_problem_that_is_symmetric_up_to_the_slack():
    with pytest.raises(CertificateError, match="the table is not symmetric for targets"):
        StrongSQWitness((0, 1), 0.5).check(Problem.from_similarity([[1.0, 0.0], [0.9, 1.0]]))
    assert StrongSQWitness((0, 1), 0.5).check(Problem.from_similarity([[1.0, 0.0], [1e-12, 1.0]])) == 0.5
    for table in (np.eye(2), [[1.0, 0.0, 0.0]]):
        with pytest.raises(CertificateError, match="needs a square problem"):
            StrongSQWitness((0, 1), 0.5).check(Problem.from_table(table))


def test_numbers_too_long_to_write_are_refused_in_words():
    tiny, nearly = Fraction(1, 10**5000), Fraction(10**5000 + 1, 10**5000)
    for forgery in (
        DissimilarityWitness((0, 1), (0, 1), Fraction(1, 2), 1, tiny),
        DissimilarityWitness((0, 1), (0, 1), 0, nearly, 1),
        DissimilarityWitness((0, 1), (0, 1), nearly, 1, 1),
        DissimilarityWitness((0, 10**5000), (0, 1), 0, 1, 1),
        EluderWitness((0, 1), ((0, 1), (2, 3)), -tiny),
        EluderWitness((0, 1), ((0, 1), (2, 3)), nearly),
        StrongSQWitness((0, 1), nearly),
        Cover((0, 1), tiny),
        Packing((0, 1), nearly),
        CoverAndPacking(Cover((0, 1, 2, 3), tiny), Packing((0, 1, 2, 3), 2 * tiny)),
        replace(fractional_covering_number(EXACT, gap=0.5), gap=-tiny),
    ):
        with pytest.raises(CertificateError):
            forgery.check(EXACT)


def test_an_alternative_does_not_count_twice_where_epsilon_is_below_the_slack():
    tiny = DissimilarityWitness((0, 0, 0), (0, 0, 0), 1.0, 1.0, 1e-12)
    with pytest.raises(CertificateError, match="query 0 with target 0 is twice in the sequence"):
        tiny.check(FLOATS)


def test_a_cover_and_a_packing_speak_of_one_scale():
    both = CoverAndPacking(Cover((0, 1, 2, 3), Fraction(1, 2)), Packing((0, 1, 2, 3), Fraction(1, 3)))
    with pytest.raises(CertificateError, match="about epsilon = 1/2, the packing about 1/3"):
        both.check(EXACT)


def test_vectors_prove_no_more_than_their_sequence_uses():
    one = DissimilarityWitness((0,), (0,), 0.0, 1.0, 1.0)
    with pytest.raises(CertificateError, match="must use all 3 vectors, it uses 1"):
        VectorWitness(np.eye(3), np.eye(3), one).check()
    with pytest.raises(CertificateError, match="as many actions as parameters"):
        VectorWitness(np.eye(3), np.eye(3)[:2], one).check()


def test_numbers_in_a_witness_may_be_text_and_decimals_mean_what_they_say():
    third = Problem.from_similarity([[Fraction(1), Fraction(3, 10)], [Fraction(3, 10), Fraction(1)]])
    assert DissimilarityWitness((0, 1), (0, 1), 0.3, 1, "7/10").check(third) > 0
    assert Cover((0,), 0.7).check(third) == 0
    assert StrongSQWitness((0, 1), np.float64(0.7)).check(third) == pytest.approx(0)


def test_random_forgeries_pass_exactly_where_the_definition_holds():
    rng = np.random.default_rng(0)
    n_true = dict.fromkeys(range(5), 0)
    for _ in range(1_500):
        n = int(rng.integers(1, 5))
        table = rng.integers(-2, 3, (n, n))
        if rng.integers(2):
            table = np.maximum(table, table.T)
        problem = Problem.from_similarity(table, denominator=2)
        rho = [[Fraction(int(entry), 2) for entry in row] for row in table]
        places = tuple(rng.integers(0, n, rng.integers(1, 5)).tolist())
        pairs = tuple((int(rng.integers(n)), int(rng.integers(n))) for _ in places)
        alpha, epsilon, below = (Fraction(int(number), 4) for number in rng.integers([-2, -1, -1], [5, 5, 3]))
        center = alpha - epsilon - below
        forgeries = (
            (DissimilarityWitness(places, places, center, alpha, epsilon), _is_dissimilar),
            (EluderWitness(places, pairs, epsilon), _is_eluding),
            (StrongSQWitness(places, epsilon), _is_strong_sq),
            (Cover(places, epsilon), _is_cover),
            (Packing(places, epsilon), _is_packing),
        )
        for kind, (forgery, is_true) in enumerate(forgeries):
            expected = epsilon > 0 and is_true(forgery, rho)
            n_true[kind] += expected
            assert _passes(forgery, problem) == expected
    assert min(n_true.values()) > 20


def _passes(certificate, problem):
    try:
        certificate.check(problem)
    except CertificateError:
        return False
    return True


def _is_dissimilar(witness, rho):
    d, z = len(witness.targets), witness.targets
    forward = [abs(rho[z[i]][z[j]] - witness.center) for i, j in combinations(range(d), 2)]
    return (
        all(rho[k][k] >= witness.alpha for k in z)
        and witness.center <= witness.alpha - witness.epsilon
        and all(d * distance**2 <= witness.epsilon**2 for distance in forward)
    )


def _is_eluding(witness, rho):
    for place, (query, (f, g)) in enumerate(zip(witness.queries, witness.pairs, strict=True)):
        before = sum((rho[q][f] - rho[q][g]) ** 2 for q in witness.queries[:place])
        if before > witness.epsilon**2 or abs(rho[query][f] - rho[query][g]) <= witness.epsilon:
            return False
    return True


def _is_strong_sq(witness, rho):
    pairs = list(combinations(witness.targets, 2))
    values = [rho[i][j] for i, j in pairs]
    is_alike = all(i != j and rho[i][j] == rho[j][i] for i, j in pairs)
    is_small = all(abs(value) <= 1 - witness.epsilon for value in values)
    return is_alike and is_small and (not values or (max(values) - min(values)) * len(witness) <= 1)


def _distance(rho, first, second):
    return max(abs(row[first] - row[second]) for row in rho)


def _is_cover(cover, rho):
    return all(min(_distance(rho, k, c) for c in cover.targets) <= cover.epsilon for k in range(len(rho)))


def _is_packing(packing, rho):
    near = [sum(_distance(rho, k, member) <= packing.epsilon for member in packing.targets) for k in range(len(rho))]
    return len(packing) < 2 or max(near) < 2


def test_forbidden_queries_are_no_actions():
    problem = Problem.from_table([[0, 1], [0, 1]], queries=["left", "right"], forbidden=[False, True])
    assert is_independent(problem, "left", [], epsilon=0.5)
    for action, on in (("right", []), ("left", ["right"])):
        with pytest.raises(InvalidValueError, match="query 'right' is forbidden, so it is no action"):
            is_independent(problem, action, on, epsilon=0.5)


def test_searches_read_text_for_every_scale_and_refuse_a_seed_that_is_none():
    assert search_vectors("sphere", 2, alpha="1/2", epsilon="5/4", starts=1).lower >= 2
    assert search_vectors("ball", 1, alpha="1/128", epsilon="3/512", starts=0).lower == 8
    with pytest.raises(InvalidValueError, match=r"alpha must be a finite number such as .*, got 'warm'"):
        search_vectors("ball", 1, alpha="warm", epsilon=1)
    for seed, message in ((-1, "seed must be at least 0, got -1"), ("x", "seed must be a whole number, got 'x'")):
        with pytest.raises(InvalidValueError, match=message):
            search_vectors("sphere", 2, epsilon=1, seed=seed)
