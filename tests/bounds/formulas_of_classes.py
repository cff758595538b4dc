"""Dimensions of classes, statistical queries and the lemmas of the proofs, as their statements read."""

import math
from fractions import Fraction
from math import log as ln
from math import sqrt

import numpy as np
from scipy.integrate import quad

from tests.bounds.statements import Said, every, first

# --- dimensions of classes ----------------------------------------------------------------------------------------


def longest(most, is_possible):
    """The last length up to which all are possible."""
    return next((d - 1 for d in range(2, most + 1) if not is_possible(d)), most)


def equal_dimension(size, gap, epsilon):
    """epsilon (1 - 1/sqrt d) <= gap, squared where the left side is larger than 0."""
    return longest(size, lambda d: epsilon <= gap or d * (epsilon - gap) ** 2 <= epsilon**2)


def sphere(n, epsilon=None, alpha=1):
    if alpha > 1:
        return 0
    most = 2 if n == 1 else 2 * n + 1
    return longest(most, lambda d: alpha - (epsilon or 0) * (1 - 1 / sqrt(d)) >= -1 / (d - 1) - 1e-9)


def determinant(n, epsilon, low=1.0, high=1.0):
    """The last length that no lambda refutes."""

    def is_possible(d):
        k, j = min(n, d - 1), np.arange(1, d)
        for factor in np.geomspace(1e-5, 10, 45):
            lam = factor * (epsilon / low) ** 2
            forward, back = epsilon * (1 - 1 / sqrt(d)) / high, 2 * epsilon / (sqrt(d) * low)
            if (
                np.log1p(forward**2 / (2**2 * lam + (j - 1) * back**2)).sum()
                > k * math.log1p((d - 1) / (k * lam)) + 1e-9
            ):
                return False
        return True

    return longest(400, is_possible)


def glm(n, slope_low, slope_high, epsilon=None, at_top=False, two_sided=False):
    """Without a flag by determinants; with one at most the lengths whose perturbed identity has rank n + 1."""
    if not (at_top or two_sided):
        return determinant(n, epsilon, slope_low, slope_high)
    r = slope_high / slope_low
    # ones on the diagonal, r/sqrt(d) beside it: the rank is at least (sum of the diagonal)^2 over the sum of squares
    lengths = [d for d in range(1, 400) if d**2 / (d + d * (d - 1) * (r / sqrt(d)) ** 2) <= n + 1 + 1e-12]
    most = 2 if at_top and n == 1 else max(lengths)
    return most if epsilon is None else min(most, determinant(n, epsilon, slope_low, slope_high))


def linear(n, alpha, epsilon=None):
    if alpha >= 1:
        return sphere(n, epsilon, alpha)
    return determinant(n, epsilon) if alpha - epsilon * (1 - 1 / sqrt(2)) >= -1 - 1e-9 * max(1, epsilon) else 1


def cap(n, angle):
    """The share of the sphere in R^n within an angle of a point."""
    if n == 2:
        return angle / math.pi
    whole, part = (quad(lambda t: math.sin(t) ** (n - 2), 0, end)[0] for end in (math.pi, angle))
    return part / whole


def keeps(d, epsilon):
    """The angle that d points of a ReLU sequence keep from each other."""
    return math.acos(1 - epsilon * (1 - 1 / sqrt(d)))


# --- statistical queries ------------------------------------------------------------------------------------------


def sharper_sq(strong_sq, success=Fraction(2, 3)):
    s, p = strong_sq, Fraction(success)
    return first(
        lambda m: Fraction(m) ** 2 * (Fraction(3, 2) + Fraction(1, s - 1)) >= (2 * (p - Fraction(1, s))) ** 2 * s
    )


def spread_sq(guess, spread, mean_square, success=Fraction(2, 3)):
    """The least m that neither inequality refutes, in floats; k is 1 minus the root."""
    rest, k = float(success - guess), 1 - sqrt(mean_square)
    ways = [lambda m: m / 2 * sqrt(spread)]
    if k > 0:
        ways += [
            lambda m, x=j / 50: m * spread / (x * k) ** 2 + sqrt(m * spread / (4 * (1 - x) * k)) for j in range(1, 50)
        ]
    return max(first(lambda m, way=way: way(m) >= rest - 1e-12) for way in ways)


