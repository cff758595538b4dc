r"""Independence of actions, and sequences of actions that show it: what the eluder dimension is about."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.dimensions import latex
from warmer.dimensions.bracket import brief, check_epsilon, check_places, is_at_most
from warmer.dimensions.eluder.pairs import square_threshold
from warmer.model import Label, Problem
from warmer.model.checks import at_most
from warmer.model.errors import CertificateError, InvalidValueError
from warmer.model.numbers import check_scale


@dataclass(frozen=True)
class EluderWitness:
    r"""A sequence of actions, each independent of its predecessors, with the pairs of functions that show it.

    Pair $k$ differs by at most $\epsilon$ (in the square norm) on the first $k-1$ queries and by more than
    $\epsilon$ at the $k$-th. All are indices: queries are rows, functions are columns of the table.

    Examples
    --------
    >>> needles = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> EluderWitness(queries=(0, 1), pairs=((0, 1), (1, 2)), epsilon=0.5).check(needles)
    0.5
    """

    queries: Sequence[int]
    pairs: Sequence[tuple[int, int]]
    epsilon: Any

    __repr__ = brief

    def __len__(self) -> int:
        return len(self.queries)

    def subsequence(self, places: Iterable[int]) -> "EluderWitness":
        """The elements at some places, in order: fewer predecessors only make independence easier."""
        chosen = sorted(set(places))
        return EluderWitness(tuple(self.queries[k] for k in chosen), tuple(self.pairs[k] for k in chosen), self.epsilon)

    def to_latex(self, problem: Problem | None = None) -> str:
        r"""The actions with their pairs of functions, as a formula without its dollar signs; with a problem's labels.

        Examples
        --------
        >>> print(EluderWitness(queries=(0,), pairs=((0, 1),), epsilon=0.5).to_latex())
        ((0,0,1)),\quad \sum_{j<i}(f_i(a_j)-f_i'(a_j))^2\le0.5^2,\quad |f_i(a_i)-f_i'(a_i)|>0.5
        """
        actions, epsilon = latex.labels(self.queries, latex.of_queries(problem)), latex.number(self.epsilon)
        functions = [",".join(latex.labels(pair, latex.of_targets(problem))) for pair in self.pairs]
        return latex.described(
            latex.pairs(actions, functions),
            rf"\sum_{{j<i}}(f_i(a_j)-f_i'(a_j))^2\le{latex.squared(self.epsilon)}",
            rf"|f_i(a_i)-f_i'(a_i)|>{epsilon}",
        )

    def check(self, problem: Problem) -> float:
        r"""Re-read the definition; return the margin by which it holds, or raise `CertificateError`.

        The margin is the least of $\epsilon-\sqrt{\sum}$ and of $|f(a)-f'(a)|-\epsilon$ over the sequence.
        """
        read = self._read(problem)
        if len(read.queries) != len(read.pairs):
            raise CertificateError(f"{len(read.queries)} queries need as many pairs, got {len(read.pairs)}.")
        margins = [read._check_element(problem, place) for place in range(len(read.queries))]
        return min(margins, default=math.inf)

    def _read(self, problem: Problem) -> "EluderWitness":
        """The same with plain places, and with epsilon in the problem's arithmetic."""
        queries = check_places("query", self.queries, problem.n_queries)
        if not isinstance(self.pairs, Sequence) and not (isinstance(self.pairs, np.ndarray) and self.pairs.ndim == 2):
            raise CertificateError(f"a witness needs a sequence of pairs of targets, got {self.pairs!r}.")
        pairs = [check_places("target", pair, problem.n_targets) for pair in self.pairs]
        for place, pair in enumerate(pairs):
            if len(pair) != 2:
                raise CertificateError(f"place {place + 1} needs a pair of targets, got {len(pair)} of them.")
        return EluderWitness(queries, tuple((first, second) for first, second in pairs), check_epsilon(self, problem))

    def _check_element(self, problem: Problem, place: int) -> float:
        epsilon = self.epsilon
        first, second = self.pairs[place]
        action = self.queries[place]
        name = f"query {problem.queries[action]!r} (place {place + 1})"
        pair = f"targets {problem.targets[first]!r} and {problem.targets[second]!r}"
        if problem.is_allowed is not None and not problem.is_allowed[action]:
            raise CertificateError(f"{name} is forbidden.")
        total = sum((problem.entry(q, first) - problem.entry(q, second)) ** 2 for q in self.queries[:place])
        gap = abs(problem.entry(action, first) - problem.entry(action, second))
        is_close = at_most(math.sqrt(total), float(epsilon), problem.slack)
        if not (is_close if problem.rational is None else total <= epsilon**2):
            raise CertificateError(
                f"{name}: {pair} differ by {math.sqrt(total):.6g} on its predecessors, more than {float(epsilon):.6g}."
            )
        if is_at_most(gap, epsilon, problem):
            raise CertificateError(
                f"{name}: {pair} differ by {float(gap):.6g} there, not more than {float(epsilon):.6g}."
            )
        return min(float(epsilon) - math.sqrt(total), float(gap - epsilon))


def is_independent(problem: Problem, action: Label, on: Iterable[Label], *, epsilon: Any) -> bool:
    r"""Whether an action is $\epsilon$-independent of others: some pair of functions is close on them and not at it.

    Close means $\sqrt{\sum_i(f(a_i)-f'(a_i))^2}\le\epsilon$, apart means $|f(a)-f'(a)|>\epsilon$ (Definition 5).
    As in `eluder_dimension`, forbidden queries are no actions: naming one is an error.

    Examples
    --------
    >>> arms = Problem.from_table([[0, 1], [0, 1]], queries=["left", "right"])
    >>> is_independent(arms, "left", [], epsilon=0.5), is_independent(arms, "left", ["right"], epsilon=0.5)
    (True, False)
    """
    epsilon = check_scale("epsilon", epsilon)
    place = _action(problem, action)
    others = [_action(problem, other) for other in on]
    exact = problem.rational
    table = np.asarray(problem.rho, dtype=float) if exact is None else exact.numerators.astype(object)
    threshold = square_threshold(epsilon, None if exact is None else exact.denominator, problem.slack)
    for first in range(problem.n_targets - 1):
        squares = (table[[*others, place], first + 1 :].T - table[[*others, place], first]) ** 2
        if ((squares[:, :-1].sum(axis=1) <= threshold) & (squares[:, -1] > threshold)).any():
            return True
    return False


def _action(problem: Problem, label: Label) -> int:
    place = problem.queries.position(label)
    if problem.is_allowed is not None and not problem.is_allowed[place]:
        raise InvalidValueError(f"query {label!r} is forbidden, so it is no action; name a query that may be asked.")
    return place
