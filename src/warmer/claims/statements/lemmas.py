"""Appendix A: the lemmas and the small steps that the main results are put together from."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.claim import Inequality, claim
from warmer.claims.instances import lemmas as instances
from warmer.dimensions.search.clique import maximum_clique


@claim("theorem::turan", draw=instances.draw_graph, given=instances.turan_graphs)
def _turan(instance: instances.Graph) -> Iterator[Inequality]:
    """A graph on n vertices whose cliques have at most d has at most (1-1/d) n^2/2 edges.

    Hypotheses: no loops.
    """
    graph = instance.graph
    clique = max(1, len(maximum_clique(graph).members))
    bound = bounds.lemmas.turan_edges(n_vertices=len(graph), clique_number=clique)
    yield Inequality(int(np.triu(graph, 1).sum()), bound)


@claim("prop:int", draw=instances.draw_steps)
def _integral(instance: instances.Steps) -> Iterator[Inequality]:
    """The sum of a falling function over 1..T is at most its first value and its integral from 1 to T.

    Hypotheses: f non-increasing.
    """
    values, horizon = instance.values, instance.horizon
    at_whole = values[::2]  # value k/2 for k = 2, 4, ...: f(1), f(2), ...
    area = sum(values[: 2 * (horizon - 1)], Fraction(0)) / 2
    bound = bounds.lemmas.falling_sum_bound(
        first=at_whole[0], last=at_whole[horizon - 1], integral=area, horizon=horizon
    )
    yield Inequality(sum(at_whole[:horizon], Fraction(0)), bound)


@claim("lemma::helper_regret_result", draw=instances.draw_gaps)
def _root_sum(instance: instances.Gaps) -> Iterator[Inequality]:
    """If at most kappa/eps^2 gaps reach eps, they add up to at most T tau + 2 sqrt(kappa T).

    Hypotheses: kappa non-increasing.
    """
    gaps, tau = instance.gaps, instance.tau
    above = gaps[gaps >= tau]
    # the least non-increasing kappa of the hypothesis: at the k-th largest gap q there are k of at least q
    kappa = float((above**2 * np.arange(1, above.size + 1)).max(initial=0.0))
    yield Inequality(float(gaps.sum()), bounds.lemmas.root_sum_bound(kappa=kappa, tau=tau, horizon=gaps.size))


@claim("lemma::helper_regret_result_log", draw=instances.draw_gaps)
def _geometric_sum(instance: instances.Gaps) -> Iterator[Inequality]:
    """If at most kappa ln(a/eps) reach eps, they add up to at most T tau + a(1+kappa) exp(-1/kappa).

    Hypotheses: kappa non-increasing, gaps in [0, a].
    """
    gaps, tau, ceiling = instance.gaps, instance.tau, 1.0
    if gaps[0] >= ceiling:
        return
    above = gaps[(gaps >= tau) & (gaps > 0)]
    kappa = float((np.arange(1, above.size + 1) / np.log(ceiling / above)).max(initial=0.0))
    total = float(gaps.sum())
    bound = bounds.lemmas.geometric_sum_bound(kappa=kappa, tau=tau, horizon=gaps.size, ceiling=ceiling)
    yield Inequality(total, bound, "as printed")
    yield Inequality(bound, gaps.size * tau + ceiling * kappa, "(1+k) exp(-1/k) <= k")


@claim("lem:few_bad_queries/constants", draw=instances.draw_constants)
def _constants(instance: instances.Constants) -> Iterator[Inequality]:
    """The numerical steps of the proofs hold (number of intervals, 1-1/q^2, logarithms).

    Hypotheses: d >= 1, 0 < eps < 1+alpha <= 2.
    """
    for step in bounds.lemmas.proof_steps(**instance.parts):
        yield Inequality(step.left, step.right, step.what)
