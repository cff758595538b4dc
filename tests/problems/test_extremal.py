"""Long dissimilar sequences written down: each is what it says."""

import json
import math
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from warmer import LeastSquares, environments, simulate
from warmer.analysis import bad_queries
from warmer.claims import analyse_trace
from warmer.claims.statements.tightness import scripted_run
from warmer.dimensions.dissimilarity.dimension import dissimilarity_dimension
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness
from warmer.model.errors import InvalidValueError
from warmer.problems.extremal import (
    coloured,
    conference,
    ladder,
    linear_counterexample,
    linear_geometric,
    linear_greedy_counterexample,
    revealing,
)

GOLDEN = {
    instance["name"]: instance
    for instance in json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())["instances"]
}


def check(extremal):
    places = tuple(range(extremal.length))
    witness = DissimilarityWitness(places, places, extremal.center, extremal.alpha, extremal.epsilon)
    return witness.check(extremal.problem)


@pytest.mark.parametrize("q", [5, 9, 13, 17, 25, 29, 37, 41, 49, 53, 61])
def test_conference_matrices_attain_the_bound_of_the_sphere(q):
    extremal = conference(q)
    gram = extremal.problem.rho
    assert extremal.length == q
    assert abs(check(extremal)) < 1e-9
    assert (gram == gram.T).all()
    eigenvalues = np.linalg.eigvalsh(gram)
    assert eigenvalues.min() > -1e-9
    assert (eigenvalues > 1e-9).sum() == (q - 1) // 2


def test_square_orders_are_rational():
    assert {str(Fraction(int(v), 4)) for v in np.unique(conference(9).problem.rational.numerators)} == {
        "1",
        "1/4",
        "-1/2",
    }
    for q in (9, 25, 49):
        assert conference(q).problem.rational is not None
        assert check(conference(q)) == pytest.approx(0, abs=1e-12)
    assert conference(13).problem.rational is None


@pytest.mark.parametrize("q", [5, 9, 13])
def test_the_dimension_of_a_conference_problem_is_its_order(q):
    extremal = conference(q)
    assert dissimilarity_dimension(extremal.problem, alpha=1, epsilon=extremal.epsilon).value == q
    assert dissimilarity_dimension(extremal.problem, alpha=1, epsilon=extremal.epsilon - Fraction(1, 10**5)).value < q


@pytest.mark.parametrize("q", [7, 15, 21, 27, 81, 4, 0])
def test_other_orders_are_refused(q):
    with pytest.raises(InvalidValueError, match="q must be"):
        conference(q)


def dot(x, y):
    return sum(Fraction(a) * Fraction(b) for a, b in zip(x, y, strict=True))


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("product", [False, True])
def test_linear_counterexamples_break_the_bound_of_the_paper(n, product):
    extremal = linear_counterexample(n, product=product)
    assert extremal.length == 4 * n + 4
    assert check(extremal) > 0
    if not product:
        assert (
            dissimilarity_dimension(extremal.problem, alpha=extremal.alpha, epsilon=extremal.epsilon).value == 4 * n + 4
        )


@pytest.mark.parametrize(
    ("extremal", "name"),
    [
        (linear_counterexample(2), "linear_n2_counterexample_d12_diagonal"),
        (linear_counterexample(3), "linear_n3_counterexample_d16_diagonal"),
        (linear_greedy_counterexample(), "linear_n2_greedy_counterexample_d12"),
    ],
)
def test_counterexamples_are_those_of_the_golden_file(extremal, name):
    instance = GOLDEN[name]
    numerators, denominator = extremal.problem.rational
    rho = [[Fraction(int(value), denominator) for value in row] for row in numerators]
    assert rho == [[Fraction(value) for value in row] for row in instance["rho"]]
    assert (extremal.alpha, extremal.epsilon) == (Fraction(instance["alpha"]), Fraction(instance["eps"]))
    assert check(extremal) > 0
    for key in ("theta", "a"):
        assert all(dot(vector, vector) <= 1 for vector in instance["extra"][key])


def test_greedy_pairs_are_greedy():
    extremal = linear_greedy_counterexample()
    assert extremal.problem.valid_targets.all()
    assert extremal.length == 12 > 4 * 2 + 3


@pytest.mark.parametrize(("n", "k"), [(1, 1), (1, 5), (2, 8), (3, 4), (2, 2)])
def test_the_geometric_family_has_no_bound_free_of_epsilon(n, k):
    extremal = linear_geometric(n, k)
    assert extremal.length == n * k
    assert check(extremal) >= 0
    assert extremal.problem.rho.max() <= 1


