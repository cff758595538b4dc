"""Declarations that the answers refute, doubts, and readings that look rounded."""

import math

import numpy as np
import pytest

from tests.certification.declarations import is_silently_wrong, rounded_is_wrong
from tests.certification.worlds import most_allowed
from warmer import Problem, Session, goals, noise
from warmer.certification import Certifier, certifier_for
from warmer.certification.surprise.audit import REFUTED, Audit, common_unit, doubt_in_words, question_in_words
from warmer.families import KArms

TABLE = Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (6, 30)))
FIVE = Problem.from_table([[-0.6, -0.3, 0.0, 0.3, 0.6], [0.15, 0.45, 0.75, 1.05, 1.35]], reward_range=(-5, 5))


def session(declared, *, problem=TABLE, truth=3, sigma=0.1, n=40, seed=1, unit=None):
    """A session that was told answers of Gaussian noise, rounded where there is a unit."""
    rng = np.random.default_rng(seed)
    found = Session(problem, goal=goals.WhichTarget(), noise=declared, seed=seed)
    for _ in range(n):
        query = found.ask()
        reward = problem.rho[problem.queries.position(query), truth] + sigma * rng.normal()
        found.tell(query, float(reward if unit is None else unit * round(reward / unit)))
    return found


@pytest.mark.parametrize("declared", [0.05, 0.01, 1e-4, 1e-9])
def test_a_sigma_declared_far_too_small_is_refuted_and_nothing_is_proven(declared: float) -> None:
    found = session(noise.SubGaussian(declared), n=60)
    certificate = found.certificate()
    assert not certificate
    assert found.is_misspecified
    assert certificate.is_misspecified
    assert f"the answers refute the declared noise: they scatter more than sigma = {declared:g}" in str(certificate)
    assert "nothing proven can be relied on" in str(certificate)
    assert found.status().noise.is_contradicted


def test_a_true_sigma_is_proven_with_as_today() -> None:
    found = session(noise.SubGaussian(0.1), n=60)
    certificate = found.certificate()
    assert certificate.is_proven
    assert certificate.answer == 3
    assert not found.is_misspecified
    assert str(certificate).endswith("all remaining candidates agree (1 left)")


def test_a_proof_that_is_withdrawn_says_when_it_was_found_and_when_it_fell() -> None:
    told = Session(Problem.from_table([[0.0, 0.5]]), goal=goals.WhichTarget(), noise=noise.SubGaussian(0.1))
    for reward in (0.0, 0.0, 0.5, -0.5, 0.4, -0.4):
        told.tell(0, reward)
        if len(told.history) == 2:
            assert told.certificate()
    assert not told.certificate()
    assert "proven at answer 1, withdrawn at 4: the answers refute the declared noise" in str(told.certificate())
    told.undo(), told.undo(), told.undo(), told.undo()
    assert told.certificate()
    assert "withdrawn" not in str(told.certificate())


def test_the_audit_is_the_same_told_at_once_undone_and_loaded(tmp_path) -> None:
    found = session(noise.SubGaussian(0.05), n=30)
    words = str(found.certificate())
    found.save(tmp_path / "s.jsonl")
    assert str(Session.load(tmp_path / "s.jsonl").certificate()) == words
    found.tell(0, 0.9)
    found.undo()
    assert found.certificate().verdict == words
    audit = Audit(found.learner.certifier)
    told = [(TABLE.queries.position(each.query), each.reward, each.count) for each in found.history]
    for query, reward, count in told:
        audit.tell([query], [reward], [count])
        _ = audit.last
    at_once = Audit(found.learner.certifier)
    at_once.tell(*zip(*told, strict=True))
    assert at_once.findings == audit.findings


def test_refuted_once_is_refuted_for_good() -> None:
    audit = Audit(Certifier(Problem.from_table([[0.0, 0.5]]), goals.WhichTarget(), noise=noise.SubGaussian(0.1)))
    audit.tell([0] * 2, [0.9, -0.9], [1, 1])
    at = audit.refuted_at
    audit.tell([0] * 500, [0.0] * 500, [1] * 500)
    assert audit.last.log_evidence < 0
    assert audit.refuted_at == at is not None


