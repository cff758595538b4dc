r"""The noise that the answers show, beside the one that was declared.

*The estimate* comes from replicates alone: answers to the same query differ by nothing but noise, whichever candidate
is true. Its interval is that of Gaussian noise, for replicates that were not taken because of what they say.

*The contradiction* needs neither: it is that of `surprise.audit`, valid at all times.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from warmer.certification.noise import BoundedNoise, Coin, Gaussian, SubGaussian
from warmer.certification.surprise.audit import FALSE_ALARMS, REFUTED
from warmer.model import Array
from warmer.model.words import exact
from warmer.studies.engine import Engine

_LEVEL = 0.95
_CERTAIN = 1e300
"""The evidence where there is no doubt: a number that JSON can hold."""


@dataclass(frozen=True)
class NoiseCheck:
    """How much answers to the same query vary, and whether that contradicts what was declared."""

    n_replicates: int
    """How many answers were not the first to their query: the degrees of freedom."""
    deviation: float | None
    """The standard deviation of one answer, by replicates; None where there are none."""
    declared: float | None
    """The declared deviation, or the width within which all answers lie; the root mean square over replicates where
    each query has its own; None where none is declared.
    """
    evidence: float
    """Against the declaration, as a factor: at 20 it is contradicted, wrongly with probability 1/20 at most over a
    whole study.
    """
    resolution: float | None = None
    """To which readings are rounded: what they vary by is then no deviation of the noise, and has no interval."""

    @property
    def low(self) -> float | None:
        """Between this and `high` the deviation lies with 95% confidence, if the noise is Gaussian and not rounded."""
        return self._end((1 - _LEVEL) / 2)

    @property
    def high(self) -> float | None:
        """The upper end."""
        return self._end((1 + _LEVEL) / 2)

    @property
    def is_contradicted(self) -> bool:
        """Whether the answers vary more than was declared."""
        return self.evidence >= 1 / FALSE_ALARMS

    def __str__(self) -> str:
        declared = "" if self.declared is None else f"declared {self.declared:.6g}, "
        if self.deviation is None:
            seen = "no query was answered twice, so nothing checks it"
        elif self.resolution is not None:
            vary = f"rounded readings of a query vary by {self.deviation:.3g} ({_replicates(self.n_replicates)})"
            seen = f"{vary}, which says little of noise below the resolution {exact(self.resolution)}"
        else:
            seen = f"seen {self.deviation:.3g} ({self.low:.3g} to {self.high:.3g}, {_replicates(self.n_replicates)})"
        if self.evidence >= 1 / REFUTED:
            return f"{declared}{seen}; the answers contradict the declared noise: nothing proven can be relied on"
        doubt = f"; the answers make what was declared unlikely (p = {1 / self.evidence:.2g})"
        return f"{declared}{seen}{doubt if self.is_contradicted else ''}"

    def _end(self, tail: float) -> float | None:
        """Where the interval ends that leaves out so much above; SciPy's functions are loaded when it is read."""
        n = self.n_replicates
        if self.deviation is None or self.resolution is not None:
            return None
        return self.deviation * math.sqrt(n / float(scipy.special.chdtri(n, tail)))


def _replicates(n: int) -> str:
    return f"{n} replicate{'' if n == 1 else 's'}"


def check_noise(engine: Engine) -> NoiseCheck | None:
    """Compare the answers with what was declared; None for coins, whose noise their mean says."""
    noise, readings = engine.certifier.noise, engine.readings
    if isinstance(noise, Coin):
        return None
    n = readings.n_replicates
    deviation = math.sqrt(float(readings.squares.sum()) / n) if n else None
    resolution = noise.resolution if isinstance(noise, Gaussian) else None
    declared = _declared(noise, engine.problem, readings.times)
    return NoiseCheck(n, deviation, declared, _evidence(engine, noise), resolution)


def _declared(noise: Any, problem: Any, times: Array) -> float | None:
    if isinstance(noise, BoundedNoise):
        return float(noise.width)
    if not isinstance(noise, SubGaussian):
        return None
    shares = np.maximum(times - 1, 0) if (times > 1).any() else np.ones_like(times)
    return float(np.sqrt(np.average(noise.sigmas(problem) ** 2, weights=shares)))


def _evidence(engine: Engine, noise: Any) -> float:
    if engine.audit is None or not isinstance(noise, BoundedNoise | SubGaussian):
        return 1.0
    found = engine.audit.last
    logs = found.log_evidence if engine.evidence.n_possible else found.log_evidence_anyhow
    if math.isinf(logs):
        return _CERTAIN
    return float(np.exp(min(logs, 700.0)))
