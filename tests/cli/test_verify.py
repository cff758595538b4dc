"""`warmer verify`: its table, its JSON, and its exit codes."""

from dataclasses import replace

import pytest

from tests.cli.conftest import Command
from warmer import HypothesisError, claims
from warmer.claims import Expected, Inequality, Instance

FAST = ("theorem::turan", "sec:upper", "lem:few_bad_queries/clique")


def test_the_table_fits_and_names_the_counterexamples(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = tuple(claim for label in FAST for claim in claims.find(label))
    monkeypatch.setattr(claims, "CLAIMS", chosen)
    said = warmer("verify", "--instances", "3")
    assert said.code == 0
    assert max(map(len, said.out.splitlines())) <= 80
    flat = " ".join(said.out.split())
    assert "theorem::turan holds 6 1.000" in flat
    assert "sec:upper/k-arms refuted by n=(1, 5), averages=(-1, 1/20), alpha=3/4" in flat
    assert "5 statements in" in flat
    assert "Hold: 1. Refuted as printed: 1. Hold as repaired: 2." in flat
    assert "Steps of proofs refuted: 1. Hold, not in the paper: 0." in flat


def test_labels_choose_statements_and_their_words_are_shown(warmer: Command) -> None:
    said = warmer("verify", "theorem::turan", "theorem::turan", "--instances", "2")
    assert said.code == 0
    flat = " ".join(said.out.split())
    assert "A graph on n vertices whose cliques have at most d" in flat
    assert "1 statement in" in flat


def test_json_holds_the_counterexample_exactly(warmer: Command) -> None:
    form = warmer("verify", "lem:few_bad_queries/clique", "--instances", "2", "--seed", "5", "--json").form
    (claim,) = form["claims"]
    assert form["is_as_expected"]
    assert claim["is_refuted"]
    assert claim["expected"] == "step refuted"
    table = claim["counterexample"]["parts"]["problem"]
    assert table == {"numerators": [[20, 13, -13], [20, 20, 13], [20, 20, 20]], "denominator": 20, "is_square": True}
    assert claim["tightest"]["ratio"] == 1.0


def test_json_is_json_whatever_the_ratios(warmer: Command) -> None:
    form = warmer("verify", "theorem::upper_eluder", "thm:C_T_delta_finite_Z", "--instances", "2", "--json").form
    assert [claim["chance"] for claim in form["claims"]][-1] == 0.1
    assert form["claims"][0]["counterexample"]["ratio"] is None


def test_a_claim_that_fails_is_exit_code_1(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    false = replace(claims.find("theorem::turan")[0], check=lambda instance: [Inequality(1, 0, "nonsense")])
    monkeypatch.setattr(claims, "CLAIMS", (false,))
    said = warmer("verify", "--instances", "2")
    assert said.code == 1
    assert "UNEXPECTED (holds was expected): theorem::turan refuted by 2 parts of 3" in " ".join(said.out.split())
    assert warmer("verify", "--instances", "2", "--json").code == 1


def test_a_refutation_that_no_longer_refutes_is_exit_code_1(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = replace(claims.find("theorem::turan")[0], expected=Expected.REFUTED)
    monkeypatch.setattr(claims, "CLAIMS", (stale,))
    said = warmer("verify", "--instances", "2")
    assert said.code == 1
    assert "UNEXPECTED (refuted was expected): theorem::turan holds on 5 instances" in " ".join(said.out.split())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("verify thm:nope", "there is no claim 'thm:nope'; the labels are"),
        ("verify --instances 0", "instances must be at least 1, got 0"),
        ("verify --seed -1", "seed must be at least 0, got -1"),
        ("verify --instances x", "Invalid value for '--instances'"),
    ],
)
def test_what_means_nothing_is_refused(warmer: Command, line: str, reason: str) -> None:
    said = warmer(*line.split())
    assert said.code == 2
    assert reason in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize(
    "error", [HypothesisError("silent here."), ValueError("math domain error"), ZeroDivisionError()]
)
@pytest.mark.parametrize("expected", [Expected.HOLDS, Expected.REFUTED])
def test_a_check_that_raises_is_a_surprise_among_the_others(
    warmer: Command, monkeypatch: pytest.MonkeyPatch, error: Exception, expected: Expected
) -> None:
    def check(instance: Instance) -> list[Inequality]:
        raise error

    sound = claims.find("theorem::turan")[0]
    monkeypatch.setattr(claims, "CLAIMS", (replace(sound, label="broken", check=check, expected=expected), sound))
    said = warmer("verify", "--instances", "2")
    flat = " ".join(said.out.split())
    assert (said.code, said.err) == (1, "")
    assert "broken UNEXPECTED" in flat
    assert "theorem::turan holds" in flat
    raised = "" if isinstance(error, HypothesisError) else f"the check of broken raised {type(error).__name__}"
    assert "broken could not be tested: " in flat
    assert raised in flat
    assert str(error).rstrip(".") in flat
    first, second = warmer("verify", "--instances", "2", "--json").form["claims"]
    assert (first["is_as_expected"], first["is_refuted"], second["is_as_expected"]) == (False, False, True)
