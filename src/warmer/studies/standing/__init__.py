"""How far a study has come, how far it has to go, and whether something is odd."""

from warmer.lazy import lazily as _lazily
from warmer.studies.standing.forecast import Forecast as Forecast
from warmer.studies.standing.forecast import forecast_of as forecast_of
from warmer.studies.standing.limit import Limit as Limit
from warmer.studies.standing.limit import limit_of as limit_of
from warmer.studies.standing.noise_check import NoiseCheck as NoiseCheck
from warmer.studies.standing.purpose import Purpose as Purpose
from warmer.studies.standing.residuals import Residual as Residual
from warmer.studies.standing.residuals import judged as judged
from warmer.studies.standing.residuals import residuals as residuals
from warmer.studies.standing.residuals import surprise_of_last as surprise_of_last
from warmer.studies.standing.standing import Candidate as Candidate
from warmer.studies.standing.standing import Standing as Standing
from warmer.studies.standing.standing import standing_of as standing_of
from warmer.studies.standing.standing import unasked_in_words as unasked_in_words

_lazily(__name__)
