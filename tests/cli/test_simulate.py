from pathlib import Path

import numpy as np
import pytest

import warmer as library
from tests.cli.conftest import Command
from warmer.cli.families import FAMILIES
from warmer.learners import CATALOG

SMALL = ("--horizon", "30", "--runs", "3")


def test_every_learner_plays_unless_some_are_named(warmer: Command) -> None:
    form = warmer("simulate", "needle:n_arms=4", *SMALL, "--json").form
    slow = {"pac-theorem", "exact-pac"}
    assert [outcome["learner"] for outcome in form["outcomes"]] == [name for name in CATALOG if name not in slow]
    form = warmer("simulate", "needle", "--learner", "ucb1", "--learner", "ucb1", *SMALL, "--json").form
    assert [outcome["learner"] for outcome in form["outcomes"]] == ["ucb1"]


def test_json_has_the_documented_keys(warmer: Command) -> None:
    form = warmer("simulate", "needle", "--learner", "uniform", *SMALL, "--json").form
    settings = {"source", "problem", "environment", "targets", "horizon", "runs", "seed", "alpha", "epsilon"}
    told = {"delta", "sigma", "goal", "noise", "interrupted"}
    assert set(form) == settings | told | {"outcomes", "figure", "evidence_figure"}
    outcome = form["outcomes"][0]
    numbers = {"regret", "bad_queries", "success", "certificate", "steps_per_second"}
    assert set(outcome) == numbers | {"learner", "is_told_alpha"}
    assert outcome["regret"]["low"] <= outcome["regret"]["estimate"] <= outcome["regret"]["high"]
    assert outcome["certificate"] is None


def test_with_a_target_the_runs_are_those_of_the_library(warmer: Command) -> None:
    line = ("simulate", "treasure:side=4", "--target", "B3", "--learner", "thompson", "--seed", "7", "--json", *SMALL)
    problem = library.problems.treasure(side=4)
    environment = library.environments.UniformNoise(problem, "B3", width=0.5)
    learner = library.Thompson(problem, sigma=environment.sigma)
    expected = library.simulate(learner, environment, horizon=30, runs=3, seed=7).regret(alpha=1.0)
    assert warmer(*line).form["outcomes"][0]["regret"]["estimate"] == pytest.approx(np.mean(expected))


def test_without_a_target_each_run_draws_one_by_the_seed(warmer: Command) -> None:
    line = ("simulate", "treasure", "--learner", "uniform", "--horizon", "5", "--runs", "8", "--json")
    first, again, other = (warmer(*line, "--seed", seed).form["targets"] for seed in ("1", "1", "2"))
    assert len(set(first)) > 1
    assert first == again != other


def test_a_target_without_a_name_goes_by_its_number(warmer: Command) -> None:
    np.save("table.npy", np.eye(3))
    line = ("simulate", "table.npy", "--learner", "least-squares", "--environment", "exact", "--target", "2", *SMALL)
    form = warmer(*line, "--json").form
    assert form["targets"] == [2, 2, 2]
    assert form["outcomes"][0]["bad_queries"]["estimate"] == 2.0


def test_a_file_is_square_if_the_user_says_so(warmer: Command) -> None:
    np.save("table.npy", np.eye(3))
    line = ("simulate", "table.npy", "--learner", "uniform", "--json", *SMALL)
    assert [warmer(*line, how).form["problem"]["is_square"] for how in ("--square", "--table")] == [True, False]


def test_exact_answers_come_with_a_small_sigma_for_the_learners(warmer: Command) -> None:
    said = warmer("simulate", "needle", "--environment", "exact", "--learner", "thompson", *SMALL, "--json")
    assert said.form["sigma"] == 0.005  # a two-hundredth of the range of an arm, 0 to 1


def test_one_run_has_no_interval(warmer: Command) -> None:
    line = ("simulate", "needle", "--learner", "uniform", "--horizon", "5", "--runs", "1")
    assert warmer(*line, "--json").form["outcomes"][0]["regret"]["high"] is None
    said = warmer(*line)
    assert "one run" in said.out
    assert "1 run of 5 queries" in " ".join(said.out.split())


