"""Which parameter is true? A psychometric function and delay discounting, yes or no at each trial, until it is proven.

The formulas and grids are those of two tasks of ADOpy, a package for adaptive design optimisation.
"""

import numpy as np

import warmer
from warmer import goals, noise, problems
from warmer.certification import parameter_summaries


def logistic(x):
    return 1 / (1 + np.exp(-x))


def psychometric(stimulus, threshold, slope):
    """The chance that a stimulus is noticed: half by guessing, and 4% of answers are lapses."""
    return 0.5 + 0.46 * logistic(slope * (stimulus - threshold))


def discounting(soon, delay, k, slope):
    """The chance that 800 after a delay (in weeks) is preferred to less at once."""
    return logistic(slope * (800 / (1 + k * delay) - soon))


TASKS = {
    "psychometric function": (
        problems.from_model(
            psychometric,
            designs={"stimulus": np.linspace(-5, 5, 41)},
            parameters={"threshold": np.linspace(-3, 3, 25), "slope": np.linspace(1, 5, 8)},
            reward_range=(0, 1),
        ),
        goals.ValueOf("threshold", tolerance=1.0),
    ),
    "delay discounting": (
        problems.from_model(
            discounting,
            designs={"soon": np.arange(50, 800, 50), "delay": [0.43, 2.15, 4.3, 12.9, 26, 52, 104, 260, 520]},
            parameters={"k": np.geomspace(1e-3, 1, 20), "slope": [0.05, 0.1, 0.2]},
            reward_range=(0, 1),
        ),
        goals.WhichTarget(),
    ),
}


def main() -> None:
    for number, (name, (problem, goal)) in enumerate(TASKS.items()):
        rng = np.random.default_rng(number)
        truth = int(rng.integers(problem.n_targets))  # known to nobody
        session = warmer.Session(problem, goal=goal, noise=noise.Coin(), delta=0.05, seed=number)
        while not (certificate := session.certificate()):
            design = session.ask()
            chance = problem.rho[problem.queries.position(design), truth]
            session.tell(design, float(rng.random() < chance))
        print(f"{name}, {problem.n_targets} candidates: {len(session.history)} trials; {certificate}.")
        for summary in parameter_summaries(session.learner.certifier, session.state).values():
            print(f"  {summary}")
        print(f"  in truth: {problem.targets[truth]}")


if __name__ == "__main__":
    main()
