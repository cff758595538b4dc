r"""What is declared about the noise, and the e-process that the declaration allows.

A declaration must be true of every answer, given all earlier ones; a belief that merely helps to choose queries
belongs to a learner. Anything with the three methods of `EvidenceProcess`, made for one problem, can stand in for a
declaration.
"""

from warmer.certification.noise.declared import Noise as Noise
from warmer.certification.noise.declared import NoiseOfMeans as NoiseOfMeans
from warmer.certification.noise.declared import Process as Process
from warmer.certification.noise.declared import Tails as Tails
from warmer.certification.noise.declared import Told as Told
from warmer.certification.noise.declared import check_outside as check_outside
from warmer.certification.noise.declared import evidence_process as evidence_process
from warmer.certification.noise.declared import range_reason as range_reason
from warmer.certification.noise.gaussian import SIGMA as SIGMA
from warmer.certification.noise.gaussian import Gaussian as Gaussian
from warmer.certification.noise.gaussian import SubGaussian as SubGaussian
from warmer.certification.noise.ranged import Bounded as Bounded
from warmer.certification.noise.ranged import BoundedNoise as BoundedNoise
from warmer.certification.noise.ranged import Coin as Coin
from warmer.lazy import lazily as _lazily

_lazily(__name__)
