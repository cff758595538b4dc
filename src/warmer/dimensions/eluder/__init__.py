"""The eluder dimension, its witness, and the independence of actions."""

from warmer.dimensions.eluder.dimension import eluder_dimension
from warmer.dimensions.eluder.witness import EluderWitness, is_independent

__all__ = ["EluderWitness", "eluder_dimension", "is_independent"]
