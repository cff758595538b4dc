"""Choosing a model in a study: several people label at once, and every label is on disk before it is acknowledged."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from warmer.choice import ModelChoice
from warmer.choice.encoding import plain
from warmer.model import Label
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError, ProtocolError
from warmer.studies.choice_view import ChoiceView, choice_of, choice_text, chooses_models
from warmer.studies.formats.exchange import export_lines
from warmer.studies.formats.stored_pools import pack_pool, pool_lines, pool_of, unpack_pool
from warmer.studies.logged import LoggedStudy, stated
from warmer.studies.records.events import Answered, Corrected
from warmer.studies.records.ledger import Entry
from warmer.studies.records.plain import label_form
from warmer.studies.records.tickets import Ticket
from warmer.studies.status import StudyCertificate
from warmer.studies.storage import Store, StudyRow
from warmer.studies.verification import verify_draws


class ChoiceStudy(LoggedStudy[ChoiceView]):
    """A `ModelChoice` that lasts: tickets for points, labels from several people, corrections, and the proof.

    Made by `create_study` with a `ModelChoice`, and by `open_choice_study`. Points are drawn by `ask`, and are in the
    log before anybody sees them; replay reads them there and draws nothing.

    Examples
    --------
    >>> import tempfile
    >>> from warmer import create_study
    >>> models = {"tree": ["cat", "dog", "cat"], "forest": ["dog", "dog", "cow"]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = f"sqlite:///{folder}/lab.db"
    ...     with create_study("pets", ModelChoice(models, epsilon=0.1, seed=0), storage=url) as study:
    ...         first, second = study.ask(2, worker="Ada")
    ...         typo = study.tell(first, "dog", author="Ada")
    ...         entry = study.tell(second, "cow", author="Ada")
    ...         corrected = study.correct(typo.seq, "cow", reason="wrong button")
    ...         print(study.certificate())
    proven: 'forest' is within 0.1 of the best on the pool, whatever the other labels are (2 labels)
    1 answer was corrected; a proof holds if the reasons lie in the experiment or its record, not in the result
    answer 3 to 2 was corrected from 'dog' to 'cow': wrong button
    """

    _draws = True

    def __init__(self, store: Store, row: StudyRow) -> None:
        if not chooses_models(row.spec):
            raise InvalidValueError(f"study {row.name!r} has a table of candidates; open it with open_study.")
        digest = json.loads(row.spec)["problem"]
        self._row, self._pool = row, unpack_pool(store.payload(digest), digest)
        self._view = self._new_view()
        super().__init__(store, row, self._view.choice.points)

    @property
    def choice(self) -> ModelChoice:
        """A copy of the choice as it stands: leader, standings, labels left. What is told to it the study ignores."""
        view = self._seen()
        with view.lock:
            return copy.deepcopy(view.choice)

    def tell(
        self,
        ticket_or_point: Ticket | Label,
        label: Any,
        *,
        key: str | None = None,
        author: str | None = None,
        note: str = "",
    ) -> Entry:
        """Record the label of a ticket's point, or of a point that nobody asked for.

        A late label is always kept. The same label told twice is one label; another one is an error that names
        `correct`.
        """
        point, number, token = self._meant(ticket_or_point)
        value = self._checked(point, label)
        view = self._seen()
        known = view.answer_to(point)
        if known is not None and view.ledger.entry(known).reward != value:
            entry = view.ledger.entry(known)
            raise ProtocolError(
                f"point {point!r} has the label {entry.reward!r} already (event {known}, by {entry.author}), got "
                f"{value!r}; nothing was changed. If the first was wrong, use correct({known}, ...)."
            )
        body = Answered(point, value, 1, number, note)
        return self._entry(self._record(body, key or (token and f"answer:{token}"), author))

    def correct(self, seq: int, label: Any, *, reason: str, key: str | None = None, author: str | None = None) -> Entry:
        """Put another label in the place of answer `seq`; both stay in the log."""
        entry = self._seen().ledger.check_correctable(seq)
        value = self._checked(entry.query, label)
        self._record(Corrected(seq, value, stated(reason)), key, author)
        return self._seen().ledger.entry(seq)

    def label_event(self, point: Label) -> int | None:
        """The event that holds the label of a point, which `correct` and `retract` want; None where there is none."""
        return self._seen().answer_to(self._label(point))

    def certificate(self) -> StudyCertificate:
        """Whether a model is proven to be within epsilon of the best, with what a reader must know was left out."""
        view = self._seen()
        with view.lock:
            return StudyCertificate.of(view.choice.certificate(), view, self.tickets())

    def preview(self, n: int = 1) -> list[Label]:
        """At most n points that come next, as far as they are fixed; nobody is given them.

        Where the choice has no seed these are the points that were asked for and have no label: what will be drawn
        nobody knows. With a seed they are those that `ask(n)` would give out now.
        """
        view = self._seen()
        with view.lock:
            if view.choice.seed is not None:
                return super().preview(n)
            return [drawn.point for drawn in view.choice.preview(check_count("n", n))]

    def verify(self) -> int:
        """Hold every point that was asked for against the log before it, and return how many agree.

        With a seed each is drawn again. Without one each must be a point that could be drawn then, with the chances
        that the log has. The first that does not agree is named.
        """
        return (
            super().verify()
            if self._view.choice.seed is not None
            else verify_draws(self._log.events(), self._new_view())
        )

    @property
    def is_settled(self) -> bool:
        """Whether no more labels are needed."""
        return bool(self._seen().choice.certificate())

    def export_lines(self) -> Iterator[str]:
        """The lines of `export`."""
        return export_lines(self._store.find(self.name), pool_lines(self._pool), self.log())

    def __repr__(self) -> str:
        return f"ChoiceStudy({self.name!r}, {self.storage})"

    def _checked(self, point: Label, label: Any) -> Any:
        value = plain(label)
        with self._view.lock:
            self._view.choice.check_label(point, value)
        return label_form(value)

    def _new_view(self) -> ChoiceView:
        return ChoiceView(choice_of(self._row.spec, self._pool))

    def _seen(self) -> ChoiceView:
        with self._view.lock:
            self._view.add(self._log.events(after=self._view.ledger.seq))
        return self._view


def stored_choice(choice: ModelChoice) -> tuple[str, str, bytes]:
    """The specification of a study, and digest and bytes of its predictions."""
    if choice.n_labels or choice.unanswered:
        raise InvalidValueError(
            "a study begins with a ModelChoice that nobody has asked or told anything; make a new one, and tell its "
            "labels to the study."
        )
    digest, payload = pack_pool(pool_of(choice))
    return choice_text(choice, digest), digest, payload
