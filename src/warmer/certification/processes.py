"""What all our e-processes share: one table, one answer at a time or many, and the remaining candidates alone."""

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from warmer.certification import kernels
from warmer.certification.memory import Batch, Memory, Table, table_of
from warmer.certification.parts import PartOfTable
from warmer.certification.weights import Weights, weighed
from warmer.estimation import TableFit
from warmer.model import Array, Problem


@dataclass(frozen=True, eq=False)
class TableProcess:
    """An e-process for each candidate of a table; its state has a memory, the least loss and who has it."""

    is_coin: ClassVar[bool] = False

    problem: Problem
    log_prior: Array
    _: KW_ONLY
    watched: PartOfTable | None = None
    """The candidates that are left where some were put aside; the log prior is theirs then."""

    def advance(self, state: Any, told: Batch, possible: Array, threshold: float) -> tuple[Any, int, int]:
        """Answer after answer until one of them rules possible candidates out, in the memory of the given state.

        The state, how many answers were told, and how many candidates were struck off the possible ones: those whose
        log evidence has reached the threshold.
        """
        raise NotImplementedError

    def part(self, state: Any, places: Array) -> tuple[Self, Any]:
        """The process and its state for some of the candidates alone."""
        watched = PartOfTable(self.problem.rho, places) if self.watched is None else self.watched.part(places)
        log_prior = self.log_prior[places] if self.log_prior.size else self.log_prior
        part = replace(self, log_prior=log_prior, watched=watched)
        losses, lows, least, best = kernels.evidence.kept(state.memory.losses, places)
        memory = state.memory._replace(losses=losses, lows=lows, weights=np.empty(places.size))
        return part, part._weighed(state._replace(memory=memory, least=least, best=best))

    def weights(self, state: Any) -> Weights:
        """How likely the candidates are."""
        return Weights(self.table, state.memory, self.rate(state), state.least, state.best)

    @cached_property
    def table(self) -> Table:
        """The candidates, as the compiled loops read them."""
        return table_of(self.problem, self.problem.rho if self.watched is None else self.watched.rho, self.log_prior)

    def _table_for(self, told: Batch) -> Table:
        """The candidates, with the rows that these answers take."""
        if self.watched is not None:
            self.watched.read(told.queries)
        return self.table

    def __getstate__(self) -> dict[str, Any]:
        """Copied without the table, whose rows a copy reads again."""
        return {name: value for name, value in self.__dict__.items() if name != "table"}

    def _weighed(self, state: Any) -> Any:
        top, total = weighed(self.table, state.memory, state.least, self.rate(state))
        return state._replace(top=top, total=total)

    def _start(self) -> Memory:
        losses, n = TableFit(self.problem).start(), self.problem.n_queries
        return Memory(losses.excess, losses.lows, np.empty(losses.excess.size), np.zeros(n), np.zeros(n))

    def rate(self, state: Any) -> float:
        """What turns losses into log weights."""
        raise NotImplementedError
