"""Covering and packing numbers as the paper writes them."""

from itertools import combinations


def distance(rho, first, second):
    return max(abs(row[first] - row[second]) for row in rho)


def is_cover(rho, chosen, epsilon):
    return all(any(distance(rho, z, c) <= epsilon for c in chosen) for z in range(len(rho[0])))


def covering_number(rho, epsilon):
    n = len(rho[0])
    return next(
        size
        for size in range(1, n + 1)
        if any(is_cover(rho, chosen, epsilon) for chosen in combinations(range(n), size))
    )
