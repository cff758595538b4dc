"""Typos, a wrong deviation, experiments that fail: how often they end in a wrong proof, in silence or not.

Before: the only alarm was that the data contradict every candidate. After: answers are called odd when they are told,
replicates are held against the declared noise, and queries that were answered once are asked again.
"""

from collections.abc import Sequence

from tests.studies.standing.laboratory import Outcome, broken, study

from benchmarks.document import verdict


def main() -> None:
    print(_words("a typo in one of the first ten answers, 200 studies", [study(s, typo=10) for s in range(200)]))
    confirmed = [study(s, typo=10, confirm=True) for s in range(200)]
    print(_words("  that typo, and what was answered once is asked again", confirmed))
    print(_words("declared deviation 10, true 40, 50 studies", [study(s, sigma=40.0) for s in range(50)]))
    confirmed = [study(s, sigma=40.0, confirm=True) for s in range(50)]
    print(_words("  that deviation, and what was answered once is asked again", confirmed))
    failed = [broken(seed) for seed in range(200)]
    print(
        f"the first experiment always fails, 200 studies: before, it was asked for ever; now "
        f"{sum(outcome.is_proven for outcome in failed)} are proven, {sum(outcome.is_wrong for outcome in failed)} "
        f"of them wrong, after at most {max(outcome.n_failed for outcome in failed)} failures"
    )
    print(_words("no mistake at all, 200 studies", [study(s, confirm=True) for s in range(200)]))


def _words(title: str, outcomes: Sequence[Outcome]) -> str:
    wrong = [outcome for outcome in outcomes if outcome.is_wrong]
    before = sum(not outcome.is_contradicted for outcome in wrong)
    after = sum(outcome.is_silent for outcome in wrong)
    verdict(f"{title.strip()}: wrong proofs in silence", f"{after} of {len(outcomes)} (before {before})", "none")
    alarms = sum(not outcome.is_silent for outcome in outcomes)
    proven = sum(outcome.is_proven for outcome in outcomes)
    return (
        f"{title}: {proven} proofs, {len(wrong)} of them wrong; in silence before {before}, now {after}; "
        f"{alarms} studies with an alarm"
    )
