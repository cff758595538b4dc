"""Ten arms, and nobody knows what the best is worth: optimism needs no such level."""

import numpy as np

import warmer
from warmer.families import KArms


def main() -> None:
    means = np.random.default_rng(0).permutation(np.linspace(0.1, 0.9, 10))
    arms = KArms(10, labels=[f"arm {k}" for k in range(1, 11)], reward_range=(0, 1))
    truth = warmer.environments.Coin(arms, means)
    best, horizon = float(means.max()), 5000

    def regret(learner):
        return warmer.simulate(learner, truth, horizon=horizon, runs=5, seed=0).regret(best).mean()

    optimistic = warmer.Optimistic(arms, "anytime", sigma=0.5)
    print(f"Optimistic, told nothing, lost {regret(optimistic):.0f} of {best * horizon:.0f} in {horizon} pulls.")
    for alpha in (best, 0.5):
        lost = regret(warmer.LeastSquares(arms, alpha=alpha))
        print(f"LeastSquares, told that some arm is worth {alpha:g}, lost {lost:.0f}.")
    print("Too low a level is met by too poor an arm; where the level is unknown, use Optimistic.")

    session, rng = warmer.Session(optimistic, seed=0), np.random.default_rng(1)
    for _ in range(1000):
        arm = session.ask()
        session.tell(arm, truth.respond(arm, rng))
    chosen = session.recommend()
    print(f"After 1,000 pulls a session recommends {chosen}, worth {means[arms.queries.position(chosen)]:.2f}.")


if __name__ == "__main__":
    main()
