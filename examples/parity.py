"""Learn a hidden parity of six bits from nothing but "how accurate is this guess?".

All 64 parities are pairwise uncorrelated, so a wrong guess is right half of the time and says nothing about the others:
the hardest class there is for statistical queries. `warmer` can do no better than to try them; it knows when to move on
and when the answer is proven.
"""

from itertools import product

import numpy as np

import warmer

BITS = 6
BATCH = 10


def parity(subset):
    """The parity of some of the bits, as a function of a point."""
    return lambda x: -1 if sum(x[bit] for bit in subset) % 2 else 1


def main() -> None:
    rng = np.random.default_rng(7)
    cube = list(product((0, 1), repeat=BITS))
    subsets = [tuple(np.flatnonzero(mask).tolist()) for mask in cube]
    names = ["^".join(f"x{bit + 1}" for bit in subset) or "0" for subset in subsets]
    problem = warmer.problems.from_functions(dict(zip(names, map(parity, subsets), strict=True)), cube)

    secret = "x2^x3^x6"
    oracle = warmer.environments.SampleMean(problem, secret, n=BATCH)  # accuracy on ten fresh examples

    learner = warmer.UntilCertified(
        warmer.LeastSquares(problem, alpha=1.0),
        warmer.goals.BestQuery(0.5),
        noise=warmer.noise.SubGaussian(oracle.sigma),
        delta=0.05,
    )
    session = warmer.Session(learner, seed=0)
    while not session.is_done:
        guess = session.ask()
        session.tell(guess, oracle.respond(guess, rng))
    tried = len(set(session.history.queries))
    print(f"{len(session.history)} queries of {BATCH} examples, {tried} of {problem.n_targets} parities tried")
    print(f"found: {session.recommend()} (hidden: {secret})")
    print(f"promise: {learner.promise}")

    # Any statistical query can be asked through correlations: how often is x1 = 1 and the label -1?
    values = warmer.problems.hypotheses.hypothesis_values([parity((1, 2, 5))], cube)[0]
    general = warmer.environments.StatisticalOracle(warmer.environments.CorrelationalOracle(values))
    answer = general.respond([-1] * len(cube), [1 if x[0] else -1 for x in cube], rng)
    print(f"P(x1 = 1 and label -1) = {(1 + answer) / 2}")


if __name__ == "__main__":
    main()
