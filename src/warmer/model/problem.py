"""The problem: one table of expected rewards, queries by targets."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from warmer.model.checks import at_least, check_interval, check_not_negative, slack_for
from warmer.model.edits import appended, dropped
from warmer.model.errors import HypothesisError, InvalidValueError, optional_module
from warmer.model.labels import Label, Labels
from warmer.model.rewards import Rewarded
from warmer.model.tables import Numerators, Table, as_table, check_costs, check_forbidden, check_table, read_only

if TYPE_CHECKING:
    import pandas as pd

_UNKNOWN = ", or None where it is unknown"


@dataclass(frozen=True, eq=False)
class Problem(Rewarded):
    r"""What everyone knows: `rho[query, target]`, the expected reward of a query if target is the truth.

    Build one with `from_table` (rows actions, columns models) or `from_similarity` (square: query k and
    target k are the same alternative). Rewards are maximised. They lie in $[-1,1]$ unless another
    `reward_range` is declared; the table, $\alpha$, $\epsilon$ and every result then stay in the user's own
    units, and the theorems, which speak of $[-1,1]$, are applied through `scale`.

    Examples
    --------
    >>> problem = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> problem.self_evaluations.tolist(), [problem.queries[q] for q in problem.best_queries]
    ([0.7, 0.9], ['right', 'left'])
    """

    rho: Table
    queries: Labels
    targets: Labels
    is_square: bool = False
    is_allowed: npt.NDArray[np.bool_] | None = None
    costs: npt.NDArray[np.float64] | None = None
    reward_range: tuple[float, float] = (-1.0, 1.0)
    tolerance: float | None = 0.0
    """Every entry is within this of the truth; None: unknown, so nothing can be certified."""
    rational: Numerators | None = field(default=None, repr=False)
    parameters: Mapping[str, npt.NDArray[Any]] | None = field(default=None, repr=False)
    """What is known of the candidates by name, a value for each target; of a problem made by `problems.from_model`."""

    @classmethod
    def from_table(
        cls,
        rho: Any,
        *,
        queries: Iterable[Label] | None = None,
        targets: Iterable[Label] | None = None,
        forbidden: npt.ArrayLike | None = None,
        costs: npt.ArrayLike | None = None,
        reward_range: tuple[float, float] = (-1.0, 1.0),
        denominator: int | None = None,
        tolerance: float | None = 0.0,
    ) -> Self:
        """A problem from a table: a row for each query, a column for each candidate target.

        Parameters
        ----------
        rho
            Anything two-dimensional: nested lists, an array, a memory map, a pandas DataFrame (whose index and
            columns become labels). An array in memory is copied, so that what is written to it later changes
            nothing; a memory map, and an array that nobody may write to, are used where they lie, so leave the file
            alone from then on. Whole numbers and `fractions.Fraction` entries are also kept exactly.
        queries, targets
            Names for rows and columns; 0..n-1 where none are given.
        forbidden
            A mask over queries that may never be asked or recommended.
        costs
            What one repetition of each query costs, carried along and added up by `Session.cost`.
        reward_range
            The smallest and largest possible reward, where that is not [-1, 1].
        denominator
            Reads a table of whole numbers as numerators over this denominator, exactly.
        tolerance
            How far an entry in the truth's column may be from the mean reward that the query really earns. None says
            that this is unknown: learners may still use the table, but nothing is certified from it.

        Examples
        --------
        >>> Problem.from_table([[0, 100], [30, 20]], reward_range=(0, 100)).scale
        50.0
        """
        source = as_table(rho, denominator=denominator)
        n_queries, n_targets = source.values.shape
        rows = Labels(source.rows if queries is None else queries, length=n_queries, noun="query")
        columns = Labels(source.columns if targets is None else targets, length=n_targets, noun="target")
        low, high = check_interval("reward_range", reward_range)
        slack = 0.0 if source.exact else slack_for(source.values.dtype) * min(1.0, max(abs(low), abs(high)))
        return cls(
            rho=check_table(source.values, rows, columns, low=low, high=high, slack=slack, is_shared=source.is_shared),
            queries=rows,
            targets=columns,
            is_allowed=check_forbidden(forbidden, n_queries),
            costs=check_costs(costs, rows),
            reward_range=(low, high),
            tolerance=tolerance if tolerance is None else check_not_negative("tolerance", tolerance, _UNKNOWN),
            rational=source.exact,
        )

    @classmethod
    def from_similarity(
        cls,
        rho: Any,
        *,
        labels: Iterable[Label] | None = None,
        forbidden: npt.ArrayLike | None = None,
        costs: npt.ArrayLike | None = None,
        reward_range: tuple[float, float] = (-1.0, 1.0),
        denominator: int | None = None,
        tolerance: float | None = 0.0,
    ) -> Self:
        """A problem from a square similarity: row k and column k are the same alternative.

        `rho[i, j]` is the expected reward of asking i when j is the truth; it need not be symmetric. The
        other parameters are those of `from_table`.

        Examples
        --------
        >>> problem = Problem.from_similarity([[1, 0], [0, 1]], labels=["h", "g"])
        >>> problem.is_square, problem.best_queries.tolist()
        (True, [0, 1])
        """
        source = as_table(rho, denominator=denominator)
        n_rows, n_columns = source.values.shape
        if n_rows != n_columns:
            raise InvalidValueError(
                f"a similarity must be square, got {n_rows} rows and {n_columns} columns; "
                "use Problem.from_table for actions and models."
            )
        if labels is None and source.rows is not None and list(source.rows) != list(source.columns or ()):
            raise InvalidValueError(
                "a similarity needs the same labels on rows and columns, in the same order; "
                "use Problem.from_table for actions and models."
            )
        names = source.rows if labels is None else labels
        rows = None if names is None else Labels(names, length=n_rows, noun="query")
        options: dict[str, Any] = {"forbidden": forbidden, "costs": costs, "tolerance": tolerance}
        table = cls.from_table(source, queries=rows, targets=rows, reward_range=reward_range, **options)
        return replace(table, is_square=True)

    def evaluate(self, query: Any, target: int) -> Any:
        """The expected reward of a query, or of each of an array of queries, if target is the truth."""
        return self.rho[query, target]

    def entry(self, query: int, target: int) -> Any:
        """One entry of the table: a fraction where the table is rational, else a float."""
        if self.rational is None:
            return float(self.rho[query, target])
        return Fraction(int(self.rational.numerators[query, target]), self.rational.denominator)

    @property
    def n_queries(self) -> int:
        """How many queries there are, forbidden ones included."""
        return int(self.rho.shape[0])

    @property
    def n_targets(self) -> int:
        """How many candidate targets there are."""
        return int(self.rho.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        """How the entries of the table are kept: float64 or float32."""
        return self.rho.dtype

    def check_certifiable(self, most: float = math.inf) -> None:
        """Raise `HypothesisError` where the table may be too far from the truth, or nobody has declared how far."""
        if self.tolerance is None:
            raise HypothesisError(
                "nothing can be certified from this table: its entries are a belief, and how far they are from the "
                "truth is unknown. Declare it with tolerance=, or use the recommendation without a certificate."
            )
        if self.tolerance > most:
            raise HypothesisError(
                f"this needs a table within {most:g} of the truth; the declared tolerance is {self.tolerance:g}."
            )

    @property
    def slack(self) -> float:
        """The slack with which this table's entries are compared: relative, and no coarser than small rewards need."""
        return slack_for(self.dtype) * min(1.0, max(abs(end) for end in self.reward_range))

    @cached_property
    def legal_queries(self) -> npt.NDArray[np.intp]:
        """The indices of the queries that may be asked."""
        return np.arange(self.n_queries) if self.is_allowed is None else np.flatnonzero(self.is_allowed)

    @cached_property
    def best_queries(self) -> npt.NDArray[np.int32]:
        """For each target the query to ask if it were the truth.

        Its own, in a square problem (as in the paper), else the lowest-numbered one that it evaluates highest.
        A target whose own query is forbidden makes do with its best allowed one.
        """
        return self._best[0]

    @cached_property
    def self_evaluations(self) -> Table:
        r"""For each target the value of its best query: $\rho(z|z)$, or $\max_a f(a)$ for bandits."""
        return self._best[1]

    @cached_property
    def valid_targets(self) -> npt.NDArray[np.bool_]:
        r"""Which targets satisfy the paper's assumption $\rho(z^*|z^*)\ge\rho(z|z^*)$ for every allowed query."""
        return np.asarray(at_least(self.self_evaluations, self.best_values, self.slack))

    @cached_property
    def best_values(self) -> Table:
        r"""For each target the most that an allowed query earns; its self-evaluation, if the target is valid."""
        return self.self_evaluations if not self.is_square else _column_best(self.rho, self.legal_queries)[1]

    @cached_property
    def _best(self) -> tuple[npt.NDArray[np.int32], Table]:
        if not self.is_square:
            queries, values = _column_best(self.rho, self.legal_queries)
        else:
            queries, values = np.arange(self.n_targets, dtype=np.int32), self.rho.diagonal().copy()
            if self.is_allowed is not None:
                others, best = _column_best(self.rho, self.legal_queries)
                queries, values = np.where(self.is_allowed, queries, others), np.where(self.is_allowed, values, best)
        return read_only(queries), read_only(values)

    def best_query(self, target: int) -> int:
        """The query to ask if this target were the truth: an entry of `best_queries`."""
        return int(self.best_queries[target])

    def self_evaluation(self, target: int) -> float:
        """What that query earns then: an entry of `self_evaluations`."""
        return float(self.self_evaluations[target])

    def best_value(self, target: int) -> float:
        """The most that an allowed query earns then: an entry of `best_values`."""
        return float(self.best_values[target])

    def drop(self, *, queries: Iterable[Label] = (), targets: Iterable[Label] = ()) -> Self:
        """The problem without these queries and targets, by label.

        In a square problem row k and column k are one alternative, and go together whichever of the two is named.

        Examples
        --------
        >>> weather = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
        >>> smaller = weather.drop(targets=["rain"])
        >>> list(smaller.targets), smaller.rho.tolist()
        (['sun'], [[0.9], [0.3]])
        """
        return dropped(self, queries, targets)

    def append(self, more: "Problem") -> Self:
        """The problem with the rows of another with the same targets, or the columns of one with the same queries.

        Labels are matched by what they read like, in any order; the new ones must be new. Which queries are forbidden
        and what they cost comes along with them; the tolerance is the larger of the two.

        Examples
        --------
        >>> weather = Problem.from_table([[0.1, 0.9]], queries=["left"], targets=["rain", "sun"])
        >>> longer = weather.append(Problem.from_table([[0.3, 0.7]], queries=["right"], targets=["sun", "rain"]))
        >>> list(longer.queries), longer.rho.tolist()
        (['left', 'right'], [[0.1, 0.9], [0.7, 0.3]])
        """
        return appended(self, more)

    def to_frame(self) -> "pd.DataFrame":
        """The table as a pandas DataFrame with labels (needs the extra `warmer[tables]`)."""
        pandas = optional_module("pandas", "to_frame", "tables")
        table, rows, columns = np.asarray(self.rho), list(self.queries), list(self.targets)
        frame: pd.DataFrame = pandas.DataFrame(table, index=rows, columns=columns)
        return frame

    def __repr__(self) -> str:
        kind = "alternatives" if self.is_square else "queries x targets"
        size = f"{self.n_queries}" if self.is_square else f"{self.n_queries} x {self.n_targets}"
        return f"Problem({size} {kind}, {self.rho.dtype})"


def _column_best(rho: Table, legal: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.int32], Table]:
    """The lowest-numbered legal row where each column is largest, and that value; one pass over the rows."""
    values = np.array(rho[legal[0]])
    queries = np.full(values.shape, legal[0], dtype=np.int32)
    for query in legal[1:]:
        row = rho[query]
        better = row > values
        np.copyto(values, row, where=better)
        queries[better] = query
    return queries, values
