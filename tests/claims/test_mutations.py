"""What the checks notice: a bound is spoiled, and the claim that speaks of it must be reported as unexpected."""

from dataclasses import replace

import pytest

from tests.bounds.catalog import EVERY_BOUND, ROOMS
from warmer import bounds
from warmer.claims import CLAIMS, verify
from warmer.claims.statements import statistical_queries

SPOILED = [  # claim, bound, what is made of it, and how many random instances it takes to notice
    ("thm:szorenyi_lb/strict", "adversarial_sq_lower_bound", lambda m: 10**9 * m, 0),
    ("thm:szorenyi_lb/strict", "adversarial_sq_lower_bound", lambda m: 4 * m, 0),
    ("thm:C_T_delta_finite_Z", "paper_error_budget", lambda budget: budget / 150, 300),
    ("thm:C_T_delta_finite_Z/sharper", "anytime_error_budget", lambda budget: budget / 4, 300),
    ("cor:alg:MAIN1", "covering_error_budget", lambda budget: budget / 150, 300),
    ("thm::new_least_squares_estimator", "covering_error_budget", lambda budget: budget / 50, 300),
    ("cor:alg:OPTIMISM", "paper_radius", lambda radius: radius / 5, 100),
    ("cor:alg:OPTIMISM/sharper", "loss_ball_error_budget", lambda budget: budget / 4, 300),
    ("lemma::online_to_confidence_bound", "anytime_oracle_radius", lambda radius: radius / 40, 80),
    ("lemma::online_to_confidence_bound", "paper_oracle_radius", lambda radius: radius / 1000, 80),
    ("lemma:super_simplified_freedman", "freedman_bound", lambda bound: bound / 4, 300),
    ("thm:regret_optimism", "regret_bound", lambda regret: regret / 30, 0),
    ("theorem::linear_dim_bound/two-sided", "two_sided_linear_dimension_bound", lambda d: d - 1, 0),
    ("theorem::glm_dim_bound/repaired", "glm_dimension_bound", lambda bound: bound / 8, 0),
    ("theorem::glm_dim_bound/top", "glm_dimension_bound", lambda bound: bound // 2, 0),
    ("theorem::glm_dim_bound/two-sided", "glm_dimension_bound", lambda bound: bound // 2, 0),
    ("theorem::relu_dim_bound/circle", "relu_circle_dimension", lambda d: d // 2, 0),
    ("theorem::relu_dim_bound/circle", "relu_circle_dimension", lambda d: d + 1, 0),
    ("theorem::relu_dim_bound/lower", "relu_dimension_lower_bound", lambda d: 2 * d, 0),
    ("theorem::relu_dim_bound/upper", "relu_dimension_bound", lambda d: d - 1, 0),
    ("subsec:bandit_examples/tighter", "linear_eluder_bound", lambda d: d / 4, 60),
    ("subsec:bandit_examples/tighter", "glm_eluder_bound", lambda d: d / 10, 60),
    ("subsec:bandit_examples/eluder", "linear_eluder_bound", lambda d: d / 12, 60),
    ("subsec:bandit_examples/relu-growth", "relu_star_lower_bound", lambda d: 64 * d, 0),
    ("subsec:bandit_examples/relu-horizon", "relu_horizon_lower_bound", lambda d: 8 * d, 30),
    ("th:unbiased-from-vstat", "simulation_distance", lambda distance: 0.9 * distance, 0),
    ("th:unbiased-from-vstat", "simulation_tolerance", lambda tau: 2 * tau, 300),
    ("lemma:perturbed", "perturbed_identity_rank", lambda rank: rank + 1, 0),
    ("lemma::subaditivity_newdim", "union_dimension_bound", lambda d: d - 1, 60),
    ("theorem::turan", "turan_edges", lambda edges: edges - 1, 0),
    ("lem:ssqd_to_newdim/repaired", "strong_sq_lower_bound", lambda s: s + 1, 0),
    ("lem:few_bad_queries/ladder", "bad_queries_bound", lambda count: count / 2, 0),
    ("lem:few_bad_queries/ladder", "bad_queries_bound", lambda count: count + 1, 0),
    ("thm:lb/strict", "sq_lower_bound", lambda m: m + 5, 0),
    ("theorem::upper_eluder/repaired", "eluder_comparison", lambda d: d // 9, 60),
    ("theorem::upper_eluder/repaired", "eluder_comparison", lambda d: d // 4, 60),
    ("lem:few_bad_queries", "bad_queries_bound", lambda count: count / 16, 0),
    ("lem:few_bad_queries/sharper", "bad_queries_bound", lambda count: count / 4, 0),
    ("lem:few_bad_queries/coloured", "bad_queries_bound", lambda count: count / 2, 0),
    ("thm:regret_optimism/coloured", "regret_bound", lambda regret: regret / 2, 0),
    ("thm:regret_optimism/coloured", "exact_regret_bound", lambda regret: regret / 2, 0),
    ("thm:main_pac/coloured", "pac_horizon", lambda horizon: horizon // 2, 0),
    ("thm:main_pac/exact", "exact_pac_horizon", lambda horizon: max(1, horizon // 2), 0),
    ("thm:regret_optimism/exact", "exact_regret_bound", lambda regret: regret / 16, 100),
    ("thm:main_pac/half-repaired", "pac_horizon", lambda horizon: horizon // 2, 10),
    ("thm:main_pac/verification", "pac_repeats", lambda count: count - 2, 10),
    ("theorem::linear_dim_bound/growth", "linear_dimension_lower_bound", lambda d: d + 1, 0),
    ("eq::def_norm_cov/linear-repaired", "linear_covering_bound", lambda size: size / 2, 0),
    ("thm:lb/divergence", "answer_divergence_bound", lambda divergence: divergence / 2, 0),
    ("thm:lb/elimination", "linear_sq_lower_bound", lambda m: 9 * m, 0),
    ("cor:sq_dissim_lb/repaired", "dissimilarity_sq_lower_bound", lambda m: 2 * m, 30),
    ("lemma::helper_regret_result", "root_sum_bound", lambda total: 0.85 * total, 60),
    ("theorem::relu_dim_bound/upper", "relu_paper_bound", lambda bound: bound / 30, 0),
]


@pytest.mark.parametrize(
    ("label", "name", "spoil", "instances"), SPOILED, ids=[f"{one[0]}-{one[1]}-{k}" for k, one in enumerate(SPOILED)]
)
def test_a_spoiled_bound_is_noticed(label, name, spoil, instances, monkeypatch):
    (claim,) = (claim for claim in CLAIMS if claim.label == label)
    honest = EVERY_BOUND[name]
    for room in (bounds, *ROOMS):
        if hasattr(room, name):
            monkeypatch.setattr(room, name, lambda **given: spoil(honest(**given)))
    verdict = verify(claim, instances=instances, seed=0)
    assert not verdict.is_as_expected, str(verdict)


@pytest.mark.parametrize("part", ["eigenvalue", "mean_correlation"])
def test_half_of_a_constant_of_the_linear_lower_bound_is_noticed(part, monkeypatch):
    (claim,) = (claim for claim in CLAIMS if claim.label == "thm:lb/linear")
    honest = statistical_queries.sq_lower_bound

    def spoiled(*problem, **given):
        found = honest(*problem, **given)
        return replace(found, **{part: getattr(found, part) / 2})

    monkeypatch.setattr(statistical_queries, "sq_lower_bound", spoiled)
    assert not verify(claim, instances=0, seed=0).is_as_expected