def most_evidence_against_a_true_declaration(n_runs: int) -> np.ndarray:
    """The largest evidence that there ever was, where queries are repeated while luck is against the declaration."""
    rng, found = np.random.default_rng(5), []
    for run in range(n_runs):
        certifier = Certifier(TABLE, goals.WhichTarget(), noise=noise.SubGaussian(0.1))
        audit, query = Audit(certifier), 0
        for _ in range(40):
            xi = rng.normal() if run % 2 else rng.choice([-1.0, 1.0])
            audit.tell([query], [TABLE.rho[query, 7] + 0.1 * xi], [1])
            query = query if abs(xi) > 1 else (query + 1) % 6
        found.append(max(each.log_evidence for each in audit.findings))
        assert all(each.log_evidence_anyhow <= each.log_evidence + 1e-9 for each in audit.findings)
    return np.array(found)


def test_a_true_declaration_is_doubted_as_rarely_as_its_level_says_whenever_one_looks() -> None:
    evidence = most_evidence_against_a_true_declaration(300)
    for level in (0.3, 0.05):
        assert (evidence >= -math.log(level)).sum() <= most_allowed(300, level)
    assert (evidence < -math.log(REFUTED)).all()


def test_milder_doubt_is_a_caveat_of_the_proof() -> None:
    problem = Problem.from_table([[0.0, 1.0]])
    told = Session(problem, goal=goals.WhichTarget(), noise=noise.SubGaussian(0.2), outside="keep")
    for reward in (0.4, -0.5, 0.3, -0.4, 0.5):
        told.tell(0, reward)
    certificate = told.certificate()
    assert certificate
    assert not told.is_misspecified
    assert "; caveat: the answers scatter more than the declared sigma makes likely (p = 0.0" in str(certificate)


def test_a_width_too_small_is_refuted_by_two_answers_and_arms_are_looked_at_too() -> None:
    wide = Audit(Certifier(TABLE, goals.WhichTarget(), noise=noise.BoundedNoise(0.1)))
    wide.tell([0, 1, 0], [0.0, 0.5, 0.3], [1, 1, 1])
    assert wide.refuted_at == wide.refuted_anyhow_at == 3
    arms = Audit(certifier_for(KArms(2), goals.BestQuery(0.1), noise=noise.SubGaussian(0.01)))
    arms.tell([0, 0, 1, 1], [0.2, 0.5, 0.3, 0.9], [1, 1, 1, 1])
    assert arms.refuted_anyhow_at == 2
    told = Session(KArms(2), goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.01))
    for reward in (0.2, 0.5, 0.3, 0.9):
        told.tell(0, reward)
    assert (bool(told.certificate()), told.is_misspecified) == (False, True)


@pytest.mark.parametrize("declared", [noise.Bounded(), noise.Coin(), noise.Gaussian(resolution=1)])
def test_of_other_declarations_nothing_is_left_to_be_refuted(declared) -> None:
    audit = Audit(Certifier(FIVE, goals.WhichTarget(), noise=declared))
    audit.tell([0] * 4, [5.0, -5.0, 5.0, -5.0], [1] * 4)
    assert audit.refuted_at is None
    assert question_in_words(audit) == doubt_in_words(declared, audit) == ""


def test_rounded_answers_without_a_resolution_prove_nothing_and_are_asked_about() -> None:
    for seed in range(10):
        found = session(noise.Gaussian(), problem=FIVE, n=40, seed=seed, unit=1.0)
        assert not found.certificate()
        words = str(found.certificate())
        if len({answer.reward for answer in found.history}) == 1:
            assert "all answers are equal: if the instrument rounds its readings, declare its unit" in words
            continue
        assert "all answers are multiples of 1, more than they scatter: if the instrument rounds" in words
        assert "noise.Gaussian(resolution=1) or --resolution 1" in words


