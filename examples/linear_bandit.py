"""A linear bandit with 1,000 actions: what learners lose, and how many answers prove which action is best."""

import numpy as np

import warmer
from warmer import goals, noise
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

    session = warmer.Session(bandit, goal=goals.BestQuery(0.1), noise=noise.BoundedNoise(0.5))
    while not (certificate := session.certificate()):
        action = session.ask()
        session.tell(action, truth.respond(action, rng))
    low, high = certificate.intervals[certificate.answer]
    print(f"{len(session.history)} answers; {certificate}.")
    print(f"It earns between {low:.2f} and {high:.2f}; in truth {truth.means[certificate.answer]:.3f}.")


if __name__ == "__main__":
    main()
