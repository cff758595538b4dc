"""What happened in a demo, in sentences made of this run's numbers."""

import math

from warmer.analysis import Comparison
from warmer.report.text import counted, short

__all__ = ["scene", "story"]


def scene(comparison: Comparison, *, width: float) -> str:
    """What is being played."""
    problem, rules = comparison.problem, comparison.rules
    return (
        f"A treasure lies in one of {problem.n_queries} places, {problem.queries[0]} to {problem.queries[-1]}. "
        f"Ask a place and hear how warm it is, give or take {width:g}: 1 on the spot, 0 three steps away, towards -1 "
        f"beyond. Each learner plays {counted(comparison.n_runs, 'hunt')} of {counted(rules.horizon, 'ask')}. "
        f"Regret is the warmth missed, all asks together; bad asks miss more than {rules.epsilon:g}; "
        "proven after: the asks after which half of its hunts had proof of the answer."
    )


def story(comparison: Comparison) -> list[str]:
    """Three to five sentences."""
    sentences = [_extremes(comparison), _ties(comparison), _blind(comparison), _speed(comparison), _trust(comparison)]
    return [sentence for sentence in sentences if sentence]


def _extremes(comparison: Comparison) -> str:
    first, last = comparison.ranking[0], comparison.ranking[-1]
    low, high = first.regret.estimate, last.regret.estimate
    times = f", {high / low:,.0f} times as much" if low > 0 else ""
    least = f"{first.learner} missed the least warmth, {short(low)} a hunt"
    return f"{least}, and {last.learner} the most, {short(high)}{times}."


def _ties(comparison: Comparison) -> str:
    first, *others = comparison.ranking
    near = [outcome.learner for outcome in others if outcome.regret.low <= first.regret.high]
    if not near:
        return ""
    return f"Its interval overlaps that of {_listed(near)}: these hunts alone do not rank them."


def _blind(comparison: Comparison) -> str:
    n_places, missed = comparison.problem.n_queries, comparison["ucb1"].regret.estimate
    return (
        "ucb1 does not know that places close together are alike: "
        f"it tries all {n_places} before it repeats one, and missed {short(missed)}."
    )


def _speed(comparison: Comparison) -> str:
    rules = comparison.rules
    needed = f"with probability {1 - rules.delta:.0%}, that the answer is within {rules.epsilon:g} of the best"
    fewest = min((outcome.answers_to_proof or math.inf for outcome in comparison.outcomes), default=math.inf)
    if math.isinf(fewest):
        return f"No learner could prove in half of its hunts, {needed}."
    soonest = [outcome.learner for outcome in comparison.ranking if outcome.answers_to_proof == fewest]
    return (
        f"{_listed(soonest)} needed the fewest asks to prove, {needed}: {fewest} in half of the hunts; "
        f"{_asked_at_random(comparison)}."
    )


def _asked_at_random(comparison: Comparison) -> str:
    outcome = comparison["uniform"]
    if outcome.answers_to_proof is None:
        return f"asking at random proved {outcome.n_proven} of {comparison.n_runs}"
    return f"asking at random took {outcome.answers_to_proof}"


def _trust(comparison: Comparison) -> str:
    made = sum(outcome.n_proven for outcome in comparison.outcomes)
    wrong = sum(outcome.n_wrong_proofs for outcome in comparison.outcomes)
    if not made:
        return ""
    if wrong:
        return f"Of {counted(made, 'proof')} {wrong} turned out wrong."
    return f"All {made} proofs were right." if made > 1 else "The one proof was right."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
