"""A linear bandit with 1,000 actions: knowing what the best is worth, a rigorous radius, and LinUCB's scale of 1."""

import numpy as np

import warmer
from warmer.families import Linear


def main() -> None:
    horizon, rng = 3000, np.random.default_rng(0)
    points = rng.standard_normal((1001, 10))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    actions, theta = points[:1000], points[1000]
    bandit = Linear(actions, norm=1.0, reward_range=(-1.5, 1.5))
    truth = warmer.environments.UniformNoise(bandit, theta, width=0.5)
    best = float(truth.means.max())

    learners = {
        "LeastSquares, told that the best action is worth that": warmer.LeastSquares(bandit, alpha=best),
        "Optimistic with the scale of LinUCB (radius=1.0)": warmer.Optimistic(bandit, 1.0),
        "Optimistic with the rigorous radius": warmer.Optimistic(bandit, "anytime", sigma=truth.sigma),
    }
    print(
        f"1,000 actions in 10 dimensions; the best earns {best:.3f} a round, the average one {truth.means.mean():.3f}."
    )
    for name, learner in learners.items():
        runs = warmer.simulate(learner, truth, horizon=horizon, runs=3, seed=0)
        late = best - runs.means[:, -100:].mean()
        print(f"{name} lost {runs.regret(best).mean():.0f} in {horizon} rounds, and {late:.3f} a round at the end.")


if __name__ == "__main__":
    main()
