r"""How many statistical queries are needed (Section 4 of the paper), as whole numbers.

An algorithm asks hypotheses and sees, for each, the product $h(x)h^*(x)$ on one fresh example. It must output a
*strict* $\epsilon$-approximation, $\rho(\hat h|h^*)>1-\epsilon$, with probability at least 2/3. The paper does not say
strict, and with $\ge$ its theorem is false (E4 of the errata).
"""

from fractions import Fraction
from math import ceil, floor, isqrt
from typing import Any

from warmer.bounds.arguments import finite, largest
from warmer.model.checks import check_count, check_finite
from warmer.model.errors import HypothesisError
from warmer.model.numbers import as_number, as_positive


def sq_lower_bound(*, strong_sq: int) -> int:
    r"""The least m with $m>\sqrt[3]{s}/12$, $s=\mathrm{dim}_{SQ}(\mathcal H,2\epsilon)\ge11$ (Theorem `thm:lb`).

    The printed proof has slips (E4 of the errata); the statement is true, since `sharper_sq_lower_bound` is larger.

    Examples
    --------
    >>> sq_lower_bound(strong_sq=11), sq_lower_bound(strong_sq=12**3), sq_lower_bound(strong_sq=13**3 * 12**3)
    (1, 2, 14)
    """
    return _least_cube(_check_strong_sq(strong_sq, 11), Fraction(1, 12**3))


def cube_root_sq_lower_bound(*, strong_sq: int) -> int:
    r"""The least m with $m>(4s/27)^{1/3}$, $s=\mathrm{dim}_{SQ}(\mathcal H,2\epsilon)\ge16$.

    What the proof of `thm:lb` gives with the best tolerance, $2/(3m)$: the total variation of m answers of tolerance
    $\tau$ is at most $m\tau/2$. It too follows from `sharper_sq_lower_bound`.

    Examples
    --------
    >>> cube_root_sq_lower_bound(strong_sq=16), cube_root_sq_lower_bound(strong_sq=54)
    (2, 3)
    """
    return _least_cube(_check_strong_sq(strong_sq, 16), Fraction(4, 27))


def sharper_sq_lower_bound(*, strong_sq: int, success: Any = Fraction(2, 3)) -> int:
    r"""The least m with $m\ge2(p-\frac1s)\sqrt{s/(\frac32+\frac1{s-1})}$, where $s\ge3$ and $p>1/s$.

    Not in the paper: the exponent of $s=\mathrm{dim}_{SQ}(\mathcal H,2\epsilon)$ is 1/2 instead of 1/3. The
    probability of `success`, a good output, is $p$. Proved under E4 of the errata. Yang (COLT 2002) has
    $\Omega(s/\log s)$ for uniformly correlated concepts.

    Examples
    --------
    >>> [sharper_sq_lower_bound(strong_sq=s) for s in (11, 16, 1728, 10**6)]
    [4, 4, 46, 1089]
    """
    size = _check_strong_sq(strong_sq, 3)
    probability = as_number("success", success)
    if not Fraction(1, size) < probability <= 1:
        raise HypothesisError(f"success must be a probability above 1/{size}, got {success}.")
    excess = probability - Fraction(1, size)
    square = 4 * excess**2 * size / (Fraction(3, 2) + Fraction(1, size - 1))
    return isqrt(ceil(square) - 1) + 1


@finite
def answer_divergence_bound(*, mean: float, distance: float) -> float:
    r"""Bound the divergence $\mathrm{kl}(v\Vert\mu)\le\frac{D^2}{2(1-|v|-D)}$ of two $\pm1$ answers, $D=|\mu-v|<1-|v|$.

    Examples
    --------
    >>> answer_divergence_bound(mean=0.0, distance=0.5)
    0.25
    """
    if not (check_finite("distance", distance) >= 0 and abs(check_finite("mean", mean)) + distance < 1):
        raise HypothesisError(f"the distance must be at least 0 and below 1 - |{mean}|, got {distance}.")
    return distance**2 / (2 * (1 - abs(mean) - distance))


