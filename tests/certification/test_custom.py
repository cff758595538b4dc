"""An e-process of the user's own: three methods are enough."""

from typing import Any

import numpy as np
import pytest

from tests.certification.plain import Array
from warmer import goals, noise
from warmer.certification import Certifier, EvidenceProcess
from warmer.model import Problem
from warmer.model.errors import InvalidValueError

TABLE = Problem.from_table([[0.0, 1.0, 0.5], [1.0, 0.0, 0.5]])


class AgainstEqualOdds:
    """Gaussian noise of deviation 1/2, against an even mixture of all candidates; nothing clever."""

    def __init__(self, rho: Array, shape: tuple[int, ...] | None = None, broken: bool = False) -> None:
        self.rho, self.shape, self.broken = rho, shape, broken

    def start(self) -> Array:
        return np.zeros(self.rho.shape[1])

    def update(self, state: Array, query: int, reward: float, count: int = 1) -> Array:
        return state + 2 * count * (reward - self.rho[query]) ** 2

    def log_evidence(self, state: Array) -> Array:
        evidence = state + np.log(np.mean(np.exp(-state)))
        if self.broken:
            evidence[0] = np.nan
        return evidence if self.shape is None else np.zeros(self.shape)


def test_three_methods_make_a_noise_model() -> None:
    own = AgainstEqualOdds(np.asarray(TABLE.rho))
    assert isinstance(own, EvidenceProcess)
    certifier = Certifier(TABLE, goals.WhichTarget(), noise=own)
    state, plain = certifier.start(), own.start()
    for query, reward, count in ((0, 1.0, 1), (1, 0.0, 2), (0, 1.0, 3)):
        state, plain = certifier.update(state, query, reward, count), own.update(plain, query, reward, count)
    assert certifier.process.log_evidence(state.process).tolist() == own.log_evidence(plain).tolist()
    assert state.possible.tolist() == (own.log_evidence(plain) < np.log(20)).tolist()
    assert certifier.certificate(state).answer == 1
    assert certifier.leader(state) == 1
    assert (certifier.process.variances(state.process, np.array([0, 1]), np.zeros(2)) > 0).all()


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (AgainstEqualOdds(np.asarray(TABLE.rho), shape=(2,)), "each of the 3 candidates, got an array of shape (2,)."),
        (AgainstEqualOdds(np.asarray(TABLE.rho), broken=True), "got an array of shape (3,) with NaN."),
    ],
)
def test_evidence_of_the_wrong_shape_is_refused(own: Any, words: str) -> None:
    certifier = Certifier(TABLE, goals.WhichTarget(), noise=own)
    with pytest.raises(InvalidValueError) as caught:
        certifier.update(certifier.start(), 0, 1.0)
    assert words in str(caught.value)


def test_a_process_of_ones_own_must_allow_for_the_tolerance_itself() -> None:
    with pytest.raises(InvalidValueError, match="must itself allow for the tolerance of the table"):
        Certifier(TABLE, goals.WhichTarget(), noise=AgainstEqualOdds(np.asarray(TABLE.rho)), tolerance=0.1)


def test_a_noise_model_of_ones_own_can_make_one_process_for_each_table() -> None:
    class Quarter:
        def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Any:
            return noise.SubGaussian(0.25).process(problem, log_prior, tolerance)

        def check(self, problem: Problem, query: int, reward: float, count: int) -> None:
            """Any answer will do."""

    certifier = Certifier(TABLE, goals.WhichTarget(), noise=Quarter(), tolerance=0.1)
    assert certifier.update(certifier.start(), 0, 1.0, 9).possible[:2].tolist() == [False, True]
