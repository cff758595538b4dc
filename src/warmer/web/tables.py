"""Tables that somebody sent: looked at with suspicion before they are read, and kept for a while."""

import secrets
import tempfile
import threading
import zipfile
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from warmer.model import Problem
from warmer.model.errors import InvalidValueError, WarmerError
from warmer.problems import read_problem

SUFFIXES = (".csv", ".xlsx", ".parquet", ".npz")
_MOST_KEPT = 20
_MOST_ENTRIES = 5_000_000
_MOST_UNPACKED = 200_000_000
_MOST_MEMBERS = 1000
_LONGEST_NAME = 200
WIDEST = (-1e100, 1e100)
"""A range that every table fits, until somebody says which one is meant."""


@dataclass(frozen=True, eq=False)
class Upload:
    """A table, as it came."""

    id: str
    name: str
    """What the file was called; never a path."""
    path: Path
    problem: Problem
    """With the widest of ranges."""

    @property
    def reward_range(self) -> tuple[float, float]:
        """What the range probably is: [-1, 1] or [0, 1] where the table fits, else what it reaches."""
        least, greatest = float(np.min(self.problem.rho)), float(np.max(self.problem.rho))
        for low, high in ((0.0, 1.0), (-1.0, 1.0), (0.0, 100.0)):
            if low <= least and greatest <= high:
                return low, high
        return least, greatest

    def read(self, reward_range: tuple[float, float]) -> Problem:
        """The problem with a range that was chosen."""
        return _read(self.path, reward_range)


class Tables:
    """The last tables that were sent."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._kept: OrderedDict[str, Upload] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, name: str, content: bytes) -> Upload:
        """Read a table, or say in one sentence why not."""
        suffix = _suffix(name)
        identity = secrets.token_hex(8)
        with self._lock:
            self._folder = self._folder or tempfile.TemporaryDirectory(prefix="warmer-tables-")
        path = Path(self._folder.name) / f"{identity}{suffix}"
        path.write_bytes(content)
        try:
            _inspect(path, suffix)
            upload = Upload(identity, name, path, _read(path, WIDEST))
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        with self._lock:
            self._kept[identity] = upload
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)[1].path.unlink(missing_ok=True)
        return upload

    def find(self, identity: str) -> Upload:
        """A table that was sent before."""
        with self._lock:
            if identity not in self._kept:
                raise InvalidValueError("this table is no longer kept; send it again.")
            return self._kept[identity]

    def close(self) -> None:
        """Forget all of them."""
        if self._folder is not None:
            self._folder.cleanup()


def read_pasted(text: str, reward_range: tuple[float, float]) -> Problem:
    r"""A table that somebody pasted: cells between commas, semicolons, or the tabs of a spreadsheet.

    Examples
    --------
    >>> read_pasted("\train\tsun\nleft\t0.1\t0.9", (0, 1)).rho.tolist()
    [[0.1, 0.9]]
    """
    with tempfile.TemporaryDirectory(prefix="warmer-pasted-") as folder:
        path = Path(folder) / "pasted.csv"
        path.write_text(text.replace("\t", ";"), encoding="utf-8")
        return _read(path, reward_range)


def _suffix(name: str) -> str:
    if not name or len(name) > _LONGEST_NAME or not name.isprintable() or any(each in name for each in "/\\:"):
        raise InvalidValueError("a table's name must be that of a file, without a path, such as models.csv.")
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise InvalidValueError(f"a table must be one of {', '.join(SUFFIXES)}, got {suffix or 'no ending'!r}.")
    return suffix


def _inspect(path: Path, suffix: str) -> None:
    """Refuse what would fill the memory when it is unpacked."""
    if suffix in (".npz", ".xlsx"):
        try:
            with zipfile.ZipFile(path) as archive:
                members = archive.infolist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise InvalidValueError(f"the file is not a whole {suffix} archive; save it again.") from error
        unpacked = sum(member.file_size for member in members)
        if unpacked > _MOST_UNPACKED or len(members) > _MOST_MEMBERS:
            raise InvalidValueError(f"the file unpacks to {unpacked // 1_000_000:,} MB, which is too much for a page.")
    if suffix == ".parquet":
        _inspect_parquet(path)


def _inspect_parquet(path: Path) -> None:
    import pyarrow.parquet as parquet

    try:
        with parquet.ParquetFile(path) as file:
            found: Any = file.metadata
            groups = range(found.num_row_groups)
            unpacked = sum(found.row_group(place).total_byte_size for place in groups)
            entries = found.num_rows * found.num_columns
    except Exception as error:  # Arrow has many kinds for damaged files
        raise InvalidValueError("the file is not a whole Parquet table; write it again.") from error
    if unpacked > _MOST_UNPACKED or entries > _MOST_ENTRIES:
        raise InvalidValueError(f"the table has {entries:,} entries, which is too much for a page.")


def _read(path: Path, reward_range: tuple[float, float]) -> Problem:
    try:
        problem = read_problem(path, reward_range=reward_range)
    except MemoryError as error:
        raise InvalidValueError("the table does not fit into memory.") from error
    except WarmerError as error:
        raise InvalidValueError(str(error).replace(f"{path}: ", "", 1)) from error
    except (RecursionError, ValueError, TypeError, KeyError, OSError) as error:
        raise InvalidValueError(f"the file cannot be read as a table ({type(error).__name__}).") from error
    if problem.rho.size > _MOST_ENTRIES:
        raise InvalidValueError(f"the table has {problem.rho.size:,} entries, which is too much for a page.")
    return problem
