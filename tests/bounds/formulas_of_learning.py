"""Bad queries, regret, PAC, error budgets, coverings, radii and sample sizes, as their statements read."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf, sqrt
from math import log as ln

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import entropy

from tests.bounds.statements import Said, every, first

# --- bad queries, regret, PAC -------------------------------------------------------------------------------------


def cuts(d, c, e, most):
    """Every cut of the gaps from e to the most into rungs of one ratio: (least gap, greatest gap, rounds) of each."""
    for n in range(1, 70):
        r = (most / e) ** (1 / n)
        theta = (r - 1) / (r + 1) * sqrt(d + 1)  # so that r = (1 + theta x) / (1 - theta x)
        if theta > 1 + 1e-12 or (c > 0 and theta >= 1):
            continue
        x, found = 1 / sqrt(d + 1), []
        for i in range(n):
            middle = e * r**i / (1 - theta * x)
            allowed = c / ((1 - theta) * x * middle) ** 2 if c > 0 else 0
            found.append((e * r**i, e * r ** (i + 1), (d - 1) * max(1, math.ceil(allowed))))
        yield found


def exactly(number):
    return number if isinstance(number, Fraction) else Fraction(number).limit_denominator(10**6)


def fewest(d, span):
    """Rungs of exact rewards: powers of (1 + x) / (1 - x) up to the span, to 450 digits; 440 of them count."""
    with localcontext(prec=450):
        root = Decimal(d + 1).sqrt()
        ratio, goal = (root + 1) / (root - 1), Decimal(span.numerator) / Decimal(span.denominator)
        power, n = Decimal(1), 0
        while power < goal * (1 - Decimal("1e-440")):
            power, n = power * ratio, n + 1
        return n


def very_many(d, c, span):
    """The least of n rungs with 1 + C / tau^2 colours each, n any number that reaches; gaps in units of epsilon."""

    def colours(n):
        r = span ** (1 / n)
        theta = (r - 1) / (r + 1) * sqrt(d + 1)
        tau = (1 - theta) / (sqrt(d + 1) - theta)
        return n + c / tau**2 * (1 - span**-2) / (1 - r**-2)  # the sum of r^(-2i)

    least = ln(span) / ln((sqrt(d + 1) + 1) / (sqrt(d + 1) - 1))
    return (d - 1) * minimize_scalar(colours, bounds=(least, 8 * least), method="bounded").fun


def coloured_regret(dimension, error_budget, horizon, reach=None, scale=1.0):
    """Round by round from the worst gap down, as many as the rungs allow, then rounds worth 1/T."""
    budget, most = error_budget / scale**2, 2 if reach is None else reach / scale
    if most * horizon <= 1:
        return scale
    costs = []
    for cut in cuts(dimension, budget, 1 / horizon, most):
        total, left = 0.0, horizon
        for _, greatest, rounds in reversed(cut):
            total, left = total + min(left, rounds) * greatest, left - min(left, rounds)
        costs.append(total + left / horizon)
    return scale * min(
        [1 + 12 * sqrt(sqrt(dimension)) * dimension * sqrt(max(budget, ln(2 * horizon)) * horizon), *costs]
    )


def bad_queries(dimension, error_budget, epsilon, form="coloured", horizon=None, reach=None, scale=1.0):
    d, c, e = dimension, error_budget / scale**2, epsilon / scale
    if form == "coloured":
        most = 2 if reach is None else reach / scale
        span = (2 * exactly(scale) if reach is None else exactly(reach)) / exactly(epsilon)
        if span <= 1:
            return 0
        if c == 0:
            return float((d - 1) * fewest(d, span))
        counts = [sum(rounds for *_, rounds in cut) for cut in cuts(d, c, e, most)]
        return min(counts) if counts else very_many(d, c / e**2, most / e)
    if form == "printed":
        return max(0.0, 2 * sqrt(d) * d * ln(4 / e) + 12 * sqrt(d) * d * d * c / e**2)
    if form == "short":
        return 36 * sqrt(d) * d * d * c / e**2
    count, gap, q = 0.0, e, 1 + 1 / sqrt(d + 1)
    while gap * (1 + 1e-12) < (2 if reach is None else reach / scale):  # the intervals, one by one
        count += (d - 1) + 8 * (d - 1) * (d + 1) * c / gap**2
        gap *= q
    return count


def least_horizon(dimension, epsilon, error_budget, form="coloured", reach=None, scale=1.0):
    def needed(horizon):
        budget = error_budget(horizon)
        if form == "coloured":
            return 2 * bad_queries(dimension, budget, 3 * epsilon / 4, reach=reach, scale=scale)
        return 64 * sqrt(dimension) * dimension**2 * max(budget, scale**2 * ln(2 * horizon)) / epsilon**2

    return 1 + first(lambda m: m + 1 >= needed(m + 1))


# --- information --------------------------------------------------------------------------------------------------


def divergence(_, sigma, reward_range):
    """Two laws on the ends of an interval of length 2 sigma that holds both means, as near the middle as it may lie."""
    (first_mean, second_mean), (low, high) = _, reward_range
    half = min(sigma, (high - low) / 2)
    start = min(max((first_mean + second_mean) / 2 - half, low), high - 2 * half)
    if abs(first_mean - second_mean) > 2 * half:
        return inf
    p, q = ((mean - start) / (2 * half) for mean in (first_mean, second_mean))
    if abs(p - q) < 1e-6 and abs(p + q - 1) < 1e-6:
        # rounding leaves nothing of the entropy as it reads: the first term of its series about a half
        return ((first_mean - second_mean) / half) ** 2 / 2
    return float(entropy([p, 1 - p], [q, 1 - q]))


def distance(_, sigma, reward_range):
    (table,), (low, high) = _, reward_range
    half, found = min(sigma, (high - low) / 2), []
    for row in np.asarray(table, dtype=float):
        middle = float(np.median(row))
        is_narrow = np.ptp(row) <= 2 * half
        start = min(max(((row.min() + row.max()) / 2 if is_narrow else middle) - half, low), high - 2 * half)
        inside = (row >= start - 1e-12) & (row <= start + 2 * half + 1e-12)
        found.append(np.where(inside, np.abs(row - middle) / (2 * half), 1.0).mean())
    return found


D, C, E, S = [1, 2, 5], [0.0, 3.0], [0.05, 0.5, 1.7], [1.0, 3.0]
NOISE = every(delta=[0.01, 0.4], sigma=[0.3, 2.0])
PLAN = every(horizon=[1, 50, 1000], delta=[0.01, 0.4])

# one, two and five rungs of ratio 3, 2 and 2 + sqrt(3), to 12 digits, and a little more or less
EDGES = [
    (2 / Fraction(ratio) ** n).limit_denominator(10**15) * (1 + nudge)
    for ratio in ("3", "2", "3.7320508075688772935274463415058723669428")
    for n in (1, 2, 5)
    for nudge in (0, Fraction(1, 10**12), -Fraction(1, 10**12))
]

LEARNING = {
    "bad_queries_bound": Said(
        bad_queries,
        [
            *every(dimension=D, error_budget=[*C, 0.01], epsilon=[*E, 5.0], scale=S, form=["coloured"]),
            *every(dimension=[3, 8], error_budget=[0.0], epsilon=[2 / 9, 0.5], form=["coloured"]),  # whole logarithms
            *every(dimension=[3, 8, 2], error_budget=[0.0], epsilon=EDGES),
            {"dimension": 99, "error_budget": 0.0, "epsilon": 2 * Fraction(9, 11) ** 1000},
            *every(dimension=[2], error_budget=[0.0], epsilon=[2 / (1 + Fraction(1, 10**350))]),
            *every(dimension=[2, 8], error_budget=[0.25, 3.0], epsilon=[2 / (1 + Fraction(1, 10**17)), 0.5, 1.0]),
            # more than 10,000 rungs, with budgets for which a number of them that is tried is the best of all
            {"dimension": 10**4, "error_budget": 0.0462, "epsilon": 1.0, "reach": 1e100},
            {"dimension": 10**9, "error_budget": 7.074e-9, "epsilon": 1.0},
            *every(dimension=D, error_budget=C, epsilon=[*E, 5.0], scale=S, form=["repaired", "printed"]),
            *every(dimension=D, error_budget=C, epsilon=E, reach=[0.4, 1.5], scale=S, form=["coloured", "repaired"]),
            *every(dimension=D, error_budget=[ln(20), 40.0], epsilon=E, form=["short"], horizon=[10]),
            *every(dimension=[3], error_budget=[9 * ln(20)], epsilon=E, form=["short"], horizon=[10], scale=[3.0]),
        ],
        [
            *(
                {"dimension": 2, "epsilon": 1, "error_budget": -1e-3, "form": form}
                for form in ("coloured", "repaired", "printed")
            ),
            *(
                {"dimension": 2, "epsilon": 1, "error_budget": ln(2 * t) - 1e-3, "form": "short", "horizon": t}
                for t in (1, 9)
            ),
            {"dimension": 2, "epsilon": 1, "error_budget": 9, "form": "short"},
            {"dimension": 2, "epsilon": 1, "error_budget": 9, "form": "long"},
            {"dimension": 0, "epsilon": 1, "error_budget": 9},
        ],
    ),
    "regret_bound": Said(
        lambda dimension, error_budget, horizon, scale, form="coloured", reach=None: (
            scale + 12 * dimension * sqrt(sqrt(dimension)) * sqrt(error_budget * horizon)
            if form == "printed"
            else coloured_regret(dimension, error_budget, horizon, reach, scale)
        ),
        [
            *every(dimension=D, error_budget=[60.0, 300.0], horizon=[1, 70], scale=S, form=["printed"]),
            *every(dimension=D, error_budget=[0.0, 0.01, 0.1], horizon=[1, 10], scale=S),
            *every(dimension=D, error_budget=[0.0, 0.01, 0.1], horizon=[10], scale=S, reach=[0.04, 1.3]),
            *every(dimension=[2], error_budget=[0.01], horizon=[500], scale=S),
            *every(dimension=[3, 8], error_budget=[0.0], horizon=[1, 8], scale=S),  # theta is 1
            {"dimension": 10**6, "error_budget": 0.0, "horizon": 10**9, "scale": 1.0},  # too many rungs to list
        ],
        [
            {"dimension": 2, "error_budget": ln(140) - 1e-3, "horizon": 70, "form": "printed"},
            {"dimension": 2, "error_budget": -1e-3, "horizon": 70},
            {"dimension": 2, "error_budget": 9, "horizon": 70, "form": "short"},
            {"dimension": 0, "error_budget": 9, "horizon": 7},
        ],
    ),
    "exact_regret_bound": Said(
        lambda dimension, scale, form="coloured", reach=None: (
            scale * (1 + 8 * dimension * sqrt(dimension))
            if form == "repaired"
            else scale
            + sum(
                (dimension - 1) * (2 * scale if reach is None else reach) * r**-j
                for r in [(sqrt(dimension + 1) + 1) / (sqrt(dimension + 1) - 1)]
                for j in range(300)
            )
        ),
        [*every(dimension=D, scale=S, form=["coloured", "repaired"]), *every(dimension=D, scale=S, reach=[0.0, 1.3])],
        [{"dimension": 0}, {"dimension": 2, "form": "printed"}],
    ),
    "pac_candidates": Said(
        lambda delta: first(lambda n: 2**-n <= delta / 4),
        every(delta=[0.9, 0.5, 0.3, 0.01, 1e-9]),
    ),
    "pac_repeats": Said(
        lambda epsilon, delta, n_candidates, sigma: math.ceil(
            8 * (4 * sigma) ** 2 * ln(8 * n_candidates / delta) / epsilon**2
        ),
        every(epsilon=[0.05, 0.7], delta=[0.3, 0.01], n_candidates=[1, 6], sigma=[1.0, 0.4]),
    ),
    "pac_horizon": Said(
        least_horizon,
        [
            *every(dimension=[1, 2], epsilon=[0.7, 1.0], error_budget=[lambda t: 0.0, lambda t: (1 + ln(t)) / 5]),
            *every(dimension=[1, 2], epsilon=[6.0], error_budget=[lambda t: 9.0], scale=[3.0]),
            *every(dimension=[3], epsilon=[0.7], error_budget=[lambda t: (1 + ln(t)) / 5], reach=[0.4, 1.1]),
            *every(
                dimension=[1, 2],
                epsilon=[0.7, 1.0],
                error_budget=[lambda t: 0.0, lambda t: 3 + ln(t)],
                form=["printed"],
            ),
            *every(dimension=[1], epsilon=[6.0], error_budget=[lambda t: 90.0], scale=[3.0], form=["printed"]),
        ],
        [
            {"dimension": 1, "epsilon": 2.01, "error_budget": lambda t: 1.0},
            {"dimension": 0, "epsilon": 1.0, "error_budget": lambda t: 1.0},
            {"dimension": 2, "epsilon": 1e-9, "error_budget": lambda t: float(t)},
            {"dimension": 2, "epsilon": 1.0, "error_budget": lambda t: 1.0, "form": "short"},
        ],
    ),
    "exact_pac_horizon": Said(
        lambda dimension, epsilon, scale, form="coloured", reach=None: max(
            1, first(lambda m: m > bad_queries(dimension, 0.0, epsilon, form, reach=reach, scale=scale))
        ),
        [
            *every(dimension=D, epsilon=[*E, 3.9, 4.5], scale=S, form=["coloured", "printed"]),
            *every(dimension=D, epsilon=E, scale=S, reach=[0.4, 1.5]),
        ],
        [{"dimension": 0, "epsilon": 1}, {"dimension": 2, "epsilon": 1, "form": "short"}],
    ),
    # --- error budgets
    "paper_error_budget": Said(
        lambda n_targets, horizon, delta, scale: 2 * (8 * scale) ** 2 * ln(2 * horizon * n_targets / delta),
        every(n_targets=[1, 20], horizon=[1, 300], delta=[0.05, 0.5], scale=S),
    ),
    "covering_error_budget": Said(
        lambda beta, beta_prime, covering_number, horizon, delta: (
            16 * beta * beta_prime * ln(2 * horizon * covering_number / delta)
        ),
        every(beta=[0.0, 0.5, 1.0], beta_prime=[2.0, 3.0], covering_number=[1, 20], horizon=[1, 300], delta=[0.05]),
        [
            {"beta": 1.0, "beta_prime": 1.99, "covering_number": 2, "horizon": 9, "delta": 0.1},
            {"beta": -0.5, "beta_prime": 1.99, "covering_number": 2, "horizon": 9, "delta": 0.1},
        ],
    ),
    "anytime_error_budget": Said(
        lambda n_targets, delta, sigma: 2 * (2 * sigma) ** 2 * ln(n_targets / delta),
        [{"n_targets": n, **noise} for n in (1, 20) for noise in NOISE],
    ),
    "loss_ball_error_budget": Said(
        lambda n_targets, radius, delta, sigma: 2 * (2 * sigma) ** 2 * ln(n_targets / delta) + radius + radius,
        [{"n_targets": n, "radius": r, **noise} for n in (1, 20) for r in (0.0, 0.5, 7.0) for noise in NOISE],
        [{"n_targets": 2, "radius": -1e-3, "delta": 0.1, "sigma": 1}],
    ),
    "cover_error_budget": Said(
        lambda log_cover, horizon, delta, sigma, scale: _largest_root(
            16 * scale**2 + 4 * sigma**2 * (log_cover + ln(1 / delta)), 4 * scale / sqrt(horizon)
        ),
        [{"log_cover": c, "scale": s, **plan, "sigma": 0.6} for c in (0.0, 0.5, 9.0) for s in S for plan in PLAN],
        [{"log_cover": -1e-3, "horizon": 9, "delta": 0.1, "sigma": 1}],
    ),
    "arms_error_budget": Said(
        lambda n_arms, horizon, delta, sigma: (
            n_arms
            * max((2 * sigma) ** 2 * (1 + 1 / n) * (2 * ln(n_arms / delta) + ln(1 + n)) for n in range(1, horizon + 1))
        ),
        [{"n_arms": k, **plan, "sigma": 0.6} for k in (1, 4) for plan in PLAN],
    ),
    "ellipsoid_error_budget": Said(
        lambda n, horizon, delta, sigma, ridge, norm, longest: (
            4
            * (sigma * sqrt(n * ln(1 + horizon * longest**2 / (n * ridge)) + 2 * ln(1 / delta)) + sqrt(ridge) * norm)
            ** 2
        ),
        every(
            n=[1, 3], horizon=[1, 90], delta=[0.1], sigma=[0.5], ridge=[0.5, 4.0], norm=[1.0, 3.0], longest=[1.0, 0.3]
        ),
    ),
    "ball_error_budget": Said(
        lambda center, radius: center + 2 * sqrt(center * radius) + radius,
        every(center=[0.0, 0.5, 4.0], radius=[0.0, 0.7, 9.0]),
        [{"center": -1e-3, "radius": 1}, {"center": 1, "radius": -1e-3}],
    ),
    # --- coverings
    "ball_covering_bounds": Said(
        lambda n, radius: ((1 / radius) ** n, (1 + 2 / radius) ** n),
        every(n=[1, 2, 3], radius=[0.1, 0.7, 1.0]),
        [{"n": 2, "radius": 1.01}],
    ),
    "linear_covering_bound": Said(
        lambda n, radius: ((radius + 2) / radius) ** n, every(n=[1, 3], radius=[0.1, 1.0, 5.0])
    ),
    "log_cover_of_ball": Said(
        lambda dimension, width: dimension * ln((width + 2) / width), every(dimension=[1, 3], width=[0.1, 1.0, 5.0])
    ),
    "log_cover_of_sphere": Said(
        lambda dimension, width: ln((2 / width + 1) ** dimension - max(0, 2 / width - 1) ** dimension),
        every(dimension=[1, 2, 3], width=[0.1, 1.0, 1.5, 2.0, 3.0]),
    ),
    "log_cover_of_box": Said(
        lambda dimension, width: dimension * ln(first(lambda k: 2 * width * k >= 1 - 1e-12)),
        every(dimension=[1, 3], width=[0.03, 0.1, 0.3, 0.5, 4.0]),
    ),
    # --- radii
    "anytime_radius": Said(
        lambda n_targets, delta, sigma: 2 * sigma**2 * ln(n_targets / delta),
        [{"n_targets": n, **noise} for n in (1, 20) for noise in NOISE],
    ),
    "paper_radius": Said(
        lambda n_targets, horizon, delta, scale: 2 * (8 * scale) ** 2 * ln(2 * horizon * n_targets / delta),
        every(n_targets=[1, 20], horizon=[1, 300], delta=[0.05, 0.5], scale=S),
    ),
    "cover_radius": Said(
        lambda log_cover, horizon, delta, scale: 2 * (8 * scale) ** 2 * ln(2 * horizon * math.exp(log_cover) / delta),
        every(log_cover=[0.0, 0.5, 3.0], horizon=[1, 300], delta=[0.05, 0.5], scale=S),
        [{"log_cover": -1e-3, "horizon": 9, "delta": 0.1}],
    ),
    "arm_radius": Said(
        lambda _, n_arms, delta, sigma: [
            sigma**2 * (1 + 1 / n) * (2 * ln(n_arms / delta) + ln(1 + n)) for n in np.atleast_1d(_[0])
        ],
        [{"_": ([1, 2, 50],), "n_arms": k, **noise} for k in (1, 9) for noise in NOISE],
        [{"_": ([0.5],), "n_arms": 2, "delta": 0.1, "sigma": 1}, {"_": ([0],), "n_arms": 2, "delta": 0.1, "sigma": 1}],
    ),
    "self_normalised_radius": Said(
        lambda log_det_ratio, delta, sigma, ridge, norm: (
            (sigma * sqrt(max(0, log_det_ratio) + 2 * ln(1 / delta)) + sqrt(ridge) * norm) ** 2
        ),
        every(
            log_det_ratio=[-1e-9, 0.0, 0.4, 3.0], delta=[0.1], sigma=[0, 0.5], ridge=[0, 0.5, 2.0], norm=[0, 0.7, 1.5]
        ),
        [
            {"log_det_ratio": 1, "delta": 0.1, "sigma": -1e-3, "ridge": 1, "norm": 1},
            {"log_det_ratio": 1, "delta": 0.1, "sigma": 1, "ridge": -1e-3, "norm": 1},
            {"log_det_ratio": 1, "delta": 0.1, "sigma": 1, "ridge": 1, "norm": -1e-3},
        ],
    ),
    "smooth_radius": Said(
        lambda n_answers, loss, dimension, lipschitz, norm, delta, sigma: _smooth(
            n_answers, loss, dimension, 2 * lipschitz * norm / (1 + n_answers), delta, sigma
        ),
        every(
            n_answers=[0, 1, 60],
            loss=[0, 0.5, 8.0],
            dimension=[1, 3],
            lipschitz=[0, 0.5],
            norm=[0, 0.5, 2.0],
            delta=[0.1],
            sigma=[0.3],
        ),
        [
            {
                "n_answers": 9,
                "loss": 1,
                "dimension": 1,
                "lipschitz": 1,
                "norm": 1,
                "delta": 0.1,
                "sigma": 1,
                wrong: -1e-3,
            }
            for wrong in ("loss", "lipschitz", "norm")
        ],
    ),
    "paper_oracle_radius": Said(
        lambda regression_regret, horizon, delta, beta, beta_prime: (
            8 * regression_regret + (8 * sqrt(beta * max(beta, beta_prime))) ** 2 * ln(horizon / delta)
        ),
        every(
            regression_regret=[0.0, 0.5, 6.0], horizon=[1, 300], delta=[0.05], beta=[2.0, 0.5], beta_prime=[1.0, 3.0]
        ),
        [{"regression_regret": -1e-3, "horizon": 9, "delta": 0.1}],
    ),
    "anytime_oracle_radius": Said(
        lambda regression_regret, delta, sigma: 2 * (regression_regret + (2 * sigma) ** 2 * ln(1 / delta)),
        [{"regression_regret": r, **noise} for r in (0.0, 0.5, 6.0) for noise in NOISE],
        [{"regression_regret": -1e-3, "delta": 0.1, "sigma": 1}],
    ),
    # --- sample sizes
    "sharper_pac_horizon": Said(
        lambda dimension, epsilon, error_budget, reach, scale: max(
            1, math.ceil(2 * bad_queries(dimension, error_budget, 3 * epsilon / 4, reach=reach, scale=scale) - 1e-9)
        ),
        every(dimension=D, epsilon=E, error_budget=C, reach=[None, 1.3], scale=S),
    ),
    "every_query_answers": Said(
        lambda n_queries, epsilon, delta, sigma: (
            n_queries * first(lambda m: 2 * math.exp(-m * (epsilon / 2) ** 2 / (2 * sigma**2)) <= delta / n_queries)
        ),
        every(n_queries=[1, 7], epsilon=[0.3, 1.0], delta=[0.4, 0.05], sigma=[0.5, 1.0]),
    ),
    "in_turn_answers": Said(
        lambda n_queries, n_targets, separation, delta, sigma: (
            n_queries * first(lambda m: m * separation > 12 * sigma**2 * ln(n_targets / delta))
        ),
        every(n_queries=[1, 7], n_targets=[2, 50], separation=[0.3, 1.5, 500.0], delta=[0.05], sigma=[0.5, 1.0]),
    ),
    "two_point_divergence": Said(
        divergence,
        [
            {"_": pair, "sigma": sigma, "reward_range": ends}
            for pair in ((0.1, 0.0), (0.9, -0.9), (0.9, 0.8), (-0.95, -0.7), (0.5, 0.5), (0.25, -0.25), (1.0, 0.9))
            for sigma in (0.25, 0.5, 3.0)
            for ends in ((-1, 1), (-1.0, 2.0))
        ]
        + [{"_": (1e-9, 0.0), "sigma": sigma, "reward_range": (-1, 1)} for sigma in (0.25, 0.5)],
        [{"_": (1.01, 0), "sigma": 1, "reward_range": (-1, 1)}],
    ),
    "two_point_lower_bound": Said(
        lambda divergence, delta: (
            float(entropy([delta, 1 - delta], [1 - delta, delta])) / divergence if divergence < inf else 0.0
        ),
        every(divergence=[0.02, 0.7, 3.0, inf], delta=[0.01, 0.3, 0.49]),
        [{"divergence": 0.1, "delta": 0.5}, {"divergence": 0.0, "delta": 0.1}],
    ),
    "many_point_distance": Said(
        distance,
        [
            {"_": (table,), "sigma": sigma, "reward_range": ends}
            for table in (
                np.eye(4),
                [[0.0, 0.2, 0.9], [0.5, 0.5, 0.4]],
                [[0.1, 0.3, 0.35, 1.0], [0.0, 0.9, 0.95, 1.0]],
                [[0.0, 0.0, 0.0, 0.15, 1.0]],
            )
            for sigma in (0.1, 0.25, 0.5, 3.0)
            for ends in ((0, 1), (-1, 2))
        ],
        [
            {"_": ([0.5],), "sigma": 1, "reward_range": (0, 1)},
            {"_": (np.zeros((0, 2)),), "sigma": 1, "reward_range": (0, 1)},
        ],
    ),
    "many_point_lower_bound": Said(
        lambda guess, distance, delta: sum(max(0.0, 1 - delta - guess - m * distance) for m in range(1000)),
        every(guess=[0, 0.01, 0.5], distance=[0.01, 0.3, 1.0], delta=[0.05, 0.3]),
        [
            {"guess": 0.95, "distance": 0.1, "delta": 0.05},
            {"guess": -0.01, "distance": 0.1, "delta": 0.05},
            {"guess": 0.1, "distance": 0, "delta": 0.05},
        ],
    ),
}


def _largest_root(inside, off):
    """The largest D with D <= inside + (sqrt D + off)^2 / 2, by bisection."""
    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle <= inside + (sqrt(middle) + off) ** 2 / 2 else (low, middle)
    return low


def _smooth(t, loss, n, off, delta, sigma):
    likely = 8 * sigma**2 * (ln(1 / delta) + n * ln(1 + t))
    return (sqrt(likely + 2 * (2 * off * sqrt(t * loss) + t * off**2)) + sqrt(t) * off) ** 2
