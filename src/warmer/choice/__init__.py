"""Choosing a model from a pool of unlabelled points: few labels, shared by all models, and a proof."""

from warmer.choice.certificate import ChoiceCertificate as ChoiceCertificate
from warmer.choice.certificate import Standing as Standing
from warmer.choice.losses import Absolute as Absolute
from warmer.choice.losses import Brier as Brier
from warmer.choice.losses import CostMatrix as CostMatrix
from warmer.choice.losses import Recall as Recall
from warmer.choice.losses import Squared as Squared
from warmer.choice.losses import ZeroOne as ZeroOne
from warmer.choice.model_choice import ModelChoice as ModelChoice
from warmer.lazy import lazily as _lazily

_lazily(__name__)
