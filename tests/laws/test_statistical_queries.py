"""The classic classes are learned from accuracy feedback alone."""

import numpy as np
import pytest
from scipy.stats import binom

from warmer import LeastSquares, Optimistic, Session, UntilCertified, environments, goals, noise
from warmer.problems import from_functions, parities
from warmer.problems.hypotheses import dictators, halfspaces, monotone_conjunctions, thresholds

DELTA = 0.01
CLASSES = {
    "parities": parities(4),
    "dictators": dictators(12),
    "thresholds": thresholds(10),
    "conjunctions": monotone_conjunctions(3),
    "halfspaces": halfspaces(2),
    "functions": from_functions({f"above {cut}": lambda x, cut=cut: x > cut for cut in range(8)}, range(8)),
}


@pytest.mark.parametrize("name", sorted(CLASSES))
@pytest.mark.parametrize("kind", [LeastSquares, Optimistic])
def test_every_target_is_found_and_proven(name, kind):
    problem = CLASSES[name]
    epsilon = 0.9 * (1 - np.sort(problem.rho, axis=0)[-2].max())  # below the gap of any two: only the target will do
    wrong = 0
    for target in range(problem.n_targets):
        environment, rng = environments.SampleMean(problem, target, n=50), np.random.default_rng(target)
        base = (
            LeastSquares(problem, alpha=1.0) if kind is LeastSquares else Optimistic(problem, sigma=environment.sigma)
        )
        session = Session(
            UntilCertified(base, goals.BestQuery(epsilon), noise=noise.SubGaussian(environment.sigma), delta=DELTA),
            seed=target,
        )
        while not session.is_done:
            query = session.ask()
            session.tell(query, environment.respond(query, rng))
        assert len(session.history) < 3000
        wrong += problem.targets.position(session.recommend()) != target
    # each run fails with probability at most DELTA: more failures than this come with probability below 1e-6
    assert wrong <= binom.isf(1e-6, problem.n_targets, DELTA)
