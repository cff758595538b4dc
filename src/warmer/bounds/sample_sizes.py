r"""How many answers are enough, and how many are needed, beside the paper's own count.

`sharper_pac_horizon` is Theorem `thm:main_pac` with the smaller constants that its proof allows; `every_query_answers`
and `in_turn_answers` need no dimension at all; `two_point_lower_bound` and `many_point_lower_bound` are what no method
can beat.
"""

import math
from typing import Any

import numpy as np
import scipy

from warmer.bounds.arguments import finite
from warmer.bounds.bad_queries import bad_queries_bound
from warmer.bounds.budgets import loss_ball_error_budget
from warmer.bounds.radii import anytime_radius
from warmer.model import Array
from warmer.model.checks import (
    at_least,
    at_most,
    check_count,
    check_finite,
    check_interval,
    check_positive,
    check_probability,
)
from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.model.numbers import as_array
from warmer.model.words import certainty


@finite
def sharper_pac_horizon(
    *, dimension: int, epsilon: float, error_budget: float, reach: float | None = None, scale: float = 1.0
) -> int:
    r"""The `pac_horizon` of an error budget that holds at all times: nothing depends on $T$.

    Twice the coloured form of `bad_queries_bound` at $\frac34\epsilon$ with
    $d=\bar d_\rho(Z,\alpha,\frac34\epsilon)$ and $C_{\delta/2}$. Algorithm 2 asks for nothing else of its search.

    Examples
    --------
    >>> sharper_pac_horizon(dimension=2, epsilon=0.5, error_budget=10.0)
    1110
    >>> sharper_pac_horizon(dimension=1, epsilon=0.5, error_budget=10.0)
    1
    """
    gap = 0.75 * check_positive("epsilon", epsilon)
    count = bad_queries_bound(dimension=dimension, error_budget=error_budget, epsilon=gap, reach=reach, scale=scale)
    return max(1, math.ceil(2 * count))


@finite
def every_query_answers(*, n_queries: int, epsilon: float, delta: float, sigma: float) -> int:
    r"""Answers that are enough if every query is asked equally often, and the best mean is taken.

    With $\lceil8\sigma^2\ln(2K/\delta)/\epsilon^2\rceil$ answers to each of $K$ queries all means are within
    $\epsilon/2$ of the truth (Hoeffding's inequality and a union bound), and the query with the best mean is within
    $\epsilon$ of the best. No table is needed for that.

    Examples
    --------
    >>> every_query_answers(n_queries=20, epsilon=0.1, delta=0.05, sigma=0.5)
    26740
    """
    check_count("n_queries", n_queries)
    inside = 2 * n_queries / check_probability("delta", delta)
    ratio = check_positive("sigma", sigma) / check_positive("epsilon", epsilon)
    return n_queries * math.ceil(8 * ratio**2 * math.log(inside))


@finite
def in_turn_answers(*, n_queries: int, n_targets: int, separation: float, delta: float, sigma: float) -> int:
    r"""Answers after which the certificate is granted, if all queries are asked in turn: with probability $1-\delta$.

    After $m$ answers to each query a target of the loss ball has $m\,D\le C=12\sigma^2\ln(|Z|/\delta)$
    (`loss_ball_error_budget`), where $D$ is its squared distance from the truth, summed over the queries. If all
    targets that object to the truth's best query are further than $C/m$, nobody is left to object; the `separation` is
    the least squared distance of a target from one to whose best query it objects. That what is granted is right is
    another event, with probability $1-\delta$ too: for both together give each half of yours.

    Examples
    --------
    >>> in_turn_answers(n_queries=20, n_targets=100, separation=1.5, delta=0.05, sigma=0.5)
    320
    """
    radius = anytime_radius(n_targets=n_targets, delta=delta, sigma=sigma)
    spread = loss_ball_error_budget(n_targets=n_targets, radius=radius, delta=delta, sigma=sigma)
    return check_count("n_queries", n_queries) * (math.floor(spread / check_positive("separation", separation)) + 1)


def two_point_divergence(first: Any, second: Any, *, sigma: float, reward_range: tuple[float, float]) -> Any:
    r"""The information, in nats, that one answer gives for a mean against another, at the noisiest; also of arrays.

    Answers take the two ends of an interval of length $2\sigma$ inside the reward range that holds both means; such
    noise is $\sigma$-sub-Gaussian. The divergence $\mathrm{KL}$ of the first law from the second is about
    $(\mu-\mu')^2/(2\sigma^2)$, and infinite where no such interval holds both.

    Examples
    --------
    >>> round(float(two_point_divergence(0.1, 0.0, sigma=0.5, reward_range=(-1, 1))), 4)
    0.0201
    >>> float(two_point_divergence(0.9, -0.9, sigma=0.5, reward_range=(-1, 1)))
    inf
    """
    low, high = check_interval("reward_range", reward_range)
    half = min(check_positive("sigma", sigma), (high - low) / 2)
    pair = np.broadcast_arrays(_as_means("first", first, low, high), _as_means("second", second, low, high))
    center = np.clip((pair[0] + pair[1]) / 2, low + half, high - half)
    is_held = np.abs(pair[0] - pair[1]) <= 2 * half
    p, q = (_share(mean - center + half, 2 * half, is_held) for mean in pair)
    entropy = scipy.special.rel_entr(p, q) + scipy.special.rel_entr(1 - p, 1 - q)
    gap = np.where(is_held, pair[0] - pair[1], 0.0) / half
    return np.where(is_held, np.maximum(entropy, gap**2 / 2), np.inf)  # by Pinsker, where rounding says less


