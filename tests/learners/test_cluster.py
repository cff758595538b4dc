"""Tables in shards on real workers, of which one is lost."""

import os
import signal
import time

import dask.array as da
import numpy as np
import pytest

from warmer import LeastSquares, Problem, ShardedProblem, TopTwo, environments, goals, noise, simulate
from warmer.certification import certifier_for

RHO = np.random.default_rng(5).uniform(-0.5, 0.5, (5, 400))

pytestmark = pytest.mark.long


def test_threads_give_what_memory_gives():
    runs = []
    for problem in (Problem.from_table(RHO), ShardedProblem.from_dask(da.from_array(RHO, chunks=(5, 60)))):
        learner = TopTwo(problem, goals.WhichTarget(), noise=noise.SubGaussian(0.3))
        environment = environments.UniformNoise(problem, 7, width=0.3)
        runs.append(simulate(learner, environment, horizon=40, seed=2, until=learner.is_done))
    assert runs[0].queries.tolist() == runs[1].queries.tolist()


def test_a_lost_worker_changes_nothing():
    from distributed import Client, LocalCluster

    whole = Problem.from_table(RHO)
    rng = np.random.default_rng(0)
    queries = rng.integers(5, size=12)
    rewards = RHO[queries, 7] + rng.uniform(-0.3, 0.3, 12)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        cut = ShardedProblem.from_dask(da.from_array(RHO, chunks=(5, 90)))
        certifiers = [certifier_for(p, goals.WhichTarget(), noise=noise.SubGaussian(1.0)) for p in (whole, cut)]
        learners = [LeastSquares(p, alpha=0.2) for p in (whole, cut)]
        evidence = [certifier.start() for certifier in certifiers]
        states = [learner.init(rng) for learner in learners]
        for k, (query, reward) in enumerate(zip(queries.tolist(), rewards.tolist(), strict=True)):
            if k == 6:
                victim = next(iter(client.run(os.getpid).values()))
                os.kill(victim, signal.SIGKILL)
                time.sleep(0.5)
            evidence = [c.update(e, query, reward) for c, e in zip(certifiers, evidence, strict=True)]
            states = [learner.tell(s, query, reward) for learner, s in zip(learners, states, strict=True)]
            assert learners[0].estimate(states[0]) == learners[1].estimate(states[1])
        assert evidence[1].few is None
        found = [c.log_evidence(e) for c, e in zip(certifiers, evidence, strict=True)]
        np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-9)
        assert [str(c.certificate(e)) for c, e in zip(certifiers, evidence, strict=True)] == [
            str(certifiers[0].certificate(evidence[0]))
        ] * 2
