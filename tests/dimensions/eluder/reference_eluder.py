"""The eluder dimension as the paper writes it: sequences, pairs, sums. Slow, and meant to be read."""

from fractions import Fraction
from itertools import combinations, pairwise


def is_independent(functions, action, predecessors, square):
    """Some pair has sqrt(sum of squares) <= epsilon on the predecessors and |f(a)-f'(a)| > epsilon (squared)."""
    return any(
        sum((f[a] - g[a]) ** 2 for a in predecessors) <= square and (f[action] - g[action]) ** 2 > square
        for f, g in combinations(functions, 2)
    )


def eluder(functions, square):
    """The longest sequence whose elements are independent of their predecessors, at epsilon**2 = square."""
    n_actions = len(functions[0])

    def longest(sequence):
        return max(
            (longest([*sequence, a]) for a in range(n_actions) if is_independent(functions, a, sequence, square)),
            default=len(sequence),
        )

    return longest([])


def monotone_eluder(functions, square):
    """The maximum over all scales from epsilon on, by trying every critical scale and one between neighbours."""
    n_actions = len(functions[0])
    critical = {Fraction(square)}
    for f, g in combinations(functions, 2):
        squares = [Fraction(f[a] - g[a]) ** 2 for a in range(n_actions)]
        for size in range(1, n_actions + 1):
            critical |= {sum(chosen) for chosen in combinations(squares, size)}
    points = sorted(point for point in critical if point >= square)
    between = [(low + high) / 2 for low, high in pairwise(points)]
    return max(eluder(functions, point) for point in [*points, *between])
