r"""The star number: how many actions there are on each of which some function differs alone from a reference.

For sets, tables of $\pm1$, it is that of Hanneke and Yang (2015); for value functions that of Foster, Rakhlin,
Simchi-Levi and Xu (2020). Section 5.2 of the paper sets it beside the eluder dimension, which is never smaller.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.dimensions import kernels, latex
from warmer.dimensions.bracket import Bracket, brief, check_epsilon, check_places, is_at_most, require_table
from warmer.dimensions.dissimilarity.window_table import comparable
from warmer.dimensions.eluder.pairs import Pairs, Scales
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.dimensions.search.clique import maximum_clique
from warmer.model import Array, Problem
from warmer.model.checks import at_most
from warmer.model.errors import CertificateError, InvalidValueError
from warmer.model.numbers import as_fraction, check_scale
from warmer.model.time_limit import interruptible

_WORK = 20_000_000  # squares looked at between two looks at the clock: some hundredths of a second
_QUICK = 200_000  # the same for one of the first guesses
_PER_SQUARE = 1_000  # how many times as long Python takes, where only it can hold the numbers
_MANY_PAIRS = 8_000  # actions with functions beyond which the graph of those that may stand together is not drawn


@dataclass(frozen=True)
class StarWitness:
    r"""Actions, and for each a function that differs from the reference on it, and on the others by little in all.

    With an $\epsilon$: $|f_i(a_i)-f_0(a_i)|>\epsilon$ and $\sum_{j\ne i}(f_i(a_j)-f_0(a_j))^2\le\epsilon^2$. Where
    epsilon is None the table is one of $\pm1$, and $f_i$ differs from $f_0$ on $a_i$ alone. All are indices.

    Examples
    --------
    >>> singletons = Problem.from_table([[-1, 1, -1], [-1, -1, 1]])
    >>> StarWitness(queries=(0, 1), targets=(1, 2), reference=0).check(singletons)
    2.0
    """

    queries: Sequence[int]
    targets: Sequence[int]
    reference: int
    epsilon: Any = None

    __repr__ = brief

    def __len__(self) -> int:
        return len(self.queries)

    def subsequence(self, places: Iterable[int]) -> "StarWitness":
        """The star of the actions at some places."""
        chosen = sorted(set(places))
        queries, targets = (tuple(each[k] for k in chosen) for each in (self.queries, self.targets))
        return StarWitness(queries, targets, self.reference, self.epsilon)

    def to_latex(self, problem: Problem | None = None) -> str:
        r"""The reference, and the actions with their functions, as a formula without its dollar signs.

        Examples
        --------
        >>> print(StarWitness(queries=(0, 1), targets=(1, 2), reference=0).to_latex())
        f_0=0,\quad ((0,1),\ (1,2)),\quad f_i(a_j)\ne f_0(a_j)\iff i=j
        """
        targets = latex.labels([*self.targets, self.reference], latex.of_targets(problem))
        actions, epsilon = latex.labels(self.queries, latex.of_queries(problem)), self.epsilon
        facts = [r"f_i(a_j)\ne f_0(a_j)\iff i=j"]
        if epsilon is not None:
            scale = latex.number(epsilon)
            facts = [
                rf"|f_i(a_i)-f_0(a_i)|>{scale}",
                rf"\sum_{{j\ne i}}(f_i(a_j)-f_0(a_j))^2\le{latex.squared(epsilon)}",
            ]
        stars = latex.sequence([rf"({a},{f})" for a, f in zip(actions, targets[:-1], strict=True)])
        return latex.described(f"f_0={targets[-1]}", stars, *facts)

    def check(self, problem: Problem) -> float:
        r"""Re-read the definition; return the margin by which it holds, or raise `CertificateError`.

        The margin is the least of $|f_i(a_i)-f_0(a_i)|-\epsilon$ and of $\epsilon-\sqrt{\sum}$; without an epsilon it
        is 2, the difference itself.
        """
        queries = check_places("query", self.queries, problem.n_queries)
        targets = check_places("target", self.targets, problem.n_targets)
        (reference,) = check_places("target", (self.reference,), problem.n_targets)
        if len(queries) != len(targets):
            raise CertificateError(f"{len(queries)} queries need as many targets, got {len(targets)}.")
        for query in queries:
            if problem.is_allowed is not None and not problem.is_allowed[query]:
                raise CertificateError(f"query {problem.queries[query]!r} is forbidden.")
        if self.epsilon is None:
            return self._check_signs(problem, queries, targets, reference)
        epsilon = check_epsilon(self, problem)
        margin = math.inf
        for own, target in zip(queries, targets, strict=True):
            name = f"target {problem.targets[target]!r} and the reference {problem.targets[reference]!r}"
            gap = abs(problem.entry(own, target) - problem.entry(own, reference))
            if is_at_most(gap, epsilon, problem):
                raise CertificateError(
                    f"{name} differ by {float(gap):.6g} on query {problem.queries[own]!r}, not more than "
                    f"{float(epsilon):.6g}."
                )
            others = [query for query in queries if query != own]
            if len(others) < len(queries) - 1:
                raise CertificateError(f"query {problem.queries[own]!r} appears twice in the star.")
            total = sum((problem.entry(query, target) - problem.entry(query, reference)) ** 2 for query in others)
            is_close = at_most(math.sqrt(total), float(epsilon), problem.slack)
            if not (is_close if problem.rational is None else total <= epsilon**2):
                raise CertificateError(
                    f"{name} differ by {math.sqrt(total):.6g} on the queries other than {problem.queries[own]!r}, more "
                    f"than {float(epsilon):.6g}."
                )
            margin = min(margin, float(gap - epsilon), float(epsilon) - math.sqrt(total))
        return margin

    def _check_signs(
        self, problem: Problem, queries: tuple[int, ...], targets: tuple[int, ...], reference: int
    ) -> float:
        for place, target in enumerate(targets):
            for other, query in enumerate(queries):
                values = problem.entry(query, target), problem.entry(query, reference)
                if not set(values) <= {-1, 1}:
                    raise CertificateError(
                        f"a star without an epsilon is one of a table of -1 and 1; query {problem.queries[query]!r} "
                        f"has the values {float(values[0]):.6g} and {float(values[1]):.6g}."
                    )
                if (values[0] != values[1]) != (place == other):
                    said = "agree" if place == other else "differ"
                    raise CertificateError(
                        f"target {problem.targets[target]!r} and the reference {problem.targets[reference]!r} {said} "
                        f"on query {problem.queries[query]!r}."
                    )
        return 2.0 if queries else math.inf


@interruptible()
def star_number(
    problem: Problem,
    *,
    epsilon: Any = None,
    monotone: bool = True,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the star number: the largest star of actions, over all reference functions.

    Rows of the table are actions (the points of a class of sets), columns are functions. Actions $a_1,\dots,a_s$ are a
    star around $f_0$ if for each i some function differs from $f_0$ on $a_i$ and not on the others.

    Parameters
    ----------
    problem
        The table; a rational one is searched in exact arithmetic. Forbidden queries are no actions.
    epsilon
        None for a table of $\pm1$ (Hanneke and Yang 2015). Else the scale of value functions: $f_i$ differs by more
        than $\epsilon$ on $a_i$, and on the others by at most $\epsilon$ in the square norm.
    monotone
        Maximise over all scales from epsilon on, as Foster, Rakhlin, Simchi-Levi and Xu (2020) do; the witness names
        the scale it was found at. False: at epsilon alone.
    time_limit, progress
        As in `eluder_dimension`.

    Examples
    --------
    >>> thresholds = Problem.from_table([[1, -1, -1, -1], [1, 1, -1, -1], [1, 1, 1, -1]])
    >>> singletons = Problem.from_table([[-1, 1, -1, -1], [-1, -1, 1, -1], [-1, -1, -1, 1]])
    >>> star_number(thresholds).value, star_number(singletons).value
    (2, 3)
    >>> star_number(singletons, epsilon="1/2").witness.check(singletons) > 0
    True
    """
    require_table(problem, "the star number")
    if epsilon is None:
        _check_signs(problem)
    scale = 1 if epsilon is None else check_scale("epsilon", epsilon)
    scale = scale if problem.rational is None else as_fraction(scale)
    search = Anytime(time_limit, progress, upper=problem.legal_queries.size, reason="all actions used")
    single = _one_action(problem, scale, keeps_scale=epsilon is not None)
    if single is None:
        reason = "all functions are equal" if epsilon is None else "no two functions differ by more than epsilon"
        return Bracket(lower=0, upper=0, witness=None, reason=reason)
    search.lower = 1
    search.rehearse(star_number, problem, epsilon=0.5)
    run = _Run(search, problem, scale, monotone=monotone, keeps_scale=epsilon is not None)
    with search.running():
        run.close()
    witness = run.best or single
    witness.check(problem)
    return search.bracket(witness)


