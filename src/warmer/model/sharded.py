"""A problem whose table is a Dask array: shards of targets, each of them a problem that stays on its worker."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np
import numpy.typing as npt

from warmer.model.contracts import Array
from warmer.model.errors import InvalidValueError, optional_module
from warmer.model.labels import Label, Labels
from warmer.model.problem import Problem
from warmer.model.rewards import Rewarded
from warmer.model.tables import check_table, read_only


class Pieces(NamedTuple):
    """One value for each shard, kept by Dask where the shard is.

    Functions that make them must leave what they are given as it is: Dask calls them again where a worker was lost.

    Examples
    --------
    >>> squares = Pieces((1, 2, 3)).map(pow, 2)
    >>> squares.each(pow, 2), squares.map(divmod, Pieces((2, 3, 4))).each(sum)
    ([1, 16, 81], [1, 2, 3])
    """

    values: tuple[Any, ...]

    def map(self, function: Callable[..., Any], *arguments: Any) -> "Pieces":
        """What a function makes of each of them; pieces among its other arguments go along one by one."""
        return Pieces(_dask().persist(*self._calls(function, arguments)))

    def each(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """The same, brought here, in the order of the shards: for what is small."""
        return list(_dask().compute(*self._calls(function, arguments)))

    def step(
        self, function: Callable[..., Any], *arguments: Any, note: Callable[[Any], Any]
    ) -> "tuple[Pieces, list[Any]]":
        """What a function makes of each of them, and a note on each, brought here."""
        dask, made = _dask(), self._calls(function, arguments)
        kept = dask.persist(*made, *[dask.delayed(note, pure=False)(each) for each in made])
        return Pieces(kept[: len(made)]), list(dask.compute(*kept[len(made) :]))

    def _calls(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
        call = _dask().delayed(function, pure=False, traverse=False)
        columns = [each.values if isinstance(each, Pieces) else [each] * len(self.values) for each in arguments]
        return [call(*row) for row in zip(self.values, *columns, strict=True)]


@dataclass(frozen=True, eq=False)
class ShardedProblem(Rewarded):
    """A problem whose table is spread over the workers of a Dask cluster, and nowhere whole.

    `LeastSquares`, `Optimistic`, `TopTwo`, `UntilCertified` and `certification.certifier_for` take it for a `Problem`;
    what they remember of each target stays with its shard. Whatever needs the whole table says so.

    Examples
    --------
    >>> import dask.array as da
    >>> problem = ShardedProblem.from_dask(da.from_array(np.array([[0.1, 0.9], [0.7, 0.3]]), chunks=(2, 1)))
    >>> problem, problem.best_query(1), problem.columns([1]).rho.tolist()
    (ShardedProblem(2 queries x 2 targets, float64, 2 shards), 0, [[0.9], [0.3]])
    """

    frame: Problem
    """The problem of the first target alone: queries, costs, the reward range and the tolerance are those of all."""
    targets: Labels
    shards: Pieces
    """The problem of each shard."""
    firsts: Array
    """The number of each shard's first target."""

    @classmethod
    def from_dask(
        cls,
        array: Any,
        *,
        queries: Iterable[Label] | None = None,
        targets: Iterable[Label] | None = None,
        forbidden: npt.ArrayLike | None = None,
        costs: npt.ArrayLike | None = None,
        reward_range: tuple[float, float] = (-1.0, 1.0),
        tolerance: float | None = 0.0,
    ) -> Self:
        """A problem from a two-dimensional Dask array: a row for each query, a column for each candidate target.

        The columns of one chunk are one shard, whatever the chunks of rows are. Shards are computed once and kept by
        the scheduler in use: in the memory of the workers where there is a `distributed.Client`, else in that of this
        process. The other parameters are those of `Problem.from_table`.
        """
        array = _by_targets(array)
        widths = np.array(array.chunks[1])
        frame = Problem.from_table(
            array[:, :1].compute(),
            queries=queries,
            forbidden=forbidden,
            costs=costs,
            reward_range=reward_range,
            tolerance=tolerance,
        )
        labels = Labels(targets, length=int(widths.sum()), noun="target")
        firsts = np.cumsum(widths) - widths
        named = Pieces(tuple(labels[k : k + n] for k, n in zip(firsts.tolist(), widths.tolist(), strict=True)))
        shards = Pieces(tuple(array.to_delayed().ravel())).map(_shard, frame, named)
        problem = cls(frame, labels, shards, firsts)
        _ = problem.top  # raises for what is wrong in any shard
        return problem

    queries = property(attrgetter("frame.queries"))
    reward_range = property(attrgetter("frame.reward_range"))
    tolerance = property(attrgetter("frame.tolerance"))
    slack = property(attrgetter("frame.slack"))
    dtype = property(attrgetter("frame.dtype"))
    costs = property(attrgetter("frame.costs"))
    legal_queries = property(attrgetter("frame.legal_queries"))
    n_queries = property(attrgetter("frame.n_queries"))

    @property
    def n_targets(self) -> int:
        """How many candidate targets there are."""
        return len(self.targets)

    @property
    def rho(self) -> NoReturn:
        """The whole table, which is nowhere: raises `InvalidValueError`."""
        raise InvalidValueError(
            f"this needs the whole table in memory, and {self!r} is in shards; "
            "columns(places) reads those of some targets as a Problem."
        )

    @cached_property
    def top(self) -> float:
        """The largest self-evaluation."""
        return float(max(self.shards.each(lambda shard: shard.self_evaluations.max())))

    def check_certifiable(self) -> None:
        """Raise `HypothesisError` where nobody has declared how far the table may be from the truth."""
        self.frame.check_certifiable()

    def columns(self, places: npt.ArrayLike) -> Problem:
        """The problem of some targets alone, by their numbers; it is read into memory."""
        wanted = np.asarray(places, dtype=np.intp)
        owners = self.firsts.searchsorted(wanted, side="right") - 1
        owning = np.unique(owners).tolist()
        shards = Pieces(tuple(self.shards.values[k] for k in owning))
        places_there = Pieces(tuple(wanted[owners == k] - self.firsts[k] for k in owning))
        parts = shards.each(lambda shard, there: shard.rho.take(there, axis=1), places_there)
        rho = np.empty((self.n_queries, wanted.size), dtype=self.dtype)
        for k, part in zip(owning, parts, strict=True):
            rho[:, owners == k] = part
        names = Labels([self.targets[place] for place in wanted.tolist()], length=wanted.size, noun="target")
        return replace(self.frame, rho=read_only(rho), targets=names)

    def evaluate(self, query: Any, target: int) -> Any:
        """The expected reward of a query, or of each of an array of queries, if target is the truth."""
        return self._column(int(target)).rho[query, 0]

    def best_query(self, target: int) -> int:
        """The lowest-numbered query that earns most if this target is the truth."""
        return self._column(int(target)).best_query(0)

    def self_evaluation(self, target: int) -> float:
        """What that query earns then."""
        return self._column(int(target)).self_evaluation(0)

    def best_value(self, target: int) -> float:
        """The most that an allowed query earns then: the same."""
        return self.self_evaluation(target)

    @cached_property
    def _column(self) -> Callable[[int], Problem]:
        """The problem of one target; the last ones are remembered."""
        return lru_cache(64)(lambda target: self.columns([target]))

    def __repr__(self) -> str:
        size = f"{self.n_queries} queries x {self.n_targets} targets"
        return f"ShardedProblem({size}, {self.dtype}, {len(self.firsts)} shards)"


