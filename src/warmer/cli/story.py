"""What happened in a demo, in sentences made of this run's numbers."""

from warmer.analysis import Comparison, Outcome
from warmer.cli.tables import short

__all__ = ["scene", "story"]


def scene(comparison: Comparison, *, width: float) -> str:
    """What is being played."""
    problem, rules = comparison.problem, comparison.rules
    return (
        f"A treasure lies in one of {problem.n_queries} places, {problem.queries[0]} to {problem.queries[-1]}. "
        f"Ask a place and hear how warm it is, give or take {width:g}: 1 on the spot, 0 three steps away, towards -1 "
        f"beyond. Each learner hunts {comparison.n_runs} times, {rules.horizon:,} asks a time. Regret is the warmth "
        f"missed, all asks together; bad asks miss more than {rules.epsilon:g}; proven after: the asks after which "
        "half of its hunts had proof of the answer."
    )


def story(comparison: Comparison) -> list[str]:
    """Three to five sentences."""
    sentences = [_extremes(comparison), _ties(comparison), _blind(comparison), _speed(comparison), _trust(comparison)]
    return [sentence for sentence in sentences if sentence]


def _extremes(comparison: Comparison) -> str:
    first, last = comparison.ranking[0], comparison.ranking[-1]
    low, high = first.regret.estimate, last.regret.estimate
    times = f", {short(high / low)} times as much" if low > 0 else ""
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
    proven = [outcome for outcome in comparison.ranking if outcome.answers_to_proof is not None]
    needed = f"with probability {1 - rules.delta:.0%}, that its answer is within {rules.epsilon:g} of the best"
    if not proven:
        return f"No learner could prove in half of its hunts, {needed}."
    soonest = min(proven, key=lambda outcome: outcome.answers_to_proof or 0)
    return (
        f"{soonest.learner} was the first to prove, {needed}: after {_asks(soonest)}; {_asked_at_random(comparison)}."
    )


def _asks(outcome: Outcome) -> str:
    return f"{outcome.answers_to_proof} asks in half of its hunts"


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
    return f"All {made} proofs were right." if not wrong else f"Of {made} proofs {wrong} turned out wrong."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
