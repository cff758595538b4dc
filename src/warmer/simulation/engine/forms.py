"""What compiled runs read: learners and environments as numbers and arrays."""

from typing import Any, NamedTuple

from warmer.model import Array

EXACT, COIN, UNIFORM, GAUSSIAN, MEAN, ADVERSARY, SIMULATED = range(7)
"""The noise models."""
TRUTHFUL, UP, DOWN, RANDOM = range(4)
"""The strategies of an adversary, in the order of `environments.STRATEGIES`."""
ANY, INDEX, LEAST_LOSS, LOSS_BALL, DISTANCE_BALL, DRAWN, SURVIVORS, LIFTED, TOPS, DISTANCE_TOPS = range(10)
"""The rules: uniform, UCB1, least squares, two optimistic ones, Thompson, elimination; K arms: least squares and two
optimistic ones."""


RATIO, BETS = range(2)
"""The evidence that is watched: likelihood ratios, or bets."""
TOP_TWO, INFORMATION = range(2)
"""The learners that ask for the sake of a proof."""


class Answering(NamedTuple):
    """A noise model by number, the mean of each query, the range, and what the model needs besides."""

    model: int
    means: Array
    low: float
    high: float
    width: float
    """The half-width of uniform noise, the deviation of Gaussian noise, or the tolerance of an adversary."""
    n_draws: int
    """How many uniform numbers a round takes."""
    strategy: int


class Rule(NamedTuple):
    """A learner's rule by number, the table, and what the rule needs besides; where there is no table, empty ones."""

    kind: int
    rho: Array
    best: Array
    """The best query of each target."""
    start: Array
    """The losses before the first answer: infinite for targets that are not considered."""
    values: Array
    """What each target's best query earns."""
    tops: Array
    """The largest of them in each block."""
    legal: Array
    """The allowed queries."""
    radius: float
    """Of the confidence set; the level to reach for K arms; the length of the reward range for UCB1."""
    scale: float
    """Twice the variance of the noise, for posteriors; the variance for K arms."""
    low: float
    high: float
    """The interval of means of K arms."""
    log_arms: float


class Watch(NamedTuple):
    """Evidence against candidates and what would settle the goal.

    Answers are rows of `accepts`, which says who accepts them; or, where there are `values`, an answer is accepted by
    the candidates with a value between its start and its end.
    """

    process: int
    table: Any
    answers: Array
    """Those that may be given, by index; none where candidates have values."""
    accepts: Array
    values: Array
    starts: Array
    ends: Array
    length: float
    """How far apart the values of the remaining candidates may lie when an answer is settled."""
    own: Array
    """Where candidates have values: the answer that is settled when this one's is the least."""
    preferred: Array
    """The answer to give for each candidate."""
    threshold: float
    sigmas: Array
    stakes: Any
    share: float


class Proof(NamedTuple):
    """A learner that asks for the sake of a proof, by number, and what it goes by."""

    kind: int
    columns: Array
    """The table turned round: a row for each candidate, a column for each allowed query."""
    legal: Array
    """The allowed queries."""
    costs: Array
    """Those of the allowed queries; empty where all cost the same."""
    variances: Array
    """Those declared for the answers to the allowed queries; empty where they are to be found out."""
    best: Array
    """The query to settle on for each candidate; empty where the answer is itself a query."""
    is_coin: bool
    is_ending: bool
    """Whether a run is over when its goal is settled or no candidate is left; else it repeats what it settled on."""


class Memory(NamedTuple):
    """What a run remembers, in memory that the next run uses again."""

    excess: Array
    lows: Array
    distances: Array
    distance_lows: Array
    standing: Array
    """The surviving targets first, so many as the second of `places` says."""
    holders: Array
    """Of how many surviving targets each query is the best."""
    counts: Array
    sums: Array
    averages: Array
    indices: Array
    """Room for an index of each query."""
    least: Array
    """The least loss, and the least distance."""
    places: Array
    """The target with the least loss, and how many survive."""


class Begun(NamedTuple):
    """The evidence that runs start from: an entry for each candidate that is watched."""

    losses: Array
    lows: Array
    weights: Array
    counts: Array
    sums: Array
    capital: Array
    possible: Array
    places: Array
    numbers: Array
    settled: int
    """The answer that is settled already, or -1."""
