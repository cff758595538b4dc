"""The predictions of many models as bytes, as JSON lines, and back, exactly."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from warmer.choice import ModelChoice
from warmer.choice.encoding import Encoded
from warmer.model import Array
from warmer.model.errors import InvalidValueError, StorageError
from warmer.studies.formats.stored_problems import _label_forms
from warmer.studies.records.plain import check_labels, dumps, label_of

_MOST_BYTES = 512 * 2**20
"""The largest predictions that a study keeps a copy of."""


class StoredPool(NamedTuple):
    """Predictions, a row for each point: codes of classes, numbers or probabilities; everything else as JSON has it."""

    header: dict[str, Any]
    array: Array

    @property
    def predictions(self) -> Any:
        """As `ModelChoice` takes them."""
        if self.header["classes"] is None:
            return np.moveaxis(self.array, 0, 1)
        return Encoded(self.array, [label_of(form) for form in self.header["classes"]])

    def names(self, noun: str) -> list[Any] | None:
        """The names of "models" or "points"; None where the user gave none."""
        forms = self.header[noun]
        return None if forms is None else [label_of(form) for form in forms]


def pool_of(choice: ModelChoice) -> StoredPool:
    """The predictions that a choice is among.

    Examples
    --------
    >>> pool = pool_of(ModelChoice({"tree": ["cat", "dog"], "forest": ["dog", "dog"]}, epsilon=0.1))
    >>> pool.header["classes"], pool.array.tolist()
    (['cat', 'dog'], [[0, 1], [1, 1]])
    >>> digest, payload = pack_pool(pool)
    >>> unpack_pool(payload, digest).names("models"), read_pool(list(pool_lines(pool))).array.tolist()
    (['tree', 'forest'], [[0, 1], [1, 1]])
    """
    found = choice.predictions
    is_coded = isinstance(found, Encoded)
    array = found.codes if is_coded else np.ascontiguousarray(np.moveaxis(found, 0, 1))
    header = {
        "models": _label_forms(choice.models),
        "points": _label_forms(choice.points),
        "classes": check_labels(found.classes) if is_coded else None,
        "dtype": array.dtype.name,
        "shape": list(array.shape),
    }
    return StoredPool(header, array)


def pack_pool(pool: StoredPool) -> tuple[str, bytes]:
    """A digest of the pool, and its bytes: an .npz archive."""
    if pool.array.nbytes > _MOST_BYTES:
        raise InvalidValueError(
            f"a study keeps a copy of the predictions, at most {_MOST_BYTES >> 20} MB; these have "
            f"{pool.array.nbytes >> 20}. Leave out models that nobody would choose, or points."
        )
    header, buffer = dumps(pool.header).encode(), io.BytesIO()
    np.savez(buffer, header=np.frombuffer(header, dtype=np.uint8), predictions=pool.array)
    return _digest(header, pool.array), buffer.getvalue()


def digest_of_pool(pool: StoredPool) -> str:
    """A name for the predictions and no others."""
    return _digest(dumps(pool.header).encode(), pool.array)


def unpack_pool(payload: bytes, digest: str) -> StoredPool:
    """The pool from its bytes; they must be the ones of this digest."""
    try:
        with np.load(io.BytesIO(payload), allow_pickle=False) as archive:
            header, array = archive["header"].tobytes(), archive["predictions"]
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise StorageError(f"the stored predictions are damaged ({error}); restore a copy of the database.") from error
    if _digest(header, array) != digest:
        raise StorageError(
            "the stored predictions are not those that the study was made for; restore a copy of the database."
        )
    return StoredPool(json.loads(header), array)


def pool_lines(pool: StoredPool) -> Iterator[dict[str, Any]]:
    """The pool, a JSON object at a time: what holds for all of it, then a line for each point."""
    points = pool.header["points"] or range(len(pool.array))
    yield {"pool": {name: value for name, value in pool.header.items() if name != "points"}}
    for point, row in zip(points, pool.array, strict=True):
        yield {"point": point, "predictions": row.tolist()}


def read_pool(lines: Sequence[dict[str, Any]]) -> StoredPool:
    """The pool from its lines."""
    head, *rows = lines
    try:
        points = [row["point"] for row in rows]
        header = {**head["pool"], "points": None if points == list(range(len(rows))) else points}
        array = np.array([row["predictions"] for row in rows], dtype=header["dtype"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InvalidValueError(f"the predictions are not whole ({error!r}); export the study again.") from error
    if list(array.shape) != header["shape"]:
        raise InvalidValueError(f"the predictions have shape {array.shape}, and should have {header['shape']}.")
    return StoredPool(header, array)


def _digest(header: bytes, array: Array) -> str:
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
    return hashlib.sha256(header + little.tobytes()).hexdigest()
