"""Slow twins: the loss as the definition has it, and the best feasible point a general-purpose optimiser can find."""

import numpy as np
from scipy.optimize import minimize


def quadratic_loss(gram, sums, theta):
    """Up to a constant, the sum of squared residuals."""
    return theta @ gram @ theta - 2 * sums @ theta


def random_moments(rng, n, n_answers):
    """Answers to random unit queries; some repeated, so that many ranks and scales occur."""
    queries = rng.standard_normal((n_answers, n))
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    rewards = rng.uniform(-1, 1, n_answers)
    counts = rng.integers(1, 6, n_answers)
    return queries, rewards, counts


def best_on_sphere(loss, n, radius, rng, n_starts=20):
    """The least loss of x / |x| over random starts."""

    def free(x):
        return loss(radius * x / np.linalg.norm(x))

    return min(minimize(free, rng.standard_normal(n), method="BFGS").fun for _ in range(n_starts))


def best_feasible(loss, n, constraints, rng, n_starts=10, size=1.0):
    """The least loss that SLSQP finds under constraints g(x) >= 0, from random starts; points outside do not count."""
    best = np.inf
    for _ in range(n_starts):
        found = minimize(
            loss,
            size * rng.standard_normal(n) / np.sqrt(n),
            method="SLSQP",
            constraints=[{"type": "ineq", "fun": g} for g in constraints],
            options={"maxiter": 200, "ftol": 1e-12},
        )
        if all(g(found.x) >= -1e-9 for g in constraints):
            best = min(best, found.fun)
    return best
