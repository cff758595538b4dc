"""The points of a choice in a file beside its labels: a line for each, in the order in which they count."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from warmer.choice import ModelChoice
from warmer.choice.draws import Drawn
from warmer.model import Label
from warmer.model.errors import InvalidValueError
from warmer.studies.choice_view import choice_text
from warmer.studies.formats.stored_pools import digest_of_pool, pool_of
from warmer.studies.records.plain import dumps, label_form, label_of

VERSION = 1
"""Of the file's form."""


class DrawsFile:
    """What a `ModelChoice` without a seed drew, so that the next run of a program goes on where the last one was.

    Draws are on disk before anybody sees them. Points that were volunteered are in it too: which came before a draw
    decides what that was drawn from. Labels are not; a point whose label is gone is asked for again.

    Parameters
    ----------
    path
        The file; it need not exist.
    choice
        A choice that nobody has asked or told anything. It takes what the file holds.

    Examples
    --------
    >>> import tempfile
    >>> models = {"tree": ["cat", "dog", "cat"], "forest": ["dog", "dog", "cow"]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "labels.csv.draws.jsonl"
    ...     asked = DrawsFile(path, ModelChoice(models, epsilon=0.1)).ask(2)
    ...     asked == DrawsFile(path, ModelChoice(models, epsilon=0.1)).ask(2)
    True
    """

    def __init__(self, path: Path, choice: ModelChoice) -> None:
        self._path, self._choice = path, choice
        spec = json.loads(choice_text(choice, digest_of_pool(pool_of(choice))))
        self._head = {**spec, "warmer": "draws", "version": VERSION}
        lines = _whole_lines(path)
        self._is_begun = bool(lines)
        for number, line in enumerate(lines, start=1):
            try:
                self._read(number, line)
            except (InvalidValueError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                why = str(error).rstrip(".")
                raise InvalidValueError(
                    f"{path}: line {number} is not one of this choice ({why}); take the file away to begin again: "
                    "the labels then count as known, and no longer as drawn."
                ) from error

    def tell(self, labels: Mapping[Label, Any]) -> None:
        """Tell the labels as they stand; points that nobody asked for take their place behind those that were."""
        before = {*self._choice.labels, *self._choice.unanswered}
        for point, label in labels.items():
            self._choice.check_label(point, label)
        self._append(Drawn(point, "") for point in labels if point not in before)
        for point, label in labels.items():
            self._choice.tell(point, label)

    def ask(self, n: int) -> list[Any]:
        """As `ModelChoice.ask`."""
        missing = n - len(self._choice.unanswered)
        if missing > 0:
            drawn = self._choice.draw(missing)
            self._append(drawn)
            for each in drawn:
                self._choice.take(each)
        return self._choice.ask(n)

    def _read(self, number: int, line: str) -> None:
        form = json.loads(line)
        if "warmer" in form:
            if form != self._head:
                raise InvalidValueError("it was begun with other predictions, epsilon, delta or classes")
        elif number == 1:
            raise InvalidValueError("the first line must say what it was begun with")
        else:
            self._choice.take(Drawn(label_of(form["point"]), form["frame"]))

    def _append(self, drawn: Iterable[Drawn]) -> None:
        forms: list[dict[str, Any]] = [{"point": label_form(each.point), "frame": each.frame} for each in drawn]
        if not forms:
            return
        if not self._is_begun:
            forms.insert(0, self._head)
            self._is_begun = True
        try:
            with self._path.open("ab") as stream:  # in one piece: two programs at once write one after the other
                stream.write("".join(dumps(form) + "\n" for form in forms).encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise InvalidValueError(
                f"{self._path} cannot be written ({error.strerror}); choose another place."
            ) from error


def _whole_lines(path: Path) -> list[str]:
    """The lines of the file; one that was cut off was shown to nobody, and is taken away."""
    try:
        content = path.read_bytes() if path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.truncate(path, len(whole))
        return whole.decode().split("\n")[:-1]  # names may hold other ends of lines
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidValueError(f"{path} cannot be read ({error}); check the path.") from error
