"""Statistical queries: classes of hypotheses, compared by their correlation under a distribution (Section 2)."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.model import Label, Problem
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.model.signs import check_sign_matrix, check_weights
from warmer.model.tables import read_only
from warmer.problems.limits import check_size

_MAX_HALFSPACE_BITS = 4
_LARGEST_WEIGHT = 3
"""Weights in -3..3 give every halfspace on up to four bits: 4, 14, 104, 1882 of them."""


def from_hypotheses(
    hypotheses: Any, distribution: Iterable[Any] | None = None, *, labels: Iterable[Label] | None = None
) -> Problem:
    r"""The correlations $\rho(h|h')=\mathbb{E}_{x\sim D}[h(x)h'(x)]$ of hypotheses with values in $\{-1,1\}$.

    There is a row for each hypothesis and a column for each point $x$, with entries -1 and 1. The distribution is the
    weight of each point; the weights add up to 1, and are equal where None. The table is exact where they are equal or
    given in whole numbers and `fractions.Fraction`.

    Examples
    --------
    >>> from_hypotheses([[1, 1, 1, -1], [1, 1, -1, -1]], labels=["h", "g"]).rho.tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    signs = check_sign_matrix("hypotheses", hypotheses)
    n_hypotheses, n_points = signs.shape
    check_size(n_hypotheses, n_hypotheses, advice="give fewer hypotheses")
    if distribution is None:
        numerators = np.rint(signs @ signs.T).astype(np.int64)
        return Problem.from_similarity(numerators, labels=labels, denominator=n_points)
    weights = check_weights("distribution", distribution, n_points)
    if all(isinstance(weight, int | Fraction) for weight in weights):
        common = math.lcm(*(weight.denominator for weight in weights))
        counts = np.array([int(weight * common) for weight in weights], dtype=object)
        whole = np.rint(signs).astype(np.int64).astype(object)
        return Problem.from_similarity((whole * counts) @ whole.T, labels=labels, denominator=common)
    floats = np.array(weights, dtype=float)
    return Problem.from_similarity(read_only((signs * (floats / floats.sum())) @ signs.T), labels=labels)


