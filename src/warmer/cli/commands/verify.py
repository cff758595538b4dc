"""`warmer verify`: test the statements of the paper, and say which hold, which are refuted, and by what."""

import math
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from warmer import claims
from warmer.claims import Claim, Expected, Inequality, Instance, Verdict
from warmer.cli.console import progress, show, show_json
from warmer.cli.interrupts import INTERRUPTED
from warmer.cli.options import AsJSON, Seed, option
from warmer.cli.tables import new_table
from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.report.text import counted

_UNEXPECTED = 1

Labels = Annotated[
    list[str] | None,
    typer.Argument(metavar="[LABEL]...", help="Labels of statements in the paper, such as thm:lb; by default all."),
]
Instances = Annotated[int, option("N", "Random instances per statement, besides the fixed ones.")]


def verify(labels: Labels = None, instances: Instances = 300, seed: Seed = 0, as_json: AsJSON = False) -> None:
    """Test the statements of the paper.

    Each is tried on random and extreme instances, in exact arithmetic where there is no chance in it. The exit code is
    1 if a statement that should hold fails, if one that is known to be false is no longer refuted, or if a test cannot
    be completed. Ctrl-C ends with the statements that are finished.
    """
    check_count("instances", instances)
    check_count("seed", seed, least=0)
    found = [claim for label in labels for claim in claims.find(label)] if labels else claims.CLAIMS
    chosen = list(dict.fromkeys(found))
    verdicts: list[Verdict] = []
    with progress("verifying", total=len(chosen)) as advance:
        try:
            for claim in chosen:
                verdicts.append(_try(claim, instances=instances, seed=seed))
                advance(1)
        except KeyboardInterrupt:
            if not verdicts:
                raise
    is_interrupted = len(verdicts) < len(chosen)
    unexpected = [verdict for verdict in verdicts if not verdict.is_as_expected]
    if as_json:
        form = {"instances": instances, "seed": seed, "is_as_expected": not unexpected, "interrupted": is_interrupted}
        show_json({**form, "claims": [_form(verdict) for verdict in verdicts]})
    else:
        _describe(verdicts, with_statements=bool(labels))
        if is_interrupted:
            show(f"Interrupted: {len(chosen) - len(verdicts)} of {counted(len(chosen), 'statement')} were not tested.")
    if unexpected or is_interrupted:
        raise typer.Exit(_UNEXPECTED if unexpected else INTERRUPTED)


def _try(claim: Claim[Any], *, instances: int, seed: int) -> Verdict:
    try:
        return claims.verify(claim, instances=instances, seed=seed)
    except (MemoryError, SystemError):  # no fault of the claim: too large, or Ctrl-C inside compiled code
        raise
    except Exception as error:  # the one place where whatever a check raises is a result, to be shown with the others
        return Verdict(claim, error=error)


def _describe(verdicts: Sequence[Verdict], *, with_statements: bool) -> None:
    words = (each.claim.expected.value if each.is_as_expected else "UNEXPECTED" for each in verdicts)
    rows = ((v.claim.label, word, f"{v.n_tried}", _tightness(v)) for v, word in zip(verdicts, words, strict=True))
    show(new_table(("statement", "verdict", "tested", "tightest"), rows, numbers=2))
    if with_statements:
        for verdict in verdicts:
            claim = verdict.claim
            show("", f"{claim.label}: {claim.statement} ({claim.section}; {claim.hypotheses})", f"  {verdict}.")
    else:
        show("")
        for verdict in (one for one in verdicts if one.is_refuted and one.is_as_expected):
            show(f"{verdict.claim.label} {verdict}.")
    _summarize(verdicts)


def _summarize(verdicts: Sequence[Verdict]) -> None:
    def count(expected: Expected) -> int:
        return sum(verdict.is_as_expected and verdict.claim.expected is expected for verdict in verdicts)

    seconds = sum(verdict.seconds for verdict in verdicts)
    words = (
        f"{counted(len(verdicts), 'statement')} in {seconds:.0f} s. Hold: {count(Expected.HOLDS)}. "
        f"Refuted as printed: {count(Expected.REFUTED)}. Hold as repaired: {count(Expected.REPAIRED)}. "
        f"Steps of proofs refuted: {count(Expected.STEP_REFUTED)}. Hold, not in the paper: {count(Expected.BEYOND)}."
    )
    show("", words)
    for verdict in verdicts:
        if not verdict.is_as_expected:
            show(f"UNEXPECTED ({verdict.claim.expected.value} was expected): {verdict.claim.label} {verdict}.")


def _tightness(verdict: Verdict) -> str:
    if verdict.failure_rate is not None:
        return f"{verdict.n_failed} failed"
    if verdict.claim.expected is Expected.REFUTED or verdict.tightest is None:
        return ""
    return f"{verdict.tightest[0].ratio:.3f}"


def _form(verdict: Verdict) -> dict[str, Any]:
    claim = verdict.claim
    return {
        "label": claim.label,
        "section": claim.section,
        "statement": claim.statement,
        "hypotheses": claim.hypotheses,
        "expected": claim.expected.value,
        "erratum": claim.erratum or None,
        "is_as_expected": verdict.is_as_expected,
        "is_refuted": verdict.is_refuted,
        "verdict": str(verdict),
        "tried": verdict.n_tried,
        "failed": verdict.n_failed,
        "silent": verdict.n_silent,
        "chance": claim.chance,
        "tightest": _found_form(verdict.tightest, with_parts=False),
        "counterexample": _found_form(verdict.broken, with_parts=True),
        "seconds": round(verdict.seconds, 3),
    }


def _found_form(found: tuple[Inequality, Instance] | None, *, with_parts: bool) -> dict[str, Any] | None:
    if found is None:
        return None
    comparison, instance = found
    ratio = comparison.ratio if math.isfinite(comparison.ratio) else None
    form = {"instance": str(instance), "comparison": str(comparison), "ratio": ratio}
    return form | {"parts": {name: _plain(part) for name, part in instance.parts.items()}} if with_parts else form


def _plain(part: Any) -> Any:
    """A part of an instance as JSON has it: tables by their exact entries, everything else as text."""
    if isinstance(part, Problem):
        if part.rational is None:
            return part.rho.tolist()
        numerators, denominator = part.rational
        return {"numerators": numerators.tolist(), "denominator": denominator, "is_square": part.is_square}
    return part if isinstance(part, int | float) else str(part)