def test_equal_answers_without_a_resolution_prove_nothing() -> None:
    for value, words in ((0.3, "all answers are equal"), (0.0, "all answers are equal")):
        found = Session(FIVE, goal=goals.WhichTarget(), noise=noise.Gaussian())
        for _ in range(30):
            found.tell(0, value)
        assert not found.certificate()
        assert words in str(found.certificate())


def test_readings_typed_to_some_digits_are_not_asked_about() -> None:
    for seed in range(10):
        found = session(noise.Gaussian(), n=30, seed=seed, unit=0.01, sigma=0.05)
        assert "instrument" not in str(found.certificate())
    assert found.certificate()


def test_with_the_resolution_rounded_answers_are_proven_with_and_it_stands_beside_the_proof() -> None:
    proven = 0
    for seed in range(5):
        found = session(noise.Gaussian(resolution=1), problem=FIVE, n=60, seed=seed, unit=1.0, truth=0)
        certificate = found.certificate()
        if certificate:
            proven += 1
            assert certificate.answer == 0
            assert str(certificate).endswith("; readings are rounded to multiples of 1")
    assert proven >= 3


def test_readings_beyond_the_range_may_be_kept() -> None:
    found = Session(FIVE, goal=goals.WhichTarget(), noise=noise.Gaussian(resolution=1), outside="keep")
    found.tell(0, 7.0)
    assert found.history[0].reward == 7.0


@pytest.mark.parametrize(
    ("values", "unit"), [([0.6, 0.4], 0.2), ([1.0, 2.0, 7.0], 1.0), ([1 / 3, 2 / 3], 1 / 3), ([0.1, 0.25], 0.05)]
)
def test_the_unit_is_the_largest_of_which_all_are_multiples(values, unit) -> None:
    found = 0.0
    for value in values:
        found = common_unit(found, value, 1e-9)
    assert found == pytest.approx(unit)


@pytest.mark.parametrize("factor", [2, 10, 1000])
def test_a_sigma_too_small_leaves_no_wrong_proof_in_silence(factor: int) -> None:
    assert sum(is_silently_wrong(seed, factor=factor) for seed in range(10)) <= most_allowed(10, 0.05)


@pytest.mark.long
@pytest.mark.parametrize("factor", [2, 10, 1000])
def test_a_sigma_too_small_rarely_leaves_a_wrong_proof_in_silence_in_many_runs(factor: int) -> None:
    assert sum(is_silently_wrong(1000 + seed, factor=factor) for seed in range(200)) <= most_allowed(200, 0.05)


@pytest.mark.long
def test_rounded_readings_with_their_resolution_prove_nothing_wrong_more_often_than_declared() -> None:
    found = [rounded_is_wrong(seed) for seed in range(100)]
    assert sum(wrong for _, wrong in found) <= most_allowed(100, 0.05)
    assert any(proven for proven, _ in found)


@pytest.mark.parametrize("declared", [noise.SubGaussian(0.01), noise.BoundedNoise(0.05)])
def test_means_that_move_within_the_tolerance_refute_nothing(declared) -> None:
    told = Session(
        Problem.from_table([[0.0, 3.0]], reward_range=(-5, 5)), goal=goals.WhichTarget(), noise=declared, tolerance=0.5
    )
    for place in range(20):
        told.tell(0, 0.4 if place % 2 else -0.4)
    assert told.certificate()
    assert not told.is_misspecified


@pytest.mark.parametrize("offset", [273.15, 0.25])
def test_rounded_readings_on_a_grid_with_an_offset_are_asked_about(offset: float) -> None:
    shifted = Problem.from_table(FIVE.rho + offset, reward_range=(-5 + offset, 5 + offset))
    for seed in range(5):
        rng, found = np.random.default_rng(seed), Session(shifted, goal=goals.WhichTarget(), noise=noise.Gaussian())
        for n in range(200):
            query = found.ask()
            found.tell(query, round(FIVE.rho[query, seed] + 0.1 * rng.normal()) + offset)
            assert n % 20 or not found.certificate()
    steps = Problem.from_table(np.array([[0.1, 0.2], [1.1, 1.2], [3.1, 3.2]]) + offset, reward_range=(0, 300))
    told = Session(steps, goal=goals.WhichTarget(), noise=noise.Gaussian())
    for n, reading in enumerate((0, 1, 3)):
        told.tell(n, reading + offset)
    words = str(told.certificate())
    assert "all answers lie apart by multiples of 1, more than they scatter: if the instrument" in words
    assert (
        f"tell readings as multiples of it, with answers, table and reward range less the offset {offset % 1:g}"
        in words
    )


