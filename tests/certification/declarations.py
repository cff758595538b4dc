"""Sessions whose declared noise is not that of the answers: how often a wrong proof stands in silence."""

import numpy as np

from warmer import Problem, Session, goals, noise

__all__ = ["is_silently_wrong", "rounded_is_wrong"]

_FIVE = Problem.from_table([[-0.6, -0.3, 0.0, 0.3, 0.6], [0.15, 0.45, 0.75, 1.05, 1.35]], reward_range=(-5, 5))


def is_silently_wrong(seed: int, *, factor: float, n_answers: int = 60) -> bool:
    """Whether a wrong proof stands after so many answers, without a caveat: sigma is too small by this factor."""
    rng = np.random.default_rng(seed)
    table = Problem.from_table(rng.uniform(-0.5, 0.5, (6, 30)))
    truth = int(rng.integers(30))
    session = Session(table, goal=goals.BestQuery(0.05), noise=noise.SubGaussian(0.1 / factor), seed=seed)
    for _ in range(n_answers):
        query = session.ask() if rng.random() < 0.5 else int(rng.integers(6))
        session.tell(query, float(np.clip(table.rho[query, truth] + 0.1 * rng.normal(), -1, 1)))
    found = session.certificate()
    return bool(found) and not found.doubt and table.rho[found.answer, truth] < table.rho[:, truth].max() - 0.05 - 1e-9


def rounded_is_wrong(seed: int, *, n_answers: int = 200) -> tuple[bool, bool]:
    """Whether readings rounded by ten deviations ever prove something, and something wrong."""
    rng = np.random.default_rng(seed)
    truth, is_proven = int(rng.integers(5)), False
    session = Session(_FIVE, goal=goals.WhichTarget(), noise=noise.Gaussian(resolution=1), seed=seed)
    for _ in range(n_answers):
        query = session.ask()
        session.tell(query, float(round(_FIVE.rho[query, truth] + 0.1 * rng.normal())))
        certificate = session.certificate()
        is_proven = is_proven or bool(certificate)
        if certificate and certificate.answer != truth:
            return True, True
    return is_proven, False
