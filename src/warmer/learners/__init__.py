"""Algorithms of the paper, and the rivals they are compared with; each is loaded at first use."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily as _lazily

if TYPE_CHECKING:
    from warmer.learners.baselines import UCB1 as UCB1
    from warmer.learners.baselines import Uniform as Uniform
    from warmer.learners.catalog import CATALOG as CATALOG
    from warmer.learners.catalog import Settings as Settings
    from warmer.learners.catalog import build as build
    from warmer.learners.elimination import Elimination as Elimination
    from warmer.learners.exact_pac import ExactPAC as ExactPAC
    from warmer.learners.least_squares import LeastSquares as LeastSquares
    from warmer.learners.optimistic import Optimistic as Optimistic
    from warmer.learners.oracle import OracleLeastSquares as OracleLeastSquares
    from warmer.learners.pac import PAC as PAC
    from warmer.learners.pac import Plan as Plan
    from warmer.learners.posterior import InformationDirected as InformationDirected
    from warmer.learners.posterior import Thompson as Thompson
    from warmer.learners.proving import MaxInformation as MaxInformation
    from warmer.learners.proving import TopTwo as TopTwo
    from warmer.learners.track_and_stop import TrackAndStop as TrackAndStop
    from warmer.learners.until_certified import UntilCertified as UntilCertified

_lazily(__name__)
