"""Every option once: the same name, type and meaning in all commands that take it."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from warmer import environments, learners
from warmer.cli.families import FAMILIES
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number

__all__ = [
    "MEASURES",
    "Added",
    "Alpha",
    "AsJSON",
    "CheckLemmas",
    "Converted",
    "Delta",
    "Dropped",
    "EnvironmentName",
    "Epsilon",
    "FigurePath",
    "Gamma",
    "Horizon",
    "LearnerName",
    "LearnerNames",
    "MeasureName",
    "Monotone",
    "PagePath",
    "RewardRange",
    "Runs",
    "SampleSize",
    "Seed",
    "Sided",
    "Sigma",
    "Source",
    "SourceOrFamily",
    "Square",
    "StrategyName",
    "TargetLabel",
    "TimeLimit",
    "Width",
]

MEASURES = ("dissimilarity", "eluder", "strong-sq", "covering", "all")
"""What `warmer dimension` can compute."""

_MOST = 1_000_000_000


def _exact(name: str) -> Callable[[Any], Fraction]:
    """Reads 0.1 and 1/10 alike, exactly."""

    def read(value: Any) -> Fraction:
        try:
            return as_number(name, value)
        except InvalidValueError as error:
            raise typer.BadParameter(str(error)) from None

    read.__name__ = "number"
    return read


def _real(name: str) -> Callable[[Any], float]:
    exact = _exact(name)
    return lambda value: float(exact(value))


def _one_of(kind: str, names: Iterable[str]) -> Callable[[str], str]:
    choices = list(names)

    def read(value: str) -> str:
        if value not in choices:
            raise typer.BadParameter(f"there is no {kind} {value!r}; choose one of {', '.join(choices)}.")
        return value

    return read


def _not_huge(count: int | None) -> int | None:
    if count is not None and count > _MOST:
        raise typer.BadParameter(f"at most {_MOST:,} is possible, got {count:,}.")
    return count


def _figure(path: Path | None) -> Path | None:
    """Refuse a path before the long work, not after it."""
    if path is not None:
        from warmer.report.figure_style import check_path

        check_path(path)
    return path


def _page(path: Path) -> Path:
    from warmer.report.page import check_page_path

    return check_page_path(path)


Source = Annotated[
    str,
    typer.Argument(metavar="PROBLEM", help="A name of `warmer problems`, as NAME or NAME:key=value,..., or a file."),
]
SourceOrFamily = Annotated[
    str,
    typer.Argument(
        metavar="PROBLEM",
        help="A name of `warmer problems`, as NAME or NAME:key=value,..., or a file, or a continuous family: "
        f"{', '.join(FAMILIES)}.",
    ),
]
CheckLemmas = Annotated[
    bool,
    typer.Option("--check-lemmas", help="Also carry out the proof that bad queries are few on the first runs."),
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
    typer.Option("--reward-range", metavar="LOW HIGH", help="Smallest and largest reward of a file, if not -1 and 1."),
]
LearnerNames = Annotated[
    list[str] | None,
    typer.Option(
        "--learner",
        metavar="NAME",
        parser=_one_of("learner", learners.CATALOG),
        help=f"A learner to compare; may be repeated. One of {', '.join(learners.CATALOG)}.",
    ),
]
LearnerName = Annotated[
    str,
    typer.Option(
        "--learner",
        metavar="NAME",
        parser=_one_of("learner", learners.CATALOG),
        help=f"The learner that is simulated: one of {', '.join(learners.CATALOG)}.",
    ),
]
EnvironmentName = Annotated[
    str,
    typer.Option(
        "--environment",
        metavar="NAME",
        parser=_one_of("environment", environments.CATALOG),
        help=f"Noise model: one of {', '.join(environments.CATALOG)}.",
    ),
]
TargetLabel = Annotated[
    str | None,
    typer.Option("--target", metavar="LABEL", help="The true target; by default one is drawn for each run."),
]
Width = Annotated[
    float | None,
    typer.Option(
        "--width",
        metavar="W",
        parser=_real("width"),
        help="Half-width of uniform noise, standard deviation of gaussian noise, or tolerance tau of an adversary; by "
        "default a quarter of the reward range.",
    ),
]
SampleSize = Annotated[
    int | None,
    typer.Option("--n", metavar="N", callback=_not_huge, help="Sample size for --environment mean; by default 10."),
]
StrategyName = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        parser=_one_of("strategy", environments.STRATEGIES),
        help=f"How an adversary errs: one of {', '.join(environments.STRATEGIES)}; by default random.",
    ),
]
Alpha = Annotated[
    Fraction | None,
    typer.Option(
        "--alpha",
        metavar="A",
        parser=_exact("alpha"),
        help="Optimality level, such as 0.5 or 1/2: the reward that counts as best. By default the best value of the "
        "target, where it is known or all targets share it.",
    ),
]
Epsilon = Annotated[
    Fraction | None,
    typer.Option(
        "--epsilon",
        metavar="E",
        parser=_exact("epsilon"),
        help="Accuracy, such as 0.1 or 1/10: how far below alpha a good query may be. By default 1/20 of the reward "
        "range.",
    ),
]
Delta = Annotated[
    float,
    typer.Option(
        "--delta", metavar="D", parser=_real("delta"), help="Probability with which a guarantee may fail: 0.05 or 1/20."
    ),
]
Sigma = Annotated[
    float | None,
    typer.Option(
        "--sigma",
        metavar="S",
        parser=_real("sigma"),
        help="Declared noise: each answer is S-sub-Gaussian around its mean. By default what the environment has, and "
        "half the reward range where there is none.",
    ),
]
Horizon = Annotated[
    int,
    typer.Option(
        "--horizon", metavar="T", callback=_not_huge, help="Queries per run, at most where a run stops when certified."
    ),
]
Runs = Annotated[
    int,
    typer.Option(
        "--runs", metavar="N", callback=_not_huge, help="Simulated runs per learner, or per candidate in a budget."
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="The same seed gives the same numbers.")]
MeasureName = Annotated[
    str,
    typer.Option(
        "--measure", metavar="NAME", parser=_one_of("measure", MEASURES), help=f"One of {', '.join(MEASURES)}."
    ),
]
Monotone = Annotated[bool, typer.Option("--monotone", help="The largest value at any scale of at least epsilon.")]
Sided = Annotated[
    str,
    typer.Option(
        "--sided",
        metavar="one|two",
        parser=_one_of("choice", ("one", "two")),
        help="Whether only earlier queries are constrained (one), or earlier and later ones (two).",
    ),
]
Converted = Annotated[
    str | None,
    typer.Option(
        "--convert",
        metavar="NAME",
        parser=_one_of("measure to convert to", MEASURES[:3]),
        help="Also turn the witness into one of another measure, by the paper's constructions: dissimilarity into "
        "eluder or strong-sq, strong-sq into dissimilarity.",
    ),
]
Gamma = Annotated[
    float | None,
    typer.Option(
        "--gamma",
        metavar="G",
        parser=_real("gamma"),
        help="With --measure all: also the decision-estimation coefficient at this gamma.",
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="S", help="Stop each search after S seconds and report the bounds found."),
]
FigurePath = Annotated[
    Path | None,
    typer.Option("--figure", metavar="FILE", callback=_figure, help="Also draw a figure: .png, .pdf or .svg."),
]
Dropped = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="LABEL",
        help="Also evaluate the problem without this query or target; may be repeated. Write query:LABEL or "
        "target:LABEL where both exist.",
    ),
]
Added = Annotated[
    list[Path] | None,
    typer.Option("--add", metavar="FILE", help="Also evaluate the problem with this file's rows or columns added."),
]
PagePath = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", callback=_page, help="The page to write: .html.")
]
AsJSON = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
