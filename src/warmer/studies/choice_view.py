"""What the log of a study in which people label points amounts to: a `ModelChoice` that was told what counts."""

import json
import threading
from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from warmer.choice import ModelChoice, losses
from warmer.choice.draws import Drawn
from warmer.model import Label
from warmer.model.errors import InvalidValueError
from warmer.studies.formats.stored_pools import StoredPool
from warmer.studies.records.events import Answered, Asked, Corrected, Event, Retracted
from warmer.studies.records.ledger import Ledger
from warmer.studies.records.log import Plan
from warmer.studies.records.plain import dumps, label_form, label_of

VERSION = 2
"""Of the specification's JSON form; version 1 is of studies with a table."""


class ChoiceView:
    """Ledger and choice after some event.

    The log keeps what each point was drawn from. So a choice is replayed from what was drawn and from the labels as
    they stand now, whatever version drew the points and whatever the labels were then.
    """

    def __init__(self, choice: ModelChoice) -> None:
        self.lock = threading.RLock()
        self.ledger = Ledger()
        self.choice = choice
        self._answers: dict[Label, list[int]] = {}

    def add(self, events: Iterable[Event]) -> None:
        """Go on with the next events."""
        for event in events:
            self.ledger.add(event)
            body = event.body
            if isinstance(body, Asked):
                self.choice.take(Drawn(body.query, body.frame))
            elif isinstance(body, Answered):
                self._answers.setdefault(body.query, []).append(event.seq)
                self._renew(body.query)
            elif isinstance(body, Corrected | Retracted):
                self._renew(self.ledger.entry(self.ledger.answer_of(body.seq)).query)

    def answer_to(self, point: Label) -> int | None:
        """The event with the label of a point: the first answer that counts."""
        counting = (seq for seq in self._answers.get(point, ()) if self.ledger.entry(seq).counts)
        return next(counting, None)

    def plan(self, n: int) -> Plan:
        """The next n points: first those that were asked for and are in nobody's hands, then new draws."""
        held, closed = set(self.ledger.pending), self.ledger.closed
        dropped = [] if self.choice.certificate() else [p for p in self.choice.unanswered if p not in held]
        waiting = [Drawn(point, "") for point in dropped if point not in closed][:n]
        draws = waiting + self.choice.draw(n - len(waiting))
        draws = draws or [Drawn(point, "") for point in dropped][:n]  # all that is left has failed: try again
        points, frames = [drawn.point for drawn in draws], [drawn.frame for drawn in draws]
        return Plan(points, self.ledger.n_asks, self.ledger.seq, frames=frames)

    def could_ask(self, asked: Asked) -> bool:
        """Whether `plan` could give out this point now: one that was dropped, or one that is drawn from this frame."""
        drawn = Drawn(asked.query, asked.frame)
        if asked.query in self.choice.unanswered:
            return asked.query not in self.ledger.pending and not asked.frame
        return self.choice.could_draw(drawn)

    def _renew(self, point: Label) -> None:
        """Let the choice have the label that stands now."""
        answer, known = self.answer_to(point), self.choice.labels
        if answer is None:
            if point in known:
                self.choice.retract(point)
            return
        label = self.ledger.entry(answer).reward
        if point not in known:
            self.choice.tell(point, label)
        elif known[point] != label:
            self.choice.correct(point, label)


def chooses_models(text: str) -> bool:
    """Whether a study with this specification chooses a model."""
    return "choice" in json.loads(text)


def is_set_up_alike(text: str, other: str) -> bool:
    """Whether two specifications of choices differ in nothing but the seed."""
    forms = [json.loads(text), json.loads(other)]
    return all("choice" in form for form in forms) and _unseeded(forms[0]) == _unseeded(forms[1])


def choice_text(choice: ModelChoice, digest: str) -> str:
    """What a study was set up with, as JSON, without the predictions."""
    form = {
        "epsilon": choice.epsilon,
        "delta": choice.delta,
        "seed": choice.seed,
        "population": choice.on == "population",
        "loss": _loss_form(choice.loss),
        "classes": None if choice.classes is None else [label_form(name) for name in choice.classes],
    }
    return dumps({"version": VERSION, "problem": digest, "choice": form})


def choice_of(text: str, pool: StoredPool) -> ModelChoice:
    """A choice that was set up in the same way, before the first label."""
    form = json.loads(text)["choice"]
    classes, loss = form["classes"], dict(form["loss"])
    kind = getattr(losses, loss.pop("kind"))
    return ModelChoice(
        pool.predictions,
        epsilon=form["epsilon"],
        delta=form["delta"],
        seed=form["seed"],
        population=form["population"],
        loss=kind(**{name: _value(value) for name, value in loss.items()}),
        classes=None if classes is None else [label_of(name) for name in classes],
        models=pool.names("models"),
        points=pool.names("points"),
    )


def _unseeded(form: dict[str, Any]) -> dict[str, Any]:
    return {**form, "choice": {**form["choice"], "seed": None}}


def _loss_form(loss: Any) -> dict[str, Any]:
    name = type(loss).__name__
    if not is_dataclass(loss) or getattr(losses, name, None) is not type(loss):
        raise InvalidValueError(
            f"a study must be able to make its loss again on another machine, and knows only those of warmer.choice; "
            f"got {name}."
        )
    given = {field.name: getattr(loss, field.name) for field in fields(loss)}
    declared = {
        field.name: given[field.name]
        for field in fields(loss)
        if field.default is MISSING or given[field.name] is not field.default
    }
    return {"kind": name, **{key: _form(value) for key, value in declared.items()}}


def _form(value: Any) -> Any:
    plain = value.tolist() if hasattr(value, "tolist") else value
    return [_form(entry) for entry in plain] if isinstance(plain, list | tuple) else label_form(plain)


def _value(form: Any) -> Any:
    return [_value(entry) for entry in form] if isinstance(form, list) else label_of(form)
