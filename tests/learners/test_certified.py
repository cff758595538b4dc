"""Stopping at a proof: only where some candidate explains the answers, and with one noise level throughout."""

import numpy as np
import pytest

from warmer import PAC, LeastSquares, Optimistic, Problem, ProtocolError, Session, UntilCertified

WARM = Problem.from_table([[0.9, -0.8], [0.0, 0.0]])


def told(learner, answer, n_answers):
    session = Session(learner)
    for _ in range(n_answers):
        session.tell(0, answer)
    return session


def test_answers_that_reject_every_candidate_prove_nothing():
    learner = UntilCertified(LeastSquares(WARM, alpha=0.0), epsilon=0.1, sigma=0.3)
    session = told(learner, 0.02, 50)
    assert session.misspecified
    assert not session.is_done
    assert not session.certificate(epsilon=0.1)
    assert learner.is_misspecified(session._state)
    with pytest.raises(ProtocolError, match="the answers reject every candidate"):
        learner.recommend(session._state)


@pytest.mark.parametrize("answer", [0.02, 0.3, 0.7, 0.9, -0.8])
def test_at_every_answer_a_proof_is_one_of_the_session_too(answer):
    session = Session(UntilCertified(LeastSquares(WARM, alpha=0.0), epsilon=0.1, sigma=0.3))
    for _ in range(30):
        session.tell(0, answer)
        if session.is_done:
            break
        assert not session.certificate(epsilon=0.1)
    assert session.is_done == bool(session.certificate(epsilon=0.1)) == (not session.misspecified)


def test_answers_that_fit_a_candidate_again_prove_it_although_no_vote_has_changed():
    problem = Problem.from_table([[0.5, -0.5], [0.0, 0.0]])
    learner = UntilCertified(LeastSquares(problem, alpha=0.0), epsilon=0.1, delta=0.5, sigma=0.2)
    session = told(learner, 1.0, 2)
    assert session.misspecified
    assert not session.is_done
    for _ in range(20):
        session.tell(0, 0.5)
    assert not session.misspecified
    assert session.is_done


def test_a_base_that_stops_by_itself_ends_the_game_without_a_proof():
    base = PAC(LeastSquares(WARM, alpha=0.0), epsilon=0.1, horizon=10, n_candidates=1, n_repeats=1)
    learner = UntilCertified(base, epsilon=0.1, sigma=0.3)
    session = told(learner, 0.02, 10)
    assert session.is_done
    assert session.misspecified
    assert not session.certificate(epsilon=0.1)


def test_the_session_judges_with_the_noise_that_the_base_declares():
    base = Optimistic(WARM, sigma=0.1)
    assert Session(UntilCertified(base, epsilon=0.1)).sigma == UntilCertified(base, epsilon=0.1).sigma == 0.1
    assert Session(UntilCertified(base, epsilon=0.1, sigma=0.2)).sigma == 0.2
    assert Session(UntilCertified(LeastSquares(WARM, alpha=0.0), epsilon=0.1)).sigma == WARM.scale


def test_nothing_is_rejected_before_the_first_answer():
    learner = UntilCertified(Optimistic(WARM), epsilon=0.1)
    assert not learner.is_misspecified(learner.init(np.random.default_rng(0)))
