"""Every option once, for all verbs that take it."""

from pathlib import Path
from typing import Annotated

import typer

from warmer import environments, learners

__all__ = [
    "MEASURES",
    "Accuracy",
    "Added",
    "Alpha",
    "AsJSON",
    "Delta",
    "Dropped",
    "Epsilon",
    "FigurePath",
    "Gamma",
    "Horizon",
    "LearnerNames",
    "Level",
    "MeasureName",
    "Monotone",
    "Noise",
    "NoiseName",
    "PagePath",
    "Player",
    "Resolution",
    "RewardRange",
    "Runs",
    "SampleSize",
    "Seed",
    "Sided",
    "Sigma",
    "Source",
    "Square",
    "TargetLabel",
    "TimeLimit",
    "Truncation",
    "TruthRuns",
    "Width",
]

MEASURES = ("dissimilarity", "eluder", "strong-sq", "covering", "all")
"""What `warmer dimension` can compute."""

_MOST = 1_000_000_000


def _not_huge(count: int | None) -> int | None:
    if count is not None and count > _MOST:
        raise typer.BadParameter(f"at most {_MOST:,} will do, got {count:,}.")
    return count


Source = Annotated[
    str,
    typer.Argument(metavar="PROBLEM", help="A name of `warmer problems`, as NAME or NAME:key=value,..., or a file."),
]
Square = Annotated[
    bool | None,
    typer.Option(
        "--square/--table",
        help="Whether row k and column k of a file are the same alternative; by default, if their labels agree.",
    ),
]
RewardRange = Annotated[
    tuple[float, float] | None,
    typer.Option(metavar="LOW HIGH", help="The smallest and largest reward of a file, if not -1 and 1."),
]
LearnerNames = Annotated[
    list[str] | None,
    typer.Option("--learner", metavar="NAME", help=f"May be repeated; of {', '.join(learners.CATALOG)}."),
]
NoiseName = Annotated[
    str, typer.Option("--environment", metavar="NAME", help=f"How answers come: {', '.join(environments.CATALOG)}.")
]
TargetLabel = Annotated[
    str | None,
    typer.Option("--target", metavar="LABEL", help="The truth; by default each run draws one by the seed."),
]
Width = Annotated[
    float | None,
    typer.Option(
        metavar="W",
        help="Half-width of uniform noise, deviation of gaussian noise; by default a quarter of the reward range.",
    ),
]
SampleSize = Annotated[
    int | None,
    typer.Option("--n", metavar="N", callback=_not_huge, help="Draws behind each answer of mean; by default 10."),
]
Alpha = Annotated[
    float | None,
    typer.Option(metavar="A", help="What regret is measured against; by default the best value of the run's target."),
]
Epsilon = Annotated[
    float | None,
    typer.Option(metavar="E", help="By how much a good answer may fall short; by default 1/20 of the reward range."),
]
Delta = Annotated[float, typer.Option(metavar="D", help="The probability with which confidence sets may be wrong.")]
Sigma = Annotated[
    float | None,
    typer.Option(
        metavar="S",
        help="The noise that learners are told of; by default the environment's own, "
        "and 1/200 of the reward range where there is none.",
    ),
]
Horizon = Annotated[int, typer.Option(metavar="T", callback=_not_huge, help="Asks in a run.")]
Runs = Annotated[int, typer.Option(metavar="N", callback=_not_huge, help="Runs of each learner.")]
Seed = Annotated[int, typer.Option(metavar="S", help="The same seed gives the same numbers.")]
Level = Annotated[
    str | None,
    typer.Option(
        "--alpha",
        metavar="A",
        help="The optimality level, such as 0.5 or 1/2; may be left out where all targets have the same best value.",
    ),
]
Resolution = Annotated[str, typer.Option("--epsilon", metavar="E", help="The scale, such as 0.25 or 1/4.")]
MeasureName = Annotated[str, typer.Option("--measure", metavar="NAME", help=f"Of {', '.join(MEASURES)}.")]
Monotone = Annotated[bool, typer.Option("--monotone", help="The largest value at any scale from epsilon up.")]
Sided = Annotated[
    str, typer.Option("--sided", metavar="one|two", help="Whether pairs are constrained forwards, or both ways.")
]
Gamma = Annotated[
    float | None,
    typer.Option("--gamma", metavar="G", help="With --measure all: the decision-estimation coefficient at this price."),
]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", metavar="S", help="Seconds after which what is known is told.")
]
FigurePath = Annotated[
    Path | None, typer.Option("--figure", metavar="FILE", help="Where to draw it: .png, .pdf or .svg.")
]
Accuracy = Annotated[
    str,
    typer.Option("--epsilon", metavar="E", help="By how much the answer may fall short of the best: 0.1 or 1/10."),
]
Noise = Annotated[
    float | None,
    typer.Option(
        "--sigma", metavar="S", help="The noise of one answer is S-sub-Gaussian; by default half the reward range."
    ),
]
Player = Annotated[
    str, typer.Option("--learner", metavar="NAME", help=f"Who asks: one of {', '.join(learners.CATALOG)}.")
]
TruthRuns = Annotated[
    int,
    typer.Option("--runs", metavar="N", callback=_not_huge, help="Simulated runs for each candidate truth."),
]
Truncation = Annotated[
    int, typer.Option("--horizon", metavar="T", callback=_not_huge, help="When a simulated run gives up.")
]
Dropped = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="LABEL",
        help="What if this query or target were not there? May be repeated; query:LABEL and target:LABEL say which.",
    ),
]
Added = Annotated[
    list[Path] | None,
    typer.Option(
        "--add",
        metavar="FILE",
        help="What if the rows of this file, for the same targets, or its columns, for the same queries, came on top?",
    ),
]
PagePath = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the page: .html.")]
AsJSON = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
