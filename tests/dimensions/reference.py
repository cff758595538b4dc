"""The dissimilarity dimension by its definition: every sequence, every length. It shares nothing with the search."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import sqrt
from typing import Any

Table = Sequence[Sequence[Any]]
Element = tuple[int, int]
"""A query and a target."""


def alternatives(rho: Table, alpha: Any, *, is_square: bool, slack: float = 0) -> list[Element]:
    """All z in Z with rho(z|z) >= alpha: the diagonal of a square table, else every pair."""
    pairs = [(q, t) for q in range(len(rho)) for t in range(len(rho[0])) if q == t or not is_square]
    return [(q, t) for q, t in pairs if rho[q][t] >= alpha - slack]


def dimension(
    rho: Table,
    alpha: Any,
    epsilon: Any,
    *,
    is_square: bool,
    is_monotone: bool = False,
    is_two_sided: bool = False,
    slack: float = 0,
) -> int:
    """The largest d with a sequence of length d; elements never repeat when d >= 2."""
    members = alternatives(rho, alpha, is_square=is_square, slack=slack)
    longest = min(1, len(members))
    is_feasible = _feasibility(is_monotone, slack)
    for d in range(2, len(members) + 1):
        if any(is_feasible(values, alpha, epsilon, d) for values in _values(rho, members, d, is_two_sided)):
            longest = d
        else:
            return longest
    return longest


def _values(rho: Table, members: list[Element], d: int, is_two_sided: bool) -> Iterator[list[Any]]:
    """The values that the definition constrains, of each sequence of length d."""
    for sequence in permutations(members, d):
        pairs = permutations(sequence, 2) if is_two_sided else combinations(sequence, 2)
        yield [rho[query][target] for (query, _), (_, target) in pairs]


def _feasibility(is_monotone: bool, slack: float) -> Callable[[list[Any], Any, Any, int], bool]:
    if slack:
        return lambda values, alpha, epsilon, d: _in_floats(values, alpha, epsilon, d, is_monotone, slack)
    return _at_some_larger_epsilon if is_monotone else _at_epsilon


def _at_epsilon(values: list[Any], alpha: Any, epsilon: Any, d: int) -> bool:
    """Some c <= alpha - epsilon has |v - c| <= epsilon / sqrt(d) for every v.

    Such c form an interval: from max v - epsilon / sqrt(d) to the least of min v + epsilon / sqrt(d) and
    alpha - epsilon.
    """
    top, bottom = max(values), min(values)
    return at_most_over_root(top - bottom, 2 * epsilon, d) and at_most_over_root(top - alpha + epsilon, epsilon, d)


def _at_some_larger_epsilon(values: list[Any], alpha: Any, epsilon: Any, d: int) -> bool:
    """Some epsilon' >= epsilon does: those between sqrt(d) (M - m) / 2 and (alpha - M) sqrt(d) / (sqrt(d) - 1)."""
    top, bottom = max(values), min(values)
    is_above_epsilon = at_most_over_root(top - alpha + epsilon, epsilon, d)
    # (M - m) / 2 <= (alpha - M) / (sqrt(d) - 1)
    gap, half = alpha - top, Fraction(top - bottom) / 2
    return is_above_epsilon and gap >= 0 and half * half * d <= (gap + half) ** 2


def at_most_over_root(left: Any, right: Any, d: int) -> bool:
    """Whether left <= right / sqrt(d), for rationals with right >= 0."""
    return bool(left <= 0 or left * left * d <= right * right)


def _in_floats(values: list[float], alpha: float, epsilon: float, d: int, is_monotone: bool, slack: float) -> bool:
    top, bottom, root = max(values), min(values), sqrt(d)
    least = max(epsilon, root * (top - bottom) / 2) if is_monotone else epsilon
    fits = top - bottom <= 2 * (least / root + slack)
    return fits and top <= alpha - least + least / root + slack * 10 * is_monotone + slack


def dimension_by_backtracking(rho: Table, alpha: Any, epsilon: Any, *, is_square: bool, is_monotone: bool) -> int:
    """The same, dropping the beginnings of sequences that fail already: a subsequence of a feasible one is feasible."""
    members = alternatives(rho, alpha, is_square=is_square)
    is_feasible = _feasibility(is_monotone, 0)

    def can_grow(sequence: list[Element], values: list[Any], d: int) -> bool:
        if len(sequence) == d:
            return True
        for query, target in members:
            grown = values + [rho[earlier][target] for earlier, _ in sequence]
            is_allowed = (query, target) not in sequence and (not grown or is_feasible(grown, alpha, epsilon, d))
            if is_allowed and can_grow([*sequence, (query, target)], grown, d):
                return True
        return False

    return next(d for d in range(len(members) + 1) if not can_grow([], [], d + 1))