def _check_signs(problem: Problem) -> None:
    """Raise unless every entry is -1 or 1, naming one that is not."""
    for row, column in np.argwhere(np.abs(np.asarray(problem.rho)) != 1)[:1].tolist():
        raise InvalidValueError(
            "without an epsilon the star number is that of a table of -1 and 1, but "
            f"rho[{problem.queries[row]!r}, {problem.targets[column]!r}] is {problem.rho[row, column]:g}; give "
            "epsilon= for that of value functions."
        )


def _one_action(problem: Problem, epsilon: Any, *, keeps_scale: bool) -> StarWitness | None:
    """The action on which two functions differ most, if that is by more than epsilon: what needs no search."""
    legal = problem.legal_queries
    table = comparable(problem)[legal]
    row = int((table.max(axis=1) - table.min(axis=1)).argmax())
    query, low, high = int(legal[row]), int(table[row].argmin()), int(table[row].argmax())
    gap = problem.entry(query, high) - problem.entry(query, low)
    is_apart = not is_at_most(gap, epsilon, problem)
    return StarWitness((query,), (high,), low, epsilon if keeps_scale else None) if is_apart else None


@dataclass(frozen=True, eq=False)
class _Open:
    """A reference with an interval of scales, and a size that no star of theirs exceeds."""

    upper: int
    reference: int
    low: int
    high: int


