"""Every statement of the paper on a few instances, and what a claim that is wrong looks like."""

import itertools
import signal
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

import warmer
from warmer.claims import CLAIMS, Claim, Expected, Inequality, Instance, find, verify
from warmer.claims.claim import drawn
from warmer.dimensions import dissimilarity_dimension


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.label)
def test_every_statement_is_what_it_is_known_to_be(claim):
    verdict = verify(claim, instances=5, seed=7)
    assert verdict.is_as_expected, str(verdict)
    assert claim.statement.endswith(".")
    assert claim.expected in (Expected.HOLDS, Expected.BEYOND) or claim.erratum


def test_labels_are_unique_and_every_refuted_statement_has_a_form_that_holds():
    assert len({claim.label for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        if claim.expected.is_false and not claim.label.endswith(("/epsilon", "/regret")):
            name = claim.label.partition("/")[0]
            repaired = [other for other in find(name) if other.expected is Expected.REPAIRED]
            assert repaired, claim.label


REFUTED = {
    "theorem::linear_dim_bound": ["R^1", "R^2", "R^3"],
    "lem:ssqd_to_newdim": ["{h, -h}, eps=1/4", "{h, -h}, eps=1/12"],
    "theorem::upper_eluder": ["one function", "functions (1, 1/2) and (1/2, 1)"],
    "theorem::relu_dim_bound": ["R^1", "R^2, b=1-eps, eps=0.01", "eps=0.001", "eps=0.0001"],
    "sec:upper/k-arms": ["averages=(-1, 1/20)"],
    "lem:few_bad_queries/clique": ["[1,.65,-.65]"],
    "cor:sq_dissim_lb": ["K = 4826809"],
    "thm:lb": ["f and 11 flips", "f and 20 flips"],
    "thm:main_pac/scale": ["110 alternatives"],
    "thm:main_pac": ["T decoys worth 1/20"],
    "thm:main_pac/deterministic": ["two arms"],
    "thm:main_pac/beyond-4": ["eps=5", "eps=9/2"],
    "thm:regret_optimism/deterministic": ["two arms"],
    "lem:few_bad_queries/beyond-4": ["eps=5", "eps=9/2"],
    "thm:szorenyi_lb": ["f and 11 flips", "f and 20 flips"],
}


@pytest.mark.parametrize("label", REFUTED)
def test_the_known_counterexamples_refute_each_by_itself(label):
    (claim,) = (claim for claim in CLAIMS if claim.label == label)
    given = list(claim.given())
    for part in REFUTED[label]:
        (first, *_) = (instance for instance in given if part in instance.name)
        assert any(not comparison.holds for comparison in claim.check(first)), first.name


def test_the_pac_theorem_says_nothing_where_its_horizon_is_too_short():
    (claim,) = (claim for claim in CLAIMS if claim.label == "thm:main_pac")
    (instance,) = claim.given()
    assert list(claim.check(replace(instance, horizon=10**12))) == []
    (comparison,) = claim.check(instance)
    assert comparison.left > 10**18 * comparison.right  # so that rounding in n_2 and C does not matter


@pytest.mark.parametrize("label", ["lem:ssqd_to_newdim", "theorem::upper_eluder", "lem:few_bad_queries/clique"])
def test_random_instances_find_counterexamples_by_themselves(label):
    (claim,) = (claim for claim in CLAIMS if claim.label == label)
    verdict = verify(replace(claim, given=None), instances=150, seed=0)
    assert verdict.is_refuted
    comparison, _ = verdict.broken
    assert comparison.left > comparison.right


def test_the_spheres_bound_is_attained_in_2_4_6_8_12_and_14_dimensions():
    (claim,) = find("ex:sphere/tight")
    dimensions = []
    for instance in claim.given():
        found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=instance.epsilon)
        found.witness.check(instance.problem)
        assert found.lower == 2 * instance.n + 1
        assert (instance.problem.rational is not None) == (instance.n in (4, 12))
        dimensions.append(instance.n)
    assert dimensions == [2, 4, 6, 8, 12, 14]


def test_a_false_claim_is_reported_as_refuted_and_unexpected():
    """That every problem has dissimilarity dimension at most 1."""
    honest = find("def:new_dim/size")[0]

    def at_most_one(instance):
        found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon)
        yield Inequality(found.value, 1, "dimension")

    verdict = verify(replace(honest, label="false", check=at_most_one), instances=60, seed=0)
    assert verdict.is_refuted
    assert not verdict.is_as_expected
    assert str(verdict).startswith("refuted by ")
    comparison, instance = verdict.broken
    assert comparison.left >= 2
    assert instance.problem.n_targets >= 2


