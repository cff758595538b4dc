"""Find a point on a sphere in ten dimensions from inner products, exact and noisy."""

import math

import numpy as np

import warmer
from warmer.families import Sphere


def main() -> None:
    n, epsilon = 10, 1e-6
    rng = np.random.default_rng(0)
    target = rng.standard_normal(n)
    target /= np.linalg.norm(target)
    sphere = Sphere(n)

    session = warmer.Session(warmer.LeastSquares(sphere, alpha=1.0), seed=0)
    truth = warmer.environments.Exact(sphere, target)
    while np.linalg.norm((query := session.ask()) - target) > epsilon:
        session.tell(query, truth.respond(query, rng))
    allowed = 2 * (2 * n + 1) ** 1.5 * math.log(4 / epsilon)
    print(f"With exact answers the point was found to within {epsilon:g} after {len(session.history)} questions.")
    print(f"The theorem allows {allowed:.0f} questions worth less than 1 - {epsilon:g}.")

    noisy = warmer.environments.Coin(sphere, target)
    runs = warmer.simulate(warmer.LeastSquares(sphere, alpha=1.0), noisy, horizon=2000, seed=1)
    share = runs.means[0, -100:].mean()
    print(f"Told only warmer (+1) or colder (-1) at random, 2,000 questions come to within a cosine of {share:.3f}.")


if __name__ == "__main__":
    main()