class _Run:
    """One computation: the references, their scales, and the largest star so far."""

    def __init__(self, search: Anytime, problem: Problem, epsilon: Any, *, monotone: bool, keeps_scale: bool) -> None:
        self.search, self.problem, self.epsilon = search, problem, epsilon
        self.monotone, self.keeps_scale = monotone and keeps_scale, keeps_scale  # signs have one scale, without a name
        exact = problem.rational
        table = np.asarray(problem.rho, dtype=float) if exact is None else exact.numerators
        if table.dtype == np.int64 and max(abs(int(table.max())), abs(int(table.min()))) >= 1 << 20:
            table = table.astype(object)  # squares, and sums of them, that 64 bits may not hold
        self.table = table[problem.legal_queries]
        self.best: StarWitness | None = None

    def close(self) -> None:
        """Guess, then search until both ends meet: the reference and the scales with the highest bound first."""
        open_ = []
        for reference in range(self.problem.n_targets):
            self.search.clock.check()
            pairs, scales = self.at(reference)
            if len(scales):
                n_apart = int((pairs.squares > scales.threshold(0)).any(axis=0).sum())
                open_.append(_Open(n_apart, reference, 0, len(scales) - 1))
        self.search.move(upper=max(1, *(each.upper for each in open_)), reason="actions on which functions differ")
        for each in open_:
            for at in np.unique(np.linspace(each.low, each.high, 4).astype(int)).tolist():
                if not self.search.is_closed:
                    _Star(self, each.reference, at, at).grow(_QUICK)
        while open_ and not self.search.is_closed:
            open_.sort(key=lambda each: (each.upper, -each.reference, -each.low))
            each = open_.pop()
            self.search.move(upper=max(1, each.upper))
            if each.upper > self.size:
                open_ += self._narrowed(each)
        self.search.move(upper=max(1, self.size))

    def offer(self, star: StarWitness) -> None:
        """Keep a star if it is the largest so far."""
        if len(star) > self.size:
            self.best = star
            self.search.move(lower=len(star))

    @property
    def size(self) -> int:
        """How large the largest star so far is."""
        return 0 if self.best is None else len(self.best)

    def at(self, reference: int) -> tuple[Pairs, Scales]:
        """The squared distances of every function from one, on every action, and the scales to search."""
        everyone = np.arange(self.problem.n_targets)
        pairs = Pairs(
            squares=np.ascontiguousarray(((self.table - self.table[:, [reference]]) ** 2).T),
            functions=np.stack([np.full_like(everyone, reference), everyone], axis=1),
            actions=self.problem.legal_queries,
            denominator=None if self.problem.rational is None else self.problem.rational.denominator,
            slack=self.problem.slack,
            is_complete=True,
        )
        if not self.monotone:
            return pairs, Scales(pairs, self.epsilon)
        return pairs, Scales.above(self.epsilon, pairs, self.search.clock)

    def _narrowed(self, each: _Open) -> list[_Open]:
        """What is left of a reference and its scales: nothing, or halves of the scales with a better bound."""
        star = _Star(self, each.reference, each.low, each.high)
        upper = min(each.upper, star.bound())
        if upper <= self.size:
            return []
        if each.low == each.high:
            star.grow()
            return []
        middle = (each.low + each.high) // 2
        return [_Open(upper, each.reference, *ends) for ends in ((each.low, middle), (middle + 1, each.high))]