def from_functions(
    functions: Mapping[Label, Callable[[Any], Any]] | Sequence[Callable[[Any], Any]],
    points: Iterable[Any],
    distribution: Iterable[Any] | None = None,
) -> Problem:
    r"""The correlations of hypotheses given as functions, over the points of a domain or of a sample.

    The functions are a mapping from names, or a list of functions that are named by themselves; a value is -1 or 1, or
    a truth value. They are applied to all points: those of the domain with their weights, or those of a sample, where
    each counts once.

    Examples
    --------
    >>> functions = {"even": lambda x: x % 2 == 0, "small": lambda x: x < 2}
    >>> from_functions(functions, range(4)).rho.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    values = hypothesis_values(functions, points)
    labels = list(functions) if isinstance(functions, Mapping) else _own_names(functions)
    return from_hypotheses(values, distribution, labels=labels)


def hypothesis_values(
    functions: Mapping[Label, Callable[[Any], Any]] | Sequence[Callable[[Any], Any]], points: Iterable[Any]
) -> npt.NDArray[np.int64]:
    """The values -1 and 1 of functions at points: a row for each function, a column for each point.

    Examples
    --------
    >>> hypothesis_values([lambda x: x > 1, lambda x: -1], range(3)).tolist()
    [[-1, -1, 1], [-1, -1, -1]]
    """
    if isinstance(functions, str) or not isinstance(functions, Mapping | Sequence):
        raise InvalidValueError(f"functions must be a list of functions, or a mapping from names, got {functions!r}.")
    named = list(functions.items() if isinstance(functions, Mapping) else enumerate(functions))
    if not isinstance(points, Iterable):
        raise InvalidValueError(f"points must be a list of what the functions are applied to, got {points!r}.")
    domain = list(points)
    if not named or not domain:
        raise InvalidValueError("give at least one function and one point.")
    for name, function in named:
        if not callable(function):
            raise InvalidValueError(f"function {name!r} must be a function of a point, got {function!r}.")
    return np.array([[_sign(name, function(point), point) for point in domain] for name, function in named])


def thresholds(n_points: int = 6) -> Problem:
    r"""Thresholds on a line of points: $h_k(x)=1$ iff $x\ge k$, under the uniform distribution.

    Points are 1..n; $k$ runs from 1 (always true) to n+1 (never true).

    Examples
    --------
    >>> problem = thresholds(2)
    >>> list(problem.targets), problem.rho.tolist()
    (['x>=1', 'x>=2', 'x>=3'], [[1.0, 0.0, -1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    """
    n_points = check_count("n_points", n_points)
    check_size(n_points + 1, n_points + 1, advice="lower n_points")
    points, cuts = np.arange(1, n_points + 1), np.arange(1, n_points + 2)
    signs = np.where(points[None, :] >= cuts[:, None], 1, -1)
    return from_hypotheses(signs, labels=[f"x>={cut}" for cut in cuts])


def parities(n_bits: int = 3, *, negations: bool = False) -> Problem:
    r"""All $2^n$ parities of subsets of n bits, pairwise uncorrelated under the uniform distribution.

    `negations` adds the negation of each. The parity of no bits is the constant 0.

    Examples
    --------
    >>> list(parities(2).targets), list(parities(1, negations=True).targets)
    (['0', 'x1', 'x2', 'x1^x2'], ['0', 'x1', 'not 0', 'not x1'])
    """
    n_bits = check_count("n_bits", n_bits)
    n_parities = 2 ** (n_bits + bool(negations))
    check_size(n_parities, n_parities, advice="lower n_bits")
    subsets = _subsets(n_bits)
    signs = 1 - 2 * ((subsets @ _cube(n_bits).T) % 2)
    labels = _subset_labels(subsets, "^", "0")
    if negations:
        signs, labels = np.vstack([signs, -signs]), labels + [f"not {label}" for label in labels]
    return from_hypotheses(signs, labels=labels)


def monotone_conjunctions(n_bits: int = 3) -> Problem:
    r"""All $2^n$ conjunctions of unnegated bits, the empty one (always true) included, uniform distribution.

    Examples
    --------
    >>> problem = monotone_conjunctions(2)
    >>> list(problem.targets), problem.rho[0].tolist()
    (['true', 'x1', 'x2', 'x1&x2'], [1.0, 0.0, 0.0, -0.5])
    """
    n_bits = check_count("n_bits", n_bits)
    check_size(2**n_bits, 2**n_bits, advice="lower n_bits")
    subsets = _subsets(n_bits)
    holds = subsets @ _cube(n_bits).T == subsets.sum(axis=1, keepdims=True)
    return from_hypotheses(np.where(holds, 1, -1), labels=_subset_labels(subsets, "&", "true"))


def dictators(n_bits: int = 4) -> Problem:
    r"""The n single bits $h_i(x)=x_i$, pairwise uncorrelated under the uniform distribution.

    Examples
    --------
    >>> list(dictators(2).targets), dictators(2).rho.tolist()
    (['x1', 'x2'], [[1.0, 0.0], [0.0, 1.0]])
    """
    n_bits = check_count("n_bits", n_bits)
    check_size(n_bits, n_bits, advice="lower n_bits")
    # E[x_i x_j] = 0 for i != j, so the cube of 2^n points need not be listed
    return Problem.from_similarity(np.eye(n_bits, dtype=np.int64), labels=[f"x{bit + 1}" for bit in range(n_bits)])


def halfspaces(n_bits: int = 2) -> Problem:
    r"""Every distinct halfspace $w\cdot x\ge\theta$ on the cube of at most four bits, uniform distribution.

    Each is named by the smallest whole weights that describe it.

    Examples
    --------
    >>> len(halfspaces(2).targets), len(halfspaces(3).targets)
    (14, 104)
    >>> list(halfspaces(1).targets)
    ['false', 'x1>=1', '-x1>=0', 'true']
    """
    n_bits = check_count("n_bits", n_bits)
    if n_bits > _MAX_HALFSPACE_BITS:
        raise InvalidValueError(f"halfspaces are listed for n_bits up to {_MAX_HALFSPACE_BITS}, got {n_bits}.")
    names = _halfspace_names(n_bits)
    signs = sorted(names)
    return from_hypotheses(np.array(signs), labels=[names[sign] for sign in signs])


def _own_names(functions: Sequence[Callable[[Any], Any]]) -> list[Label] | None:
    """The names the functions were defined under, where they have different ones."""
    names: list[Label] = [getattr(function, "__name__", "<lambda>") for function in functions]
    return names if len(set(names)) == len(names) and "<lambda>" not in names else None


def _sign(name: Label, value: Any, point: Any) -> int:
    if isinstance(value, bool | np.bool_):
        return 1 if value else -1
    if isinstance(value, Real) and abs(value) == 1:
        return 1 if value == 1 else -1
    raise InvalidValueError(f"function {name!r} must say -1 or 1, True or False, got {value!r} at {point!r}.")


def _cube(n_bits: int) -> npt.NDArray[np.int64]:
    """The points of {0,1}^n, a row each, in lexicographic order."""
    return np.array(list(product((0, 1), repeat=n_bits)), dtype=np.int64)


def _subsets(n_bits: int) -> npt.NDArray[np.int64]:
    """The subsets of the bits as rows of 0 and 1; bit i of the row number says whether x_{i+1} is in."""
    return _cube(n_bits)[:, ::-1]


def _subset_labels(subsets: npt.NDArray[np.int64], sign: str, empty: str) -> list[str]:
    return [sign.join(f"x{bit + 1}" for bit in np.flatnonzero(subset)) or empty for subset in subsets]


def _halfspace_names(n_bits: int) -> dict[tuple[int, ...], str]:
    cube = _cube(n_bits)
    names: dict[tuple[int, ...], str] = {}
    weights = product(range(-_LARGEST_WEIGHT, _LARGEST_WEIGHT + 1), repeat=n_bits)
    for weight in sorted(weights, key=lambda w: (sum(map(abs, w)), [-entry for entry in w])):
        sums = cube @ np.array(weight)
        for threshold in range(int(sums.min()), int(sums.max()) + 2):
            signs = tuple(np.where(sums >= threshold, 1, -1).tolist())
            names.setdefault(signs, _halfspace_name(weight, threshold))
    names[(1,) * len(cube)], names[(-1,) * len(cube)] = "true", "false"
    return names


def _halfspace_name(weight: tuple[int, ...], threshold: int) -> str:
    terms = [(entry, f"x{bit + 1}") for bit, entry in enumerate(weight) if entry]
    text = "".join(f"{entry:+d}{bit}".replace("1x", "x", 1) for entry, bit in terms)
    return f"{text.removeprefix('+')}>={threshold}"