def linear_sq_lower_bound(
    *, strong_sq: int, gap: Any, eigenvalue: Any | None = None, success: Any = Fraction(2, 3)
) -> int:
    r"""The least m that both proofs allow, with exponent 1/2 and 1 of $s=\mathrm{dim}_{SQ}(\mathcal H,2\epsilon)\ge3$.

    Not in the paper (E4 of the errata): $m=\Omega(g^2s)$ beside $\Omega(\sqrt s)$. Which one is larger depends on all
    three numbers. Yang (COLT 2002) has $\Omega(s/\log s)$ for uniformly correlated concepts.

    Parameters
    ----------
    strong_sq
        The dimension s.
    gap
        $g$, 1 minus the mean correlation of the s hypotheses, or less: at least $2\epsilon$, and 1 for parities.
    eigenvalue
        $\lambda$, the largest eigenvalue of their centred correlations, or more. Without it $\frac32+\frac1{s-1}$,
        which always holds; $g+\frac{1}{2}$ does too where $g$ is not merely a lower bound; 1 for parities.
    success
        The probability of a good output.

    Examples
    --------
    >>> [linear_sq_lower_bound(strong_sq=s, gap=1, eigenvalue=1) for s in (16, 4096, 10**6)]
    [5, 616, 153960]
    """
    size = _check_strong_sq(strong_sq, 3)
    least, always = as_positive("gap", gap), Fraction(3, 2) + Fraction(1, size - 1)
    if least > Fraction(size, size - 1):
        raise HypothesisError(f"the gap of {size} hypotheses is at most {size}/{size - 1}, got {gap}.")
    largest_one = always if eigenvalue is None else as_positive("eigenvalue", eigenvalue)
    if largest_one < least:
        raise HypothesisError(f"the largest eigenvalue is at least the gap, {gap}; got {eigenvalue}.")
    return spread_sq_lower_bound(
        guess=Fraction(1, size),
        spread=min(largest_one, always) / size,
        mean_square=1 - (1 - Fraction(1, size)) * least,
        success=success,
    )


def spread_sq_lower_bound(*, guess: Any, spread: Any, mean_square: Any, success: Any = Fraction(2, 3)) -> int:
    r"""The least m with which $\pm1$ samples can tell weighted hypotheses apart with probability `success`, $p$.

    $p\le\gamma+\frac m2\sqrt\Lambda$, and for each $\theta$ in (0, 1)
    $p\le\gamma+\frac{m\Lambda}{\theta^2k^2}+\sqrt{\frac{m\Lambda}{4(1-\theta)k}}$, $k=1-\sqrt q$ (E4 of the errata).

    Parameters
    ----------
    guess
        $\gamma$: no output is good for hypotheses of more weight.
    spread
        $\Lambda$, the largest eigenvalue of $\sqrt{w_iw_j}\langle h_i-\bar h,h_j-\bar h\rangle$, or more, where
        $\bar h=\sum_iw_ih_i$.
    mean_square
        $q=|\bar h|^2$, or more, at most 1.
    success
        The probability of a good output.

    Examples
    --------
    >>> spread_sq_lower_bound(guess="1/4096", spread="1/4096", mean_square="1/4096")
    616
    """
    start, eigenvalue = as_number("guess", guess), as_positive("spread", spread)
    square, probability = as_number("mean_square", mean_square), as_number("success", success)
    if not 0 <= start < probability <= 1:
        raise HypothesisError(f"success must be a probability above the guess, {guess}, got {success}.")
    if not 0 <= square <= 1:
        raise HypothesisError(f"the mean square of means of -1 and 1 lies in [0, 1], got {mean_square}.")
    excess = probability - start
    found = isqrt(ceil(4 * excess**2 / eigenvalue) - 1) + 1
    root = Fraction(isqrt(floor(square * _FINE**2)) + 1, _FINE)  # not below the square root
    room = max(1 - root, (1 - square) / 2)
    if room > 0:
        for percent in range(2, 100, 2):
            share = Fraction(percent, 100)
            far, near = eigenvalue / (share * room) ** 2, eigenvalue / (4 * (1 - share) * room)

            def is_refuted(m: int, far: Fraction = far, near: Fraction = near) -> bool:
                rest = excess - far * m
                return rest > 0 and rest**2 > near * m

            found = max(found, largest(is_refuted, least=0) + 1)
    return found


