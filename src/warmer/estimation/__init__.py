"""Fitting rho to rewards: least squares, posteriors, confidence sets, online regression oracles."""

from warmer.estimation.confidence import DistanceBall as DistanceBall
from warmer.estimation.confidence import LossBall as LossBall
from warmer.estimation.confidence import Losses as Losses
from warmer.estimation.predictions import Audited as Audited
from warmer.estimation.predictions import Predicted as Predicted
from warmer.estimation.predictions import PredictionBall as PredictionBall
from warmer.estimation.predictions import RegretAudit as RegretAudit
from warmer.estimation.regression import AggregatingForecaster as AggregatingForecaster
from warmer.estimation.regression import MeanForecaster as MeanForecaster
from warmer.estimation.regression import VovkAzouryWarmuth as VovkAzouryWarmuth
from warmer.estimation.table_fit import TableFit as TableFit
from warmer.estimation.table_fit import fit_of as fit_of
from warmer.lazy import lazily as _lazily

_lazily(__name__)
