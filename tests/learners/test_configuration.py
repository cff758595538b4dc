"""What a learner refuses, and how it says so."""

import numpy as np
import pytest

from warmer import (
    PAC,
    ExactPAC,
    InvalidValueError,
    LeastSquares,
    Optimistic,
    OracleLeastSquares,
    Problem,
    Session,
    environments,
)
from warmer.estimation import AggregatingForecaster, MeanForecaster, VovkAzouryWarmuth
from warmer.families import GLM, KArms, Linear, LinearBall, ReLU, Sphere, logistic
from warmer.learners import UCB1, Elimination, InformationDirected, Settings, Thompson, Uniform, build

PROBLEM = Problem.from_table([[0.25, 0.5], [0.625, 0.0]])


def test_alpha_that_no_target_reaches_is_named_beside_the_best():
    message = r"the best is 0\.625, got 0\.8\. Lower alpha or use Optimistic"
    with pytest.raises(InvalidValueError, match=message):
        LeastSquares(PROBLEM, alpha=0.8)


@pytest.mark.parametrize("alpha", [float("nan"), float("inf"), "high", None])
def test_alpha_must_be_a_finite_number(alpha):
    with pytest.raises(InvalidValueError, match="alpha must be a"):
        LeastSquares(PROBLEM, alpha=alpha)


def test_alpha_typed_by_hand_reaches_a_single_precision_table():
    table = np.array([[0.62, 0.1]], dtype=np.float32)
    assert LeastSquares(Problem.from_table(table), alpha=0.62).problem.n_targets == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"radius": "papier"}, 'radius must be a number, "anytime" or "paper"'),
        ({"radius": -1.0}, "radius must be at least 0, got -1"),
        ({"radius": float("nan")}, "radius must be a finite number"),
        ({"radius": "paper"}, "give horizon=T"),
        ({"radius": "paper", "horizon": 0}, "horizon must be at least 1"),
        ({"delta": 0.0}, "delta must lie strictly between 0 and 1"),
        ({"sigma": -1.0}, "sigma must be greater than 0"),
    ],
)
def test_a_radius_that_means_nothing_is_refused(options, message):
    with pytest.raises(InvalidValueError, match=message):
        Optimistic(PROBLEM, **options)


def test_the_named_radii_are_the_formulas_in_the_units_of_the_problem():
    wide = Problem.from_table([[25.0, 50.0]], reward_range=(0, 100))
    assert Optimistic(wide, "anytime", delta=0.1).ball.radius == pytest.approx(2 * 50**2 * np.log(2 / 0.1))
    paper = Optimistic(wide, "paper", delta=0.1, horizon=7).ball.radius
    assert paper == pytest.approx(128 * 50**2 * np.log(2 * 7 * 2 / 0.1))


def test_rescaled_rewards_change_no_query():
    table = np.random.default_rng(3).integers(-8, 9, (5, 7)) / 8
    plain, wide = Problem.from_table(table), Problem.from_table(50 + 50 * table, reward_range=(0, 100))
    rng = np.random.default_rng(0)
    for narrow, broad in [
        (LeastSquares(plain, alpha=0.25), LeastSquares(wide, alpha=62.5)),
        (Optimistic(plain, "anytime", sigma=0.25), Optimistic(wide, "anytime", sigma=12.5)),
        (Optimistic(plain, 1.5), Optimistic(wide, 1.5 * 50**2)),
    ]:
        left, right = narrow.init(rng), broad.init(rng)
        for reward in np.random.default_rng(1).integers(-8, 9, 12) / 8:
            query = narrow.ask(left, rng)
            assert query == broad.ask(right, rng)
            left, right = narrow.tell(left, query, reward), broad.tell(right, query, 50 + 50 * reward)


def test_an_unknown_learner_is_answered_with_the_list():
    settings = Settings(alpha=0.5, delta=0.1, sigma=1.0, horizon=10)
    with pytest.raises(InvalidValueError, match="there is no learner 'ucb'; choose one of least-squares"):
        build("ucb", PROBLEM, settings)


@pytest.mark.parametrize(
    "kind", [UCB1, Uniform, Thompson, InformationDirected, Elimination, AggregatingForecaster, MeanForecaster]
)
@pytest.mark.parametrize("problem", [Sphere(3), None, [[1.0]]])
def test_who_needs_a_table_refuses_anything_else(kind, problem):
    message = (
        f"this needs a finite table of candidates in memory, got {type(problem).__name__}; LeastSquares and Optimistic"
    )
    with pytest.raises(InvalidValueError, match=message):
        kind(problem)


@pytest.mark.parametrize(
    ("name", "build"),
    [
        ("epsilon", lambda: PAC(LeastSquares(PROBLEM, alpha=0.5), epsilon="0.1", dimension=2)),
        ("delta", lambda: PAC(LeastSquares(PROBLEM, alpha=0.5), epsilon=0.1, delta="0.1", dimension=2)),
        ("epsilon", lambda: ExactPAC(LeastSquares(PROBLEM, alpha=0.5), epsilon="0.1", dimension=2)),
        ("alpha", lambda: OracleLeastSquares(PROBLEM, AggregatingForecaster(PROBLEM), alpha="0.1")),
        ("alpha", lambda: LeastSquares(PROBLEM, alpha="0.1")),
        ("alpha", lambda: LeastSquares(Sphere(3), alpha="0.1")),
        ("delta", lambda: Optimistic(KArms(2), delta="0.1")),
        ("sigma", lambda: Optimistic(PROBLEM, sigma="0.1")),
        ("norm", lambda: Linear([[1.0]], "0.1")),
        ("ridge", lambda: Linear([[1.0]], ridge="0.1")),
        ("norm", lambda: LinearBall(2, "0.1")),
        ("ridge", lambda: LinearBall(2, ridge="0.1")),
        ("norm", lambda: GLM([[1.0]], logistic, "0.1")),
        ("ridge", lambda: GLM([[1.0]], logistic, ridge="0.1")),
        ("bias", lambda: ReLU(2, "0.1")),
        ("norm", lambda: VovkAzouryWarmuth(2, norm="0.1")),
        ("regularization", lambda: VovkAzouryWarmuth(2, regularization="0.1")),
        ("tau", lambda: environments.Adversarial(PROBLEM, 0, tau="0.1")),
        ("width", lambda: environments.UniformNoise(PROBLEM, 0, width="0.1")),
        ("delta", lambda: Session(UCB1(PROBLEM), delta="0.1")),
    ],
)
def test_text_that_spells_a_number_is_refused_by_name(name, build):
    with pytest.raises(InvalidValueError, match=f"^{name} must be a number, got '0.1'"):
        build()
