"""Choosing a model: which points to label, who leads, and when that is proven."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.choice.certificate import ChoiceCertificate, Standing, Waiting
from warmer.choice.draws import Drawn, Frame, fresh_chance
from warmer.choice.intervals import PoolIntervals
from warmer.choice.losses import Recall, as_loss
from warmer.choice.population import no_allowance, population_allowance
from warmer.choice.race import Race
from warmer.choice.reading import read_predictions
from warmer.model import Array, Label
from warmer.model.checks import check_count, check_finite, check_probability
from warmer.model.errors import InvalidValueError, ProtocolError

_MOST_GREEDY, _EARLY = 0.5, 30


@dataclass
class _Entry:
    """A point that was asked for or told about; if it was drawn at random, from which frame."""

    frame: Frame | None = None
    is_told: bool = False
    value: Any = None
    label: Any = None

    def put(self, value: Any, label: Any) -> None:
        """Have this label, and its value to the loss, from now on."""
        self.is_told, self.value, self.label = True, value, label

    def clear(self) -> None:
        """Have no label any more."""
        self.is_told, self.value, self.label = False, None, None


class ModelChoice:
    r"""Which of many fitted models is best on a pool of points, from few labels: each label scores all models.

    No assumption is made about labels or models. The certificate says that the leader's mean loss over the pool is
    within epsilon of the best model's. It may be looked at after every label: the probability that it is ever false
    is at most delta, over the random draws of `ask`, whoever looks on and whichever labels are volunteered. The labels
    must not depend on which points are drawn.

    Parameters
    ----------
    predictions
        An array, models x points, of predicted classes (or numbers, or models x points x classes of probabilities; see
        `loss`); a mapping from names to such rows; a DataFrame with a column for each model and a row for each point;
        or, with X, fitted estimators.
    epsilon
        How much worse than the best, in mean loss, the chosen model may be.
    delta
        The probability with which a certificate may be false.
    seed
        None: each draw comes from fresh chance of the system when `ask` makes it, so that nobody can foretell it from
        this object, a copy or a pickle. A number makes draws reproducible; choose it before you see any label, and
        nobody who could foretell the draws may then choose which labels are volunteered, or when.
    X
        The pool, if predictions are estimators: anything that their `predict` takes.
    loss
        "zero-one" (1 - accuracy), "brier", or one of `warmer.choice`: `ZeroOne`, `CostMatrix`, `Recall`, `Brier`,
        `Squared`, `Absolute`.
    classes
        All labels that may come, where the predictions do not show them; any other is refused then.
    population
        Whether to compare mean losses over the population that the pool is an independent sample of, instead of over
        the pool. Half of delta goes into that step.
    models, points
        Names, where the predictions bring none.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(3, size=1000)
    >>> accuracies = [0.6, 0.7, 0.9]
    >>> predictions = [np.where(rng.random(1000) < a, truth, rng.integers(3, size=1000)) for a in accuracies]
    >>> choice = ModelChoice(predictions, epsilon=0.05, seed=0)
    >>> while not choice.certificate():
    ...     for point in choice.ask():
    ...         choice.tell(point, truth[point])
    >>> print(choice.certificate())
    proven: 2 is within 0.05 of the best on the pool, with probability at least 0.95 (29 labels)
    """

    def __init__(
        self,
        predictions: Any,
        *,
        epsilon: float,
        delta: float = 0.05,
        seed: int | None = None,
        X: Any = None,  # noqa: N803 -- scikit-learn's name
        loss: Any = "zero-one",
        classes: Iterable[Any] | None = None,
        population: bool = False,
        models: Iterable[Label] | None = None,
        points: Iterable[Label] | None = None,
    ) -> None:
        self.epsilon = check_finite("epsilon", epsilon)
        if self.epsilon < 0:
            raise InvalidValueError(f"epsilon must be at least 0, got {self.epsilon:g}.")
        self.delta = check_probability("delta", delta)
        self.seed = None if seed is None else check_count("seed", seed, least=0)
        judge = as_loss(loss)
        self.on = "population" if population else "pool"
        if population and isinstance(judge, Recall):
            raise InvalidValueError("recall on a population is not offered: there is no proof for it; use the pool.")
        declared = None if classes is None else list(classes)
        read = read_predictions(predictions, X, judge, models=models, points=points, declared=declared)
        named = read.classes if declared is None else declared
        pool = judge.pool(read.values, named)
        self.models, self.points, self._scale = read.models, read.points, float(judge.scale)
        self.predictions, self.loss, self.classes = read.values, judge, declared
        self._pool = pool
        self._allowance = population_allowance(pool, self.delta / 2) if population else no_allowance(pool)
        self._entries: dict[int, _Entry] = {}
        self._n_draws = 0
        self._start()

    def _start(self) -> None:
        """Forget what labels have shown; the entries stay, in the order in which they were asked for or told."""
        delta = self.delta / 2 if self.on == "population" else self.delta
        self._race = Race(self._pool, epsilon=self.epsilon / self._scale, delta=delta, allowance=self._allowance)
        self._intervals = PoolIntervals(self._pool.n_models, self._pool.n_points, delta=self.delta)
        self._waiting = list(self._entries)

    def ask(self, n: int = 1) -> list[Any]:
        """Points to label next, at most n; those asked for before and not yet told about come first.

        Only here are points drawn: they are fixed from then on, and whenever their labels come they count in this
        order. None are left once the leader is certified.
        """
        check_count("n", n)
        if self._race.is_decided:
            return []
        asked = self.unanswered[:n]
        for drawn in self.draw(n - len(asked)):
            self.take(drawn)
            asked.append(drawn.point)
        return asked

    @property
    def unanswered(self) -> list[Any]:
        """The points that were asked for and have no label, in the order of asking."""
        return [self.points[point] for point in self._untold()]

    def preview(self, n: int = 1) -> list[Drawn]:
        """At most n points that come next, as far as they are fixed; looking changes nothing.

        Without a seed these are the points that were asked for and have no label: nobody can know what will be drawn.
        With a seed they are the next n draws besides those.
        """
        if self.seed is not None:
            return self.draw(n)
        found = [] if self._race.is_decided else self._untold()[:n]
        return [
            Drawn(self.points[point], frame.text if (frame := self._entries[point].frame) else "") for point in found
        ]

    def draw(self, n: int) -> list[Drawn]:
        """Draw the next n points, or all that there are, besides those that were asked for: `ask` without its memory.

        It is for a log, which must have them, and give them to `take`, before anybody sees them. To draw again because
        of what was drawn makes certificates worthless.
        """
        if not n or self._race.is_decided:
            return []
        found: list[Drawn] = []
        frame, scores = self._race.chances.frame.text, self._free_scores()
        while len(found) < n and scores.any():
            rng = self._chance(self._n_draws + len(found))
            free = np.flatnonzero(scores)
            spreads, bounds = self._race.spreads[free], scores[free].cumsum()
            is_greedy = rng.random() < self._greedy_share(spreads, len(self._entries) + len(found))
            place = spreads.argmax() if is_greedy else bounds.searchsorted(rng.integers(bounds[-1]), side="right")
            point = int(free[place])
            scores[point] = 0
            found.append(Drawn(self.points[point], "" if is_greedy else frame))
        return found

    def could_draw(self, drawn: Drawn) -> bool:
        """Whether `draw` could give this point, from this frame, now."""
        scores, position = self._free_scores(), self.points.position(drawn.point)
        if self._race.is_decided or not scores[position]:
            return False
        free = np.flatnonzero(scores)
        is_widest = free[self._race.spreads[free].argmax()] == position
        return drawn.frame == self._race.chances.frame.text if drawn.frame else bool(is_widest)

    def take(self, drawn: Drawn) -> None:
        """Ask for a point that `draw` named: the next label that counts is its own.

        Parameters
        ----------
        drawn
            The point and the frame it was drawn from, as `draw` gave them; perhaps on another machine. A point that was
            not drawn must come without a frame: it would count as chance and be none.
        """
        position = self.points.position(drawn.point)
        if position not in self._entries:
            frame = Frame.read(drawn.frame, len(self.models)) if drawn.frame else None
            if frame is not None and not self._has_chance(position, frame):
                raise InvalidValueError(
                    f"point {drawn.point!r} cannot have been drawn from the frame {drawn.frame!r}: its chance is 0."
                )
            self._entries[position] = _Entry(frame)
            self._waiting.append(position)
            self._n_draws += 1

    def tell(self, point: Label, label: Any) -> None:
        """Record the label of a point, asked for or not.

        A label that makes no sense raises `InvalidValueError` and changes nothing. Labels count in the order in which
        their points were asked for: one that comes early waits for those before it.
        """
        position = self.points.position(point)
        value = self._race.pool.read_label(label)
        entry = self._entries.get(position)
        if entry is not None and entry.is_told:
            if entry.value == value:
                return
            raise ProtocolError(
                f"point {self.points[position]!r} has the label {entry.label!r} already, got {label!r}; nothing was "
                "changed. If the first was wrong, use correct."
            )
        if entry is None:
            entry = self._entries[position] = _Entry()
            self._waiting.append(position)
        entry.put(value, label)
        self._settle()

    def correct(self, point: Label, label: Any) -> None:
        """Put another label in the place of a wrong one.

        Points that were drawn since stay drawn. The certificate is then about the corrected labels; it holds as long
        as whether and how labels are corrected does not depend on which points were drawn or on who leads.
        """
        entry = self._told(point)
        entry.put(self._race.pool.read_label(label), label)
        self._start()
        self._settle()

    def retract(self, point: Label) -> None:
        """Take back a label: its point is asked for again, and the labels of later points wait for it."""
        entry = self._told(point)
        entry.clear()
        self._start()
        self._settle()

    def check_label(self, point: Label, label: Any) -> Any:
        """The point's name, if both are ones that `tell` takes; nothing is recorded."""
        self._race.pool.read_label(label)
        return self.points[self.points.position(point)]

    @property
    def leader(self) -> Any:
        """The model that is best as far as one can tell; once there is a certificate, the one that is certified."""
        return self.models[self._race.leader]

    @property
    def n_labels(self) -> int:
        """How many points have a label."""
        return sum(entry.is_told for entry in self._entries.values())

    @property
    def labels(self) -> dict[Label, Any]:
        """The labels so far, by point."""
        return {self.points[point]: entry.label for point, entry in self._entries.items() if entry.is_told}

    @property
    def n_agreed(self) -> int:
        """How many points without a label all models agree on: no draw falls there, so nobody knows who is right."""
        everybody = np.ones(len(self.models), np.int64)
        return int(np.count_nonzero(self._race.is_open & (self._pool.scores(0, everybody) == 0)))

    @property
    def standings(self) -> list[Standing]:
        """All models, the best estimate first."""
        race, scale = self._race, self._scale
        low, high = race.means(*self._intervals.bounds(known=race.known, n_open=race.pool.n_points - race.n_labels))
        middle = (low[race.leader] + high[race.leader]) / 2  # how good all are is not known; how far apart they are is
        behind = (race.estimates - race.estimates[race.leader]) / race.weight_forecast
        estimates = np.clip(middle + behind, low, high)
        order = np.lexsort((race.is_out & (np.arange(len(estimates)) != race.incumbent), estimates))
        return [
            Standing(
                self.models[model],
                loss=float(scale * race.known[model] / max(race.known_weight, 1.0)) if race.n_labels else math.nan,
                estimate=float(scale * estimates[model]),
                low=float(scale * low[model]),
                high=float(scale * high[model]),
                is_ruled_out=bool(race.is_out[model]) and model != race.incumbent,
            )
            for model in order.tolist()
        ]

    def certificate(self) -> ChoiceCertificate:
        """Whether a model is proven to be within epsilon of the best, and which may still be better."""
        race = self._race
        remaining = tuple(self.models[model] for model in np.flatnonzero(~race.is_out).tolist())
        answer = race.incumbent if race.is_decided else race.leader
        return ChoiceCertificate(
            self.models[answer],
            race.is_decided,
            race.is_decided and self.on == "pool" and race.is_certain,
            tuple(model for model in remaining if model != self.models[answer]),
            self.epsilon,
            self.delta,
            self.on,
            race.n_labels,
            not race.frame.any(),
            self.waiting,
        )

    @property
    def waiting(self) -> Waiting | None:
        """The labels that wait for that of a point that was drawn before theirs; None where all labels count.

        Examples
        --------
        >>> choice = ModelChoice({"tree": ["cat", "dog", "cat"], "forest": ["dog", "cat", "cow"]}, epsilon=0.1)
        >>> first, second = choice.ask(2)
        >>> choice.tell(second, "dog")
        >>> choice.waiting == (first, 1), choice.certificate().n_labels
        (True, 0)
        """
        missing = next(iter(self._untold()), None)
        n_told = sum(self._entries[point].is_told for point in self._waiting)
        return Waiting(self.points[missing], n_told) if missing is not None and n_told else None

    @property
    def labels_left(self) -> int:
        """How many more labels the certificate will take, probably; never more than there are points that matter."""
        return self._race.labels_left()

    @property
    def labels_left_range(self) -> tuple[int, int]:
        """Between a third and three times `labels_left`: about nine times in ten the true number lies there.

        That is what `python -m benchmarks choose` measures; it is no guarantee.
        """
        left = self.labels_left
        return left // 3, min(3 * left, int(self._race.frame.sum()))

    def __repr__(self) -> str:
        waiting = f"; {self.waiting}" if self.waiting else ""
        return f"ModelChoice({len(self.models)} models, {len(self.points)} points, {self.n_labels} labels{waiting})"

    def _free_scores(self) -> Array:
        """The scores of the points that may be drawn: those in the frame that nobody was asked for."""
        scores = self._race.chances.scores.copy()
        scores[self._waiting] = 0
        return scores

    def _has_chance(self, point: int, frame: Frame) -> bool:
        """Whether an open point may be drawn from a frame."""
        now = self._race.chances  # what is drawn now has its scores there, and what waits keeps those of its own frame
        chances = now if now.is_of(frame) else self._race.chances_of(frame)
        return bool(chances.scores[point])

    def _untold(self) -> list[int]:
        """The places of the points that were asked for and have no label."""
        return [point for point in self._waiting if not self._entries[point].is_told]

    def _chance(self, number: int) -> np.random.Generator:
        """Chance for one draw: without a seed it is the system's, made now and kept nowhere."""
        return fresh_chance() if self.seed is None else np.random.default_rng((self.seed, number))

    def _told(self, point: Label) -> _Entry:
        entry = self._entries.get(self.points.position(point))
        if entry is None or not entry.is_told:
            raise ProtocolError(f"point {point!r} has no label yet; tell it one.")
        return entry

    def _greedy_share(self, spreads: Array, n_asked: int) -> float:
        """How often to take the point on which the weighted models disagree most, which counts for no bet.

        Often while there are few labels and that point says much more than one drawn at random; then less and less.
        """
        advantage = 1 - float(spreads.mean()) / max(float(spreads.max()), 1e-12)
        return min(_MOST_GREEDY, advantage * _EARLY / (_EARLY + n_asked))

    def _settle(self) -> None:
        """Take in labels in the order of their points, up to the first that is still to come."""
        race = self._race
        while self._waiting and self._entries[self._waiting[0]].is_told:
            point = self._waiting.pop(0)
            entry = self._entries[point]
            if entry.frame:
                self._intervals.observe(
                    race.pool.losses(point, entry.value),
                    point,
                    known=race.known,
                    scores=race.chances_of(entry.frame).scores,
                    n_open=int(race.is_open.sum()),
                )
            race.absorb(point, entry.value, entry.frame)
