"""Choosing a model from a pool of unlabelled points: few labels, shared by all models, and a proof."""

from warmer.choice.certificate import ChoiceCertificate, Standing
from warmer.choice.losses import Absolute, Brier, CostMatrix, Recall, Squared, ZeroOne
from warmer.choice.model_choice import ModelChoice

__all__ = [
    "Absolute",
    "Brier",
    "ChoiceCertificate",
    "CostMatrix",
    "ModelChoice",
    "Recall",
    "Squared",
    "Standing",
    "ZeroOne",
]