class _Star:
    """Stars around one reference, at one scale or at an interval of scales relaxed into one."""

    def __init__(self, run: _Run, reference: int, low: int, high: int) -> None:
        self.run, self.reference, self.at, self.is_one = run, reference, low, low == high
        self.pairs, self.scales = run.at(reference)
        self.apart, self.within = self.scales.threshold(low), self.scales.threshold(high)
        rows = self.pairs.squares[(self.pairs.squares > self.apart).any(axis=1)]
        n_apart = (rows > self.apart).sum(axis=0)  # an action on which few functions are apart leaves most of the rest
        self.columns = np.argsort(n_apart, kind="stable")[np.count_nonzero(n_apart == 0) :]
        rows = rows[:, self.columns]
        self.squares = np.ascontiguousarray(rows if rows.dtype == object else np.unique(rows, axis=0))

    def bound(self) -> int:
        """A size that no star exceeds, from the pairs of actions and functions that may stand in one star together.

        A largest set of such pairs is a star if the sums are small enough as well, and then it is the answer.
        """
        functions, actions = np.nonzero(self.squares > self.apart)
        if len(functions) > _MANY_PAIRS:
            return len(self.columns)
        spares = np.asarray(self.squares <= self.within, dtype=bool)[np.ix_(functions, np.arange(len(self.columns)))]
        fits = spares[:, actions] | ((functions[:, None] == functions) if self.apart < self.within else False)
        fits &= actions[:, None] != actions
        clock = self.run.search.clock
        members, is_proved = maximum_clique(fits & fits.T, more_than=self.run.size, clock=clock)
        chosen = sorted(actions[members].tolist())
        if self.is_one and len(chosen) and self._is_star(chosen, functions[members], actions[members]):
            self._offer(chosen)
        if not is_proved:
            clock.check()
            return len(self.columns)
        return max(self.run.size, len(chosen))

    def grow(self, work: int | None = None) -> None:
        """Search all stars, or as many as so much work allows, at one scale; `OutOfTime` ends it."""
        n_functions, n_actions = self.squares.shape
        rows = n_actions + 1
        stack = kernels.stars.Stack(
            sums=np.zeros((rows, n_functions), self.squares.dtype),
            alone=np.full((rows, n_functions), kernels.stars.NONE, np.int32),
            open=np.zeros((rows, n_actions), np.int32),
            n_open=np.zeros(rows, np.int64),
            nexts=np.zeros(rows, np.int64),
            path=np.zeros(rows, np.int32),
            found=np.zeros(rows, np.int32),
        )
        stack.open[0], stack.n_open[0] = np.arange(n_actions), n_actions
        is_plain = self.squares.dtype == object
        step: Any = kernels.stars.search.py_func if is_plain else kernels.stars.search
        limits = [each if is_plain else self.squares.dtype.type(each) for each in (self.apart, self.within)]
        slice_ = (work or _WORK) // (_PER_SQUARE if is_plain else 1)
        counters, has_ended = np.array([0, self.run.size, 0], np.int64), False
        while not has_ended:
            has_ended = step(self.squares, *limits, stack, counters, n_actions, slice_) or work is not None
            best = int(counters[kernels.stars.BEST])
            if best > self.run.size:
                self._offer(stack.found[:best].tolist())
            self.run.search.clock.check()

    def _is_star(self, chosen: list[int], functions: Array, actions: Array) -> bool:
        """Whether each function is close on all chosen actions but its own."""
        sums = self.squares[np.ix_(functions, np.array(chosen))].sum(axis=1)
        return bool((sums - self.squares[functions, actions] <= self.within).all())

    def _offer(self, places: list[int]) -> None:
        """Offer a star, each action with the first function that shows it."""
        star, targets = sorted(int(self.columns[place]) for place in places), []
        for own in star:
            others = self.pairs.squares[:, [action for action in star if action != own]].sum(axis=1)
            serves = (self.pairs.squares[:, own] > self.apart) & (others <= self.within)
            targets.append(int(self.pairs.functions[np.flatnonzero(serves)[0], 1]))
        queries = tuple(int(self.pairs.actions[action]) for action in star)
        scale = self.scales.scale(self.at) if self.run.keeps_scale else None
        self.run.offer(StarWitness(queries, tuple(targets), self.reference, scale))