def test_sequences_that_are_not_known_are_refused():
    with pytest.raises(InvalidValueError, match="n must be at least 1"):
        linear_geometric(0, 8)
    with pytest.raises(InvalidValueError, match=r"known for n = 1, 2 and 3, got 4; try linear_geometric"):
        linear_counterexample(4)


def test_a_product_table_holds_every_action_with_every_parameter():
    square, table = linear_counterexample(1), linear_counterexample(1, product=True)
    assert (square.problem.rho == table.problem.rho).all()
    assert square.problem.is_square
    assert not table.problem.is_square
    forward = [table.problem.rho[i, j] for i, j in combinations(range(8), 2)]
    assert (min(forward), max(forward)) == (2.0**-14, 2.0**-8)


SQUARE_ROOTS = {2: Fraction(17320508075, 10**10), 5: Fraction(24494897427, 10**10), 12: Fraction(36055512754, 10**10)}
"""Just below the roots of d + 1."""


@pytest.mark.parametrize("d", [2, 5, 12])
def test_algorithm_1_asks_every_rung_of_a_ladder(d):
    found = ladder(d, "1/50")
    truth = found.problem.n_targets - 1
    bracket = dissimilarity_dimension(found.problem, alpha=1, epsilon=found.epsilon, monotone=True)
    assert (bracket.value, found.dimension, found.error_budget) == (d, d, 0)
    values = [found.problem.entry(s, truth) for s in range(truth)]
    gaps = sorted({1 - value for value in values})
    assert all(values.count(1 - gap) == d - 1 for gap in gaps)
    assert Fraction(1, 50) < gaps[0]
    assert gaps[-1] <= 2
    root = SQUARE_ROOTS[
        d
    ]  # below the root the ratio (root + 1)/(root - 1) is larger, by less than what is allowed here
    ratio = (root + 1) / (root - 1)
    assert all(later / earlier >= ratio * (1 - Fraction(1, 10**9)) for earlier, later in pairwise(gaps))
    learner = LeastSquares(found.problem, alpha=1.0)
    runs = simulate(learner, environments.Exact(found.problem, truth), horizon=truth + 2, seed=0)
    assert runs.queries[0].tolist() == [*range(truth), truth, truth]
    x = 1 / math.sqrt(d + 1)
    assert bad_queries(runs, epsilon=0.02)[0] == (d - 1) * math.ceil(math.log(100) / math.log((1 + x) / (1 - x)))


@pytest.mark.parametrize(
    ("parts", "branches", "levels"), [(2, 2, (3, 2, 1)), (1, 3, (1, 1)), (3, 2, (2, 1)), (6, 6, (1, 1))]
)
def test_a_scripted_learner_with_both_properties_makes_as_many_bad_queries_as_the_order_says(parts, branches, levels):
    found = coloured(parts, branches, levels, "1/40")
    d = found.dimension
    assert d == parts + branches + 1
    assert dissimilarity_dimension(found.problem, alpha=1, epsilon=found.epsilon, monotone=True).value == d
    assert found.n_bad == sum(parts * branches**level for level in levels)
    proof = analyse_trace(scripted_run(found), alpha=1.0, epsilon=1 / 40, dimension=d)
    proof.check()
    assert proof.n_bad == found.n_bad
    assert proof.constants.error_budget == pytest.approx(float(found.error_budget))


def test_classes_in_order_that_do_not_fit_are_refused():
    with pytest.raises(InvalidValueError, match="epsilon must be below 2, got 2"):
        ladder(3, 2)
    with pytest.raises(InvalidValueError, match="d must be at least 2"):
        ladder(1, 1)
    with pytest.raises(InvalidValueError, match=r"between epsilon and 2 there are 1 rungs, and these levels need 3"):
        coloured(2, 2, (1, 2), 1)
    with pytest.raises(InvalidValueError, match="a level must be at most 3"):
        coloured(2, 2, (4,), "1/40")
    with pytest.raises(InvalidValueError, match="needs levels for two rungs at least, got 0"):
        coloured(2, 2, (), "1/40")


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_needles_that_one_answer_tells_apart_have_any_dimension(n):
    found = revealing(n)
    check(found)
    for monotone in (False, True):
        dimension = dissimilarity_dimension(found.problem, alpha=1, epsilon=1, monotone=monotone)
        assert dimension.value == n + 1
    numerators, _ = found.problem.rational
    assert len(set(numerators[n].tolist())) == n + 1