def test_the_table_fits_80_columns_and_starts_with_the_least_regret(warmer: Command) -> None:
    out = warmer("simulate", "needle", *SMALL).out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    assert out.index("least-squares") < out.index("uniform  ")


def test_the_figure_is_written_where_it_was_asked_for(warmer: Command) -> None:
    said = warmer("simulate", "needle", "--learner", "uniform", *SMALL, "--figure", "curves.svg")
    assert said.out.endswith("Figure: curves.svg\n")
    assert Path("curves.svg").read_text().startswith("<?xml")
    assert [path.name for path in Path().iterdir()] == ["curves.svg"]


def test_a_slow_learner_plays_on_a_large_table_only_if_named(warmer: Command) -> None:
    np.save("large.npy", np.zeros((1, 200_001)))
    form = warmer("simulate", "large.npy", "--horizon", "1", "--runs", "1", "--json").form
    assert "information-directed" not in [outcome["learner"] for outcome in form["outcomes"]]


@pytest.mark.parametrize("name", ["adversarial", "simulated-samples"])
def test_oracles_that_err_on_purpose_can_be_simulated(warmer: Command, name: str) -> None:
    line = ("simulate", "parities", "--environment", name, "--width", "1/10", "--learner", "least-squares", *SMALL)
    said = warmer(*line, "--strategy", "down")
    assert said.code == 0
    assert "The errors of an adversary are not noise" in said.out
    form = warmer(*line, "--json").form
    assert form["sigma"] == (0.1 if name == "adversarial" else 1.0)


def test_an_adversary_is_that_of_the_library(warmer: Command) -> None:
    line = "simulate parities --environment adversarial --strategy up --width 0.2 --target x1 --learner least-squares"
    problem = library.problems.parities()
    environment = library.environments.Adversarial(problem, "x1", tau=0.2, strategy="up")
    runs = library.simulate(library.LeastSquares(problem, alpha=1.0), environment, horizon=30, runs=3, seed=0)
    form = warmer(*line.split(), *SMALL, "--json").form
    assert form["outcomes"][0]["regret"]["estimate"] == pytest.approx(runs.regret(alpha=1.0).mean())


def test_who_is_told_the_best_value_is_said_below_the_table(warmer: Command) -> None:
    out = warmer("simulate", "random_table:n_queries=4,n_targets=9", "--learner", "least-squares", *SMALL).out
    assert "* least-squares is told the best value of each run's target" in " ".join(out.split())


@pytest.mark.parametrize("name", FAMILIES)
def test_continuous_families_are_simulated_by_name(warmer: Command, name: str) -> None:
    said = warmer("simulate", name, "--horizon", "6", "--runs", "2", "--figure", "curves.png")
    assert (said.code, said.err) == (0, "")
    assert max(map(len, said.out.splitlines())) <= 80
    assert "least-squares*" in said.out
    form = warmer("simulate", name, "--horizon", "6", "--runs", "2", "--json").form
    assert set(form["problem"]) == {"family", "reward_range"}
    assert len(form["targets"]) == 2


def test_a_target_of_a_family_is_a_vector(warmer: Command) -> None:
    line = "simulate sphere-family:n=2 --learner least-squares --environment exact --target 0.6,0.8"
    form = warmer(*line.split(), *SMALL, "--json").form
    assert form["targets"] == [[0.6, 0.8]] * 3
    sphere = library.families.Sphere(2)
    environment = library.environments.Exact(sphere, [0.6, 0.8])
    expected = library.simulate(library.LeastSquares(sphere, alpha=1.0), environment, horizon=30, runs=3, seed=0)
    assert form["outcomes"][0]["regret"]["estimate"] == pytest.approx(expected.regret().mean())
    assert "a number of --target must be a finite number" in warmer(*line.split()[:-1], "0.6,x").err


def test_a_learner_that_needs_a_table_refuses_a_family(warmer: Command) -> None:
    said = warmer("simulate", "sphere-family", "--learner", "elimination")
    assert (said.code, "needs a finite table" in said.err) == (2, True)
    said = warmer("simulate", "sphere-family", "--check-lemmas")
    assert "--check-lemmas needs the exact dimension of a table" in said.err


