r"""What is declared about the noise, and the e-process that the declaration allows.

A declaration must be true of every answer, given all earlier ones; a belief that merely helps to choose queries
belongs to a learner. Anything with the three methods of `EvidenceProcess`, made for one problem, can stand in for a
declaration.
"""

from warmer.certification.noise.declared import Noise, NoiseOfMeans, Process, Tails, Told, evidence_process
from warmer.certification.noise.gaussian import Gaussian, SubGaussian
from warmer.certification.noise.ranged import Bounded, BoundedNoise, Coin

__all__ = [
    "Bounded",
    "BoundedNoise",
    "Coin",
    "Gaussian",
    "Noise",
    "NoiseOfMeans",
    "Process",
    "SubGaussian",
    "Tails",
    "Told",
    "evidence_process",
]
