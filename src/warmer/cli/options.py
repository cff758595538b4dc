"""Every option once: the same name, type and meaning in all commands that take it."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from warmer import environments, learners, report
from warmer.analysis.budgets import CERTIFIABLE
from warmer.certification.noise import SIGMA
from warmer.cli.families import FAMILIES
from warmer.cli.goal_argument import GOALS, NOISES
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number
from warmer.simulation import ENGINES

MEASURES = ("dissimilarity", "eluder", "strong-sq", "star", "covering", "all")
"""What `warmer dimension` can compute."""

_MOST = 1_000_000_000


def exact(name: str) -> Callable[[Any], Fraction]:
    """Reads 0.1 and 1/10 alike, exactly."""

    def read(value: Any) -> Fraction:
        try:
            return as_number(name, value)
        except InvalidValueError as error:
            raise typer.BadParameter(str(error)) from None

    read.__name__ = "number"
    return read


def real(name: str) -> Callable[[Any], float]:
    """Reads 0.1 and 1/10 alike."""

    def read(value: Any) -> float:
        try:
            return float(exact(name)(value))
        except OverflowError:
            raise typer.BadParameter(f"{name} must be a number that a float can hold, got {value}.") from None

    read.__name__ = "number"
    return read


def whole(name: str) -> Callable[[Any], int]:
    """Reads 1000 and 1e3 alike."""

    def read(value: Any) -> int:
        number = exact(name)(value)
        if number.denominator != 1:
            raise typer.BadParameter(f"{name} must be a whole number, got {value}.")
        return int(number)

    read.__name__ = "whole number"
    return read


def one_of(kind: str, names: Iterable[str]) -> Callable[[str], str]:
    """Reads one of some names, and lists them where another came."""
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
    """Refuse a path before the long work, not after it; Matplotlib is loaded only then."""
    return path and report.check_path(path)


_PROBLEM = "A name of `warmer problems`, as NAME or NAME:key=value,..., or a file"


def option(metavar: str, text: str, *names: str, **more: Any) -> Any:
    """An option that is called as its parameter is, unless names are given."""
    return typer.Option(*names, metavar=metavar, help=text, **more)


def _choice(kind: str, names: Iterable[str], text: str, metavar: str = "NAME") -> Any:
    return option(metavar, text, parser=one_of(kind, names))


def _learners(names: Iterable[str]) -> Any:
    text = f"A learner to compare; may be repeated. One of {', '.join(names)}."
    return _choice("learner", names, text)


def _explained(forms: dict[str, str]) -> str:
    return "; ".join(f"{form} ({meaning})" for form, meaning in forms.items())


Source = Annotated[str, typer.Argument(metavar="PROBLEM", help=f"{_PROBLEM}.")]
SourceOrFamily = Annotated[
    str, typer.Argument(metavar="PROBLEM", help=f"{_PROBLEM}, or a continuous family: {', '.join(FAMILIES)}.")
]
Square = Annotated[
    bool | None,
    typer.Option(
        "--square/--table",
        help="Whether row k and column k of a file are the same alternative; by default, if their labels agree.",
    ),
]
RewardRange = Annotated[
    tuple[float, float] | None, option("LOW HIGH", "Smallest and largest reward of a file, if not -1 and 1.")
]
LearnerNames = Annotated[list[str] | None, _learners(learners.CATALOG)]
CertifiedNames = Annotated[list[str] | None, _learners(CERTIFIABLE)]
EnvironmentName = Annotated[
    str | None,
    _choice(
        "environment",
        environments.CATALOG,
        f"Noise model of simulated answers: one of {', '.join(environments.CATALOG)}. By default the one that --noise "
        "declares, without --noise uniform; for statistical queries exact.",
    ),
]
TargetLabel = Annotated[str | None, option("LABEL", "The true target; by default one is drawn for each run.")]
Width = Annotated[
    float | None,
    option(
        "W",
        "Half-width of uniform noise, standard deviation of gaussian noise, or tolerance tau of an adversary; by "
        "default a quarter of the reward range.",
        parser=real("width"),
    ),
]
SampleSize = Annotated[
    int | None, option("N", "Sample size for --environment mean; by default 10.", callback=_not_huge)
]
StrategyName = Annotated[
    str | None,
    _choice(
        "strategy",
        environments.STRATEGIES,
        f"How an adversary errs: one of {', '.join(environments.STRATEGIES)}; by default random.",
    ),
]
Alpha = Annotated[
    Fraction | None,
    option(
        "A",
        "Optimality level, such as 0.5 or 1/2: the reward that counts as best. By default the best value of the "
        "target, where it is known or all targets share it.",
        parser=exact("alpha"),
    ),
]
Epsilon = Annotated[
    Fraction | None,
    option(
        "E",
        "Accuracy, such as 0.1 or 1/10: how far from the best a result may be. By default 1/20 of the reward range. "
        "Alone it stands for --goal best-query:E.",
        parser=exact("epsilon"),
    ),
]
Delta = Annotated[
    float, option("D", "Probability with which a guarantee may fail: 0.05 or 1/20.", parser=real("delta"))
]
Sigma = Annotated[
    float | None,
    option(
        "S",
        f"Size of the noise, {SIGMA}. Alone it stands for --noise sub-gaussian:S; beside --noise it is that of "
        "simulated answers, and nothing is declared by it. By default what the environment has.",
        parser=real("sigma"),
    ),
]
Resolution = Annotated[
    float | None,
    option(
        "R",
        "The unit of the instrument, for --noise gaussian: every answer is a reading rounded to a multiple of it.",
        parser=real("resolution"),
    ),
]
GoalName = Annotated[str | None, option("GOAL", f"What is to be decided: {_explained(GOALS)}. By default best-query.")]
NoiseName = Annotated[str | None, option("NOISE", f"What is declared about the noise: {_explained(NOISES)}.")]
Horizon = Annotated[
    int, option("T", "Most queries per run; a run that stops when certified uses fewer.", callback=_not_huge)
]
Runs = Annotated[int, option("N", "Simulated runs per learner, or per candidate in a budget.", callback=_not_huge)]
Jobs = Annotated[
    int | None, option("N", "On how many cores to simulate; by default all. The numbers do not depend on it.")
]
Truths = Annotated[int, option("N", "How many candidates are taken for the truth in turn; of more a sample is drawn.")]
Engine = Annotated[
    str, _choice("engine", ENGINES, "Where runs are played: cpu, or cuda for an NVIDIA GPU (the extra warmer[cuda]).")
]
Seed = Annotated[int, option("S", "The same seed gives the same numbers.")]
CheckLemmas = Annotated[
    bool,
    typer.Option(
        "--check-lemmas", help="Also check on the first runs, step by step, the proof that bad queries are few."
    ),
]
MeasureName = Annotated[str, _choice("measure", MEASURES, f"One of {', '.join(MEASURES)}.")]
Monotone = Annotated[bool, typer.Option("--monotone", help="The largest value at any scale of at least epsilon.")]
Sided = Annotated[
    str,
    _choice(
        "choice",
        ("one", "two"),
        "Whether only earlier queries are constrained (one), or earlier and later ones (two).",
        metavar="one|two",
    ),
]
Converted = Annotated[
    str | None,
    _choice(
        "measure to convert to",
        MEASURES[:3],
        "Also turn the witness into one of another measure, by the paper's constructions: dissimilarity into eluder or "
        "strong-sq, strong-sq into dissimilarity, star into eluder.",
    ),
]
Gamma = Annotated[
    float | None,
    option("G", "With --measure all: also the decision-estimation coefficient at this gamma.", parser=real("gamma")),
]
TimeLimit = Annotated[float | None, option("S", "Stop after S seconds, and report what is known by then.")]
FigurePath = Annotated[Path | None, option("FILE", "Also draw a figure: .png, .pdf or .svg.", callback=_figure)]
EvidencePath = Annotated[
    Path | None,
    option(
        "FILE",
        "Also draw the evidence against each candidate in the first run of the first learner: .png, .pdf or .svg.",
        callback=_figure,
    ),
]
Dropped = Annotated[
    list[str] | None,
    option(
        "LABEL",
        "Also evaluate the problem without this query or target; may be repeated. Write query:LABEL or target:LABEL "
        "where both exist.",
    ),
]
Added = Annotated[
    list[Path] | None, option("FILE", "Also evaluate the problem with this file's rows or columns added.")
]
_checked_page: Any = {"metavar": "FILE", "callback": lambda path: report.check_page_path(path)}
PagePath = Annotated[Path, typer.Option("--output", "-o", help="The page to write: .html.", **_checked_page)]
AsJSON = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The study.")]
Query = Annotated[str, typer.Argument(metavar="QUERY", help="The label of the query.")]
Reward = Annotated[float, typer.Argument(metavar="REWARD", parser=real("reward"), help="The reward.")]
EventNumber = Annotated[int, typer.Argument(metavar="EVENT", help="The number of the answer in the log.")]
Storage = Annotated[
    str | None,
    option(
        "URL",
        "sqlite:///FILE or postgresql://USER@HOST/DATABASE; by default what WARMER_STORAGE says, else "
        "sqlite:///warmer.db.",
    ),
]
Author = Annotated[str | None, option("WHO", "Who says so; by default user@machine.")]
Key = Annotated[str | None, option("KEY", "Makes it safe to repeat the command: it counts once.")]
Reason = Annotated[str, option("WHY", "Why; it stays in the log.")]
TicketNumber = Annotated[int | None, option("N", "Its ticket; by default the oldest open one for the query.")]
Outside = Annotated[
    str,
    option(
        "refuse|keep",
        "Whether answers beyond the reward range are refused, or kept, as sub-gaussian and gaussian noise permit.",
    ),
]
Unit = Annotated[str | None, option("UNIT", "What rewards are measured in, such as mg/l; for people.")]