def test_exact_pac_plays_its_rounds_and_settles(warmer: Command) -> None:
    line = "simulate needle:n_arms=4 --environment exact --learner exact-pac --epsilon 1/2 --target"
    outcome = warmer(*line.split(), "needle in arm 4", "--horizon", "100", "--runs", "1", "--json").form["outcomes"][0]
    assert (outcome["bad_queries"]["estimate"], outcome["success"]["estimate"]) == (3, 1)


def test_the_theorems_plan_is_run_or_its_length_is_told(warmer: Command) -> None:
    line = "simulate needle:n_arms=2 --learner pac-theorem --epsilon 1 --width 0.1 --runs 1 --horizon"
    problem = library.problems.needle(n_arms=2)
    plan = library.PAC(library.LeastSquares(problem, alpha=1.0), epsilon=1, delta=0.05).plan
    said = warmer(*line.split(), str(plan.n_queries - 1))
    assert (said.code, f"pac-theorem makes {plan.n_queries:,} queries here" in said.err) == (2, True)
    assert warmer(*line.split(), str(plan.n_queries), "--json").form["outcomes"][0]["success"]["estimate"] == 1


def test_the_proof_is_carried_out_on_the_first_run(warmer: Command) -> None:
    line = "simulate needle:n_arms=8 --learner least-squares --learner ucb1 --epsilon 1/4 --check-lemmas"
    out = " ".join(warmer(*line.split(), *SMALL).out.split())
    assert "Every step of its proof holds on the first run." in out
    assert "ucb1: the lemma does not apply: the learner does not estimate the target." in out
    lemmas = warmer(*line.split(), *SMALL, "--json").form["lemmas"]
    problem = library.problems.needle(n_arms=8)
    target = library.analysis.draw_targets(problem, runs=3, seed=0)[0]
    environment = library.environments.UniformNoise(problem, target, width=0.25)
    runs = library.simulate(library.LeastSquares(problem, alpha=1.0), environment, horizon=30, seed=0)
    proof = library.claims.analyse_trace(runs, alpha=1.0, epsilon=0.25)
    assert (lemmas[0]["bad_queries"], lemmas[0]["dimension"]) == (proof.n_bad, 8)
    assert lemmas[1]["bad_queries"] is None


_ARMS = "simulate arms --runs 3 --horizon 80 --goal which-target --learner top-two"


@pytest.mark.parametrize("environment", ["", "--environment gaussian", "--environment uniform"])
def test_the_deviation_beside_a_declared_noise_is_that_of_simulated_answers(warmer: Command, environment: str) -> None:
    small, large = (
        warmer(*f"{_ARMS} --noise gaussian --sigma {sigma} {environment} --json".split()).form for sigma in (0.05, 0.35)
    )
    answers = [form["outcomes"][0]["certificate"]["median_queries"] for form in (small, large)]
    assert answers[0] < answers[1]


def test_the_noise_that_is_simulated_is_said_with_its_size(warmer: Command) -> None:
    words = " ".join(warmer(*f"{_ARMS} --noise gaussian --sigma 0.125".split()).out.split())
    assert (
        "Noise model: gaussian with sigma = 0.125, cut off symmetrically within the reward range; "
        "learners are told sigma = 0.125." in words
    )
    words = " ".join(warmer(*f"{_ARMS} --noise bounded-noise:0.25".split()).out.split())
    assert "Noise model: uniform within 0.25" in words
    assert "Noise model: coin;" in warmer(*f"{_ARMS} --noise coin".split()).out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--noise gaussian --sigma 0.1 --width 0.1", "--sigma and --width both say how large the noise is; give one"),
        ("--noise gaussian --sigma 0.1 --environment coin", "and coin has its own; leave --sigma out, or choose"),
    ],
)
def test_a_deviation_that_no_simulated_answer_has_is_refused(warmer: Command, options: str, words: str) -> None:
    said = warmer(*f"{_ARMS} {options}".split())
    assert said.code == 2
    assert words in " ".join(said.err.split())
