import math

import numpy as np
import pytest

from tests.certification.instances import updated
from warmer import Problem, Session, environments, goals, noise, simulate
from warmer.analysis import Task, evidence_history, simulated_evidence
from warmer.certification import Certifier
from warmer.certification.noise import evidence_process
from warmer.learners import TopTwo, Uniform

DECLARED = [noise.SubGaussian(0.3), noise.Bounded(), noise.Coin(), noise.Gaussian(), noise.BoundedNoise(0.9)]


@pytest.mark.parametrize("declared", DECLARED, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("n_targets", [12, 1500])  # of many candidates those ruled out are put aside
def test_the_lines_are_those_of_the_definition_while_a_candidate_remains(declared, n_targets):
    """The definition: the e-process of all candidates, read after each answer; out for good at ln(1/delta)."""
    rng = np.random.default_rng(n_targets)
    problem = Problem.from_table(rng.uniform(-0.8, 0.8, (6, n_targets)))
    laboratory = environments.Coin(problem, 7) if declared == noise.Coin() else environments.UniformNoise(problem, 7)
    run = simulate(Uniform(problem), laboratory, horizon=60, seed=3)
    found = evidence_history(Certifier(problem, goals.WhichTarget(), noise=declared), run, truth=7)
    process = evidence_process(declared, problem, np.empty(0), 0.0)
    state, is_out, n_possible = process.start(), np.zeros(n_targets, dtype=bool), [n_targets]
    lines = [np.zeros(n_targets)]
    for query, reward in zip(run.queries[0, : found.n_answers[-1]], run.rewards[0], strict=False):
        state = updated(process, state, int(query), float(reward))
        log_evidence = np.array(process.log_evidence(state))
        struck = ~is_out & (log_evidence >= math.log(20))
        lines.append(np.where(is_out, np.nan, np.where(struck, math.log(20), log_evidence)))
        is_out |= struck
        n_possible.append(int((~is_out).sum()))
    expected = np.array(lines).T[found.shown]
    if n_targets == 12:
        assert found.n_possible.tolist() == n_possible
        np.testing.assert_allclose(found.log_evidence, expected, atol=1e-5)
    else:  # those put aside no longer count in numerators and forecasts, which they hardly did
        both = ~np.isnan(found.log_evidence) & ~np.isnan(expected)
        np.testing.assert_allclose(found.log_evidence[both], expected[both], atol=0.2)
        np.testing.assert_allclose(found.n_possible, n_possible, atol=0.01 * n_targets)
    assert found.n_possible[-1] < n_targets


def test_a_line_that_is_ruled_out_ends_at_the_threshold():
    problem = Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (8, 60)))
    laboratory = environments.UniformNoise(problem, 5, width=0.3)
    found = simulated_evidence(laboratory, "top-two", Task(0.05, sigma=0.2), horizon=500, seed=0)
    last = [line[~np.isnan(line)][-1] for line in found.log_evidence]
    is_out = np.isnan(found.log_evidence[:, -1]) | (found.log_evidence[:, -1] == found.threshold)
    assert is_out.sum() >= 20
    assert np.array(last)[is_out] == pytest.approx(math.log(20))
    assert (found.log_evidence[~is_out] < found.threshold).all()
    assert found.answer is not None
    assert {found.truth, found.leader} <= set(found.shown.tolist())
    assert found.shown.size <= 40


def test_a_session_and_its_history_tell_the_same():
    problem = Problem.from_table(
        np.random.default_rng(1).uniform(-0.5, 0.5, (8, 30)), targets=[f"m{k}" for k in range(30)]
    )
    laboratory, rng = environments.UniformNoise(problem, "m5", width=0.3), np.random.default_rng(2)
    session = Session(problem, goal=goals.BestQuery(0.05))
    while not session.certificate():
        query = session.ask()
        session.tell(query, laboratory.respond(query, rng), count=2)
    found = evidence_history(session.learner.certifier, session.history)
    assert found.n_possible[-1] == len(session.remaining)
    assert found.n_answers.tolist() == [2 * k for k in range(len(session.history) + 1)]
    assert (found.answer, found.truth) == (session.certificate().answer, None)
    assert found.label(found.leader) == session.certificate().remaining[0]


def test_what_contradicts_everybody_ends_with_nobody():
    problem = Problem.from_table([[0.5, 0.499], [0.499, 0.5]])
    certifier = TopTwo(problem, goals.BestQuery(0.0005), noise=noise.SubGaussian(0.1)).certifier
    run = simulate(Uniform(problem), lambda query: -0.9, horizon=30, seed=0)
    found = evidence_history(certifier, run)
    assert (found.n_possible[-1], found.answer) == (0, None)
    assert "the data contradict every candidate" in found.statement