def _dask() -> Any:
    return optional_module("dask", "tables in shards", "dask")


def _by_targets(array: Any) -> Any:
    """The array in chunks that hold all queries."""
    if not (hasattr(array, "to_delayed") and hasattr(array, "rechunk") and len(array.shape) == 2):
        raise InvalidValueError(f"from_dask needs a two-dimensional Dask array, got {type(array).__name__}.")
    if any(np.isnan(length) for length in array.shape):
        raise InvalidValueError("the shape of the Dask array is unknown; call its compute_chunk_sizes() first.")
    if 0 in array.shape:
        raise InvalidValueError(f"the table is empty: its shape is {array.shape}.")
    if array.dtype.kind not in "fiub":
        raise InvalidValueError(f"a table must hold real numbers, got {array.dtype}.")
    kept = array if array.dtype in (np.float64, np.float32) else array.astype(np.float64)
    return kept.rechunk({0: -1, 1: tuple(width for width in kept.chunks[1] if width)})


def _shard(block: Array, frame: Problem, labels: Any) -> Problem:
    """The problem of one shard, numbered from 0."""
    low, high = frame.reward_range
    rho = check_table(read_only(block.view()), frame.queries, labels, low=low, high=high, slack=frame.slack)
    return replace(frame, rho=rho, targets=Labels(None, length=rho.shape[1], noun="target"))
