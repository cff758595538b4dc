"""Find a hidden target from noisy answers to "how warm am I?"."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily as _lazily

if TYPE_CHECKING:
    from warmer import (
        analysis,
        bounds,
        choice,
        claims,
        dimensions,
        environments,
        estimation,
        families,
        goals,
        learners,
        noise,
        problems,
        report,
    )
    from warmer.choice import ModelChoice
    from warmer.dimensions import (
        Bracket,
        complexity,
        covering_number,
        dissimilarity_dimension,
        dissimilarity_profile,
        eluder_dimension,
        strong_sq_dimension,
    )
    from warmer.learners import (
        PAC,
        UCB1,
        Elimination,
        ExactPAC,
        InformationDirected,
        LeastSquares,
        MaxInformation,
        Optimistic,
        OracleLeastSquares,
        Thompson,
        TopTwo,
        TrackAndStop,
        Uniform,
        UntilCertified,
    )
    from warmer.model import History, Problem, Runs
    from warmer.model.errors import (
        CertificateError,
        HypothesisError,
        InvalidValueError,
        ProtocolError,
        StorageError,
        WarmerError,
    )
    from warmer.model.sharded import ShardedProblem
    from warmer.problems import read_problem
    from warmer.simulation import simulate
    from warmer.studies import (
        ChoiceStudy,
        Session,
        Study,
        create_study,
        import_study,
        list_studies,
        open_choice_study,
        open_study,
    )
    from warmer.sweeps import sweep

__all__ = [
    "PAC",
    "UCB1",
    "Bracket",
    "CertificateError",
    "ChoiceStudy",
    "Elimination",
    "ExactPAC",
    "History",
    "HypothesisError",
    "InformationDirected",
    "InvalidValueError",
    "LeastSquares",
    "MaxInformation",
    "ModelChoice",
    "Optimistic",
    "OracleLeastSquares",
    "Problem",
    "ProtocolError",
    "Runs",
    "Session",
    "ShardedProblem",
    "StorageError",
    "Study",
    "Thompson",
    "TopTwo",
    "TrackAndStop",
    "Uniform",
    "UntilCertified",
    "WarmerError",
    "analysis",
    "bounds",
    "choice",
    "claims",
    "complexity",
    "covering_number",
    "create_study",
    "dimensions",
    "dissimilarity_dimension",
    "dissimilarity_profile",
    "eluder_dimension",
    "environments",
    "estimation",
    "families",
    "goals",
    "import_study",
    "learners",
    "list_studies",
    "noise",
    "open_choice_study",
    "open_study",
    "problems",
    "read_problem",
    "report",
    "simulate",
    "strong_sq_dimension",
    "sweep",
]
__version__ = "0.1.0"

__getattr__ = _lazily(
    __name__,
    choice=["ModelChoice"],
    dimensions=[
        *("Bracket", "complexity", "covering_number", "dissimilarity_dimension", "dissimilarity_profile"),
        *("eluder_dimension", "strong_sq_dimension"),
    ],
    learners=[
        *("PAC", "UCB1", "Elimination", "ExactPAC", "InformationDirected", "LeastSquares", "MaxInformation"),
        *("Optimistic", "OracleLeastSquares", "Thompson", "TopTwo", "TrackAndStop", "Uniform", "UntilCertified"),
    ],
    model=["History", "Problem", "Runs"],
    problems=["read_problem"],
    simulation=["simulate"],
    studies=[
        *("ChoiceStudy", "Session", "Study", "create_study", "import_study", "list_studies", "open_choice_study"),
        "open_study",
    ],
    sweeps=["sweep"],
    **{
        "model.errors": [
            *("CertificateError", "HypothesisError", "InvalidValueError", "ProtocolError", "StorageError"),
            "WarmerError",
        ],
        "model.sharded": ["ShardedProblem"],
    },
)
"""Loaded when somebody first looks, so that a program waits only for what it uses."""


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