@pytest.mark.parametrize("count", [4, 10])
@pytest.mark.parametrize("offset", [0.0, 0.15])
def test_means_of_rounded_readings_are_asked_about(count: int, offset: float) -> None:
    shifted = Problem.from_table(FIVE.rho + offset, reward_range=(-5 + offset, 5 + offset))
    for seed in range(5):
        rng, found = np.random.default_rng(seed), Session(shifted, goal=goals.WhichTarget(), noise=noise.Gaussian())
        for n in range(100):
            query = found.ask()
            readings = np.round(FIVE.rho[query, seed] + 0.1 * rng.normal(size=count))
            found.tell(query, float(readings.mean()) + offset, count=count)
            assert n % 10 or not found.certificate()
        assert "tell each reading by itself" in str(found.certificate())


def test_means_of_readings_that_are_not_rounded_are_proven_with() -> None:
    rng, proven = np.random.default_rng(3), 0
    for seed in range(5):
        found = Session(FIVE, goal=goals.WhichTarget(), noise=noise.Gaussian())
        for n in range(60):
            readings = FIVE.rho[n % 2, seed] + 0.3 * rng.normal(size=1 + n % 3)
            found.tell(n % 2, float(np.round(readings, 2).mean()), count=1 + n % 3)
        proven += found.certificate().answer == seed
        assert "instrument" not in str(found.certificate())
    assert proven >= 4


def test_answers_without_noise_have_no_unit_by_chance() -> None:
    values = [math.pi / 10, 0.5772156649015329, math.sqrt(2) / 3]
    problem = Problem.from_table([[value, value + 0.2] for value in values], reward_range=(0, 1))
    found = Session(problem, goal=goals.WhichTarget(), noise=noise.Gaussian())
    for n in range(60):
        found.tell(n % 3, values[n % 3])
    assert found.certificate().answer == 0
    two = Session(problem, goal=goals.WhichTarget(), noise=noise.Gaussian())
    for n in range(30):
        two.tell(n % 2, values[n % 2])
    assert "all answers are one of two numbers: if the instrument rounds" in str(two.certificate())


def test_what_was_withdrawn_is_looked_for_once_per_answer(monkeypatch) -> None:
    found, told = session(noise.Gaussian(), problem=FIVE, n=20, seed=3, unit=1.0), []
    assert "withdrawn" not in str(found.certificate())
    update = Certifier.update
    monkeypatch.setattr(Certifier, "update", lambda *arguments: told.append(1) or update(*arguments))
    for _ in range(5):
        found.tell(0, 0.0)
        found.certificate()
    assert len(told) == 10


def test_a_session_is_done_where_something_is_proven_or_nothing_can_be() -> None:
    """So that `while not session.is_done` ends, and whoever asks for the certificate then reads why."""
    for seed in range(4):
        for declared, settings in [
            (noise.SubGaussian(0.005), {"n": 40}),
            (noise.SubGaussian(0.1), {"n": 40}),
            (noise.Gaussian(), {"n": 60, "problem": FIVE, "unit": 1.0}),
        ]:
            found = session(declared, seed=seed, **settings)
            certificate = found.certificate()
            withheld = certificate.is_misspecified or certificate.question
            assert found.is_done or not certificate
            if found.is_done:
                assert bool(certificate) != bool(withheld)
    contradicted = session(noise.SubGaussian(0.1), n=0)
    for query in list(range(6)) * 3:
        contradicted.tell(query, -0.99)
    assert (contradicted.is_done, bool(contradicted.certificate())) == (True, False)