def linear_sq(strong_sq, gap, eigenvalue=None, success=Fraction(2, 3)):
    s, always = strong_sq, Fraction(3, 2) + Fraction(1, strong_sq - 1)
    top = always if eigenvalue is None else min(always, Fraction(eigenvalue))
    return spread_sq(Fraction(1, s), top / s, 1 - (1 - Fraction(1, s)) * Fraction(gap), success)


SCALES = [Fraction(1, 64), Fraction(1, 16), Fraction(1, 7), Fraction(1, 3), Fraction(1), Fraction(5, 2)]


def proof_steps(dimension, alpha, epsilon, horizon):
    """The sides of the inequalities, in order."""
    q, x = 1 + 1 / sqrt(dimension), sqrt(dimension) * dimension
    n = first(lambda n: q**n * epsilon >= 1 + alpha - 1e-12)
    regret = (4 + 8 * x) * math.exp(-0.5 / x)
    return [
        *(n, 2 * sqrt(dimension) * ln(4 / epsilon), 2 / (3 * sqrt(dimension)), 1 - q**-2),
        *(
            1 / (1 + sqrt(dimension)),
            ln(1 + 1 / sqrt(dimension)),
            2,
            3 * ln(2),
            2 * ln(4 / epsilon),
            (4 / epsilon) ** 2,
        ),
        *(4 + 2 / horizon, 16 * ln(2), regret, 12 * x, regret, 8 * x),
    ]


def lengths(**choices):
    return [{**given, "n": n} for n in (1, 2, 3) for given in every(**choices)]


