"""What all our e-processes share: one table, one answer at a time or many, and the remaining candidates alone."""

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from warmer.certification.memory import Batch, Memory, Table, memory_of, table_of
from warmer.certification.parts import PartOfTable
from warmer.certification.weights import Weights, weighed
from warmer.estimation.table_fit import losses_from
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
        losses = losses_from(state.memory.losses[places])
        memory = memory_of(self.problem, losses, state.memory)
        return part, part._weighed(state._replace(memory=memory, least=losses.least, best=losses.best))

    def weights(self, state: Any) -> Weights:
        """How likely the candidates are."""
        return Weights(self.table, state.memory, self.rate(state), state.least, state.best)

    @cached_property
    def table(self) -> Table:
        """The candidates, as the compiled loops read them."""
        return table_of(self.problem, self.problem.rho if self.watched is None else self.watched.rho, self.log_prior)

    def _table_for(self, told: Batch) -> Table:
        """The candidates, with the rows that these answers take."""
        if self.watched is None:
            return self.table
        self.watched.read(told.queries)
        return self.table._replace(rho=self.watched.rho)  # a copied process has read other rows

    def _weighed(self, state: Any) -> Any:
        top, total = weighed(self.table, state.memory, state.least, self.rate(state))
        return state._replace(top=top, total=total)

    def _start(self) -> Memory:
        return memory_of(self.problem)

    def rate(self, state: Any) -> float:
        """What turns losses into log weights."""
        raise NotImplementedError
