"""The strong SQ dimension as the paper writes it."""

from itertools import combinations


def is_feasible(rho, members, epsilon, *, absolute=True):
    values = [rho[i][j] for i, j in combinations(members, 2)]
    size = abs if absolute else (lambda value: value)
    return all(size(value) <= 1 - epsilon for value in values) and all(
        abs(value - other) * len(members) <= 1 for value in values for other in values
    )


def strong_sq(rho, epsilon, *, absolute=True):
    """The largest d for which some d hypotheses satisfy (a) and (b); both are blind to the order."""
    n = len(rho)
    return max(
        length
        for length in range(1, n + 1)
        if any(is_feasible(rho, members, epsilon, absolute=absolute) for members in combinations(range(n), length))
    )