_FINE = 10**12


def dissimilarity_sq_lower_bound(*, dissimilarity: int, epsilon: Any) -> int:
    r"""The least m with $m>\sqrt[3]{r}/12$, $r=d_\rho(\mathcal H,1,8\epsilon)\ge3$ and $\epsilon\le1/(16\sqrt r)$.

    Corollary `cor:sq_dissim_lb`, repaired: the paper has $d_\rho(\mathcal H,1,\epsilon)$ and $\epsilon\le1/(2\sqrt r)$
    (E3 of the errata). The proposition carries $d_\rho(8\epsilon)$ to $\mathrm{dim}_{SQ}(2\epsilon)\ge r$; below 11 the
    conclusion $m\ge1$ is trivial.

    Examples
    --------
    >>> dissimilarity_sq_lower_bound(dissimilarity=4096, epsilon="1/1024")
    2
    """
    scale = as_positive("epsilon", epsilon)
    if check_count("dissimilarity", dissimilarity) < 3:
        raise HypothesisError(f"the bound needs a dissimilarity dimension of at least 3, got {dissimilarity}.")
    if 256 * scale**2 * dissimilarity > 1:
        raise HypothesisError(f"the bound needs epsilon of at most 1/(16 sqrt({dissimilarity})), got {epsilon}.")
    return _least_cube(dissimilarity, Fraction(1, 12**3))


def adversarial_sq_lower_bound(*, strong_sq: int, tau: Any) -> int:
    r"""The least m with $m>s\tau^2/3$ queries to an oracle that may err by $\tau$, $s\ge3$.

    Theorem 8 of Szorenyi (2009) as the paper quotes it (`thm:szorenyi_lb`), for an algorithm that always outputs a
    *strict* approximation; with $\ge$ it is false, like `thm:lb`. The paper also asks for $\tau\ge2/\sqrt s$, which
    the proof does not need (E12 of the errata).

    Examples
    --------
    >>> adversarial_sq_lower_bound(strong_sq=64, tau="1/2")
    6
    """
    size, tolerance = _check_strong_sq(strong_sq, 3), as_positive("tau", tau)
    return floor(size * tolerance**2 / 3) + 1


@finite
def simulation_distance(*, n_queries: int, tau: float) -> float:
    r"""At most $m\tau/2$: total variation between m samples and m coins whose biases are off by at most $\tau$.

    It replaces $\delta'$ at tolerance $\delta'^2/m$ of Theorem `th:unbiased-from-vstat`, which follows for
    $\delta'\le2$.

    Examples
    --------
    >>> simulation_distance(n_queries=10, tau=0.05)
    0.25
    """
    if not 0 <= check_finite("tau", tau) <= 2:
        raise HypothesisError(f"a tolerance lies between 0 and 2, got {tau}.")
    return min(1.0, check_count("n_queries", n_queries, 0) * tau / 2)


@finite
def simulation_tolerance(*, n_queries: int, delta: float) -> float:
    r"""The tolerance $2\delta'/m$ with which m samples can be simulated at a total variation of at most $\delta'$.

    The paper (after Feldman et al., `th:unbiased-from-vstat`) asks for $\delta'^2/m$, at most an eighth of it.

    Examples
    --------
    >>> simulation_tolerance(n_queries=10, delta=0.25)
    0.05
    """
    if not 0 < check_finite("delta", delta) <= 1:
        raise HypothesisError(f"a total variation lies in (0, 1], got {delta}.")
    return 2 * delta / check_count("n_queries", n_queries)


def _check_strong_sq(strong_sq: int, least: int) -> int:
    if check_count("strong_sq", strong_sq) < least:
        raise HypothesisError(f"the bound needs a strong SQ dimension of at least {least}, got {strong_sq}.")
    return strong_sq


def _least_cube(size: int, factor: Fraction) -> int:
    """The least whole m with m**3 > factor * size."""
    return largest(lambda m: m**3 <= factor * size, least=0) + 1
