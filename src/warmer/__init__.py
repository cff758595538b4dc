"""Find a hidden target from noisy answers to "how warm am I?"."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily as _lazily

if TYPE_CHECKING:
    from warmer import analysis as analysis
    from warmer import bounds as bounds
    from warmer import choice as choice
    from warmer import claims as claims
    from warmer import dimensions as dimensions
    from warmer import environments as environments
    from warmer import estimation as estimation
    from warmer import families as families
    from warmer import goals as goals
    from warmer import learners as learners
    from warmer import noise as noise
    from warmer import problems as problems
    from warmer import report as report
    from warmer.choice import ModelChoice as ModelChoice
    from warmer.dimensions import Bracket as Bracket
    from warmer.dimensions import complexity as complexity
    from warmer.dimensions import covering_number as covering_number
    from warmer.dimensions import dissimilarity_dimension as dissimilarity_dimension
    from warmer.dimensions import dissimilarity_profile as dissimilarity_profile
    from warmer.dimensions import eluder_dimension as eluder_dimension
    from warmer.dimensions import strong_sq_dimension as strong_sq_dimension
    from warmer.learners import PAC as PAC
    from warmer.learners import UCB1 as UCB1
    from warmer.learners import Elimination as Elimination
    from warmer.learners import ExactPAC as ExactPAC
    from warmer.learners import InformationDirected as InformationDirected
    from warmer.learners import LeastSquares as LeastSquares
    from warmer.learners import MaxInformation as MaxInformation
    from warmer.learners import Optimistic as Optimistic
    from warmer.learners import OracleLeastSquares as OracleLeastSquares
    from warmer.learners import Thompson as Thompson
    from warmer.learners import TopTwo as TopTwo
    from warmer.learners import TrackAndStop as TrackAndStop
    from warmer.learners import Uniform as Uniform
    from warmer.learners import UntilCertified as UntilCertified
    from warmer.model import History as History
    from warmer.model import Problem as Problem
    from warmer.model import Runs as Runs
    from warmer.model.errors import CertificateError as CertificateError
    from warmer.model.errors import HypothesisError as HypothesisError
    from warmer.model.errors import InvalidValueError as InvalidValueError
    from warmer.model.errors import ProtocolError as ProtocolError
    from warmer.model.errors import StorageError as StorageError
    from warmer.model.errors import WarmerError as WarmerError
    from warmer.model.sharded import ShardedProblem as ShardedProblem
    from warmer.problems import read_problem as read_problem
    from warmer.simulation import simulate as simulate
    from warmer.studies import ChoiceStudy as ChoiceStudy
    from warmer.studies import Session as Session
    from warmer.studies import Study as Study
    from warmer.studies import create_study as create_study
    from warmer.studies import import_study as import_study
    from warmer.studies import list_studies as list_studies
    from warmer.studies import open_choice_study as open_choice_study
    from warmer.studies import open_study as open_study
    from warmer.sweeps import sweep as sweep

__version__ = "0.1.0"

_lazily(__name__)
