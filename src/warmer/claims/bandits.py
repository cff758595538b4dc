"""Section 5 and Appendix C: eluder dimension, linear, generalized linear and ReLU bandits, and the separation."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Comparison, Expected, Instance
from warmer.claims.generators import Generator, any_table, bandit, linear, rational_points, scale
from warmer.dimensions import (
    DissimilarityWitness,
    covering_number,
    dissimilarity_dimension,
    eluder_dimension,
    eluder_from_dissimilarity,
    linear_upper_bound,
)
from warmer.dimensions.rank import rank_at_most
from warmer.model import Problem
from warmer.problems import needle, separation
from warmer.problems.witnesses import (
    Extremal,
    conference,
    linear_counterexample,
    linear_geometric,
    linear_greedy_counterexample,
)

__all__ = ["CLAIMS"]

_SECTION = "5 Bandits, Appendix C"


def _eluder(instance: Instance, *, is_repaired: bool) -> Iterator[Comparison]:
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    eluder = eluder_dimension(problem, epsilon=epsilon, monotone=True).value
    found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon * Fraction(3, 2), monotone=True).value
    bound = bounds.eluder_comparison(eluder=eluder) if is_repaired else 9 * eluder
    yield Comparison(found, bound, "monotone dimension at 3/2 eps vs 9 eluder")


def _close_functions() -> Iterator[Instance]:
    one = Problem.from_table([[1], [Fraction(1, 2)]])
    yield Instance("one function", {"problem": one, "alpha": Fraction(1), "epsilon": Fraction(1, 2)})
    half = Fraction(1, 2)
    two = Problem.from_table([[Fraction(1), half], [half, Fraction(1)]])
    yield Instance("functions (1, 1/2) and (1/2, 1)", {"problem": two, "alpha": Fraction(1), "epsilon": half})


def _needles() -> Iterator[Instance]:
    for n in (10, 14, 19, 28):
        parts = {"problem": needle(n), "alpha": Fraction(1), "epsilon": Fraction(1, 2)}
        yield Instance(f"a needle in {n} arms", parts)


def _construction(instance: Instance) -> Iterator[Comparison]:
    problem, epsilon = instance.problem, instance.epsilon
    found = dissimilarity_dimension(problem, alpha=instance.alpha, epsilon=epsilon)
    if found.value < 10:
        return
    assert isinstance(found.witness, DissimilarityWitness)
    witness = eluder_from_dissimilarity(found.witness, problem)
    witness.check(problem)
    yield Comparison(-(-found.value // 9), len(witness), "length of the eluder witness")


def _draw_long(rng: Generator) -> Instance:
    """Functions that are large at their own action and nearly constant elsewhere: long dissimilar sequences."""
    n = int(rng.integers(10, 21))
    table = rng.integers(0, 2, (n, n))
    np.fill_diagonal(table, 8)
    epsilon = Fraction(int(rng.integers(4, 9)), 8)
    parts = {"problem": Problem.from_table(table, denominator=8), "alpha": Fraction(1), "epsilon": epsilon}
    return Instance(f"{n} functions with a peak each, eps={epsilon}", parts)


def _extremal(extremal: Extremal, n: int, name: str) -> Instance:
    parts = {"problem": extremal.problem, "alpha": extremal.alpha, "epsilon": extremal.epsilon, "n": n}
    return Instance(f"{name}, alpha={extremal.alpha}, eps={extremal.epsilon}", parts)


def _linear_counterexamples() -> Iterator[Instance]:
    for n in (1, 2, 3):
        yield _extremal(
            linear_counterexample(n, product=True), n, f"all parameters and actions of {4 * n + 4} in R^{n}"
        )
    for n in (1, 2, 3):
        yield _extremal(linear_counterexample(n), n, f"{4 * n + 4} alternatives in R^{n}")
    yield _extremal(linear_greedy_counterexample(), 2, "12 parameters with their best actions in R^2")


def _linear(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon)
    yield Comparison(found.lower, 4 * instance.n + 3, f"dimension in R^{instance.n} against 4n+3")


def _linear_two_sided(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, sided="two")
    yield Comparison(found.lower, bounds.two_sided_linear_dimension_bound(n=instance.n))


def _linear_certified(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon)
    bound = linear_upper_bound(instance.n, alpha=instance.alpha, epsilon=instance.epsilon)
    yield Comparison(found.lower, bound)


def _draw_unit_linear(rng: Generator) -> Instance:
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 7))
    points = rational_points(rng, n, size)
    table = [[sum(map(Fraction.__mul__, u, v), Fraction(0)) for v in points] for u in points]
    epsilon = scale(rng)
    parts = {"problem": Problem.from_table(table), "alpha": Fraction(1), "epsilon": epsilon, "n": n}
    return Instance(f"{size} unit parameters and actions in R^{n}, eps={epsilon}", parts)


def _conferences() -> Iterator[Instance]:
    for q in (5, 9, 13):
        yield _extremal(conference(q), (q - 1) // 2, f"conference matrix of order {q}")


def _linear_at_one(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=instance.epsilon, time_limit=10)
    yield Comparison(found.lower, bounds.linear_dimension_bound(n=instance.n, alpha=1))


def _geometric() -> Iterator[Instance]:
    for n, k in ((1, 8), (1, 12), (2, 8), (3, 6)):
        yield _extremal(linear_geometric(n, k), n, f"{n} blocks of {k} powers")


def _grows(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    promised = bounds.linear_dimension_lower_bound(n=instance.n, epsilon=instance.epsilon)
    yield Comparison(promised, max(found, promised), "the formula's own length")
    yield Comparison(instance.problem.n_targets, found, "every alternative is dissimilar")


def _perturbed(instance: Instance) -> Iterator[Comparison]:
    table, size = instance.table, len(instance.table)
    rank = rank_at_most(table, size)
    assert rank is not None
    yield Comparison(bounds.perturbed_identity_rank(size=size), rank, "rank")
    yield Comparison(Fraction(size, 2), rank, "more than d/2", is_strict=True)


def _draw_perturbed(rng: Generator) -> Instance:
    """A symmetric matrix of whole numbers: unit diagonal D, other entries at most D/sqrt(d) in absolute value."""
    size, unit = int(rng.integers(1, 10)), 12
    most = math.isqrt(unit**2 // size)
    signs = rng.choice([-1, 1], size)
    table = np.triu(rng.integers(-most, most + 1, (size, size)), 1)
    if rng.random() < 0.5:  # as close to low rank as it gets: all entries at the limit
        table = np.triu(np.outer(signs, signs) * most, 1)
    table = table + table.T + unit * np.eye(size, dtype=np.int64)
    return Instance(f"{size} x {size} perturbed identity", {"table": table})


def _conference_identities() -> Iterator[Instance]:
    for q in (9, 25):  # squares: I + S/sqrt(q) is rational
        root = math.isqrt(q)
        core = np.where(np.eye(q, dtype=bool), 0, np.where(conference(q).problem.rho > 0, 1, -1))
        yield Instance(f"I + S/{root} of order {q}", {"table": core + root * np.eye(q, dtype=np.int64)})


def _low_rank(instance: Instance) -> Iterator[Comparison]:
    assert instance.problem.exact is not None
    numerators, denominator = instance.problem.exact
    center = instance.alpha - instance.epsilon
    shifted = numerators.astype(object) * center.denominator - center.numerator * denominator
    for table, most in ((numerators.astype(object), instance.n), (shifted, instance.n + 1)):
        rank = rank_at_most(table, min(table.shape))
        yield Comparison(min(table.shape) if rank is None else rank, most)


def _draw_glm(rng: Generator) -> Instance:
    """g(x) = (5x + x^3)/8 on inner products in [-1, 1]: slopes from 5/8 to 1."""
    base = linear(rng)
    products = [[_link(sum(map(Fraction.__mul__, a, t), Fraction(0))) for t in base.parameters] for a in base.actions]
    alpha = max(max(row) for row in products)
    epsilon = scale(rng)
    parts = {"problem": Problem.from_table(products), "alpha": alpha, "epsilon": epsilon, "n": base.n}
    return Instance(f"g(x) = (5x+x^3)/8 in R^{base.n}, eps={epsilon}", parts)


def _link(x: Fraction) -> Fraction:
    return (5 * x + x**3) / 8


def _glm(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, monotone=True)
    bound = bounds.glm_dimension_bound(n=instance.n, slope_low=5 / 8, slope_high=1.0, epsilon=float(instance.epsilon))
    yield Comparison(found.value, bound)


def _steep_scale() -> Iterator[Instance]:
    parts = {"problem": Problem.from_table([[Fraction(3, 4)]]), "alpha": Fraction(3, 4), "epsilon": Fraction(2)}
    yield Instance("one parameter and one action, slope at most 1, eps=2", parts)


def _glm_logarithm(instance: Instance) -> Iterator[Comparison]:
    """Whatever the constant, the right-hand side is at most 0 where the slope is at most epsilon."""
    if instance.epsilon < 1:
        return
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    yield Comparison(found, math.log(1 / float(instance.epsilon)), "d against n r^2 log(h/eps) up to a constant")


def _draw_relu(rng: Generator) -> Instance:
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 9))
    points = rational_points(rng, n, size)
    b = Fraction(int(rng.integers(0, 8)), 8)
    table = [[max(Fraction(0), sum(map(Fraction.__mul__, u, v), Fraction(0)) - b) for v in points] for u in points]
    epsilon = (1 - b) * Fraction(int(rng.integers(1, 5)), 4)
    parts = {"problem": Problem.from_table(table), "alpha": 1 - b, "epsilon": epsilon, "n": n}
    return Instance(f"ReLU with b={b} on {size} points in R^{n}, eps={epsilon}", parts)


def _polygons() -> Iterator[Instance]:
    for epsilon in (1.0, 0.5, 0.2, 0.1):
        size = bounds.relu_circle_dimension(epsilon=epsilon)
        yield _polygon(size, epsilon)


def _polygon(size: int, epsilon: float) -> Instance:
    angles = 2 * math.pi / size * np.arange(size)
    table = np.maximum(0.0, np.cos(angles[:, None] - angles[None, :]) - (1 - epsilon))
    np.fill_diagonal(table, epsilon)
    parts = {"problem": Problem.from_table(table), "alpha": epsilon, "epsilon": epsilon, "n": 2}
    return Instance(f"ReLU with b=1-eps on the regular {size}-gon, eps={epsilon:g}", parts)


def _relu_upper(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    sharper = bounds.relu_dimension_bound(n=instance.n, epsilon=float(instance.epsilon))
    yield Comparison(found, sharper, "caps on the sphere")
    yield Comparison(sharper, bounds.relu_paper_bound(n=instance.n, epsilon=float(instance.epsilon)), "as printed")


def _relu_scales() -> Iterator[Instance]:
    for n, epsilon in ((1, 1 / 50), (2, 1e-2), (2, 1e-3), (2, 1e-4)):
        yield Instance(f"ReLU in R^{n}, b=1-eps, eps={epsilon:g}", {"n": n, "epsilon": epsilon})


def _relu_truth(n: int, epsilon: float) -> int:
    """For n = 1 by computing it: 1 and -1 are the only unit vectors. For n = 2 by the angles that fit in a circle."""
    if n == 1:
        size = Fraction(epsilon)
        both = Problem.from_table([[size, Fraction(0)], [Fraction(0), size]])
        return dissimilarity_dimension(both, alpha=size, epsilon=size).value
    return bounds.relu_circle_dimension(epsilon=epsilon)


def _relu_lower_printed(instance: Instance) -> Iterator[Comparison]:
    n, epsilon = instance.n, instance.epsilon
    yield Comparison((1 / (2 * epsilon)) ** (n / 2), _relu_truth(n, epsilon), "(1/2eps)^(n/2) against the dimension")


def _relu_lower(instance: Instance) -> Iterator[Comparison]:
    n, epsilon = instance.n, instance.epsilon
    truth = _relu_truth(n, epsilon) if n <= 2 else bounds.relu_dimension_bound(n=n, epsilon=epsilon)
    yield Comparison(bounds.relu_dimension_lower_bound(n=n, epsilon=epsilon), truth, "order eps^(-(n-1)/2)")
    yield Comparison(truth, bounds.relu_dimension_bound(n=n, epsilon=epsilon), "between both bounds")


def _draw_relu_scale(rng: Generator) -> Instance:
    n, epsilon = int(rng.integers(1, 7)), float(rng.uniform(0.02, 1.0))
    return Instance(f"ReLU in R^{n}, b=1-eps, eps={epsilon:.4g}", {"n": n, "epsilon": epsilon})


def _relu_circle(instance: Instance) -> Iterator[Comparison]:
    """The polygon of the formula is feasible, and one more point is too many for a regular polygon."""
    size = instance.problem.n_targets
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    yield Comparison(size, found, "every point of the polygon is used")
    larger = _polygon(size + 1, float(instance.epsilon))
    more = dissimilarity_dimension(larger.problem, alpha=larger.alpha, epsilon=larger.epsilon).value
    yield Comparison(more, size, "one more point is too many")


def _separations() -> Iterator[Instance]:
    for bumps in (1, 2):
        problem = separation(bumps)
        yield Instance(f"12 points of the circle, N={bumps}, eps=1/4", {"problem": problem, "bumps": bumps})


def _separation(instance: Instance) -> Iterator[Comparison]:
    yield from _separation_dissimilarity(instance)
    yield from _separation_eluder(instance)


def _separation_dissimilarity(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=Fraction(1, 4)).value
    yield Comparison(found, 16, "dissimilarity, as printed")
    yield Comparison(found, 2 * bounds.sphere_dimension_bound(n=2), "dissimilarity, 2(2n+1)")


def _separation_eluder(instance: Instance) -> Iterator[Comparison]:
    eluder = eluder_dimension(instance.problem, epsilon=Fraction(1, 4), time_limit=20)
    yield Comparison(instance.bumps, eluder.lower, "eluder at least N")
    yield Comparison(5, eluder.lower, "eluder at least the points of a semicircle")


def _separation_value(instance: Instance) -> Iterator[Comparison]:
    for epsilon in (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(2)):
        found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=epsilon).value
        yield Comparison(4, found, f"at least 4 at eps={epsilon}")
        yield Comparison(found, 6 if epsilon < Fraction(1, 2) else 10, f"at most 6 or 10 at eps={epsilon}")


def _separation_cover(instance: Instance) -> Iterator[Comparison]:
    """The covering number in the regret bound at a radius below 2 eps, against that of N = 1."""
    radius = Fraction(1, 8)
    first = covering_number(separation(1), epsilon=radius, time_limit=20)
    found = covering_number(instance.problem, epsilon=radius, time_limit=20)
    yield Comparison(found.lower, first.upper, "ln of this enters the regret bound; at N=1")


def _subadditive(instance: Instance) -> Iterator[Comparison]:
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    parts = [_part(problem, places) for places in instance.halves]
    for monotone in (False, True):
        whole, *two = (
            dissimilarity_dimension(part, alpha=alpha, epsilon=epsilon, monotone=monotone).value
            for part in (problem, *parts)
        )
        yield Comparison(whole, bounds.union_dimension_bound(dimensions=two), "monotone" if monotone else "plain")


def _draw_union(rng: Generator) -> Instance:
    while True:
        instance = any_table(rng)
        n = instance.problem.n_targets
        if n >= 2:
            break
    cut, overlap = int(rng.integers(1, n)), int(rng.integers(0, 2))
    halves = [list(range(min(n, cut + overlap))), list(range(cut, n))]
    return Instance(f"{instance.name}, cut at {cut}", {**instance.parts, "halves": halves})


def _part(problem: Problem, places: list[int]) -> Problem:
    assert problem.exact is not None
    numerators, denominator = problem.exact
    if problem.is_square:
        return Problem.from_similarity(numerators[np.ix_(places, places)], denominator=denominator)
    return Problem.from_table(numerators[:, places], denominator=denominator)


def _cover_linear(instance: Instance, *, is_repaired: bool) -> Iterator[Comparison]:
    radius = instance.radius
    found = covering_number(instance.problem, epsilon=radius).value
    if is_repaired:
        yield Comparison(found, bounds.linear_covering_bound(n=instance.n, radius=float(radius)))
    elif radius == 1:
        yield Comparison(found, 1, "against one ball of radius 1")


def _two_points() -> Iterator[Instance]:
    problem = Problem.from_table([[-1, 1]])
    yield Instance("Theta = {-1, 1}, A = {1}, radius 1", {"problem": problem, "n": 1, "radius": Fraction(1)})


def _draw_cover(rng: Generator) -> Instance:
    instance = linear(rng)
    radius = Fraction(int(rng.integers(1, 9)), 8)
    return Instance(f"{instance.name}, radius {radius}", {**instance.parts, "radius": radius})


CLAIMS = (
    Claim(
        label="theorem::upper_eluder",
        section=_SECTION,
        statement="The monotone dissimilarity dimension at 3/2 eps is at most 9 times the monotone eluder at eps.",
        hypotheses="a bandit",
        check=lambda instance: _eluder(instance, is_repaired=False),
        draw=bandit,
        given=_close_functions,
        expected=Expected.REFUTED,
        erratum="E6",
    ),
    Claim(
        label="theorem::upper_eluder/repaired",
        section=_SECTION,
        statement="The same with the eluder dimension replaced by 1 where it is 0.",
        hypotheses="a bandit",
        check=lambda instance: _eluder(instance, is_repaired=True),
        draw=bandit,
        given=lambda: (*_close_functions(), *_needles()),
        expected=Expected.REPAIRED,
        erratum="E6",
    ),
    Claim(
        label="theorem::upper_eluder/construction",
        section=_SECTION,
        statement="Of d >= 10 dissimilar alternatives at tau the first d/9 are independent actions at 2/3 tau.",
        hypotheses="d at least 10",
        check=_construction,
        draw=_draw_long,
        given=_needles,
        at_most=60,
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity",
        section=_SECTION,
        statement="F_{N,eps} has dissimilarity dimension at most 16 and eluder dimension at least N.",
        hypotheses="eps in (0, 1/2), alpha = 1; here on 12 rational points of the circle",
        check=_separation,
        given=_separations,
        erratum="E9",
    ),
    Claim(
        label="lemma::lower_bound_star_eluder_special_class",
        section=_SECTION,
        statement="The eluder dimension of F_{N,eps} is at least N; even at least the points of a semicircle.",
        hypotheses="as above",
        check=_separation_eluder,
        given=_separations,
        erratum="E9",
    ),
    Claim(
        label="lemma::dissimilarity_dimension_upper_bound",
        section=_SECTION,
        statement="The dissimilarity dimension of F_{N,eps} at alpha = 1 is at most 16; even at most 10.",
        hypotheses="as above",
        check=_separation_dissimilarity,
        given=_separations,
        erratum="E9",
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity/value",
        section=_SECTION,
        statement="Its dissimilarity dimension is between 4 and 10, and at most 6 for eps < 1/2.",
        hypotheses="alpha = 1, eps at most 2",
        check=_separation_value,
        given=lambda: (instance for instance in _separations() if instance.bumps == 1),
        expected=Expected.REPAIRED,
        erratum="E9",
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity/regret",
        section=_SECTION,
        statement="The regret bound does not depend on N (the covering number inside it does not grow).",
        hypotheses="noisy rewards",
        check=_separation_cover,
        given=lambda: (instance for instance in _separations() if instance.bumps == 2),
        expected=Expected.REFUTED,
        erratum="E9",
    ),
    Claim(
        label="theorem::linear_dim_bound",
        section=_SECTION,
        statement="Linear bandits in the unit ball of R^n have dimension at most 4n+3, at every alpha and epsilon.",
        hypotheses="alpha at most alpha*",
        check=_linear,
        given=_linear_counterexamples,
        expected=Expected.REFUTED,
        erratum="E1",
    ),
    Claim(
        label="theorem::linear_dim_bound/epsilon",
        section=_SECTION,
        statement="The bound for linear bandits does not depend on 1/eps: 4n+3 holds however small epsilon is.",
        hypotheses="alpha below 1",
        check=_linear,
        given=_geometric,
        expected=Expected.REFUTED,
        erratum="E1",
    ),
    Claim(
        label="theorem::linear_dim_bound/growth",
        section=_SECTION,
        statement="It grows like n ln(1/eps): nk alternatives at alpha = eps <= (nk)^(-(k-1)/2) (fact N14).",
        hypotheses="alpha = eps",
        check=_grows,
        given=_geometric,
        expected=Expected.REPAIRED,
        erratum="E1",
    ),
    Claim(
        label="theorem::linear_dim_bound/one",
        section=_SECTION,
        statement="At alpha = 1 linear bandits in R^n have dimension at most 2n+1.",
        hypotheses="alpha = 1",
        check=_linear_at_one,
        draw=_draw_unit_linear,
        given=_conferences,
    ),
    Claim(
        label="theorem::linear_dim_bound/two-sided",
        section=_SECTION,
        statement="At most 4n+3 alternatives of a linear bandit are dissimilar both ways.",
        hypotheses="every pair i != j constrained",
        check=_linear_two_sided,
        draw=linear,
        given=_linear_counterexamples,
        expected=Expected.REPAIRED,
        erratum="E1",
    ),
    Claim(
        label="theorem::linear_dim_bound/certified",
        section=_SECTION,
        statement="The determinant bound O(n log(1/eps)) of dimensions.linear_upper_bound.",
        hypotheses="parameters and actions in the unit ball",
        check=_linear_certified,
        draw=linear,
        given=lambda: (*_linear_counterexamples(), *_geometric()),
        expected=Expected.REPAIRED,
        erratum="E1",
    ),
    Claim(
        label="lemma:perturbed",
        section=_SECTION,
        statement="A symmetric d x d matrix, 1 on the diagonal and at most 1/sqrt(d) off it, has rank over d/2.",
        hypotheses="symmetric",
        check=_perturbed,
        draw=_draw_perturbed,
        given=_conference_identities,
    ),
    Claim(
        label="lemma:perturbed/low-rank",
        section=_SECTION,
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
        given=_two_points,
        expected=Expected.REFUTED,
        erratum="new",
    ),
    Claim(
        label="eq::def_norm_cov/linear-repaired",
        section="Appendix A",
        statement="The covering number of a linear bandit in R^n is at most (1+2/r)^n.",
        hypotheses="radius r at most 1, centers in the class",
        check=lambda instance: _cover_linear(instance, is_repaired=True),
        draw=_draw_cover,
        given=_two_points,
        expected=Expected.REPAIRED,
        erratum="new",
    ),
    Claim(
        label="theorem::glm_dim_bound",
        section=_SECTION,
        statement="Generalized linear bandits have dimension O(n r^2 log(h/eps)).",
        hypotheses="every eps > 0",
        check=_glm_logarithm,
        draw=_draw_glm,
        given=_steep_scale,
        expected=Expected.REFUTED,
        erratum="S11",
    ),
    Claim(
        label="theorem::glm_dim_bound/repaired",
        section=_SECTION,
        statement="They have dimension at most 9 max(1, eluder bound), the eluder bound as recalled (unverified).",
        hypotheses="slopes between h_low and h_high",
        check=_glm,
        draw=_draw_glm,
        expected=Expected.REPAIRED,
        erratum="S11",
    ),
    Claim(
        label="theorem::relu_dim_bound",
        section=_SECTION,
        statement="ReLU bandits at b = 1 - eps have dimension at least (1/2eps)^(n/2).",
        hypotheses="alpha = eps",
        check=_relu_lower_printed,
        given=_relu_scales,
        expected=Expected.REFUTED,
        erratum="E5",
    ),
    Claim(
        label="theorem::relu_dim_bound/lower",
        section=_SECTION,
        statement="They have at least as many as caps of angle arccos(1-eps) that cover the sphere.",
        hypotheses="alpha = eps, b = 1 - eps",
        check=_relu_lower,
        draw=_draw_relu_scale,
        given=_relu_scales,
        expected=Expected.REPAIRED,
        erratum="E5",
    ),
    Claim(
        label="theorem::relu_dim_bound/circle",
        section=_SECTION,
        statement="On the circle it is the largest d with d arccos(1-eps(1-1/sqrt d)) <= 2 pi (fact N15).",
        hypotheses="n = 2, alpha = eps, b = 1 - eps",
        check=_relu_circle,
        given=_polygons,
        expected=Expected.REPAIRED,
        erratum="E5",
    ),
    Claim(
        label="theorem::relu_dim_bound/upper",
        section=_SECTION,
        statement="ReLU bandits have dimension at most (4/sqrt(eps))^n or 9, and at most the caps on the sphere.",
        hypotheses="alpha = 1 - b, eps at most 1 - b",
        check=_relu_upper,
        draw=_draw_relu,
        given=_polygons,
    ),
    Claim(
        label="lemma::subaditivity_newdim",
        section=_SECTION,
        statement="The dimension of a union is at most the sum, for the plain and the monotone dimension.",
        hypotheses="the parts may overlap",
        check=_subadditive,
        draw=_draw_union,
    ),
)
