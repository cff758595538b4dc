r"""What Section 5.2 compares its bounds with: eluder dimensions of linear and generalized linear bandits, and ReLU.

**One neuron hides anywhere on the sphere.** For $b=1-\epsilon$ and unit vectors $\theta$ the reward
$\mathrm{relu}(\langle\theta,a\rangle-b)$ is positive only where a lies within the angle $\varphi=\arccos(1-\epsilon)$
of $\theta$, and at most $\epsilon$.

* *Star number.* Take N unit vectors with cosines of at most $1-\epsilon$. Each function is $\epsilon$ at its own vector
  and 0 at the others, and $\theta=0$ gives the function 0: the vectors are a star around it, at every scale below
  $\epsilon$, and so an eluder sequence.
* *Regret.* Take N unit vectors with angles of at least $2\varphi$, and draw the truth among them. No action is positive
  for two of them, and answers of 0 tell nothing else. So the first positive reward comes with the t-th query or before
  it with probability at most $t/N$, and T queries have a regret of at least $\epsilon\sum_{t\le T}(1-t/N)$ on average.
  That is at most $\epsilon T/2$ only if $T\ge N-1$. Noise does not help.
"""

import math

from warmer.bounds.arguments import finite
from warmer.bounds.class_dimensions import _cap_share, _check, relu_dimension_lower_bound
from warmer.model.checks import check_count, check_positive
from warmer.model.errors import HypothesisError


def linear_eluder_bound(*, n: int, epsilon: float) -> float:
    r"""$\mathrm{dim}_E\le3n\frac{e}{e-1}\ln(3+12/\epsilon^2)+1$ for linear bandits in the unit ball of $\mathbb R^n$.

    Russo and Van Roy (2013), Proposition 6. It falls in $\epsilon$, so it bounds the monotone eluder dimension too. The
    paper's bound of the dissimilarity dimension has no $\epsilon$ in it; that is true at $\alpha=1$
    (`linear_dimension_bound`), where $2n+1$ is smaller at every $\epsilon$.

    Examples
    --------
    >>> from warmer.bounds import linear_dimension_bound
    >>> round(linear_eluder_bound(n=4, epsilon=0.1), 1), linear_dimension_bound(n=4, alpha=1)
    (135.6, 9)
    """
    return glm_eluder_bound(n=n, slope_low=1.0, slope_high=1.0, epsilon=epsilon)


@finite
def glm_eluder_bound(*, n: int, slope_low: float, slope_high: float, epsilon: float) -> float:
    r"""$\mathrm{dim}_E\le3nr^2\frac{e}{e-1}\ln(3r^2+3r^2(2\bar h/\epsilon)^2)+1$ for generalized linear bandits.

    Russo and Van Roy (2013), Proposition 7, for parameters and actions in the unit ball and slopes
    $0<\underline h\le g'\le\bar h$, $r=\bar h/\underline h$. The paper draws its own bound from it: nine times this, at
    $\frac23\epsilon$, bounds the dissimilarity dimension. `glm_dimension_bound` is smaller.

    Examples
    --------
    >>> round(glm_eluder_bound(n=2, slope_low=0.5, slope_high=1.0, epsilon=1 / 3), 1)
    232.4
    """
    check_count("n", n)
    low, high = check_positive("slope_low", slope_low), check_positive("slope_high", slope_high)
    if high < low:
        raise HypothesisError(f"slope_high must be at least slope_low = {slope_low}, got {slope_high}.")
    ratio, scale = (high / low) ** 2, 2 * high / check_positive("epsilon", epsilon)
    return 3 * n * ratio * (math.e / (math.e - 1)) * math.log(3 * ratio + 3 * ratio * scale**2) + 1


def relu_star_lower_bound(*, n: int, epsilon: float) -> int:
    r"""The star number and the eluder dimension of ReLU bandits are at least this, at every scale below $\epsilon$.

    For $b=1-\epsilon$ and parameters of the unit ball of $\mathbb R^n$, by the vectors of `relu_dimension_lower_bound`
    and the parameter 0 (the proof stands above). At a fixed $\epsilon$ it grows exponentially with n, as the paper says
    of both after Li, Kamath, Foster and Srebro (2021) and Dong, Yang and Ma (2021).

    Examples
    --------
    >>> [relu_star_lower_bound(n=n, epsilon=0.5) for n in (2, 4, 8, 16, 32)]
    [3, 6, 12, 49, 657]
    """
    return relu_dimension_lower_bound(n=n, epsilon=epsilon)


@finite
def relu_horizon_lower_bound(*, n: int, epsilon: float) -> int:
    r"""So many queries it takes at least until the regret can be $\epsilon T/2$, for ReLU bandits at $b=1-\epsilon$.

    One less than the vectors of angles $2\varphi$ that the sphere $S^{n-1}$ surely holds: as many as caps of that angle
    are needed to cover it, $1/\sigma(2\varphi)$ with $\sin^2(2\varphi)=4\epsilon(2-\epsilon)(1-\epsilon)^2$ (the proof
    stands above). It is of the order $\epsilon^{-(n-1)/2}$ and grows exponentially with n. The paper quotes
    $T=\Omega(\epsilon^{-(n-2)})$ from Dong, Yang and Ma (2021) for one-layer networks; for one neuron as here that many
    are not needed when $n>3$: where answers are exact, caps of angle $\varphi$ around $O(\epsilon^{-(n-1)/2})$ actions
    cover the sphere, and one of them earns.

    Examples
    --------
    >>> [relu_horizon_lower_bound(n=n, epsilon=0.01) for n in (1, 2, 4, 8)]
    [1, 11, 211, 50214]
    """
    _check(n, epsilon)
    if 2 * (1 - epsilon) ** 2 <= 1:  # two caps of a right angle or more cover the sphere
        return 1
    share = _cap_share(n, 4 * epsilon * (2 - epsilon) * (1 - epsilon) ** 2)
    return math.ceil(1 / share * (1 - 1e-12)) - 1