@finite
def two_point_lower_bound(*, divergence: float, delta: float) -> float:
    r"""Answers that every method needs on average to tell two truths apart: $\mathrm{kl}(\delta,1-\delta)/D$.

    If no query is good enough under both truths, a method that is right with probability $1-\delta$ under either must
    gather $\sum_q E[N_q]\,\mathrm{KL}_q\ge\mathrm{kl}(\delta,1-\delta)=(1-2\delta)\ln\frac{1-\delta}\delta$ under the
    first of them, and one answer brings at most $D=\max_q\mathrm{KL}_q$.

    Examples
    --------
    >>> round(two_point_lower_bound(divergence=0.02, delta=0.05))
    132
    """
    if check_probability("delta", delta) >= 0.5:
        raise HypothesisError(f"the bound needs delta below 1/2, got {delta}; a guess is right half of the time.")
    if divergence == math.inf:
        return 0.0
    if check_finite("divergence", divergence) <= 0:
        raise HypothesisError("the two targets agree on every query: no number of answers tells them apart.")
    return (1 - 2 * delta) * math.log((1 - delta) / delta) / divergence


def many_point_distance(means: Any, *, sigma: float, reward_range: tuple[float, float]) -> Array:
    r"""How far, in total variation and on average over the targets, one answer to each query is from a common law.

    From the expected rewards, queries by targets. Answers are two-valued as for `two_point_divergence`. The common law
    of a query has the median of its means; a target is at the distance $|\mu-\mu_{1/2}|/(2\sigma)$ from it if one
    interval of length $2\sigma$ inside the reward range holds both, and at most at 1 anyhow.

    Examples
    --------
    >>> many_point_distance(np.eye(4), sigma=0.5, reward_range=(0, 1)).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    low, high = check_interval("reward_range", reward_range)
    rho = _as_means("means", means, low, high)
    if rho.ndim != 2 or rho.size == 0:
        raise InvalidValueError(f"means must be a table, queries by targets, got an array of shape {rho.shape}.")
    half = min(check_positive("sigma", sigma), (high - low) / 2)
    middle = np.median(rho, axis=1, keepdims=True)
    least, most = rho.min(axis=1, keepdims=True), rho.max(axis=1, keepdims=True)
    center = np.clip(np.where(most - least <= 2 * half, (least + most) / 2, middle), low + half, high - half)
    is_inside = np.abs(rho - center) <= half * (1 + 1e-12)
    return np.asarray(_share(np.abs(rho - middle), 2 * half, is_inside).mean(axis=1))


@finite
def many_point_lower_bound(*, guess: float, distance: float, delta: float) -> float:
    r"""Answers that every method needs on average over many truths: $\sum_{m\ge0}\max\{0,\,1-\delta-g-mD\}$.

    About $(1-\delta-g)^2/(2D)$; for a needle among K arms close to $K/2$, which is what it takes. The `guess` $g$ is
    the largest share of the targets for which one query is good, the `distance` $D$ the largest `many_point_distance`
    of a query.

    *Proof.* Draw the truth uniformly among the targets, and compare with answers of the common laws, which tell nothing
    of it: whatever is output then is good with probability $g$ at most. Exchanging the first m answers one at a time
    along the common run costs a total variation of $mD$ on average over the targets. So a method that is right with
    probability $1-\delta$ under every target has $P(N>m)\ge1-\delta-g-mD$ on average, and
    $E[N]=\sum_{m\ge0}P(N>m)$. (With N fixed it is the proof of `sharper_sq_lower_bound`.)

    Examples
    --------
    >>> round(many_point_lower_bound(guess=1 / 100, distance=1 / 100, delta=0.05), 1)
    44.6
    """
    excess = 1 - check_probability("delta", delta) - check_finite("guess", guess)
    if guess < 0 or excess <= 0:
        raise HypothesisError(f"a guess must be right less often than {certainty(delta)} of the time, got {guess}.")
    if check_finite("distance", distance) <= 0:
        raise HypothesisError("the targets answer every query alike: no number of answers tells them apart.")
    n = math.floor(excess / distance)
    return (n + 1) * (excess - n * distance / 2)


def _share(part: Array, whole: float, is_inside: Array) -> Array:
    """The part in units of the whole; 1 where it is not inside, however small the whole."""
    return np.divide(part, whole, out=np.ones_like(part), where=is_inside)


def _as_means(name: str, value: Any, low: float, high: float) -> Array:
    """Numbers inside the reward range, up to rounding."""
    means = as_array(name, value)
    if means.size and not (at_least(float(means.min()), low) and at_most(float(means.max()), high)):
        raise HypothesisError(f"{name} must lie in the reward range [{low:g}, {high:g}], got {value}.")
    return np.clip(means, low, high)
