"""How far a study has come, as a person reads it."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from tests.studies.examples import a_problem, a_study
from warmer import (
    LeastSquares,
    Problem,
    ProtocolError,
    Session,
    Thompson,
    create_study,
    goals,
    noise,
    open_study,
    simulation,
)
from warmer.certification.surprise.measure import FALSE_ALARMS
from warmer.families import KArms
from warmer.learners import Elimination
from warmer.studies.engine import Engine
from warmer.studies.records.ledger import Move
from warmer.studies.spec import Spec
from warmer.studies.standing import Forecast, standing_of

TABLE = [[0.1, 0.9, 0.2], [0.7, 0.3, 0.4], [0.5, 0.5, 0.5]]
WEATHER = Problem.from_table(TABLE, queries=["left", "right", "flat"], targets=["rain", "sun", "snow"])


@pytest.fixture
def weather(tmp_path):
    goal, known = goals.BestQuery(0.1), noise.SubGaussian(0.25)
    with create_study("weather", WEATHER, goal=goal, noise=known, storage=f"sqlite:///{tmp_path}/a.db") as study:
        yield study


def test_the_status_says_who_is_ruled_out_and_by_how_much(weather):
    weather.tell("left", 0.8, count=2)
    standing = weather.status().standing
    assert (standing.n_candidates, standing.n_remaining, standing.n_ruled_out) == (3, 1, 2)
    assert standing.threshold == pytest.approx(20)
    by_name = {each.target: each for each in standing.candidates}
    evidence = weather.progress().log_evidence
    for place, name in enumerate(WEATHER.targets):
        assert by_name[name].evidence == pytest.approx(math.exp(evidence[place]))
        assert by_name[name].is_possible == (by_name[name].evidence < 20 - 1e-9)
    assert [each.is_possible for each in standing.candidates] == [True, False, False]
    assert sum(each.weight for each in standing.candidates) == pytest.approx(1)


def test_the_status_says_who_objects_and_what_the_next_query_is_for(weather):
    weather.tell("left", 0.55)
    status = weather.status()
    standing, certificate = status.standing, status.certificate
    assert standing.answer == certificate.answer == "left"
    assert [each.target for each in standing.candidates if each.objects] == list(certificate.objectors)
    assert standing.n_objectors == len(certificate.objectors) > 0
    purpose = standing.purpose
    assert purpose.query == weather.preview()[0]
    row = WEATHER.rho[WEATHER.queries.position(purpose.query)]
    assert purpose.first_expects == row[WEATHER.targets.position(purpose.first)]
    assert purpose.second in certificate.objectors
    assert purpose.deviations == pytest.approx(abs(purpose.first_expects - purpose.second_expects) / 0.25)
    assert purpose.query in str(purpose)


def test_nothing_is_left_to_tell_apart_after_a_proof(weather):
    weather.tell("left", 0.9, count=9)
    standing = weather.status().standing
    assert standing.purpose is None
    assert standing.n_objectors == 0
    assert standing.unconfirmed == ("left",)
    assert str(weather.forecast()) == "no more answers are needed"


def test_an_odd_answer_is_flagged_when_it_is_told_and_stays_in_the_status(weather):
    for _ in range(3):
        told = weather.tell("left", 0.9)
        assert not told.is_odd
        assert told.surprise == 1.0
    typo = weather.tell("right", -0.9)
    assert typo.is_odd
    assert typo.surprise < 1e-4
    [odd] = weather.status().standing.odd
    assert (odd.t, odd.query, odd.reward, odd.expected) == (4, "right", -0.9, 0.3)
    assert odd.residual == pytest.approx(-1.2)
    assert "answer 4 ('right': -0.9) is odd" in weather.status().standing.warnings[0]
    weather.correct(typo.seq, 0.3, reason="decimal point")
    assert weather.status().standing.odd == ()


def test_residuals_are_the_answers_beside_the_nearest_candidate(weather):
    weather.tell("left", 0.8)
    weather.tell("right", 0.5, count=2)
    first, second = weather.residuals()
    assert (first.t, first.query, first.reward, first.count, first.expected) == (1, "left", 0.8, 1, 0.9)
    assert (second.query, second.count) == ("right", 2)
    assert not first.is_odd


def test_where_none_remains_answers_are_compared_with_the_likeliest(weather):
    for _ in range(9):
        weather.tell("flat", 0.5)
        weather.tell("left", 0.9)
    for _ in range(2):
        weather.tell("flat", -1.0, count=40)
    status = weather.status()
    assert status.certificate.certificate.is_misspecified
    assert [odd.reward for odd in status.standing.odd] == [-1.0, -1.0]
    with pytest.raises(ProtocolError, match="contradict every candidate"):
        weather.forecast()


def test_another_process_sees_the_same(weather, tmp_path):
    weather.tell("left", 0.8)
    weather.tell("right", -0.9)
    with open_study("weather", storage=f"sqlite:///{tmp_path}/a.db") as again:
        assert again.status().standing == weather.status().standing
        assert again.forecast() == weather.forecast()


def test_a_study_without_a_goal_has_no_standing(tmp_path):
    problem = a_problem()
    with create_study("free", problem, learner=Thompson(problem), storage=f"sqlite:///{tmp_path}/a.db") as study:
        assert study.status().standing is None


def test_replicates_estimate_the_noise_beside_the_declared_one(weather):
    rng = np.random.default_rng(0)
    for _ in range(20):
        weather.tell("flat", float(rng.normal(0.5, 0.2)))
        weather.tell("left", float(np.clip(rng.normal(0.9, 0.05), -1, 1)))
    seen = weather.status().standing.noise
    told = np.array([[r.reward for r in weather.residuals() if r.query == query] for query in ("flat", "left")])
    assert seen.n_replicates == 38
    assert seen.deviation == pytest.approx(np.sqrt(told.var(axis=1, ddof=0).sum() * 20 / 38))
    assert seen.low < seen.deviation < seen.high
    assert seen.declared == 0.25
    assert not seen.is_contradicted
    assert "declared 0.25, seen" in str(seen)


def test_noise_beyond_the_declared_one_is_a_warning(weather):
    for reward in (-0.5, 1.0) * 6:
        weather.tell("flat", reward)
    standing = weather.status().standing
    assert standing.noise.is_contradicted
    assert any("noise is larger than declared" in words for words in standing.warnings)


def test_replicates_further_apart_than_the_declared_width_contradict_it(tmp_path):
    known = noise.BoundedNoise(0.2)
    with create_study(
        "w", WEATHER, goal=goals.WhichTarget(), noise=known, storage=f"sqlite:///{tmp_path}/a.db"
    ) as study:
        study.tell("flat", 0.35)
        assert not study.status().standing.noise.is_contradicted
        study.tell("flat", 0.8)
        assert study.status().standing.noise.is_contradicted


def test_coins_say_nothing_of_a_deviation(tmp_path):
    problem = Problem.from_table([[0.25, 0.5], [0.75, 0.5]], reward_range=(0, 1))
    with create_study(
        "c", problem, goal=goals.WhichTarget(), noise=noise.Coin(), storage=f"sqlite:///{tmp_path}/a.db"
    ) as study:
        study.tell(0, 1.0)
        assert study.status().standing.noise is None
        assert study.forecast(n_runs=5, most=2) == Forecast(None, None, None, 5, 2)


def test_a_forecast_is_what_runs_from_here_on_need(weather):
    far = weather.forecast(n_runs=20)
    assert 0 < far.low <= far.median <= far.high
    weather.tell("left", 0.75)
    near = weather.forecast(n_runs=20)
    assert near.median <= far.median
    assert weather.forecast(n_runs=20) == near
    assert str(weather.certificate()) == str(weather.certificate())  # the study itself was not played


def test_a_forecast_leaves_closed_queries_out(weather):
    weather.forbid("left", reason="sold out")
    assert weather.forecast(n_runs=10).median > 0
    assert weather.preview() == ["right"]


def test_a_forecast_is_played_by_compiled_runs_where_these_know_the_learner(monkeypatch):
    """And gives what the plain loop gives, which also plays a learner that fits queries it may no longer ask."""
    problem = Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (6, 20)))
    for learner in (None, Elimination(problem), LeastSquares(problem, alpha=0.3)):
        given = problem if learner is None else learner
        session = Session(given, goal=goals.BestQuery(0.05), noise=noise.SubGaussian(0.3))
        for query, reward in ((0, 0.2), (3, 0.1), (4, -0.1)):
            session.tell(query, reward)
        compiled = session.forecast(n_runs=10)
        with monkeypatch.context() as patch:
            patch.setattr(simulation.engine, "plan", lambda *given, **more: None)
            assert session.forecast(n_runs=10) == compiled
        with monkeypatch.context() as patch:
            patch.setattr(simulation.plain, "play", None)
            assert session.forecast(n_runs=10) == compiled
            session.forbid(int(problem.best_queries[0]), reason="sold out")
            if learner is None:
                assert session.forecast(n_runs=10).median > 0
        assert session.forecast(n_runs=10).median != 0


def test_a_forecast_changes_nothing(storage):
    with a_study(storage) as study:
        study.tell("agar", 0.5)
        before = study.preview(3)
        study.forecast(n_runs=5)
        assert study.preview(3) == before
        study.verify()


@pytest.mark.parametrize("known", [None, noise.Gaussian(), noise.BoundedNoise(0.5)])
def test_a_forecast_needs_no_declared_deviation(tmp_path, known):
    with create_study(
        "f", WEATHER, goal=goals.WhichTarget(), noise=known, storage=f"sqlite:///{tmp_path}/a.db"
    ) as study:
        for reward in (0.5, 0.6, 0.4, 0.5, 0.6, 0.5, 0.4):
            study.tell("flat", reward)
        assert study.forecast(n_runs=4).median > 0


def test_a_session_says_the_same_as_a_study(weather):
    session = Session(WEATHER, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.25))
    for query, reward in (("left", 0.8), ("flat", 0.5), ("right", -0.9)):
        told, entry = session.tell(query, reward), weather.tell(query, reward)
        assert (told.surprise, told.is_odd) == (entry.surprise, entry.is_odd)
    assert told.is_odd
    assert session.status() == weather.status().standing
    assert session.residuals() == weather.residuals()
    assert session.forecast(n_runs=5) == weather.forecast(n_runs=5)
    session.undo()
    assert session.status().odd == ()


def test_a_class_without_a_table_is_not_compared_with_candidates():
    session = Session(KArms(3), goal=goals.BestQuery(0.1))
    assert session.tell(0, 0.5).surprise is None
    for look in (session.status, session.residuals, session.forecast):
        with pytest.raises(ProtocolError, match="no table in memory"):
            look()


def test_without_a_goal_nothing_is_ahead():
    session = Session(Thompson(WEATHER))
    assert session.tell("left", 0.5).surprise == 1.0
    for look in (session.status, session.forecast):
        with pytest.raises(ProtocolError, match="say what is to be decided"):
            look()
    assert len(session.residuals()) == 1


@pytest.mark.parametrize("shape", ["gaussian", "two-valued"])
def test_honest_noise_contradicts_its_declaration_in_few_studies(shape):
    """Of 300 studies that only look at the end; the bound is for all times."""
    rng, n = np.random.default_rng(0), 0
    problem = Problem.from_table(rng.uniform(0, 1, (4, 3)), reward_range=(-9, 9))
    for _ in range(300):
        engine = Engine(Spec(problem, goals.WhichTarget(), noise.SubGaussian(0.5)))
        queries = rng.integers(4, size=12)
        errors = rng.normal(size=12) if shape == "gaussian" else rng.choice([-1.0, 1.0], 12)
        rewards = problem.rho[queries, 0] + 0.5 * errors
        engine.tell(Move("tell", int(query), float(reward)) for query, reward in zip(queries, rewards, strict=True))
        n += standing_of(engine, None).noise.is_contradicted
    assert n <= binom.isf(1e-6, 300, FALSE_ALARMS)


def test_readings_that_agree_are_not_asked_whether_they_are_typos(weather):
    first, second, third = (weather.tell("flat", reward, count=40) for reward in (0.81, 0.82, 0.8125))
    assert (first.is_odd, second.is_odd, third.is_odd) == (True, True, True)
    assert (first.n_agreeing, second.n_agreeing, third.n_agreeing) == (0, 1, 2)
    [warning, *_] = weather.status().standing.warnings
    assert "answers 1, 2, 3 ('flat': 0.81, 0.82, 0.8125) are odd" in warning
    assert "expects 0.5" in warning
    assert "hardly a typo: check the table" in warning
    assert not any("Is it a typo?" in words for words in weather.status().standing.warnings)


def test_an_odd_reading_beside_one_that_fits_may_be_a_typo(weather):
    weather.tell("flat", 0.5, count=40)
    assert weather.tell("flat", 0.95, count=40).n_agreeing == 0
    assert weather.tell("flat", 0.05, count=40).n_agreeing == 0
    warnings = weather.status().standing.warnings
    assert sum("Is it a typo?" in words for words in warnings) == 2


@pytest.mark.parametrize("seed", range(5))
def test_an_odd_answer_agrees_with_those_that_lie_nearer_to_it_than_to_what_is_expected(weather, seed):
    rng = np.random.default_rng(seed)
    told = [(str(rng.choice(WEATHER.queries)), float(rng.integers(-8, 9)) / 8) for _ in range(12)]
    for query, reward in told:
        weather.tell(query, reward)
    n_odd = 0
    for each in weather.residuals():
        others = [reward for t, (query, reward) in enumerate(told, 1) if query == each.query and t != each.t]
        nearer = sum(abs(other - each.reward) < abs(other - each.expected) for other in others)
        assert each.n_agreeing == (nearer if each.is_odd else 0)
        n_odd += each.is_odd
    assert n_odd > 0


def test_a_warning_repeats_an_answer_as_it_was_told(weather):
    weather.tell("flat", -0.98765432, count=40)
    assert "('flat': -0.98765432) is odd" in weather.status().standing.warnings[0]


def test_numbers_that_differ_in_the_fifth_digit_do_not_read_alike(tmp_path):
    options = {"reward_range": (0.0, 20000.0), "queries": ["left"], "targets": ["rain", "sun"]}
    table = Problem.from_table([[10001.0, 10002.0]], **options)
    known = noise.SubGaussian(0.51234)
    with create_study(
        "near", table, goal=goals.WhichTarget(), noise=known, storage=f"sqlite:///{tmp_path}/a.db"
    ) as study:
        standing = study.status().standing
        assert "(expects 10001)" in str(standing.purpose)
        assert "(expects 10002)" in str(standing.purpose)
        assert "declared 0.51234" in str(standing.noise)
        study.tell("left", 10009.0)
        assert "10009) is odd" in study.status().standing.warnings[0]
        assert "expects 10002." in study.status().standing.warnings[0]


def test_a_mild_doubt_about_the_noise_says_no_more_than_its_p_value() -> None:
    """Only what is refuted at one in a million takes the proof with it; the words and the certificate agree."""
    told = Session(Problem.from_table([[0.0, 1.0]]), goal=goals.WhichTarget(), noise=noise.SubGaussian(0.2))
    for reward in (0.4, -0.5, 0.3, -0.4, 0.5):
        told.tell(0, reward)
    assert told.certificate()
    assert "the answers make what was declared unlikely (p = 0.014)" in str(told.status().noise)
    for reward in (0.9, -0.9, 0.9, -0.9):
        told.tell(0, reward)
    assert not told.certificate()
    assert "nothing proven can be relied on" in str(told.status().noise)


def test_what_rounded_readings_vary_by_is_not_said_to_be_the_noise():
    """Of deviation .1 and unit 1 all readings may be equal: "seen 0 (0 to 0)" was no interval for it."""
    problem = Problem.from_table([[0.1, 1.2]], reward_range=(-3, 3))
    session = Session(problem, goal=goals.WhichTarget(), noise=noise.Gaussian(resolution=1.0))
    for _ in range(5):
        session.tell(0, 0.0)
    seen = session.status().noise
    assert (seen.deviation, seen.low, seen.high) == (0.0, None, None)
    assert (
        "rounded readings of a query vary by 0 (4 replicates), which says little of noise below the resolution 1"
        in (f"{seen}")
    )
