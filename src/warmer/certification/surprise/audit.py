r"""Whether the answers bear out what was declared about the noise.

*A sigma that is too small.* If the noise is $\sigma$-sub-Gaussian and $z$ is true, then for $0<s<1$ the process
$(1-s)^{t/2}\exp(s\sum_i c_i(r_i-z_i)^2/2\sigma_i^2)$ starts at 1 and never grows on average, however the queries are
chosen: given the past, $E\,e^{sx^2/2}\le(1-s)^{-1/2}$ for a sub-Gaussian $x$ of deviation 1 and mean 0. So does the
mean of several such. Its least value over *all* candidates, ruled out or not, is at most that of the truth, and so
reaches $1/p$ with probability at most $p$, over all time (Ville's inequality); where entries may be wrong by a
tolerance, only distances beyond it count. In the same way its least value over all means of each query is at most that
of the true means, whatever the candidates are: squared distances from each query's own mean take the place of
residuals. With a tolerance the mean may be another each time, and this is left out. Where one of the two has reached
$1/\text{REFUTED}$ the declaration is refuted, for good.

*A width that is too small* is refuted by two answers to one query that lie further apart than twice the width and twice
the tolerance.
Answers outside the range, and others than the two ends for coins, are refused when they are told, so that nothing is
left to be refuted of `Bounded` and `Coin`.

*Rounding.* Where all answers are an offset plus multiples of a unit that exceeds the deviation of single readings, they
were rounded, and `Gaussian()` would take the bias of rounding for evidence. Below that the bias is less than a
millionth of the unit. Of means it is the totals that are multiples: with $c_i$ readings each, $c_i(r_i-r_j)$ for
$c_i=c_j$, else their least common multiple times $r_i-r_j$. The deviation seen is that of the candidate with the least
residuals; of means, whose weight is also that of the bias, the scatter around each query's own mean where it is less.
A unit below a millionth of the spread is none: exact answers without noise have such a one by chance.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from warmer.certification.noise import BoundedNoise, Gaussian, SubGaussian
from warmer.model import Array, Problem

REFUTED = 1e-6
"""The level at which a declaration is refuted, and what is proven with it withdrawn."""
FALSE_ALARMS = 0.05
"""The level of a doubt, and the probability with which any answer of a study is called odd though none is."""
FEW = 3
"""Of fewer answers nobody knows whether they were rounded."""
_ASKED = (
    "if the instrument rounds its readings, declare its unit, noise.Gaussian(resolution={unit}) or --resolution {unit}"
)
_FINE = 1e-6
"""A unit below this share of the spread is none."""
_FARTHEST = 690.0
_RATES = (0.5, 0.9)
_MOST_AT_ONCE = 1 << 20
"""So many residuals are worked out at once."""
_SAME = 1e-9
"""What remains of an answer after whole units, in units of the largest one, is rounding of numbers."""


class Finding(NamedTuple):
    """What the answers so far say of the declaration."""

    log_evidence: float
    """Against it, if one of the candidates is true."""
    log_evidence_anyhow: float
    """Against it, whatever the candidates are."""
    unit: float
    """The largest unit that all answers lie apart by multiples of, where rounding matters and it exceeds the deviation;
    infinite where no number can be named, else 0.
    """
    offset: float = 0.0
    """What remains of the answers after whole units."""
    has_means: bool = False
    """Whether the unit is that of totals."""
    n_different: int = 0
    """How many answers differ, up to 3."""


class Audit:
    """Follows the answers of a certifier.

    Examples
    --------
    >>> from warmer.certification import Certifier
    >>> from warmer.certification.goals import WhichTarget
    >>> table = Problem.from_table([[0.0, 0.5]])
    >>> audit = Audit(Certifier(table, WhichTarget(), noise=SubGaussian(0.01)))
    >>> audit.tell([0, 0], [0.3, 0.1], [1, 1])
    >>> audit.refuted_at, round(audit.findings[-1].log_evidence)
    (1, 447)
    """

    def __init__(self, certifier: Any) -> None:
        self._certifier, self._noise = certifier, getattr(certifier, "noise", None)
        self._is_followed = isinstance(self._noise, SubGaussian | BoundedNoise) or (
            isinstance(self._noise, Gaussian) and self._noise.resolution is None
        )
        self.told: list[tuple[Any, float, int]] = []
        """Query, reward and count of every answer."""
        self._findings: list[Finding] = []
        self._losses = np.zeros(certifier.problem.n_targets if self._has_table else 0)
        self._own: dict[Any, list[float]] = {}
        self._scatter, self._steps = 0.0, _Steps()
        self._sigmas: Array | None = None
        self._refuted_at: int | None = None
        self._anyhow_at: int | None = None

    def tell(self, queries: Any, rewards: Any, counts: Any) -> None:
        """More answers; they are looked at when somebody wants to know."""
        self.told.extend(zip(queries, rewards, counts, strict=True))

    @property
    def findings(self) -> list[Finding]:
        """What is found after each answer."""
        self._follow()
        return self._findings

    @property
    def last(self) -> Finding:
        """What is found now."""
        return self.findings[-1] if self.findings else Finding(0.0, 0.0, 0.0)

    @property
    def refuted_at(self) -> int | None:
        """After which answer, from 1, the declaration was refuted if one of the candidates is true."""
        self._follow()
        return self._refuted_at

    @property
    def refuted_anyhow_at(self) -> int | None:
        """After which answer, from 1, it was refuted whatever the candidates are."""
        self._follow()
        return self._anyhow_at

    @property
    def _margin(self) -> float:
        """How far the mean of each answer may be from the candidate's, anew each time."""
        return float(getattr(self._certifier, "margin", 0.0))

    @property
    def _has_table(self) -> bool:
        return isinstance(getattr(self._certifier, "problem", None), Problem)

    def _follow(self) -> None:
        told = self.told[len(self._findings) :] if self._is_followed else []
        step = max(1, _MOST_AT_ONCE // max(1, self._losses.size))
        for first in range(0, len(told), step):
            self._look(told[first : first + step])

    def _look(self, told: list[tuple[Any, float, int]]) -> None:
        rates = [self._rate(query) * count for query, _, count in told]
        least = self._least(told, rates)
        for place, (query, reward, count) in enumerate(told):
            n = len(self._findings) + 1
            apart = self._add(query, reward, count, rates[place])
            best = self._scatter if least is None else float(least[place])
            if isinstance(self._noise, BoundedNoise):
                width = float(self._noise.width) + self._margin
                wide = 2 * width * (1 + getattr(self._certifier.problem, "slack", 1e-9))
                evidence = math.inf if apart > wide else 0.0
                found = Finding(evidence, evidence, 0.0)
            elif isinstance(self._noise, Gaussian):
                self._steps.add(reward, count)
                least_seen = min(best, self._scatter) if self._steps.has_means else best
                found = self._steps.finding(math.sqrt(max(least_seen, 0.0) / n))
            else:
                anyhow = 0.0 if self._margin else _log_evidence(self._scatter, n)
                found = Finding(_log_evidence(best, n), anyhow, 0.0)
            self._findings.append(found)
            limit = -math.log(REFUTED)
            if self._refuted_at is None and found.log_evidence >= limit:
                self._refuted_at = n
            if self._anyhow_at is None and found.log_evidence_anyhow >= limit:
                self._anyhow_at = n

    def _least(self, told: list[tuple[Any, float, int]], rates: list[float]) -> Array | None:
        """The least loss of all candidates after each answer; None where there is no table."""
        if not self._has_table or isinstance(self._noise, BoundedNoise):
            return None
        queries, rewards = [query for query, _, _ in told], np.array([reward for _, reward, _ in told])
        rows = np.asarray(self._certifier.problem.rho[queries], dtype=float)
        away = np.maximum(np.abs(rewards[:, None] - rows) - self._certifier.margin, 0.0)
        losses = self._losses + np.cumsum(np.array(rates)[:, None] * away**2, axis=0)
        self._losses = losses[-1]
        return np.asarray(losses.min(axis=1))

    def _rate(self, query: Any) -> float:
        """What turns a squared residual into a loss."""
        if not isinstance(self._noise, SubGaussian):
            return 1.0
        if self._sigmas is None:
            self._sigmas = np.asarray(self._noise.sigmas(self._certifier.problem), dtype=float)
        sigma = float(self._sigmas) if self._sigmas.ndim == 0 else float(self._sigmas[query])
        return 1 / (2 * sigma**2)

    def _add(self, query: Any, reward: float, count: int, rate: float) -> float:
        """Add an answer to those of its query (Welford); how far apart they lie now."""
        key = tuple(query.tolist()) if isinstance(query, np.ndarray) else query
        own = self._own.setdefault(key, [0.0, 0.0, reward, reward])
        own[0] += count
        before = own[1]
        own[1] += (reward - before) * count / own[0]
        self._scatter += rate * (reward - before) * (reward - own[1])
        own[2:] = min(own[2], reward), max(own[3], reward)
        return own[3] - own[2]


class _Steps:
    """The unit that answers lie apart by multiples of, with any offset; of means, that of their totals."""

    def __init__(self) -> None:
        self._firsts: dict[int, float] = {}
        """The first answer of each count."""
        self._unit, self._is_fine = 0.0, False
        self._plain, self._largest = 0.0, 0.0
        """The unit of the totals themselves; the largest of the distances, and of the numbers they are made of."""
        self._magnitude = 0.0
        self._different: set[float] = set()
        self.has_means = False

    def add(self, reward: float, count: int) -> None:
        """One more answer."""
        self.has_means = self.has_means or count > 1
        if len(self._different) < 3:
            self._different.add(reward)
        times, first = count, self._firsts.get(count)
        if first is None:
            other, first = next(iter(self._firsts.items()), (count, reward))
            times = math.lcm(count, other)
            self._firsts[count] = reward
        step = times * abs(reward - first)
        self._largest = max(self._largest, step)
        self._magnitude = max(self._magnitude, times * max(abs(reward), abs(first)))
        if self._is_fine:
            return
        error = 64 * np.finfo(float).eps * self._magnitude
        rest = max(_SAME * self._largest, error)
        self._unit = common_unit(self._unit, step, rest)
        self._is_fine = 0 < self._unit < max(_FINE * self._largest, 100 * error)
        self._plain = common_unit(self._plain, count * abs(reward), max(_SAME * self._magnitude, error))

    def finding(self, deviation: float) -> Finding:
        """What is to be said of a deviation of single readings."""
        if self._is_fine or 0 < self._unit <= deviation * (1 + _SAME):
            return Finding(0.0, 0.0, 0.0)
        n, is_plain = len(self._different), abs(self._plain - self._unit) <= _FINE * self._unit
        if self._unit == 0 or (n < 3 and not is_plain):
            return Finding(0.0, 0.0, math.inf, 0.0, self.has_means, n)
        offset = 0.0 if is_plain else math.fmod(next(iter(self._firsts.values())), self._unit)
        return Finding(0.0, 0.0, self._unit, offset, self.has_means, n)


def common_unit(unit: float, value: float, rest: float) -> float:
    """The largest number of which both are multiples, up to a rest (Euclid).

    Examples
    --------
    >>> round(common_unit(0.6, 0.4, 1e-9), 9), common_unit(0.0, 3.0, 1e-9)
    (0.2, 3.0)
    """
    while value > rest:
        left = math.fmod(unit, value)
        unit, value = value, 0.0 if value - left <= rest else left
    return unit


def refuted_in_words(noise: Any, audit: Audit) -> str:
    """Why nothing that was proven with the declaration can be relied on; empty where the answers bear it out."""
    found, anyhow = audit.findings, audit.refuted_anyhow_at is not None
    if audit.refuted_at is None and not anyhow:
        return ""
    p = _p_value(max(each.log_evidence_anyhow if anyhow else each.log_evidence for each in found))
    if isinstance(noise, BoundedNoise):
        return (
            f"the answers refute the declared noise: two answers to one query lie more than twice the width "
            f"{noise.width:g} apart"
        )
    sigma = f"sigma = {noise.sigma:g}" if isinstance(noise.sigma, int | float) else "the declared sigma"
    whom = ", whatever the candidates are" if anyhow else ", or no candidate is right"
    return f"the answers refute the declared noise: they scatter more than {sigma} allows{whom} ({p})"


def doubt_in_words(noise: Any, audit: Audit) -> str:
    """A milder doubt, as a caveat; empty where there is none."""
    evidence = audit.last.log_evidence
    if not isinstance(noise, SubGaussian) or evidence < -math.log(FALSE_ALARMS):
        return ""
    return f"the answers scatter more than the declared sigma makes likely ({_p_value(evidence)})"


def question_in_words(audit: Audit, after: int | None = None, *, least: int = FEW) -> str:
    """What is to be said of rounding before anything is proven; empty where nothing is."""
    n = len(audit.findings) if after is None else min(after, len(audit.findings))
    found = audit.findings[n - 1] if n else audit.last
    if n < least or found.unit == 0:
        return ""
    alone = ", and tell each reading by itself" if found.has_means else ""
    if math.isinf(found.unit):
        which = "all answers are equal" if found.n_different < 2 else "all answers are one of two numbers"
        return f"{which}: {_ASKED.format(unit='R')}, with its unit R{alone}"
    unit = f"{found.unit:.6g}"
    which = "the totals of all answers" if found.has_means else "all answers"
    if found.offset == 0:
        return f"{which} are multiples of {unit}, more than they scatter: {_ASKED.format(unit=unit)}{alone}"
    offset = "their offset" if found.has_means else f"the offset {found.offset:.6g}"
    which = "the totals of all answers lie" if found.has_means else "all answers lie"
    return (
        f"{which} apart by multiples of {unit}, more than they scatter: {_ASKED.format(unit=unit)}, and tell "
        f"readings as multiples of it, with answers, table and reward range less {offset}{alone}"
    )


def _p_value(log_evidence: float) -> str:
    return f"p = {math.exp(-log_evidence):.2g}" if log_evidence < _FARTHEST else "p < 1e-300"


def _log_evidence(loss: float, n: int) -> float:
    logs = [rate * loss + n / 2 * math.log1p(-rate) for rate in _RATES]
    return max(logs) + math.log(sum(math.exp(each - max(logs)) for each in logs) / len(logs))
