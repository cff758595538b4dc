"""A laboratory that makes mistakes: yields in mg of recipes that differ in one ingredient, entered by hand."""

from typing import NamedTuple

import numpy as np

from warmer import Problem, Session, goals, noise
from warmer.studies.engine import Engine
from warmer.studies.records.ledger import Move
from warmer.studies.spec import Spec
from warmer.studies.standing import standing_of, surprise_of_last

EPSILON = 2.0
DECLARED = 10.0


class Outcome(NamedTuple):
    """How a study ended."""

    n_answers: int
    is_proven: bool
    is_wrong: bool
    """Proven, and not true."""
    is_contradicted: bool
    """The data contradict every candidate: what used to be the only alarm."""
    odd_at: int | None
    """The first answer that was called odd when it was told."""
    has_warnings: bool
    """Whether the status warns of anything at the end."""

    @property
    def is_silent(self) -> bool:
        """Nothing made anybody look."""
        return not (self.is_contradicted or self.odd_at or self.has_warnings)


def yields(rng: np.random.Generator, n_recipes: int = 12, n_models: int = 200) -> Problem:
    """Bell-shaped curves over one ingredient, with peaks of about 200 mg."""
    dose = np.linspace(1, 12, n_recipes)[:, None]
    peaks, heights, widths = rng.uniform(2, 11, n_models), rng.uniform(180, 260, n_models), rng.uniform(3, 8, n_models)
    return Problem.from_table(heights * np.exp(-(((dose - peaks) / widths) ** 2) / 2), reward_range=(0, 400))


def study(seed: int, *, sigma: float = DECLARED, typo: int | None = None, confirm: bool = False) -> Outcome:
    """One study until it is proven or contradicted.

    Parameters
    ----------
    sigma
        The true deviation; 10 is declared.
    typo
        One of the first so many answers is entered with its decimal point one place too far left.
    confirm
        Whether every query that was asked only once is asked again at the end.
    """
    rng = np.random.default_rng(seed)
    problem = yields(rng)
    truth = int(rng.integers(problem.n_targets))
    engine = Engine(Spec(problem, goals.BestQuery(EPSILON), noise.SubGaussian(DECLARED)))
    wrong_at = -1 if typo is None else int(rng.integers(typo))
    odd_at = None

    def do(query: int) -> None:
        nonlocal odd_at
        reward = float(np.clip(rng.normal(problem.rho[query, truth], sigma), 0, 400))
        reward = reward / 10 if len(engine.readings) == wrong_at else reward
        engine.tell([Move("tell", query, reward)])
        if surprise_of_last(engine)[1]:
            odd_at = odd_at or len(engine.readings)

    while not engine.is_at_rest:
        do(int(engine.learner.ask(engine.state, rng)))
    if confirm:
        for label in standing_of(engine, None).unconfirmed:
            do(problem.queries.position(label))
    certificate = engine.certifier.certificate(engine.evidence)
    values = problem.rho[:, truth]
    return Outcome(
        len(engine.readings),
        bool(certificate),
        bool(certificate) and values[certificate.answer] < values.max() - EPSILON,
        certificate.is_misspecified,
        odd_at,
        bool(standing_of(engine, None).warnings),
    )


class Broken(NamedTuple):
    """How a study ended whose first query never works."""

    n_failed: int
    is_proven: bool
    is_wrong: bool


def broken(seed: int, *, most: int = 100) -> Broken:
    """One study in which the experiment that is asked for first always fails."""
    rng = np.random.default_rng(seed)
    problem = yields(rng)
    truth = problem.rho[:, int(rng.integers(problem.n_targets))]
    session = Session(problem, goal=goals.BestQuery(EPSILON), noise=noise.SubGaussian(DECLARED))
    first = query = session.ask()
    for _ in range(most):
        if query == first:
            session.fail(query, reason="mould")
        else:
            session.tell(query, float(np.clip(rng.normal(truth[problem.queries.position(query)], DECLARED), 0, 400)))
        if session.is_done:
            break
        query = session.ask()
    certificate = session.certificate()
    is_wrong = bool(certificate) and truth[problem.queries.position(certificate.answer)] < truth.max() - EPSILON
    return Broken(len(session.failed), bool(certificate), is_wrong)
