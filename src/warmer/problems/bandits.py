"""Structured bandits: rows are actions, columns are reward functions (Section 2)."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from warmer.model import Array, Label, Problem
from warmer.model.checks import check_count, check_finite, check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.tables import read_only
from warmer.problems.limits import MAX_ENTRIES, check_size
from warmer.problems.vectors import as_vectors, random_directions


def arms(n_arms: int = 3, *, levels: int = 3) -> Problem:
    r"""K arms whose mean rewards are any of a few levels from 0 to 1: the grid version of $[0,1]^K$.

    Examples
    --------
    >>> problem = arms(2)
    >>> problem, list(problem.queries), problem.targets[5]
    (Problem(2 x 9 queries x targets, float64), ['arm 1', 'arm 2'], '(1/2, 1)')
    """
    n_arms, levels = check_count("n_arms", n_arms), check_count("levels", levels, least=2)
    # levels >= 2, so more arms than bits in the limit are too many; their power is not worth computing
    check_size(n_arms, levels ** min(n_arms, MAX_ENTRIES.bit_length()), advice="lower n_arms or levels")
    functions = list(product(range(levels), repeat=n_arms))
    names = [str(Fraction(level, levels - 1)) for level in range(levels)]
    return Problem.from_table(
        np.array(functions, dtype=np.int64).T,
        queries=_numbered("arm", n_arms),
        targets=["(" + ", ".join(names[level] for level in function) + ")" for function in functions],
        reward_range=(0, 1),
        denominator=levels - 1,
    )


def needle(n_arms: int = 10) -> Problem:
    r"""A needle in a haystack: one arm is worth 1, all others nothing.

    Examples
    --------
    >>> needle(3).rho.tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    n_arms = check_count("n_arms", n_arms)
    check_size(n_arms, n_arms, advice="lower n_arms")
    return Problem.from_table(
        np.eye(n_arms, dtype=np.int64),
        queries=_numbered("arm", n_arms),
        targets=_numbered("needle in arm", n_arms),
        reward_range=(0, 1),
    )


def linear(n_actions: int = 20, n_parameters: int = 50, *, dimension: int = 3, seed: int = 0) -> Problem:
    r"""A linear bandit $f_\theta(a)=\langle\theta,a\rangle$ with actions and parameters drawn from the unit sphere.

    Examples
    --------
    >>> linear(4, 6, dimension=2, seed=1)
    Problem(4 x 6 queries x targets, float64)
    """
    n_actions, n_parameters = check_count("n_actions", n_actions), check_count("n_parameters", n_parameters)
    check_size(n_actions, n_parameters, advice="lower n_actions or n_parameters")
    of_actions, of_parameters = np.random.default_rng(check_count("seed", seed, least=0)).spawn(2)
    return from_features(
        random_directions(n_actions, dimension, of_actions),
        random_directions(n_parameters, dimension, of_parameters),
        queries=_numbered("action", n_actions),
        targets=_numbered("theta", n_parameters),
    )


def glm(
    n_actions: int = 20, n_parameters: int = 50, *, dimension: int = 3, norm: float = 3.0, seed: int = 0
) -> Problem:
    r"""A logistic bandit $f_\theta(a)=1/(1+e^{-\langle\theta,a\rangle})$, actions and parameters of random directions.

    Actions have length 1, parameters the length norm. This is the grid version of `families.GLM`. For another
    link, or vectors of your own, use `from_features`.

    Examples
    --------
    >>> glm(4, 6, dimension=2, seed=1)
    Problem(4 x 6 queries x targets, float64)
    """
    check_positive("norm", norm)
    linear_one = linear(n_actions, n_parameters, dimension=dimension, seed=seed)
    return Problem.from_table(
        read_only(0.5 + 0.5 * np.tanh(norm * linear_one.rho / 2)),  # never overflows
        queries=linear_one.queries,
        targets=linear_one.targets,
        reward_range=(0, 1),
    )


