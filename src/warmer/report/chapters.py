"""The parts of a report, each from the same dossier."""

from warmer.analysis import Outcome, ProblemReport
from warmer.model import Label
from warmer.report.budget_words import budget_rows, trials_in_words, which_to_believe
from warmer.report.distance_figure import MOST_TARGETS, draw_distances
from warmer.report.markup import paragraph, picture, section, table
from warmer.report.profile_figure import draw_profile
from warmer.report.regret_figure import draw_regret
from warmer.report.text import level_in_words, problem_in_words, shortened
from warmer.report.witness_figure import draw_witness
from warmer.report.wording import counted, short

__all__ = ["about", "alike", "complexity", "how_many", "regret"]


def about(dossier: ProblemReport) -> str:
    """What there is to ask, and what could be true."""
    return section("problem", "The problem", *map(paragraph, problem_in_words(dossier.problem)))


def complexity(dossier: ProblemReport) -> str:
    """Every measure with its reason, a longest sequence, and the dimension at every scale."""
    epsilon, level = dossier.goal.epsilon, dossier.level
    found = dossier.complexity.dissimilarity
    rows = [tuple(row) for row in dossier.complexity.rows()]
    profile = dossier.profile
    steps = ", exactly" if profile.is_exact else f"; time ran out for epsilons up to {profile.undecided_to:.4g}"
    return section(
        "complexity",
        "How complex is it?",
        paragraph(
            f"At level alpha = {level_in_words(level)} and scale epsilon = {epsilon:g}. The dissimilarity dimension is "
            "the length of the longest sequence of good alternatives of which each says about the earlier ones only "
            "that they are bad; long ones make a problem hard. Where time ran out, both proven ends are given."
        ),
        table(["measure", "value", "why"], rows, numbers=[1]),
        picture(
            lambda axes: draw_witness(axes, dossier.witness, title=f"A longest sequence found: {found.lower}"),
            alternative="Where the values of a longest sequence lie on the line of rewards",
            caption="A witness of the dissimilarity dimension: its alternatives value themselves at alpha or more, and "
            "what each predicts for the earlier ones lies in the band around c.",
            wide=(8, 3.2),
            narrow=(4.2, 3.4),
        ),
        picture(
            lambda axes: draw_profile(axes, profile, title="The dimension at every scale"),
            alternative="The dissimilarity dimension as a step function of epsilon",
            caption=f"The dissimilarity dimension as a step function of epsilon{steps}.",
            wide=(8, 3.4),
            narrow=(4.2, 3.2),
        ),
    )


def how_many(dossier: ProblemReport) -> str:
    """The budget: what is enough, what simulation shows, and what nobody can beat."""
    found = dossier.budget
    lower, upper = found.dimension
    size = f"{upper}" if lower == upper else f"at most {upper}"
    return section(
        "budget",
        "How many queries will it take?",
        table(["how many", "queries", "what it says"], budget_rows(found), numbers=[1]),
        paragraph(f"{trials_in_words(found.trials)} The theorems are for {found.algorithm} with dimension {size}."),
        paragraph(which_to_believe(found.trials)),
    )


def regret(dossier: ProblemReport) -> str:
    """Learners and rivals at the same games, against what the theorems allow."""
    comparison = dossier.comparison
    rules, ceilings = comparison.rules, dossier.regret_bounds
    bounds = "; ".join(f"{ceiling.name} {short(float(ceiling.values[-1]))}" for ceiling in ceilings)
    return section(
        "regret",
        "What does learning cost?",
        paragraph(
            f"{counted(comparison.n_runs, 'run')} of {rules.horizon:,} asks for each learner, with a truth drawn for "
            "each run and Gaussian noise. Regret is the reward missed, all asks together; an ask is bad if it misses "
            f"more than {rules.epsilon:g}. Least squares is told what the best query earns; the others are not."
        ),
        picture(
            lambda axes: draw_regret(axes, comparison, ceilings),
            alternative="Mean cumulative regret of each learner with its 95% band, and the bounds of the theorems",
            caption=f"Dotted: what the regret of least squares cannot exceed, with probability {1 - rules.delta:g}. At "
            f"the last ask: {bounds}; the theorems with dimension {dossier.dimension} "
            f"({dossier.dimension_reason}).",
            wide=(8, 4.6),
            narrow=(4.2, 4.6),
        ),
        table(
            ["learner", "regret", "95% interval", "bad asks", "last ask good"],
            [_outcome(outcome) for outcome in comparison.ranking],
            numbers=[1, 2, 3, 4],
        ),
    )


def alike(dossier: ProblemReport) -> str:
    """The targets that are hard to tell apart."""
    near = dossier.neighbours
    rows = [(_name(pair.first), _name(pair.second), f"{pair.distance:.4g}", _name(pair.query)) for pair in near.pairs]
    words = "Two targets are as far apart as their predictions for the query that tells them apart best."
    if len(near.labels) < near.n_targets:
        words += f" Of {near.n_targets:,} targets {len(near.labels):,}, evenly spaced, were compared."
    parts = [paragraph(words)]
    parts.append(
        table(["target", "and", "differ by", "at query"], rows, numbers=[2])
        if rows
        else paragraph("There is only one target.")
    )
    if 1 < len(near.labels) <= MOST_TARGETS and len(near.labels) == near.n_targets:
        parts.append(
            picture(
                lambda axes: draw_distances(axes, near, title="How far apart targets are"),
                alternative="A map of the distances between all pairs of targets",
                caption="Orange: nearly the same predictions. Blue: one query tells them apart at once.",
                wide=(5.4, 4.6),
                narrow=(4.2, 3.8),
            )
        )
    return section("alike", "Which targets are hard to tell apart?", *parts)


def _name(label: Label) -> str:
    return shortened(str(label), 80)


def _outcome(outcome: Outcome) -> tuple[str, ...]:
    low, rate, high = (f"{100 * share:.0f}" for share in outcome.success)
    interval = outcome.regret
    limits = "one run" if interval.high == float("inf") else f"{short(interval.low)} to {short(interval.high)}"
    return (
        outcome.learner,
        short(interval.estimate),
        limits,
        short(outcome.bad.estimate),
        f"{rate}% ({low} to {high})",
    )
