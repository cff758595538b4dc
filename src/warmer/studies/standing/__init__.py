"""How far a study has come, how far it has to go, and whether something is odd."""

from warmer.studies.standing.forecast import Forecast, forecast_of
from warmer.studies.standing.limit import Limit, limit_of
from warmer.studies.standing.noise_check import NoiseCheck
from warmer.studies.standing.purpose import Purpose
from warmer.studies.standing.residuals import Residual, judged, residuals, surprise_of_last
from warmer.studies.standing.standing import Candidate, Standing, standing_of

__all__ = [
    "Candidate",
    "Forecast",
    "Limit",
    "NoiseCheck",
    "Purpose",
    "Residual",
    "Standing",
    "forecast_of",
    "judged",
    "limit_of",
    "residuals",
    "standing_of",
    "surprise_of_last",
]
