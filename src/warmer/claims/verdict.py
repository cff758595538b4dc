"""Every claim, in the order of the paper; running them, and what came of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from time import perf_counter
from typing import Any

from warmer.analysis.run_statistics import Interval, clopper_pearson
from warmer.claims.claim import Claim, Expected, Inequality, drawn
from warmer.claims.instances.kinds import Instance
from warmer.dimensions import latex
from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError, WarmerError, blamed
from warmer.model.time_limit import Clock, interruptible

_SURE = 1 - 1e-6
"""The confidence with which a rate of failure must exceed what the statement allows to count as a refutation."""

_MOST_ROWS = 12  # of a table in LaTeX
_PATIENCE = 20  # how many random instances are drawn, at most, for each that satisfies the hypotheses
_Tried = tuple[Instance, list[Inequality]]

_SECTIONS = {
    "1 Introduction": ("related",),
    "2 Setting": ("setting",),
    "3 Algorithms, Appendix A": ("algorithms", "bad_queries", "tightness", "pac_theorem"),
    "Appendix A": ("lemmas",),
    "4 Statistical queries, Appendix B": ("statistical_queries", "adversarial"),
    "5 Bandits, Appendix C": ("eluder", "linear", "relu", "comparisons"),
    "Appendix D": ("multi_armed",),
}
CLAIMS: tuple[Claim[Any], ...] = tuple(
    replace(claim, section=section)
    for section, modules in _SECTIONS.items()
    for module in modules
    for claim in vars(import_module(f"warmer.claims.statements.{module}")).values()
    if isinstance(claim, Claim)
)


def find(label: str) -> tuple[Claim[Any], ...]:
    """The claim of a label, or all parts of the statement with that label.

    Examples
    --------
    >>> [claim.label for claim in find("theorem::upper_eluder")]
    ['theorem::upper_eluder', 'theorem::upper_eluder/repaired', 'theorem::upper_eluder/construction']
    """
    found = tuple(claim for claim in CLAIMS if claim.label == label or claim.label.startswith(label + "/"))
    if not found:
        statements = sorted({claim.label.partition("/")[0] for claim in CLAIMS})
        raise InvalidValueError(f"there is no claim {label!r}; the labels are {', '.join(statements)}.")
    return found


@dataclass(frozen=True)
class Verdict:
    """What the instances said of a claim."""

    claim: Claim[Any]
    n_tried: int = 0  # instances that satisfied its hypotheses
    n_failed: int = 0  # those of them on which it was false
    n_silent: int = 0  # instances outside its hypotheses
    tightest: tuple[Inequality, Instance] | None = None
    """The inequality that came closest to equality among those that held, and its instance."""
    broken: tuple[Inequality, Instance] | None = None  # the first inequality that was false, and its instance
    withstood: tuple[Instance, ...] = ()  # given instances of a claim to be refuted that did not refute it
    seconds: float = 0.0
    error: Exception | None = None
    """What the check raised, where it did: a fault of ours, whatever the statement is worth."""

    @property
    def is_refuted(self) -> bool:
        """Whether the statement is false on some instance, or, if it leaves room for chance, false too often."""
        if self.claim.chance is None or self.n_tried == 0:
            return self.n_failed > 0
        return clopper_pearson(self.n_failed, self.n_tried, confidence=_SURE).low > self.claim.chance

    @property
    def is_as_expected(self) -> bool:
        """Whether this is what was known: what should hold held somewhere, what should break broke everywhere."""
        if self.n_tried == 0:
            return False
        if self.claim.expected.is_false:
            return self.is_refuted and not self.withstood
        return not self.is_refuted

    @property
    def failure_rate(self) -> Interval | None:
        """How often it failed, with its 95% Clopper-Pearson limits; None where chance plays no part."""
        if self.claim.chance is None or self.n_tried == 0:
            return None
        return clopper_pearson(self.n_failed, self.n_tried)

    def __str__(self) -> str:
        if self.error is not None:
            return f"could not be tested: {type(self.error).__name__}: {self.error}".rstrip(".")
        if self.n_tried == 0:
            return "no instance satisfied the hypotheses"
        if self.is_refuted:
            assert self.broken is not None
            inequality, instance = self.broken
            what = f" ({inequality.what})" if inequality.what else ""
            return f"refuted by {instance}: claimed {inequality.relation} is false{what}{self._more()}"
        form = "repaired form holds" if self.claim.expected is Expected.REPAIRED else "holds"
        notices = f"; {self.claim.notices}" if self.claim.notices else ""
        return f"{form} on {self.n_tried} instances{self._closeness()}{notices}"

    def to_latex(self) -> str:
        r"""The claim and what became of it, with the table of the counterexample where there is one of up to 12 x 12.

        Examples
        --------
        >>> from warmer.claims import find
        >>> print(verify(find("theorem::upper_eluder")[0], instances=0).to_latex().splitlines()[-1])
        \[\rho=\begin{pmatrix}1\\\frac{1}{2}\end{pmatrix}\]
        """
        lines = [self.claim.to_latex(), rf"\emph{{Verdict:}} {latex.words(self)}."]
        table = None if self.broken is None else self.broken[1].parts.get("problem")
        if isinstance(table, Problem) and max(table.rho.shape) <= _MOST_ROWS:
            rows = [[latex.number(table.entry(i, j)) for j in range(table.n_targets)] for i in range(table.n_queries)]
            entries = r"\\".join("&".join(row) for row in rows)
            lines.append(rf"\[\rho=\begin{{pmatrix}}{entries}\end{{pmatrix}}\]")
        return "\n".join(lines)

    def _more(self) -> str:
        others = self.n_failed - 1
        words = f"; {others} more of {self.n_tried} instances refute it" if others else ""
        return words + "".join(f"; but not by {instance}" for instance in self.withstood[:1])

    def _closeness(self) -> str:
        ratio = "" if self.tightest is None else f", tightest ratio {self.tightest[0].ratio:.3g}"
        rate = self.failure_rate
        if rate is None:
            return ratio
        return f"{ratio}, failed in {self.n_failed} ({self.claim.chance:.0%} allowed, 95% limit {rate.high:.1%})"


def verify(claim: Claim[Any], *, instances: int = 300, seed: int = 0) -> Verdict:
    """Try a claim on its given instances and on so many random ones that satisfy its hypotheses.

    The verdict depends on the claim, the number and the seed alone. Ctrl-C ends it without a verdict: a search that was
    interrupted inside a check says nothing about the claim.

    Examples
    --------
    >>> from warmer.claims import find
    >>> str(verify(find("theorem::upper_eluder")[0], instances=0)).split(": ")[1].split("; ")
    ['claimed 1 <= 0 is false (monotone dimension at 3/2 eps vs 9 eluder)', '1 more of 2 instances refute it']
    """
    check_count("instances", instances, 0)
    check_count("seed", seed, 0)
    start = perf_counter()
    with interruptible():
        try:
            tried, withstood = _try(claim, instances, seed)
        finally:
            Clock(None).check()
    pairs = [(inequality, instance) for instance, found in tried for inequality in found]
    broken = [pair for pair in pairs if not pair[0].holds]
    n_tried = _n_tried(tried)
    return Verdict(
        claim,
        n_tried=n_tried,
        n_failed=len({instance for _, instance in broken}),
        n_silent=len(tried) - n_tried,
        tightest=max((pair for pair in pairs if pair[0].holds), key=lambda pair: pair[0].ratio, default=None),
        broken=next(iter(broken), None),
        withstood=withstood,
        seconds=perf_counter() - start,
    )


def _try(claim: Claim[Any], instances: int, seed: int) -> tuple[list[_Tried], tuple[Instance, ...]]:
    """What the claim says of its instances, and which of the given ones it withstood although it should not."""
    tried = [_tried(claim, instance) for instance in (claim.given() if claim.given is not None else ())]
    is_false = claim.expected.is_false
    withstood = tuple(instance for instance, found in tried if is_false and all(one.holds for one in found))
    wanted = _n_tried(tried) + (instances if claim.at_most is None else min(instances, claim.at_most))
    for instance in islice(drawn(claim, seed=seed), _PATIENCE * wanted) if claim.draw is not None else ():
        if _n_tried(tried) >= wanted:
            break
        tried.append(_tried(claim, instance))
    return tried, withstood


def _tried(claim: Claim[Any], instance: Instance) -> _Tried:
    try:
        given = claim.check(instance)
        found = list(given) if isinstance(given, Iterable) else [given]
    except (WarmerError, MemoryError, SystemError):  # no fault of the check: too large, or Ctrl-C in compiled code
        raise
    except Exception as error:  # whatever a check of the user's own raises
        raise blamed(error, f"the check of {claim.label}", f"on {instance}") from error
    Clock(None).check()
    for one in found:
        if not isinstance(one, Inequality):
            raise InvalidValueError(
                f"the check of {claim.label} must yield inequalities, on {instance} it gave {one!r}."
            )
    return instance, found


def _n_tried(tried: list[_Tried]) -> int:
    return sum(bool(found) for _, found in tried)