@dataclass(frozen=True, eq=False)
class Toy(Instance):
    x: float


def toy(check, **more):
    return Claim("toy", check=check, draw=lambda rng: Toy("x", rng.random()), **more)


def test_a_refutation_that_no_longer_refutes_is_unexpected():
    claim = toy(lambda instance: [Inequality(0, 1)], expected=Expected.REFUTED)
    verdict = verify(claim, instances=5)
    assert not verdict.is_as_expected
    assert str(verdict) == "holds on 5 instances, tightest ratio 0"


def test_each_given_instance_of_a_refuted_claim_must_refute_it():
    given = lambda: [Toy("bad", 2), Toy("good", 0)]  # noqa: E731
    claim = toy(lambda instance: [Inequality(instance.x, 1)], expected=Expected.REFUTED, given=given)
    verdict = verify(claim, instances=1)
    assert verdict.is_refuted
    assert not verdict.is_as_expected
    assert str(verdict) == "refuted by bad: claimed 2 <= 1 is false; but not by good"


def test_silence_is_not_consent():
    verdict = verify(toy(lambda instance: []), instances=3)
    assert not verdict.is_as_expected
    assert str(verdict) == "no instance satisfied the hypotheses"
    assert verdict.n_silent == 60


def test_instances_outside_the_hypotheses_are_replaced():
    claim = toy(lambda instance: [Inequality(instance.x, 1)] if instance.x < 0.5 else [])
    verdict = verify(claim, instances=20)
    assert verdict.n_tried == 20
    assert verdict.n_silent > 0


@pytest.mark.parametrize(("rate", "is_expected"), [(0.02, True), (0.1, True), (0.5, False)])
def test_a_statement_with_room_for_chance_is_judged_by_its_exact_limits(rate, is_expected):
    claim = toy(lambda instance: [Inequality(int(instance.x < rate), 0)], chance=0.1)
    verdict = verify(claim, instances=300, seed=1)
    assert verdict.is_as_expected == is_expected
    low, estimate, high = verdict.failure_rate
    assert low <= estimate <= high
    assert abs(estimate - rate) < 0.1


def test_a_verdict_depends_on_seed_and_label_alone():
    claims = find("lemma::subaditivity_newdim") + find("theorem::turan") + find("prop:int")
    together = [(str(v), v.tightest[1].name) for v in (verify(one, instances=6, seed=3) for one in claims)]
    alone = [(str(v), v.tightest[1].name) for v in (verify(one, instances=6, seed=3) for one in claims[::-1])][::-1]
    assert together == alone
    few = [instance.name for instance in itertools.islice(drawn(claims[0], seed=3), 4)]
    many = [instance.name for instance in itertools.islice(drawn(claims[0], seed=3), 9)]
    assert many[:4] == few
    assert few != [instance.name for instance in itertools.islice(drawn(claims[0], seed=4), 4)]


def test_whole_numbers_and_fractions_are_compared_exactly_and_floats_with_slack():
    assert not Inequality(Fraction(10**20 + 1, 10**20), 1).holds
    assert Inequality(1 + 1e-12, 1.0).holds
    assert not Inequality(1.0, 1.0, is_strict=True).holds
    assert Inequality(3, 0).ratio == np.inf
    assert Inequality(-1, 0).ratio == 0.0
    assert Inequality(0, 0).ratio == 1.0


def test_an_instance_tells_its_parts_and_is_called_by_its_name():
    assert (str(Toy("a toy", 3)), Toy("a toy", 3).parts, Instance("bare").parts) == ("a toy", {"x": 3}, {})


def test_an_unknown_label_is_refused_with_the_known_ones():
    with pytest.raises(warmer.InvalidValueError, match="there is no claim 'thm:nope'; the labels are appendix:sq"):
        find("thm:nope")


def test_claims_are_reachable_from_the_package():
    assert warmer.claims.CLAIMS is CLAIMS


def test_a_search_that_ctrl_c_ends_inside_a_check_gives_no_verdict():
    problem = warmer.Problem.from_similarity(np.eye(3))

    def check(instance):
        signal.raise_signal(signal.SIGINT)
        assert not dissimilarity_dimension(problem, alpha=1, epsilon=1).is_exact
        raise AssertionError("nothing is known")

    claim = replace(CLAIMS[0], check=check)
    with pytest.raises(KeyboardInterrupt):
        verify(claim, instances=1)