def relu(n_points: int = 50, *, dimension: int = 2, bias: float = 0.5, seed: int = 0) -> Problem:
    r"""A ReLU bandit $f_\theta(a)=\max(\langle\theta,a\rangle-b,0)$ of random unit vectors.

    Actions and parameters are the same vectors, so that every parameter has its own best action, worth $1-b$: the grid
    version of `families.ReLU` in the setting of the paper's theorem.

    Examples
    --------
    >>> problem = relu(5, bias=0.25)
    >>> problem, problem.self_evaluations.tolist()
    (Problem(5 x 5 queries x targets, float64), [0.75, 0.75, 0.75, 0.75, 0.75])
    """
    n_points = check_count("n_points", n_points)
    check_size(n_points, n_points, advice="lower n_points")
    if not 0 <= check_finite("bias", bias) < 1:
        raise InvalidValueError(f"bias must lie in [0, 1), got {bias:g}.")
    points = random_directions(n_points, dimension, np.random.default_rng(check_count("seed", seed, least=0)))
    gram = np.minimum(points @ points.T, 1.0)
    np.fill_diagonal(gram, 1.0)
    return Problem.from_table(
        read_only(np.maximum(gram - bias, 0.0)),
        queries=_numbered("action", n_points),
        targets=_numbered("theta", n_points),
    )


def from_features(
    actions: Any,
    parameters: Any,
    *,
    link: Callable[[Array], Any] | None = None,
    queries: Iterable[Label] | None = None,
    targets: Iterable[Label] | None = None,
    reward_range: tuple[float, float] = (-1.0, 1.0),
) -> Problem:
    r"""The bandit $f_\theta(a)=g(\langle\theta,a\rangle)$ of given actions and parameters; linear where there is no g.

    A linear table is exact where all entries are whole numbers or `fractions.Fraction`.

    Parameters
    ----------
    actions, parameters
        A row for each action and for each parameter; both have the same number of columns.
    link
        g, a function on arrays, such as `families.logistic.function` or `lambda x: np.maximum(x - 0.5, 0)`.
    queries, targets, reward_range
        As in `Problem.from_table`.

    Examples
    --------
    >>> from_features([[1, 0], [0, 1]], [[0.6, 0.8]], queries=["east", "north"]).rho.tolist()
    [[0.6], [0.8]]
    """
    rows, columns = as_vectors("actions", actions), as_vectors("parameters", parameters)
    if rows.shape[1] != columns.shape[1]:
        raise InvalidValueError(
            f"actions and parameters must have the same dimension, got {rows.shape[1]} and {columns.shape[1]}."
        )
    check_size(len(rows), len(columns), advice="give fewer actions or parameters")
    if link is not None or not rows.dtype == columns.dtype == object:
        rows, columns = rows.astype(float), columns.astype(float)
    inner = rows @ columns.T
    rho = read_only(inner) if link is None else np.asarray(link(inner))
    if rho.shape != inner.shape:
        raise InvalidValueError(f"link must keep the shape {inner.shape} of its array, got {rho.shape}.")
    return Problem.from_table(rho, queries=queries, targets=targets, reward_range=reward_range)


def random_table(
    n_queries: int = 20, n_targets: int = 200, *, low: float = -0.5, high: float = 0.5, seed: int = 0
) -> Problem:
    r"""A table without structure: every entry drawn uniformly from [low, high].

    Examples
    --------
    >>> random_table(4, 6, seed=1).rho.shape
    (4, 6)
    """
    n_queries, n_targets = check_count("n_queries", n_queries), check_count("n_targets", n_targets)
    check_size(n_queries, n_targets, advice="lower n_queries or n_targets")
    low, high = check_finite("low", low), check_finite("high", high)
    if not -1 <= low < high <= 1:
        raise InvalidValueError(f"random_table needs -1 <= low < high <= 1, got low={low:g} and high={high:g}.")
    rng = np.random.default_rng(check_count("seed", seed, least=0))
    return Problem.from_table(read_only(rng.uniform(low, high, size=(n_queries, n_targets))))


def _numbered(noun: str, count: int) -> list[str]:
    return [f"{noun} {number}" for number in range(1, count + 1)]
