"""What every environment must obey: answers in range, the right mean, and the noise it declares."""

import numpy as np
import pytest

from warmer import InvalidValueError, Problem, environments

MEANS = [-1.0, -0.875, -0.25, 0.0, 0.5, 0.9375, 1.0]
N_DRAWS = 20_000

BUILDERS = {
    "exact": lambda problem: environments.Exact(problem, 0),
    "coin": lambda problem: environments.Coin(problem, 0),
    "uniform": lambda problem: environments.UniformNoise(problem, 0, width=0.5),
    "narrow uniform": lambda problem: environments.UniformNoise(problem, 0, width=0.03125),
    "gaussian": lambda problem: environments.TruncatedGaussian(problem, 0, sigma=0.5),
    "narrow gaussian": lambda problem: environments.TruncatedGaussian(problem, 0, sigma=0.01),
    "mean of 5": lambda problem: environments.SampleMean(problem, 0, n=5),
}


@pytest.fixture(params=sorted(BUILDERS))
def builder(request):
    return BUILDERS[request.param]


@pytest.fixture(params=[(-1.0, 1.0), (0.0, 100.0)], ids=["unit", "percent"])
def scaled(request):
    low, high = request.param
    values = low + (np.array(MEANS) + 1) / 2 * (high - low)
    return Problem.from_table(values[:, None], reward_range=(low, high))


def drawn(environment, query, seed=0):
    noise = environment.noise(N_DRAWS, np.random.default_rng([seed, query]))
    return np.array([environment.reward(query, row) for row in noise])


def test_rewards_stay_in_range_and_have_the_right_mean(builder, scaled):
    environment = builder(scaled)
    low, high = scaled.reward_range
    # Hoeffding: N_DRAWS values in a range of length w have a mean off by more than this with probability below 1e-9
    allowance = (high - low) * np.sqrt(np.log(2e9) / (2 * N_DRAWS))
    for query, mean in enumerate(environment.means):
        rewards = drawn(environment, query)
        assert rewards.min() >= low
        assert rewards.max() <= high
        assert abs(rewards.mean() - mean) <= allowance


def test_blocks_of_noise_drawn_one_after_the_other_are_one_long_block(builder, scaled):
    environment, rng = builder(scaled), np.random.default_rng(3)
    pieces = [environment.noise(n, rng) for n in (3, 1, 4)]
    assert np.array_equal(np.concatenate(pieces), environment.noise(8, np.random.default_rng(3)))


@pytest.mark.parametrize("name", sorted(set(BUILDERS) - {"mean of 5"}))
def test_the_noise_is_as_sub_gaussian_as_it_says_and_unbiased_on_a_grid_of_chance(name):
    environment = BUILDERS[name](Problem.from_table(np.array(MEANS)[:, None]))
    chance = (np.arange(4000) + 0.5) / 4000
    grid = 2 * chance - 1 if "uniform" in name else chance
    for query, mean in enumerate(environment.means):
        residuals = np.array([environment.reward(query, u) for u in grid]) - mean
        assert abs(residuals.mean()) < 1e-3
        for rate in (-4.0, -1.0, -0.25, 0.25, 1.0, 4.0):
            # the midpoint rule is off by at most a grid step's share of the largest term
            assert np.exp(rate * residuals).mean() <= np.exp(rate**2 * environment.sigma**2 / 2) * (1 + 1e-3)


def test_the_mean_of_n_tosses_takes_n_plus_one_values_with_binomial_shares():
    environment = environments.SampleMean(Problem.from_table([[0.5]]), 0, n=2)
    values, counts = np.unique(drawn(environment, 0), return_counts=True)
    assert values.tolist() == [-1.0, 0.0, 1.0]
    # Hoeffding: each share is off by more than 0.025 with probability below 2 exp(-25)
    assert np.abs(counts / N_DRAWS - np.array([1, 6, 9]) / 16).max() < 0.025
    assert environment.sigma == pytest.approx(1 / np.sqrt(2))


def test_a_target_is_named_by_label_or_index():
    problem = Problem.from_table([[0.25, 0.5]], targets=["rain", "sun"])
    assert environments.Exact(problem, "sun").means.tolist() == environments.Exact(problem, 1).means.tolist() == [0.5]
    with pytest.raises(InvalidValueError, match="there is no target 'sum'; perhaps 'sun' was meant"):
        environments.Exact(problem, "sum")


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda p: environments.UniformNoise(p, 0, width=0), "width must be greater than 0"),
        (lambda p: environments.TruncatedGaussian(p, 0, sigma=float("nan")), "sigma must be a finite number"),
        (lambda p: environments.SampleMean(p, 0, n=0), "n must be at least 1"),
        (lambda p: environments.build("fair", p, 0), "there is no environment 'fair'; choose one of exact, coin"),
    ],
)
def test_noise_that_means_nothing_is_refused(build, message):
    with pytest.raises(InvalidValueError, match=message):
        build(Problem.from_table([[0.5]]))


def test_the_catalogue_builds_every_environment():
    problem = Problem.from_table([[0.5]])
    kinds = {type(environments.build(name, problem, 0)).__name__ for name in environments.CATALOG}
    noisy = {"Exact", "Coin", "UniformNoise", "TruncatedGaussian", "SampleMean"}
    assert kinds == noisy | {"Adversarial", "SimulatedSamples"}
