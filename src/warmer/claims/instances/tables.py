"""Random and adversarial instances: small rational tables, classes of hypotheses, points, graphs."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import scipy

from warmer.claims.instances.kinds import AtScale, Generator, Sized, exact
from warmer.model import Array, Problem
from warmer.problems import conference, from_hypotheses
from warmer.problems.extremal import Extremal

_DENOMINATORS = (1, 2, 3, 4, 5, 8)


def scale(rng: Generator) -> Fraction:
    """A random epsilon: between 1/16 and 3, the small ones as likely as the large."""
    return Fraction(int(rng.integers(1, 13)), int(rng.choice([4, 4, 8, 16])))


def similarity(rng: Generator, *, most: int = 6) -> AtScale:
    """Alternatives with an arbitrary similarity, an alpha that somebody reaches, and an epsilon.

    Half of the tables have large self-evaluations over off-diagonal values that are close to each other, so that long
    sequences are common; a third of them are symmetric.
    """
    n, denominator = int(rng.integers(1, most + 1)), int(rng.choice(_DENOMINATORS))
    table = rng.integers(-denominator, denominator + 1, (n, n))
    if rng.random() < 0.5:
        low = int(rng.integers(-denominator, denominator))
        table = rng.integers(low, low + max(1, denominator // 2) + 1, (n, n)).clip(-denominator, denominator)
        np.fill_diagonal(table, rng.integers(denominator // 2, denominator + 1, n))
    if rng.random() < 1 / 3:
        table = np.tril(table) + np.tril(table, -1).T
    problem = Problem.from_similarity(table, denominator=denominator)
    return at_some_level(rng, problem, f"{n} alternatives")


def bandit(rng: Generator, *, most_actions: int = 6, most_functions: int = 6) -> AtScale:
    """A bandit table with random functions; some of them differ from a common one at few actions only."""
    n_actions, n_functions = int(rng.integers(1, most_actions + 1)), int(rng.integers(1, most_functions + 1))
    denominator = int(rng.choice(_DENOMINATORS))
    table = rng.integers(-denominator, denominator + 1, (n_actions, n_functions))
    if rng.random() < 0.4:
        common = rng.integers(-denominator, denominator + 1, (n_actions, 1))
        table = np.where(rng.random(table.shape) < 0.3, table, common)
    problem = Problem.from_table(table, denominator=denominator)
    return at_some_level(rng, problem, f"{n_functions} functions on {n_actions} actions")


def any_table(rng: Generator) -> AtScale:
    """A square problem or a bandit table."""
    return similarity(rng) if rng.random() < 0.5 else bandit(rng, most_actions=5, most_functions=5)


def hypotheses(rng: Generator, *, most: int = 8, most_points: int = 12) -> AtScale:
    """A class of hypotheses with an epsilon: random ones, parities, near copies, and negations of each other."""
    kind = rng.choice(["random", "parities", "near copies", "negations"])
    n, n_points = int(rng.integers(2, most + 1)), int(rng.integers(2, most_points + 1))
    signs = rng.choice([-1, 1], (n, n_points))
    if kind == "near copies":
        signs = np.where(rng.random((n, n_points)) < 0.25, -1, 1) * signs[:1]
    elif kind == "negations":
        signs = np.concatenate([signs[: (n + 1) // 2], -signs[: n // 2]])
    elif kind == "parities":
        signs = scipy.linalg.hadamard(8)[rng.permutation(8)[:n]] * rng.choice([-1, 1], (n, 1))
    epsilon = Fraction(int(rng.integers(1, 33)), 32)
    name = f"{n} {kind if kind != 'random' else 'random hypotheses'} on {signs.shape[1]} points, eps={epsilon}"
    return AtScale(name, from_hypotheses(signs), Fraction(1), epsilon)


def parity_class(rng: Generator) -> AtScale:
    """Eleven to sixteen parities of four bits, some of them negated, and at times a few random hypotheses."""
    n, n_more = int(rng.integers(11, 17)), int(rng.integers(0, 3))
    signs = scipy.linalg.hadamard(16)[rng.permutation(16)[:n]] * rng.choice([-1, 1], (n, 1))
    signs = np.concatenate([signs, rng.choice([-1, 1], (n_more, 16))])
    epsilon = Fraction(int(rng.integers(1, 9)), 16)
    return AtScale(f"{n} parities and {n_more} others, eps={epsilon}", from_hypotheses(signs), Fraction(1), epsilon)


def linear(rng: Generator, *, most: int = 6) -> Sized:
    """A linear bandit: rational parameters and actions in the unit ball of up to three dimensions."""
    n = int(rng.integers(1, 4))
    parameters, actions = (_in_ball(rng, int(rng.integers(2, most + 1)), n) for _ in range(2))
    problem = Problem.from_table(actions @ parameters.T)
    found = at_some_level(rng, problem, f"linear bandit in {n} dimensions")
    return Sized(found.name, problem, found.alpha, found.epsilon, n)


def extremal(found: Extremal, n: int, name: str) -> Sized:
    """An extremal table of the catalogue as an instance."""
    name = f"{name}, alpha={found.alpha}, eps={found.epsilon}"
    return Sized(name, found.problem, found.alpha, found.epsilon, n)


def conferences(*, most: int = 29) -> Iterator[Sized]:
    """Points of conference matrices."""
    for q in (q for q in (5, 9, 13, 17, 25, 29) if q <= most):
        yield extremal(conference(q), (q - 1) // 2, f"conference matrix of order {q}")


def equally_similar(size: int, value: Fraction) -> Problem:
    """So many alternatives, all of one similarity to each other."""
    return Problem.from_similarity([[Fraction(1) if i == j else value for j in range(size)] for i in range(size)])


def rational_points(rng: Generator, n: int, size: int) -> Array:
    """Random rational points on the unit sphere, by stereographic projection; for n = 1 the two that there are."""
    if n == 1:
        return np.array([[Fraction(int(sign))] for sign in rng.choice([-1, 1], size)])
    points = []
    for _ in range(size):
        flat = [Fraction(int(x), 4) for x in rng.integers(-6, 7, n - 1)]
        norm = sum((x * x for x in flat), Fraction(0))
        point = [2 * x / (norm + 1) for x in flat] + [(norm - 1) / (norm + 1)]
        points.append([x * int(sign) for x, sign in zip(point, rng.choice([-1, 1], n), strict=True)])
    return np.array(points)


def at_some_level(rng: Generator, problem: Problem, name: str) -> AtScale:
    """An epsilon, and an alpha that some alternative reaches: one of the self-evaluations, or a little less."""
    place = int(rng.integers(problem.n_targets))
    own = Fraction(problem.entry(int(problem.best_queries[place]), place))
    alpha, epsilon = own - int(rng.integers(0, 2)) * Fraction(1, 8), scale(rng)
    return AtScale(f"{name}, alpha={alpha}, eps={epsilon}", problem, alpha, epsilon)


def _in_ball(rng: Generator, size: int, n: int) -> Array:
    """Points of the ball: rational points of the sphere, each shrunk by a power of 1/2."""
    shrunk = 2 ** rng.integers(0, 4, (size, 1)).astype(object)
    return np.asarray(rational_points(rng, n, size) / shrunk)


def flips() -> Iterator[AtScale]:
    """A function and copies of it that are flipped on disjoint sets of mass eps/2."""
    for n in (11, 12, 20):
        # f = 1 everywhere; h_i is flipped on a point of its own, of mass eps/2
        signs = np.ones((n + 1, 2 * n), dtype=int)
        signs[np.arange(1, n + 1), np.arange(n)] = -1
        name = f"f and {n} flips of it on disjoint sets of mass eps/2, eps=1/{n}"
        yield AtScale(name, from_hypotheses(signs), Fraction(1), Fraction(1, n))


def n_queries_needed(problem: Problem, epsilon: Fraction, *, is_strict: bool) -> int:
    """0 where one hypothesis approximates all; else 1, the least that more can mean."""
    numerators, denominator = exact(problem)
    goal = (1 - epsilon) * denominator
    serves = numerators > goal if is_strict else numerators >= goal
    return 0 if serves.all(axis=1).any() else 1


def draw_class(rng: Generator, *, share: float = 0.5) -> AtScale:
    """Parities, so often, or other hypotheses."""
    return parity_class(rng) if rng.random() < share else hypotheses(rng)


def all_parities() -> Iterator[AtScale]:
    """All parities of 4 and 6 bits, and with them a bent function: it correlates with each of them a little."""
    for n_bits in (4, 6):
        bits = (np.arange(2**n_bits)[:, None] >> np.arange(n_bits)) & 1
        parity = scipy.linalg.hadamard(2**n_bits)
        bent = (-1) ** (bits[:, ::2] * bits[:, 1::2]).sum(axis=1)
        for signs, name in ((parity, ""), (np.vstack([parity, bent]), " and a bent function")):
            whole = f"the {2**n_bits} parities of {n_bits} bits{name}, eps=1/8"
            yield AtScale(whole, from_hypotheses(signs), Fraction(1), Fraction(1, 8))


def nearly_orthogonal() -> Iterator[AtScale]:
    """17 hypotheses whose correlations are 1/7 along the edges of the Paley graph, and -1/7 elsewhere.

    It has no clique and no independent set of 4, so 4 hypotheses have correlations 2/7 > 1/4 apart. Such hypotheses
    exist: signs of normal variables with correlations +-sin(pi/14), a positive definite table since
    sin(pi/14) sqrt(17) < 1.
    """
    squares = {x * x % 17 for x in range(1, 17)}
    signs = [[7 if x == y else 1 if (x - y) % 17 in squares else -1 for y in range(17)] for x in range(17)]
    problem = Problem.from_similarity(signs, denominator=7)
    yield AtScale(
        "17 hypotheses with correlations +-1/7 as in the Paley graph", problem, Fraction(1), Fraction(59, 400)
    )


def antipodes() -> Iterator[AtScale]:
    """A hypothesis and its negation."""
    for epsilon in (Fraction(1, 4), Fraction(1, 12)):
        problem = from_hypotheses([[1, 1], [-1, -1]])
        yield AtScale(f"{{h, -h}}, eps={epsilon}", problem, Fraction(1), epsilon)
