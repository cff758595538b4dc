"""Typos, a wrong deviation, experiments that fail, onlookers: how often they end in a wrong proof, in silence or not.

Before: the only alarm was that the data contradict every candidate. After: answers are called odd when they are told,
replicates are held against the declared noise, and queries that were answered once are asked again.
"""

from collections.abc import Sequence

from tests.certification.declarations import is_silently_wrong, rounded_is_wrong
from tests.choice.onlookers import (
    LOOKS,
    STUDY_LOOKS,
    folder_in_memory,
    is_false,
    is_false_after_going_back,
    study_is_false,
)
from tests.choice.test_coverage import most_allowed
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
    declarations(1000)
    onlookers(1000)


def declarations(runs: int) -> None:
    """Sigmas that are too small, and readings rounded by ten deviations with their resolution."""
    delta = 0.05
    for factor in (2, 10, 1000):
        wrong = sum(is_silently_wrong(seed, factor=factor) for seed in range(runs))
        _counted(f"sigma declared too small by {factor}, after 60 answers, no caveat", wrong, runs, delta)
    found = [rounded_is_wrong(seed) for seed in range(runs)]
    proven = sum(is_proven for is_proven, _ in found)
    _counted(f"rounded readings with resolution=, {proven} proven", sum(bad for _, bad in found), runs, delta)


def onlookers(runs: int) -> None:
    """Somebody who sees everything that a choice of models holds volunteers each label that hurts his favourite."""
    delta, in_studies = 0.3, 0.05
    for name, look in LOOKS.items():
        false = sum(is_false(seed, look, delta=delta) for seed in range(runs))
        _counted(f"an onlooker of a choice: {name}", false, runs, delta)
    for name, look_at_study in STUDY_LOOKS.items():
        false = 0
        for seed in range(runs):
            with folder_in_memory() as folder:
                url = f"sqlite:///{folder}/lab.db"
                false += study_is_false(seed, look_at_study, url, delta=in_studies)
        _counted(f"an onlooker of a study that chooses a model: {name}", false, runs, in_studies)

    print("outside the promise: ", end="")
    back = sum(is_false_after_going_back(seed, delta=delta) for seed in range(30))
    seeded = sum(is_false(seed, LOOKS["preview"], delta=delta, chance=seed) for seed in range(30))
    print(f"who goes back to an older copy: {back} of 30 proofs are false; who foretells a seed: {seeded} of 30")


def _counted(what: str, false: int, runs: int, delta: float) -> None:
    """The wanted number is exceeded with probability below 1/700 if each proof is false with probability delta."""
    most = int(most_allowed(delta, runs))
    verdict(f"{what}: false proofs at delta {delta:g}", f"{false} of {runs}", f"at most {most}")
    print(f"{what}: {false} of {runs} proofs are false at delta {delta:g}; by chance at most {most} would be")


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
