"""Section 5.2 and Appendix C: linear bandits."""

from collections.abc import Iterator
from fractions import Fraction

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import InSpace
from warmer.claims.instances.linear import (
    Covered,
    Square,
    conference_identities,
    conferences,
    draw_cover,
    draw_perturbed,
    draw_unit_linear,
    geometric,
    linear_counterexamples,
    two_points,
)
from warmer.claims.instances.tables import linear
from warmer.dimensions import covering_number, dissimilarity_dimension
from warmer.dimensions.dissimilarity.rank import rank_at_most


def _linear(instance: InSpace) -> Iterator[Inequality]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon)
    yield Inequality(found.lower, 4 * instance.n + 3, f"dimension in R^{instance.n} against 4n+3")


def _linear_two_sided(instance: InSpace) -> Iterator[Inequality]:
    """A matrix of rank r, 1 on the diagonal and at most 1/sqrt(d) off it: d = trace <= sqrt(r) Frobenius, r > d/2."""
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, sided="two")
    yield Inequality(found.lower, bounds.class_dimensions.two_sided_linear_dimension_bound(n=instance.n))


def _linear_certified(instance: InSpace) -> Iterator[Inequality]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon)
    bound = bounds.linear_dimension_bound(n=instance.n, alpha=instance.alpha, epsilon=instance.epsilon)
    yield Inequality(found.lower, bound)


def _linear_at_one(instance: InSpace) -> Iterator[Inequality]:
    found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=instance.epsilon, time_limit=10)
    yield Inequality(found.lower, bounds.linear_dimension_bound(n=instance.n, alpha=1))


def _grows(instance: InSpace) -> Iterator[Inequality]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    promised = bounds.class_dimensions.linear_dimension_lower_bound(n=instance.n, epsilon=instance.epsilon)
    yield Inequality(promised, found, "what the formula promises")
    yield Inequality(instance.problem.n_targets, found, "every alternative is dissimilar")


def _perturbed(instance: Square) -> Iterator[Inequality]:
    table, size = instance.table, len(instance.table)
    rank = rank_at_most(table, size)
    assert rank is not None
    yield Inequality(bounds.lemmas.perturbed_identity_rank(size=size), rank, "rank")
    yield Inequality(Fraction(size, 2), rank, "more than d/2", is_strict=True)


def _low_rank(instance: InSpace) -> Iterator[Inequality]:
    assert instance.problem.rational is not None
    numerators, denominator = instance.problem.rational
    center = instance.alpha - instance.epsilon
    shifted = numerators.astype(object) * center.denominator - center.numerator * denominator
    for table, most in ((numerators.astype(object), instance.n), (shifted, instance.n + 1)):
        rank = rank_at_most(table, min(table.shape))
        yield Inequality(min(table.shape) if rank is None else rank, most)


def _cover_linear(instance: Covered, *, is_repaired: bool) -> Iterator[Inequality]:
    radius = instance.radius
    found = covering_number(instance.problem, epsilon=radius).value
    if is_repaired:
        yield Inequality(found, bounds.coverings.linear_covering_bound(n=instance.n, radius=float(radius)))
    elif radius == 1:
        yield Inequality(found, 1, "against one ball of radius 1")


CLAIMS = (
    Claim(
        label="theorem::linear_dim_bound",
        statement="Linear bandits in the unit ball of R^n have dimension at most 4n+3, at every alpha and epsilon.",
        hypotheses="alpha at most alpha*",
        check=_linear,
        given=linear_counterexamples,
        expected=Expected.REFUTED,
        erratum="E1",
    ),
    Claim(
        label="theorem::linear_dim_bound/epsilon",
        statement="The bound for linear bandits does not depend on 1/eps: 4n+3 holds however small epsilon is.",
        hypotheses="alpha below 1",
        check=_linear,
        given=geometric,
        expected=Expected.REFUTED,
        erratum="E1",
    ),
    Claim(
        label="theorem::linear_dim_bound/growth",
        statement="It grows like n ln(1/eps): nk alternatives at alpha = eps <= (nk)^(-(k-1)/2) (fact N14).",
        hypotheses="alpha = eps",
        check=_grows,
        given=geometric,
        expected=Expected.BEYOND,
        erratum="E1",
    ),
    Claim(
        label="theorem::linear_dim_bound/one",
        statement="At alpha = 1 linear bandits in R^n have dimension at most 2n+1.",
        hypotheses="alpha = 1",
        check=_linear_at_one,
        draw=draw_unit_linear,
        given=conferences,
    ),
    Claim(
        label="theorem::linear_dim_bound/two-sided",
        statement="At most 2n+1 alternatives of a linear bandit are dissimilar both ways; conferences attain it.",
        hypotheses="every pair i != j constrained, any alpha",
        check=_linear_two_sided,
        draw=linear,
        given=lambda: (*linear_counterexamples(), *conferences()),
        expected=Expected.REPAIRED,
        erratum="E1",
    ),
    Claim(
        label="theorem::linear_dim_bound/certified",
        statement="The determinant bound O(n log(1/eps)) of bounds.linear_dimension_bound.",
        hypotheses="parameters and actions in the unit ball",
        check=_linear_certified,
        draw=linear,
        given=lambda: (*linear_counterexamples(), *geometric()),
        expected=Expected.REPAIRED,
        erratum="E1",
    ),
    Claim(
        label="lemma:perturbed",
        statement="A symmetric d x d matrix, 1 on the diagonal and at most 1/sqrt(d) off it, has rank over d/2.",
        hypotheses="symmetric",
        check=_perturbed,
        draw=draw_perturbed,
        given=conference_identities,
    ),
    Claim(
        label="lemma:perturbed/low-rank",
        statement="The matrix of inner products in R^n has rank at most n; minus a constant, at most n+1.",
        hypotheses="linear bandits in R^n",
        check=_low_rank,
        draw=linear,
    ),
    Claim(
        label="eq::def_norm_cov/linear",
        section="Appendix A",
        statement="The covering number of a linear bandit is at most that of the unit ball.",
        hypotheses="centers in the class, as defined",
        check=lambda instance: _cover_linear(instance, is_repaired=False),
        given=two_points,
        expected=Expected.REFUTED,
        erratum="new",
    ),
    Claim(
        label="eq::def_norm_cov/linear-repaired",
        section="Appendix A",
        statement="The covering number of a linear bandit in R^n is at most (1+2/r)^n.",
        hypotheses="radius r at most 1, centers in the class",
        check=lambda instance: _cover_linear(instance, is_repaired=True),
        draw=draw_cover,
        given=two_points,
        expected=Expected.REPAIRED,
        erratum="new",
    ),
)
