"""What is declared about the noise; proofs are as good as the declaration is true."""

from warmer.certification.custom import EvidenceProcess
from warmer.certification.noise import Bounded, BoundedNoise, Coin, Gaussian, Noise, SubGaussian

__all__ = ["Bounded", "BoundedNoise", "Coin", "EvidenceProcess", "Gaussian", "Noise", "SubGaussian"]
