r"""Problems whose whole list of alternatives is one long dissimilar sequence: extreme points, and counterexamples.

Nothing is searched for here; each constructor writes down a sequence that meets or breaks a bound.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_positive

_GRID = 100_000  # steps of the gaps of `ladder` and `coloured` in epsilon

Vectors = list[list[Fraction]]


@dataclass(frozen=True, eq=False)
class Extremal:
    r"""A problem all of whose alternatives, in order, are a dissimilar sequence at $\alpha$, $\epsilon$ and the center.

    In a square problem alternative k is row and column k; in a bandit table it is action k with function k.
    """

    problem: Problem
    alpha: Fraction
    epsilon: Fraction
    center: Fraction

    @property
    def length(self) -> int:
        """How many alternatives the sequence has."""
        return self.problem.n_targets


def conference(q: int = 9) -> Extremal:
    r"""$q=2n+1$ unit vectors in n coordinates, all dissimilar at $\epsilon=q/(q-1)$: the sphere's bound is attained.

    Let S be the core of the Paley conference matrix, $S_{xy}=\chi(x-y)$ over the field of q elements, and
    $c=-1/(q-1)$. Then $G=(1-c)(I+S/\sqrt q)+cJ$ has unit diagonal and rank $(q-1)/2$, and all its other entries,
    $(-1\pm\sqrt q)/(q-1)$, are at distance $\epsilon/\sqrt q$ from c, with $\epsilon=1-c=q/(q-1)$. The table is exact
    where q is a square.

    q is a prime, or the square of a prime, that leaves 1 when divided by 4: 5, 9, 13, 17, 25, 29, ...

    Examples
    --------
    >>> pentagon = conference(5)
    >>> pentagon.epsilon, [round(float(value), 3) for value in pentagon.problem.rho[0]]
    (Fraction(5, 4), [1.0, 0.309, -0.809, -0.809, 0.309])
    >>> conference(9).problem.rational.denominator
    4
    """
    check_count("q", q, 5)
    prime, degree = _as_prime_power(q)
    elements = list(np.ndindex(*(prime,) * degree))
    squares = _squares(prime, degree)
    character = {x: 1 if x in squares else -1 for x in elements} | {elements[0]: 0}
    signs = [[character[tuple(np.subtract(x, y) % prime)] for y in elements] for x in elements]
    core = np.array(signs, dtype=float if degree == 1 else object)
    root: Any = math.sqrt(q) if degree == 1 else Fraction(prime)
    rho = np.where(core == 0, 1, (core * root - 1) / (q - 1))
    labels = [x[0] if degree == 1 else x for x in elements]
    return Extremal(
        problem=Problem.from_similarity(rho, labels=labels),
        alpha=Fraction(1),
        epsilon=Fraction(q, q - 1),
        center=Fraction(-1, q - 1),
    )


def revealing(n: int = 12) -> Extremal:
    r"""Needles, n of them, and one alternative that tells which is true: dimension $n+1$, one exact answer is enough.

    $\rho(z_i|z_j)$ is 1 for $i=j$ and 0 for other needles and for $z$; $\rho(z|z_j)=\frac jn-1$, and $\rho(z|z)=1$.

    Examples
    --------
    >>> revealing(3).problem.rational[0].tolist()
    [[3, 0, 0, 0], [0, 3, 0, 0], [0, 0, 3, 0], [-2, -1, 0, 3]]
    """
    size = check_count("n", n)
    rows = [[Fraction(int(i == j)) for j in range(size + 1)] for i in range(size)]
    rows.append([*(Fraction(j, size) - 1 for j in range(1, size + 1)), Fraction(1)])
    return Extremal(Problem.from_similarity(rows), Fraction(1), Fraction(1), Fraction(0))


def linear_counterexample(n: int = 1, *, product: bool = False) -> Extremal:
    r"""$4n+4$ dissimilar alternatives of a linear bandit in n coordinates, one more than Theorem 13 allows.

    The theorem's proof bounds the entries $\langle\theta_j,a_i\rangle$ for all $i\ne j$, the definition only those with
    $i<j$. Everything is rational. For n = 1 these are the powers of 1/2; the others were found by optimisation.

    n is 1, 2 or 3. With `product` it is the bandit table of all parameters and all actions instead of the square
    problem of the sequence alone.

    Examples
    --------
    >>> [linear_counterexample(n).length for n in (1, 2, 3)]
    [8, 12, 16]
    """
    if n == 1:
        parameters = [[Fraction(1, 2**i)] for i in range(8)]
        actions = [[Fraction(1, 2 ** (7 - i))] for i in range(8)]
        scale = Fraction(1, 128), Fraction(3, 512), Fraction(1, 512)
    elif n in _PARAMETERS:
        parameters, actions = _rows(_PARAMETERS[n], n), _rows(_ACTIONS[n], n)
        scale = _SCALES[n]
    else:
        raise InvalidValueError(f"a counterexample is known for n = 1, 2 and 3, got {n!r}; try linear_geometric.")
    return _linear(parameters, actions, scale, product=product)


def linear_greedy_counterexample() -> Extremal:
    r"""Twelve dissimilar alternatives in 2 coordinates, more than $4n+3$, each parameter with its own best action.

    $a_j=\frac12 7^{j-11}(1,j/11)$ and $\theta_i=\frac12 7^{-i}((i+1)/11,-1)$ for $i,j=0,\dots,11$, with center 0.

    Examples
    --------
    >>> extremal = linear_greedy_counterexample()
    >>> extremal.length, extremal.alpha == extremal.epsilon == Fraction(1, 87002376692)
    (12, True)
    """
    parameters = [[Fraction(i + 1, 22 * 7**i), Fraction(-1, 2 * 7**i)] for i in range(12)]
    actions = [[Fraction(1, 2 * 7 ** (11 - j)), Fraction(j, 22 * 7 ** (11 - j))] for j in range(12)]
    alpha = parameters[0][0] * actions[0][0]
    return _linear(parameters, actions, (alpha, alpha, Fraction(0)))


def linear_geometric(n: int = 1, k: int = 8) -> Extremal:
    r"""$nk$ dissimilar alternatives of a linear bandit in n coordinates: no bound free of $\epsilon$ exists.

    One block of k elements for each coordinate, $\theta=q^{-s}$ and $a=\epsilon q^s$ for $s=0,\dots,k-1$, with q the
    least whole number of at least $\sqrt{nk}$ and $\alpha=\epsilon=q^{-(k-1)}$, so that actions stay in the unit ball.
    The center is 0, and every forward value is at most $\epsilon/q$.

    Examples
    --------
    >>> extremal = linear_geometric(2, 8)
    >>> extremal.length, extremal.epsilon
    (16, Fraction(1, 16384))
    """
    check_count("n", n)
    check_count("k", k)
    q = math.isqrt(n * k - 1) + 1
    scale = Fraction(1, q ** (k - 1))
    places = [(block, s) for block in range(n) for s in range(k)]
    parameters = [[Fraction(int(b == block), q**s) for b in range(n)] for block, s in places]
    actions = [[scale * q**s if b == block else Fraction(0) for b in range(n)] for block, s in places]
    return _linear(parameters, actions, (scale, scale, Fraction(0)))


@dataclass(frozen=True, eq=False)
class Tight:
    r"""A problem in which the alternatives, asked in order, are as many bad queries as the theorems allow in order.

    The last alternative is the truth, worth $\alpha$; all others are $\epsilon$-bad. Asked in turn they keep both
    properties that the theorems ask of a learner: each evaluates itself at $\alpha$, and what it says of those before
    it errs by at most the error budget, in squares.
    """

    problem: Problem
    alpha: Fraction
    epsilon: Fraction
    dimension: int
    """The monotone dissimilarity dimension there; of `coloured` at most this, and this wherever it was searched."""
    error_budget: Fraction

    @property
    def n_bad(self) -> int:
        """How many alternatives are bad: all but the truth."""
        return self.problem.n_targets - 1


def ladder(d: int, epsilon: Any) -> Tight:
    r"""A class of dimension d in which exact answers allow $(d-1)\lceil\log_q(2/\epsilon)\rceil$ bad queries.

    Here $q=\frac{1+x}{1-x}$ and $x=1/\sqrt{d+1}$. On each rung stand $d-1$ alternatives of one value; a rung falls
    short of the truth by q times as much as the one before, and a little more. With $s<t$,
    $\rho(z_s|z_t)=\rho(z_s|z^*)$ and $\rho(z_t|z_s)=1$: what is asked in order is never contradicted. The window of a
    sequence of $d+1$ holds the values of one rung only, so no sequence is longer than its $d-1$ alternatives and the
    last. Algorithm 1, ties to the lowest index, asks them all.

    Parameters
    ----------
    d
        The dimension, at least 2.
    epsilon
        By how much, and a hundred-thousandth of it, the first rung falls short; below 2.

    Examples
    --------
    >>> [ladder(d, "1/50").n_bad for d in (2, 3, 4, 5, 6, 8)]
    [4, 10, 15, 24, 30, 49]
    """
    check_count("d", d, 2)
    scale = _below_two(epsilon)
    gaps = _rungs(d, scale)
    values = [1 - gap for gap in gaps for _ in range(d - 1)]
    return _in_order(values, lambda s, t: values[s], scale, d)


def coloured(n_parts: int, n_branches: int, levels: Sequence[int], epsilon: Any) -> Tight:
    r"""A class of dimension $d=D_0+D_1+1$ with about $d^{5/2}C/\epsilon^2$ bad queries, up to a constant.

    On the k-th rung of a ladder stand $D_0$ parts of $D_1^{l_k}$ alternatives. What two alternatives of different parts
    or rungs say of each other is as in `ladder`. Within a part the later one is wrong of the earlier one by a rung: the
    alternatives are words of $l_k$ letters, and the first letter in which two differ says which rung, -1, +1 or +2. A
    sequence of close values then has at most $D_0$ alternatives on its rung, in different parts, or goes down one
    branch of one part, with $D_1$ at most.

    Parameters
    ----------
    n_parts, n_branches
        $D_0$ and $D_1$.
    levels
        The lengths $l_k$ of the words, from 1 to 3, the mildest rung first; of two rungs at least. As there are three
        colours a part has $D_1^3$ alternatives at most, which serves $C/\epsilon^2$ up to about $d^2/2$.
    epsilon
        By how much, and a hundred-thousandth of it, the first rung falls short.

    Examples
    --------
    >>> found = coloured(2, 2, (2, 1), "1/20")
    >>> found.dimension, found.n_bad, round(float(found.error_budget / found.epsilon**2), 1)
    (5, 12, 2.6)
    """
    check_count("n_parts", n_parts)
    check_count("n_branches", n_branches, 2)
    depths = [check_count("a level", level, 1, 3) for level in levels]
    scale, d = _below_two(epsilon), n_parts + n_branches + 1
    gaps = _rungs(d, scale)
    if len(depths) < 2:
        raise InvalidValueError(f"a coloured class needs levels for two rungs at least, got {len(depths)}.")
    highest = max(rung + (0, 0, 1, 2)[depth] for rung, depth in enumerate(depths, start=1))
    if highest > len(gaps):
        raise InvalidValueError(
            f"between epsilon and 2 there are {len(gaps)} rungs, and these levels need {highest}; lower epsilon, or "
            "give other levels."
        )
    gaps = [scale * scale / gaps[1], *gaps]  # of which the first is the colour -1 of the mildest rung
    items = [
        (rung, part, word)
        for rung in range(len(depths), 0, -1)
        for part in range(n_parts)
        for word in product(range(n_branches), repeat=depths[rung - 1])
    ]
    values = [1 - gaps[rung] for rung, _, _ in items]

    def said(s: int, t: int) -> Fraction:
        (rung, part, word), (other_rung, other_part, other) = items[s], items[t]
        if (rung, part) != (other_rung, other_part):
            return values[s]
        letter = next(place for place, (one, two) in enumerate(zip(word, other, strict=True)) if one != two)
        return 1 - gaps[rung + (-1, 1, 2)[letter]]

    return _in_order(values, said, scale, d)


def _below_two(epsilon: Any) -> Fraction:
    scale = as_positive("epsilon", epsilon)
    if scale >= 2:
        raise InvalidValueError(f"no query falls short by 2 or more; epsilon must be below 2, got {epsilon}.")
    return scale


def _rungs(d: int, epsilon: Fraction) -> list[Fraction]:
    """Gaps from just above epsilon up to 2, in ratios just above (1+x)/(1-x), x = 1/sqrt(d+1)."""
    root = math.sqrt(d + 1)
    ratio, unit = (root + 1) / (root - 1), epsilon / _GRID
    counts = [_GRID + 1]
    while (longer := math.floor(counts[-1] * ratio * (1 + 1e-12)) + 1) * unit <= 2:
        counts.append(longer)
    return [unit * count for count in counts]


def _in_order(values: list[Fraction], said: Callable[[int, int], Fraction], epsilon: Fraction, d: int) -> Tight:
    """The alternatives with these values under the truth, and what each says of those before it; of later ones 1."""
    n = len(values)
    rho = [[Fraction(1) if s >= t else said(s, t) for t in range(n)] + [values[s]] for s in range(n)]
    rho.append([Fraction(1)] * (n + 1))
    errors = (sum(((rho[s][t] - values[s]) ** 2 for s in range(t)), Fraction(0)) for t in range(n))
    return Tight(Problem.from_similarity(rho), Fraction(1), epsilon, d, max(errors))


def _linear(
    parameters: Vectors, actions: Vectors, scale: tuple[Fraction, Fraction, Fraction], *, product: bool = False
) -> Extremal:
    rho = [[sum(map(Fraction.__mul__, theta, action), Fraction(0)) for theta in parameters] for action in actions]
    if product:
        return Extremal(Problem.from_table(rho, queries=_numbered("a", rho), targets=_numbered("theta", rho)), *scale)
    return Extremal(Problem.from_similarity(rho, labels=_numbered("z", rho)), *scale)


def _rows(text: str, n: int) -> Vectors:
    values = [Fraction(int(word), 10_000) for word in text.split()]
    return [values[k : k + n] for k in range(0, len(values), n)]


def _numbered(letter: str, things: Vectors) -> list[str]:
    return [f"{letter}{number}" for number in range(1, len(things) + 1)]


def _as_prime_power(q: int) -> tuple[int, int]:
    root = math.isqrt(q)
    base, degree = (root, 2) if root * root == q else (q, 1)
    if q % 4 != 1 or any(base % divisor == 0 for divisor in range(2, math.isqrt(base) + 1)):
        raise InvalidValueError(
            f"q must be a prime or the square of a prime, and leave 1 when divided by 4 (5, 9, 13, 17, ...), got {q}."
        )
    return base, degree


def _squares(prime: int, degree: int) -> set[tuple[int, ...]]:
    """The non-zero squares of the field of prime**degree elements, as coordinates over the prime field."""
    if degree == 1:
        return {(x * x % prime,) for x in range(1, prime)}
    residues = {x * x % prime for x in range(prime)}
    twist = next(x for x in range(2, prime) if x not in residues)  # adjoin a root of a non-square
    elements = [(x, y) for x in range(prime) for y in range(prime) if (x, y) != (0, 0)]
    return {((x * x + twist * y * y) % prime, 2 * x * y % prime) for x, y in elements}


_SCALES = {
    2: (Fraction(2237, 25000), Fraction(687, 10000), Fraction(2018081, 100000000)),
    3: (Fraction(5679, 25000), Fraction(91, 625), Fraction(500959, 6250000)),
}
"""Alpha, epsilon and center of the counterexamples."""

_PARAMETERS = {
    2: """
        9992 336  4117 9110  4719 -8814  1873 3794  2249 -9741  -206 9995
        898 30  201 4403  564 3805  102 1999  361 1442  51 894
        """,
    3: """
        4928 6970 5204  -4861 7778 3978  236 -1840 9824  6264 6303 -4582
        -4335 4723 1540  3895 -1727 4824  8945 -2043 3971  -3357 8169 -4001
        -1641 5166 -1249  7919 -3253 5162  1366 2390 180  4543 -1026 3232
        3691 -297 1884  3340 683 1200  2532 362 1944  1904 693 1029
        """,
}
"""Numerators over 10,000 of the parameters theta of the counterexamples, found by optimisation and then rounded."""

_ACTIONS = {
    2: """
        895 30  1450 327  2001 55  3817 475  4407 98  51 897
        9988 -439  -9686 2475  3837 1784  -8701 4923  9204 3904  569 9981
        """,
    3: """
        1120 1584 1183  573 2449 1624  569 2097 2692  1629 2297 429
        -559 3015 3932  -2113 3418 7639  4620 1365 -3984  4279 2686 -3785
        -2334 5581 7959  4814 -636 -3385  133 9123 4087  -924 -2315 7594
        4742 -8689 1402  8393 1429 -5240  3457 -4773 8076  8377 3049 4525
        """,
}
"""Numerators over 10,000 of their actions."""
