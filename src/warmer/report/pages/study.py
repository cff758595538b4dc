"""The report of a study as one page: the decision first, then the evidence, then what the proof rests on."""

from warmer.analysis import EvidenceHistory, evidence_history
from warmer.model.words import belief, certainty, exact
from warmer.report.evidence_figure import draw_evidence, draw_possible
from warmer.report.study_text import confirm_in_words, decision_of, declaration_of, factor, forecast_of, when
from warmer.report.templating import Picture, picture, render
from warmer.report.text import problem_in_words, shortened
from warmer.studies import Study
from warmer.studies.records.ledger import Entry
from warmer.studies.standing import Forecast, Residual, Standing
from warmer.studies.status import Status

_MOST_ANSWERS = 200
"""How many answers are listed: the last ones."""


def study_page(study: Study) -> str:
    """The page about a study, as text.

    Examples
    --------
    >>> import tempfile
    >>> from warmer import Problem, create_study, goals, noise
    >>> table = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = f"sqlite:///{folder}/lab.db"
    ...     with create_study("lab", table, goal=goals.WhichTarget(), noise=noise.SubGaussian(0.2), storage=url) as lab:
    ...         entry = lab.tell("left", 0.8)
    ...         page = study_page(lab)
    >>> "Proven" in page, "http://" in page.replace("http://www.w3.org", "")
    (True, False)
    """
    status, spec = study.status(), study.spec
    standing, forecast = status.standing, forecast_of(study)
    return render(
        "study.html",
        study=study,
        status=status,
        standing=standing,
        to_confirm="" if standing is None else confirm_in_words(standing),
        forecast=forecast,
        verdict=_verdict(status),
        facts=_facts(status, forecast),
        created=when(study.created_at),
        last=status.last_at and when(status.last_at),
        goal=decision_of(spec),
        declared=declaration_of(spec),
        delta=0.05 if spec.certifier is None else spec.certifier.delta,
        about=problem_in_words(study.problem),
        candidates=[] if standing is None else _candidate_rows(standing),
        answers=_answer_rows(study, standing),
        most=_MOST_ANSWERS,
        limit=None if standing is None else study.limit(),
        pictures=_pictures(study, standing),
    )


def _verdict(status: Status) -> tuple[str, str]:
    """One word, and what it means."""
    if status.certificate is None:
        return "No goal", "Nothing is to be decided, so nothing is proven."
    inner = status.certificate.certificate
    noise = status.certificate.about_noise
    if noise is not None and (noise.refuted or noise.question):
        return ("Refuted" if noise.refuted else "Not yet proven"), f"{noise.reason[:1].upper()}{noise.reason[1:]}."
    if inner.is_misspecified:
        return "Contradicted", "The data contradict every candidate: check the answers, the table and the noise."
    if inner.is_proven:
        likely = f"with probability at least {certainty(inner.delta)}"
        word = "Proven, but read the warnings" if status.standing and status.standing.warnings else "Proven"
        where = "".join(f", if {each}" for each in noise.conditions) if noise else ""
        where += f"; caveat: {noise.doubt}" if noise and noise.doubt else ""
        agree = f"All remaining candidates agree ({len(inner.remaining):,} left)."
        return word, f"{inner.statement}, {likely}{where}. {agree}"
    n, left = len(inner.objectors), len(inner.remaining)
    return "Not yet proven", f"The leading answer is {inner.answer!r}; {n:,} of {left:,} remaining candidates object."


def _facts(status: Status, forecast: Forecast | None) -> list[tuple[str, str]]:
    standing = status.standing
    ahead = "-" if forecast is None else "more" if forecast.median is None else f"{forecast.median}"
    return [
        ("answers that count", f"{status.n_answers:,}"),
        ("candidates left", "-" if standing is None else f"{standing.n_remaining:,} of {standing.n_candidates:,}"),
        ("best query so far", shortened(str(status.recommendation), 24)),
        ("more answers, simulated median", ahead),
    ]


def _candidate_rows(standing: Standing) -> list[tuple[str, ...]]:
    return [
        (
            shortened(str(each.target), 60),
            f"{'objects' if each.objects else 'accepts'}, says {shortened(str(each.answer), 40)}"
            if each.is_possible
            else "ruled out",
            belief(each.weight, is_alone=standing.n_remaining == 1) if each.is_possible else "",
            factor(each.evidence),
        )
        for each in standing.candidates
    ]


def _answer_rows(study: Study, standing: Standing | None) -> list[tuple[str, ...]]:
    """The last answers and failures; those that count beside what the nearest remaining candidate expects."""
    entries = study.entries()
    judged = iter(study.residuals() if standing is not None else [])
    beside = [(entry, next(judged, None) if entry.counts and entry.reward is not None else None) for entry in entries]
    return [_answer_row(entry, residual) for entry, residual in beside[-_MOST_ANSWERS:]]


def _answer_row(entry: Entry, residual: Residual | None) -> tuple[str, ...]:
    mean = f" (mean of {entry.count})" if entry.count > 1 else ""
    told = "-" if entry.reward is None else f"{exact(entry.reward)}{mean}"
    expected = "" if residual is None else f"{residual.expected:.6g}"
    if residual is None or residual.surprise is None:
        odd = ""
    else:
        odd = f"{residual.surprise:.2g}{' odd' if residual.is_odd else ''}"
    why = entry.note if entry.retraction is None else entry.retraction.reason
    who = f"{entry.standing}{f': {why}' if why else ''}"
    when_told = f"{when(entry.at)}, {entry.author}"
    return shortened(str(entry.query), 40), told, expected, odd, f"{who} (event {entry.seq})", when_told


def _pictures(study: Study, standing: Standing | None) -> dict[str, Picture] | None:
    """None where there is nothing to draw yet."""
    if standing is None or standing.n_remaining == 0:
        return None
    return evidence_pictures(evidence_history(study.spec.certifier, study.session().history, until_certified=False))


def evidence_pictures(history: EvidenceHistory) -> dict[str, Picture]:
    """The evidence against each candidate, and how many remain."""
    return {
        "evidence": picture(
            draw_evidence, history, wide=(8, 4.2), narrow=(3.6, 4.2), title="Evidence against each candidate"
        ),
        "possible": picture(draw_possible, history, wide=(8, 2.8), narrow=(3.6, 3.0), title="Candidates that remain"),
    }