CLASSES = {
    "eluder_comparison": Said(
        lambda eluder: max(d for d in range(1, 2000) if d < 10 or min(d // 5, 1 + 5 * d // 27) <= eluder),
        every(eluder=[0, 1, 2, 7, 13, 20, 100]),
        [{"eluder": -1}],
    ),
    "eluder_length": Said(
        lambda dissimilarity: min(
            first(lambda blocks: 5 * (blocks + 1) > dissimilarity),
            # an action more as long as (4/9) tau^2 is at least 2.4 tau^2/d for each action before
            first(lambda n: n > 0 and n * Fraction(12, 5) / dissimilarity > Fraction(4, 9)),
        ),
        every(dissimilarity=[10, 11, 18, 48, 64, 67, 68, 100, 108, 1000]),
        [{"dissimilarity": 9}],
    ),
    "linear_dimension_bound": Said(
        linear,
        [
            *lengths(alpha=[1], epsilon=[None, 0.1, 2.0, 3.0]),
            *lengths(alpha=[2], epsilon=[1.0]),
            *every(n=[1, 2], alpha=[0.3, 0.9], epsilon=[0.3, 1.0, 4.0, 4.6, 6.0]),
            {"n": 3, "alpha": -1, "epsilon": 1e-12},
        ],
        [{"n": 2, "alpha": 0.99}],
    ),
    "sphere_dimension_bound": Said(
        sphere,
        [
            *lengths(epsilon=[None, 0.1, 1.0, 1.5, 2.0, 3.0, 3.6, 6.8, 7.0], alpha=[1, 0.2]),
            *lengths(epsilon=[1.0], alpha=[1.01]),
            {"n": 10, "epsilon": 1.3},
            {"n": 2, "epsilon": 2 * sqrt(2) / (sqrt(2) - 1)},  # two antipodes, exactly
        ],
    ),
    "two_sided_linear_dimension_bound": Said(lambda n: n + (n + 1), every(n=[1, 2, 9]), [{"n": 0}]),
    "symmetric_dimension_bound": Said(lambda rank: rank + (rank + 1), every(rank=[0, 1, 2, 9]), [{"rank": -1}]),
    "separation_dimension_bound": Said(
        lambda epsilon, height: 3 + 3,
        every(epsilon=["1/4", 2], height=["1/4", "99/100", "1/1000"]),
        [{"epsilon": 1, "height": 1}, {"epsilon": 1, "height": 0}],
    ),
    "linear_dimension_lower_bound": Said(
        lambda n, epsilon: n * max(k for k in range(1, 60) if Fraction(epsilon) ** 2 * Fraction(n * k) ** (k - 1) <= 1),
        every(n=[1, 2, 5], epsilon=["1", "1/2", "1/10", "1/1000", "1/1000000000"]),
        [{"n": 1, "epsilon": "101/100"}],
    ),
    "glm_dimension_bound": Said(
        glm,
        [
            *every(n=[1, 2, 7], slope_low=[0.25, 0.5], slope_high=[0.5], at_top=[True]),
            *every(n=[1, 2, 7], slope_low=[0.25, 0.5], slope_high=[0.5], two_sided=[True]),
            *every(n=[1, 2], slope_low=[0.5], slope_high=[1.0], epsilon=[0.5, 4.5], at_top=[True]),
            *every(n=[1, 2], slope_low=[0.5], slope_high=[1.0], epsilon=[0.5, 4.5], two_sided=[True]),
            *every(n=[1, 2], slope_low=[0.5], slope_high=[0.5, 1.0], epsilon=[0.5, 2.0, 7.0]),
            {"n": 5, "slope_low": 1.0, "slope_high": 1.0, "epsilon": 4.05},  # where the rank is d - 1, not n
        ],
        [
            {"n": 1, "slope_low": 1.0, "slope_high": 0.99, "epsilon": 1.0},
            {"n": 1, "slope_low": 1.0, "slope_high": 1.0},
        ],
    ),
    "arms_dimension": Said(
        lambda n_arms, alpha, epsilon: equal_dimension(n_arms, Fraction(alpha), Fraction(epsilon)),
        every(n_arms=[1, 2, 9, 30], alpha=["0", "1/3", "1/2", "1"], epsilon=["1/4", "1/2", "1", "4/3", "6/5"]),
        [{"n_arms": 3, "alpha": "101/100", "epsilon": 1}, {"n_arms": 3, "alpha": "-1/100", "epsilon": 1}],
    ),
    "equal_correlations_dimension": Said(
        lambda size, correlation, epsilon: equal_dimension(size, 1 - Fraction(correlation), Fraction(epsilon)),
        every(size=[1, 2, 16, 64], correlation=["-1", "-1/3", "0", "15/16"], epsilon=["1/14", "1", "4/3", "5/2", "7"]),
        [{"size": 3, "correlation": 1, "epsilon": 1}, {"size": 3, "correlation": "-101/100", "epsilon": 1}],
    ),
    "union_dimension_bound": Said(
        lambda dimensions: sum(1 for d in dimensions for _ in range(d)),
        every(dimensions=[[], [0], [3, 5], [1, 1, 1]]),
        [{"dimensions": [-1]}, {"dimensions": "12"}],
    ),
    "relu_dimension_bound": Said(
        lambda n, epsilon: 2 if n == 1 else longest(9000, lambda d: d * cap(n, keeps(d, epsilon) / 2) <= 1 + 1e-9),
        [*lengths(epsilon=[0.02, 0.3, 0.5, 1.0]), {"n": 4, "epsilon": 0.3}],
        [{"n": 2, "epsilon": 1.01}],
    ),
    "relu_dimension_lower_bound": Said(
        lambda n, epsilon: 2 if n == 1 else max(2, math.ceil(1 / cap(n, math.acos(1 - epsilon)) - 1e-9)),
        [*lengths(epsilon=[0.01, 0.3, 0.5, 1.0]), {"n": 4, "epsilon": 0.3}],
        [{"n": 2, "epsilon": 1.01}],
    ),
    "relu_star_lower_bound": Said(
        lambda n, epsilon: 2 if n == 1 else max(2, math.ceil(1 / cap(n, math.acos(1 - epsilon)) - 1e-9)),
        [*lengths(epsilon=[0.01, 0.3, 0.5, 1.0]), {"n": 4, "epsilon": 0.3}],
        [{"n": 2, "epsilon": 1.01}],
    ),
    "relu_horizon_lower_bound": Said(
        lambda n, epsilon: 1 if n == 1 else max(1, math.ceil(1 / cap(n, 2 * math.acos(1 - epsilon)) - 1e-9) - 1),
        every(n=[1, 2, 3, 4], epsilon=[0.001, 0.01, 0.05, 0.2, 0.25, 0.33, 0.4, 1.0]),
        [{"n": 2, "epsilon": 1.01}, {"n": 0, "epsilon": 0.5}],
    ),
    "linear_eluder_bound": Said(
        lambda n, epsilon: 3 * n / (1 - math.exp(-1)) * ln(3 * (1 + (2 / epsilon) ** 2)) + 1,
        every(n=[1, 4], epsilon=[0.01, 0.5, 3.0]),
        [{"n": 0, "epsilon": 0.5}, {"n": 1, "epsilon": 0.0}],
    ),
    "glm_eluder_bound": Said(
        lambda n, slope_low, slope_high, epsilon: (
            3
            * n
            * (slope_high / slope_low) ** 2
            / (1 - math.exp(-1))
            * ln(3 * (slope_high / slope_low) ** 2 * (1 + (2 * slope_high / epsilon) ** 2))
            + 1
        ),
        every(n=[1, 4], slope_low=[0.25, 0.5], slope_high=[0.5, 1.0], epsilon=[0.01, 0.5, 3.0]),
        [{"n": 1, "slope_low": 1.0, "slope_high": 0.5, "epsilon": 0.5}],
    ),
    "relu_circle_dimension": Said(
        lambda epsilon: longest(2000, lambda d: d * keeps(d, epsilon) <= 2 * math.pi + 1e-9),
        every(epsilon=[1e-4, 1e-3, 0.01, 0.3, 0.5, 1.0]),
        [{"epsilon": 1.01}, {"epsilon": 1e-21}],
    ),
    "relu_paper_bound": Said(
        lambda n, epsilon: max(9.0, (4 / sqrt(epsilon)) ** n),
        lengths(epsilon=[0.01, 0.3, 1.0]),
        [{"n": 2, "epsilon": 1.01}],
    ),
    # --- statistical queries
    "dissimilarity_lower_bound": Said(
        lambda strong_sq, epsilon: max(1, min(strong_sq, math.floor((2 * epsilon * strong_sq) ** 2))),
        every(strong_sq=[1, 2, 3, 16, 50], epsilon=SCALES),
    ),
    "dissimilarity_upper_bound": Said(
        lambda strong_sq, epsilon: max(2, strong_sq, first(lambda r: r + 1 >= (2 * epsilon * (strong_sq + 1)) ** 2)),
        every(strong_sq=[1, 2, 3, 16], epsilon=SCALES),
    ),
    "strong_sq_lower_bound": Said(
        lambda dissimilarity, epsilon: max(
            1, min(dissimilarity, first(lambda s: (8 * epsilon * (s + 1)) ** 2 > dissimilarity))
        ),
        every(dissimilarity=[3, 4, 5, 16, 50], epsilon=SCALES),
        [{"dissimilarity": 2, "epsilon": 1}],
    ),
    "strong_sq_upper_bound": Said(
        lambda dissimilarity, epsilon: max(
            dissimilarity, first(lambda s: (2 * epsilon * (s + 1)) ** 2 >= dissimilarity + 1)
        ),
        every(dissimilarity=[1, 2, 3, 16, 50], epsilon=SCALES),
        [{"dissimilarity": 0, "epsilon": 1}],
    ),
    "sq_lower_bound": Said(
        lambda strong_sq: first(lambda m: (12 * m) ** 3 > strong_sq),
        every(strong_sq=[11, 12**3 - 1, 12**3, 24**3 - 1, 24**3, 10**6]),
        [{"strong_sq": 10}],
    ),
    "cube_root_sq_lower_bound": Said(
        lambda strong_sq: first(lambda m: 27 * m**3 > 4 * strong_sq),
        every(strong_sq=[16, 53, 54, 55, 182, 183, 10**6]),
        [{"strong_sq": 15}],
    ),
    "sharper_sq_lower_bound": Said(
        sharper_sq,
        [
            *every(strong_sq=[*range(3, 40), 1728]),
            *every(strong_sq=range(3, 12), success=[Fraction(9, 10)]),
            *every(strong_sq=[3, 16, 50], success=[Fraction(2, 5), Fraction(1)]),
            {"strong_sq": 4, "success": Fraction(1, 4) + Fraction(1, 10**9)},
            *every(strong_sq=[3], success=[Fraction(735, 1000), Fraction(742, 1000)]),  # about a whole number
        ],
        [
            {"strong_sq": 2},
            {"strong_sq": 4, "success": Fraction(1, 4)},
            {"strong_sq": 4, "success": Fraction(101, 100)},
        ],
    ),
    "spread_sq_lower_bound": Said(
        spread_sq,
        [
            *every(
                guess=[Fraction(0), Fraction(1, 7)],
                spread=[Fraction(1, 7), Fraction(1, 999)],
                mean_square=[Fraction(0), Fraction(1, 5), Fraction(1)],
            ),
            *every(
                guess=[Fraction(1, 7)],
                spread=[Fraction(1, 99)],
                mean_square=[Fraction(1, 5)],
                success=[Fraction(1, 2), Fraction(1)],
            ),
        ],
        [
            {"guess": Fraction(2, 3), "spread": Fraction(1), "mean_square": Fraction(0)},
            {"guess": Fraction(-1, 9), "spread": Fraction(1), "mean_square": Fraction(0)},
            {"guess": Fraction(0), "spread": Fraction(1), "mean_square": Fraction(10, 9)},
            {"guess": Fraction(0), "spread": Fraction(1), "mean_square": Fraction(-1, 9)},
            {"guess": Fraction(0), "spread": Fraction(1), "mean_square": Fraction(0), "success": Fraction(10, 9)},
        ],
    ),
    "linear_sq_lower_bound": Said(
        linear_sq,
        [
            *every(strong_sq=[3, 16, 100, 1000], gap=[Fraction(1, 10), Fraction(1)]),
            *every(strong_sq=[16, 5000], gap=[Fraction(1)], eigenvalue=[Fraction(1), Fraction(9)]),
            *every(strong_sq=[16], gap=[Fraction(1)], success=[Fraction(9, 10)]),
            *every(strong_sq=[3], gap=[Fraction(1)], success=[Fraction(740, 1000), Fraction(745, 1000)]),  # as above
            {"strong_sq": 3, "gap": Fraction(3, 2)},
        ],
        [
            {"strong_sq": 2, "gap": Fraction(1)},
            {"strong_sq": 3, "gap": Fraction(8, 5)},
            {"strong_sq": 3, "gap": Fraction(1), "eigenvalue": Fraction(9, 10)},
            {"strong_sq": 3, "gap": Fraction(1), "success": Fraction(1, 3)},
        ],
    ),
    "answer_divergence_bound": Said(
        lambda mean, distance: distance * distance / (1 - abs(mean) - distance) / 2,
        every(mean=[0.0, -0.5, 0.5], distance=[0.0, 0.1, 0.4]),
        [{"mean": 0.5, "distance": 0.5}, {"mean": 0.5, "distance": 0.6}, {"mean": 0.0, "distance": -0.1}],
    ),
    "dissimilarity_sq_lower_bound": Said(
        lambda dissimilarity, epsilon: first(lambda m: (12 * m) ** 3 > dissimilarity),
        [
            *({"dissimilarity": r, "epsilon": Fraction(1, 10**6)} for r in (3, 12**3 - 1, 12**3, 24**3, 10**6)),
            *({"dissimilarity": k**2, "epsilon": Fraction(1, 16 * k)} for k in (2, 9, 60)),
        ],
        [{"dissimilarity": 2, "epsilon": Fraction(1, 10**6)}, {"dissimilarity": 81, "epsilon": Fraction(1, 143)}],
    ),
    "adversarial_sq_lower_bound": Said(
        lambda strong_sq, tau: first(lambda m: 3 * m > strong_sq * Fraction(tau) ** 2),
        every(strong_sq=[3, 12, 64, 1000], tau=["1/12", "1/4", "1/2", "1"]),
        [{"strong_sq": 2, "tau": 1}],
    ),
    "simulation_distance": Said(
        lambda n_queries, tau: min(1.0, sum(tau / 2 for _ in range(n_queries))),
        every(n_queries=[0, 1, 2, 10], tau=[0, 0.05, 0.3, 2.0]),
        [{"n_queries": 1, "tau": 2.01}, {"n_queries": 1, "tau": -0.01}, {"n_queries": -1, "tau": 1}],
    ),
    "simulation_tolerance": Said(
        lambda n_queries, delta: (delta + delta) / n_queries,
        every(n_queries=[1, 2, 10], delta=[0.05, 1.0]),
        [{"n_queries": 1, "delta": 1.01}, {"n_queries": 1, "delta": 0.0}],
    ),
    # --- lemmas
    "turan_edges": Said(
        lambda n_vertices, clique_number: math.floor((1 - Fraction(1, max(1, clique_number))) * n_vertices**2 / 2),
        [*every(n_vertices=[0, 1, 6, 7], clique_number=[1, 2, 3, 9]), {"n_vertices": 0, "clique_number": 0}],
        [{"n_vertices": 1, "clique_number": 0}, {"n_vertices": -1, "clique_number": 1}],
    ),
    "perturbed_identity_rank": Said(
        lambda size: first(lambda r: r * (2 * size - 1) >= size**2), every(size=[1, 2, 3, 9, 10, 101])
    ),
    "root_sum_bound": Said(
        lambda kappa, tau, horizon: sum(tau for _ in range(horizon)) + sqrt(4 * kappa * horizon),
        every(kappa=[0.0, 0.5, 4.0], tau=[0.0, 0.1], horizon=[0, 1, 25]),
        [{"kappa": -0.1, "tau": 0.0, "horizon": 2}, {"kappa": 0.1, "tau": -0.1, "horizon": 2}],
    ),
    "geometric_sum_bound": Said(
        lambda kappa, tau, horizon, ceiling: (
            horizon * tau + (ceiling * (1 + kappa) / math.e ** (1 / kappa) if kappa else 0.0)
        ),
        every(kappa=[0.0, 0.5, 4.0], tau=[0.0, 0.1], horizon=[0, 1, 25], ceiling=[1.0, 3.0]),
        [
            {"kappa": -0.1, "tau": 0.0, "horizon": 2, "ceiling": 1},
            {"kappa": 0.1, "tau": -0.1, "horizon": 2, "ceiling": 1},
        ],
    ),
    "freedman_bound": Said(
        lambda variance, eta, reach, delta: eta * variance + ln(1 / delta) / eta,
        every(variance=[0.0, 0.5, 100.0], eta=[0.1, 0.49], reach=[1.0, 2.0], delta=[0.05, 0.5]),
        [
            {"variance": -0.1, "eta": 0.1, "reach": 1, "delta": 0.1},
            {"variance": 1, "eta": 0.5, "reach": 2, "delta": 0.1},
            {"variance": 1, "eta": 0.0, "reach": 2, "delta": 0.1},
        ],
    ),
    "falling_sum_bound": Said(
        lambda first, last, integral, horizon: first + integral,
        [
            {"first": 1.0, "last": 0.2, "integral": 8.0, "horizon": 25},
            {"first": Fraction(3), "last": Fraction(1), "integral": Fraction(2), "horizon": 3},
            {"first": Fraction(3), "last": Fraction(1), "integral": Fraction(6), "horizon": 3},
            {"first": 2, "last": 2, "integral": 0, "horizon": 1},
        ],
        [
            {"first": 1, "last": 2, "integral": 1, "horizon": 2},
            {"first": 2, "last": 1, "integral": 0, "horizon": 1},
            {"first": 3, "last": 1, "integral": 1.99, "horizon": 3},
            {"first": 3, "last": 1, "integral": 6.01, "horizon": 3},
        ],
    ),
    "proof_steps": Said(
        proof_steps,
        every(dimension=[1, 4, 7], alpha=[-0.3, 1.0], epsilon=[0.01, 0.5, 0.69], horizon=[1, 10]),
        [
            {"dimension": 4, "alpha": 0.5, "epsilon": 1.5, "horizon": 3},
            {"dimension": 4, "alpha": 1.01, "epsilon": 0.5, "horizon": 3},
            {"dimension": 0, "alpha": 0.5, "epsilon": 0.5, "horizon": 3},
        ],
    ),
}
