"""The rivals do what their papers say."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learners import reference
from tests.strategies import problems
from warmer import (
    UCB1,
    Elimination,
    InformationDirected,
    InvalidValueError,
    MaxInformation,
    Problem,
    Session,
    Thompson,
    TopTwo,
    Uniform,
    UntilCertified,
    environments,
    goals,
    noise,
    simulate,
)
from warmer.certification import Certifier
from warmer.certification.kernels import leading
from warmer.families import KArms
from warmer.learners.kernels import information
from warmer.learners.kernels.information import explained_variances, least_ratio_pair

answers = st.lists(st.tuples(st.integers(0, 50), st.integers(-8, 8)), max_size=12)


def told(learner, pairs):
    rng = np.random.default_rng(0)
    state = learner.init(rng)
    for number, eighths in pairs:
        state = learner.tell(state, number % learner.problem.n_queries, eighths / 8)
    return state


def losses(problem, pairs):
    history = [(number % problem.n_queries, eighths / 8) for number, eighths in pairs]
    return [sum((problem.rho[q, z] - r) ** 2 for q, r in history) for z in range(problem.n_targets)]


@given(problems(), answers)
@settings(max_examples=200, deadline=None)
def test_ucb1_asks_the_largest_index(problem, pairs):
    rewards = [[e / 8 for n, e in pairs if n % problem.n_queries == q] for q in range(problem.n_queries)]
    learner = UCB1(problem)
    assert learner.ask(told(learner, pairs), np.random.default_rng(0)) == reference.ucb1(rewards, width=2.0)


@given(problems(), answers, st.floats(0.3, 2.0))
@settings(max_examples=200, deadline=None)
def test_the_posterior_is_bayes_rule(problem, pairs, sigma):
    learner = Thompson(problem, sigma=sigma)
    fit = learner._fit
    expected = reference.posterior(losses(problem, pairs), sigma)
    assert fit.posterior(told(learner, pairs), sigma) == pytest.approx(expected, abs=1e-12)


def test_thompson_draws_targets_in_proportion_to_the_posterior():
    problem = Problem.from_table(np.eye(3))
    learner = Thompson(problem, sigma=0.5)
    rng = np.random.default_rng(1)
    state = learner.tell(learner.init(rng), 0, 0.25)
    posterior = reference.posterior([(0.25 - value) ** 2 for value in (1, 0, 0)], 0.5)
    draws = np.bincount([learner.ask(state, rng) for _ in range(20_000)], minlength=3) / 20_000
    # Hoeffding: a share of 20,000 draws is off by more than 0.025 with probability below 2 exp(-25)
    assert np.abs(draws - posterior).max() < 0.025


def test_uniform_asks_every_allowed_query_and_no_other():
    problem = Problem.from_table(np.zeros((4, 2)), forbidden=[False, True, False, False])
    rng = np.random.default_rng(0)
    assert {Uniform(problem).ask(None, rng) for _ in range(200)} == {0, 2, 3}


@given(problems(), answers)
@settings(max_examples=200, deadline=None)
def test_elimination_never_revives_a_target_that_left_the_confidence_set(problem, pairs):
    learner = Elimination(problem, delta=0.5, sigma=0.5)
    radius = 2 * 0.5**2 * np.log(problem.n_targets / 0.5)
    alive = np.ones(problem.n_targets, dtype=bool)
    for stop in range(len(pairs) + 1):
        now = np.array(losses(problem, pairs[:stop]))
        inside = now - now.min() <= radius
        alive = alive & inside if (alive & inside).any() else inside
    counts = np.bincount([n % problem.n_queries for n, _ in pairs], minlength=problem.n_queries)
    best = sorted({int(problem.rho[:, z].argmax()) for z in np.flatnonzero(alive)})
    assert learner.ask(told(learner, pairs), np.random.default_rng(0)) == min(best, key=lambda q: (counts[q], q))


@given(problems(), st.lists(st.integers(0, 20), min_size=8, max_size=8))
@settings(max_examples=200, deadline=None)
def test_explained_variances_are_those_of_the_definition(problem, raw):
    weights = np.array((raw * 2)[: problem.n_targets], dtype=float) + 1e-3
    weights /= weights.sum()
    best = problem.best_queries
    names, groups = np.unique(best, return_inverse=True)
    means, variances = explained_variances(
        problem.rho, np.arange(problem.n_queries), np.arange(problem.n_targets), weights, groups, names.size
    )
    assert means == pytest.approx(problem.rho @ weights, abs=1e-12)
    for query in range(problem.n_queries):
        given_best = [np.average(problem.rho[query, best == b], weights=weights[best == b]) for b in names]
        shares = [weights[best == b].sum() for b in names]
        expected = sum(p * (m - means[query]) ** 2 for p, m in zip(shares, given_best, strict=True))
        assert variances[query] == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 20)), min_size=1, max_size=6))
@settings(max_examples=300, deadline=None)
def test_the_least_information_ratio_beats_every_pair_on_a_grid(pairs):
    gaps, variances = (np.array(column, dtype=float) / 20 for column in zip(*pairs, strict=True))
    variances[0] += 0.05
    first, second, share = least_ratio_pair(gaps, variances)

    def ratio(i, j, p):
        variance = p * variances[i] + (1 - p) * variances[j]
        return (p * gaps[i] + (1 - p) * gaps[j]) ** 2 / variance if variance > 0 else np.inf

    grid = itertools.product(range(len(pairs)), range(len(pairs)), np.linspace(0, 1, 21))
    assert ratio(first, second, share) <= min(ratio(*point) for point in grid) + 1e-12


def test_information_directed_sampling_asks_the_best_query_once_all_agree():
    problem = Problem.from_table([[0.5, 0.75], [0.0, 0.25]])
    learner, rng = InformationDirected(problem, sigma=0.5), np.random.default_rng(0)
    assert learner.ask(learner.init(rng), rng) == 0


def test_information_directed_sampling_draws_from_the_pair_with_the_least_ratio():
    """The whole rule from its definition, on a posterior that is not flat, by the shares of 4,000 draws."""
    problem = Problem.from_table(np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.25], [0.5, 0.75, 0.875], [0.5, -0.5, 0.0]]))
    learner = InformationDirected(problem, sigma=0.75)
    state = told(learner, [(0, 4), (3, 1)])
    posterior = np.array(reference.posterior(losses(problem, [(0, 4), (3, 1)]), 0.75))
    best = problem.rho.argmax(axis=0)
    gaps = posterior @ problem.rho.max(axis=0) - problem.rho @ posterior
    variances = np.zeros(4)
    for b in np.unique(best):
        share = posterior[best == b].sum()
        variances += share * ((problem.rho[:, best == b] @ posterior[best == b]) / share - problem.rho @ posterior) ** 2
    grid = [
        ((p * gaps[i] + (1 - p) * gaps[j]) ** 2 / (p * variances[i] + (1 - p) * variances[j]), i, j, p)
        for i, j in itertools.combinations(range(4), 2)
        for p in np.linspace(0, 1, 2001)
        if p * variances[i] + (1 - p) * variances[j] > 0
    ]
    _, first, second, share = min(grid)
    expected = np.zeros(4)
    expected[first] += share
    expected[second] += 1 - share
    rng = np.random.default_rng(0)
    draws = np.bincount([learner.ask(state, rng) for _ in range(4000)], minlength=4) / 4000
    # Hoeffding: a share of 4,000 draws is off by more than 0.06 with probability below 2 exp(-28)
    assert np.abs(draws - expected).max() < 0.06


@pytest.mark.parametrize("learner", [Thompson, InformationDirected, Elimination])
def test_a_noise_level_that_is_no_noise_level_is_refused(learner):
    with pytest.raises(ValueError, match="sigma must be greater than 0, got 0"):
        learner(Problem.from_table([[0.5]]), sigma=0)


def test_thompson_plays_arms_and_soon_prefers_the_best() -> None:
    arms = KArms(3, reward_range=(0, 1))
    environment = environments.Coin(arms, [0.2, 0.8, 0.3])
    runs = simulate(Thompson(arms), environment, horizon=400, runs=20, seed=0)
    assert (runs.queries[:, 200:] == 1).mean() > 0.9
    with pytest.raises(InvalidValueError, match="needs a finite table"):
        InformationDirected(arms)


def test_differences_too_small_for_a_product_of_floats_do_not_divide_by_zero():
    first, second, share = least_ratio_pair(np.array([2e-200, 1e-200]), np.array([3e-200, 1e-200]))
    assert {first, second} <= {0, 1}
    assert 0 <= share <= 1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_what_a_sample_tells_is_what_the_definition_says(seed) -> None:
    rng = np.random.default_rng(seed)
    n, n_queries, n_groups = int(rng.integers(1, 40)), int(rng.integers(1, 9)), int(rng.integers(1, 6))
    predictions, weights, groups = rng.random((n, n_queries)), rng.dirichlet(np.ones(n)), rng.integers(n_groups, size=n)
    queries = np.flatnonzero(rng.random(n_queries) < 0.8)
    rows = rng.permutation(n)
    drawn = np.ascontiguousarray(predictions[rows.argsort()]), rows, queries, weights, groups, n_groups
    shares, sums = information.group_sums(*drawn)
    means, variances = information.spread(shares, sums)
    noise_of = rng.random(queries.size) + 0.1
    assert information.normal_gains(*drawn, noise_of) == pytest.approx(np.log1p(variances / noise_of) / 2)
    coins = information.coin_information(shares, sums, 0.0, 1.0)
    for k, query in enumerate(queries):
        own = [
            (weights[groups == g].sum(), weights[groups == g] @ predictions[groups == g, query])
            for g in range(n_groups)
        ]
        mean = weights @ predictions[:, query]
        assert means[k] == pytest.approx(mean)
        assert variances[k] == pytest.approx(sum(w * (total / w - mean) ** 2 for w, total in own if w), abs=1e-12)
        expected = binary_entropy(mean) - sum(w * binary_entropy(total / w) for w, total in own if w)
        assert coins[k] == pytest.approx(expected, abs=1e-12)
    numbers, heaviest = leading.likeliest_choices(groups, weights, 3)
    choices, inverse = np.unique(groups, return_inverse=True)
    assert numbers.tolist() == inverse.tolist()
    assert heaviest.tolist() == choices[np.argsort(-np.bincount(inverse, weights=weights), kind="stable")[:3]].tolist()
    accepted = (choices[:, None] == groups) | (rng.random((choices.size, n)) < 0.3)
    masses, least_lead = [weights[row].sum() for row in accepted], rng.choice([0.0, 0.5, 0.8])
    apart, n_apart = leading.leading_group(accepted, numbers, weights, least_lead)
    leads = max(masses) >= least_lead
    assert apart.tolist() == (np.where(accepted[np.argmax(masses)], 0, numbers + 1) if leads else numbers).tolist()
    assert n_apart == apart.max() + 1


@pytest.mark.parametrize("declared", [noise.SubGaussian(0.3), noise.Bounded(), noise.Gaussian()], ids=repr)
@pytest.mark.parametrize(
    ("n_targets", "options"),
    [(40, {"forbidden": np.arange(8) == 2}), (900, {}), (900, {"costs": [1, 2, 1, 3, 1, 1, 2, 1]})],
    ids=["few", "many", "costs"],
)
def test_top_two_chooses_the_same_in_one_compiled_call_and_in_three(declared, n_targets, options, monkeypatch):
    rng = np.random.default_rng(n_targets)
    table = rng.uniform(-0.5, 0.5, (8, n_targets))
    problem = Problem.from_table(table, **options)
    worth = rng.uniform(-1, 1, (3, n_targets))
    for goal in (goals.BestQuery(0.05), goals.BestDecision(worth, 0.1)):
        asked = []
        for is_one in (True, False):
            with monkeypatch.context() as patched:
                if not is_one:
                    patched.setattr(Certifier, "watched", lambda *_: None)
                asked.append(queries_to_a_proof(TopTwo(problem, goal, noise=declared), table[:, 7]))
        assert asked[0] == asked[1]
        assert len(asked[0]) > 3


def queries_to_a_proof(learner, means) -> list[int]:
    rng, asked = np.random.default_rng(0), []
    state = learner.init(rng)
    while not learner.is_done(state) and len(asked) < 60:
        asked.append(learner.ask(state, rng))
        state = learner.tell(state, asked[-1], float(means[asked[-1]]) + rng.uniform(-0.3, 0.3))
    return asked


@pytest.mark.parametrize(("prior", "asked"), [([0.4, 0.39, 0.21], 0), ([0.45, 0.45, 0.1], 1)])
def test_an_interval_leads_when_four_fifths_of_the_weight_accept_it(prior, asked) -> None:
    """The first query tells those who accept the leading interval from one another, the second from the third."""
    problem, goal = Problem.from_table([[0.0, 1.0, 0.5], [0.0, 0.0, 1.0]]), goals.ValueOf([0.0, 0.3, 1.0], 0.2)
    rng = np.random.default_rng(0)
    learners = [rule(problem, goal, noise=noise.SubGaussian(1.0), prior=prior) for rule in (MaxInformation, TopTwo)]
    assert [learner.ask(learner.init(rng), rng) for learner in learners] == [0, asked]


def binary_entropy(chance) -> float:
    return float(-sum(p * np.log(p) for p in (chance, 1 - chance) if p > 0))


@pytest.mark.parametrize("build", [Thompson, InformationDirected])
def test_a_posterior_follows_the_likelihood_of_the_declared_noise(build) -> None:
    problem = Problem.from_table([[0.25, 0.5, 0.0], [0.75, 0.5, 1.0]], reward_range=(0, 1))
    told = [(0, 0.0), (0, 1.0), (1, 1.0), (1, 1.0)]
    coins = np.prod([problem.rho[q] if r else 1 - problem.rho[q] for q, r in told], axis=0)
    errors = sum((problem.rho[q] - r) ** 2 for q, r in told)
    deviations = sum((problem.rho[q] - r) ** 2 / s for (q, r), s in zip(told, [0.02, 0.02, 0.5, 0.5], strict=True))
    expected = {
        noise.Coin(): coins,
        noise.SubGaussian(0.5): np.exp(-errors / 0.5),
        noise.SubGaussian((0.1, 0.5)): np.exp(-deviations),
    }
    for declared, weights in expected.items():
        learner = build(problem, noise=declared)
        state = learner.init(np.random.default_rng(0))
        for query, reward in told:
            state = learner.tell(state, query, reward)
        assert learner._fit.posterior(state, 1.0) == pytest.approx(weights / weights.sum())


def test_a_candidate_that_the_declared_noise_calls_impossible_is_not_drawn() -> None:
    problem = Problem.from_table([[0.0, 0.5], [0.5, 0.0]])
    learner, rng = Thompson(problem, noise=noise.BoundedNoise(0.25)), np.random.default_rng(0)
    state = learner.tell(learner.init(rng), 0, 0.3)
    assert {learner.ask(state, rng) for _ in range(50)} == {0}


@pytest.mark.parametrize("build", [Thompson, InformationDirected])
def test_one_likelihood_at_a_time(build) -> None:
    with pytest.raises(InvalidValueError, match="give sigma= or noise=, not both"):
        build(Problem.from_table([[0.0, 1.0]]), sigma=0.1, noise=noise.Coin())
    with pytest.raises(InvalidValueError, match="needs a finite table"):
        Thompson(KArms(3), noise=noise.Coin())


def test_what_a_learner_draws_by_is_no_declaration() -> None:
    learner = Thompson(Problem.from_table([[0.0, 1.0], [0.5, 0.0]]), noise=noise.SubGaussian(0.01))
    assert UntilCertified(learner, goals.BestQuery(0.1)).certifier.noise is None
    session = Session(learner, goal=goals.BestQuery(0.1))
    session.tell(0, 1.0)
    assert not session.certificate()
