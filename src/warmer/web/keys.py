"""Keys for programs: by name, for reading alone or for writing too, and revocable at once."""

import hashlib
import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import NamedTuple

from warmer.model.errors import InvalidValueError

_LONGEST_NAME = 60


class Key(NamedTuple):
    """A program that may come in; of its secret only a digest is kept."""

    name: str
    may_write: bool
    digest: str


class KeyRing:
    """The keys in a file that only its owner can read; it is read whenever somebody comes with one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keys(self) -> list[Key]:
        """All of them, in the order they were made."""
        if not self.path.exists():
            return []
        try:
            form = json.loads(self.path.read_text(encoding="utf-8"))
            return [Key(str(each["name"]), each["may_write"] is True, str(each["sha256"])) for each in form["keys"]]
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise InvalidValueError(f"{self.path} holds no keys that can be read ({error}); delete it.") from error

    def find(self, secret: str) -> Key | None:
        """The key with this secret."""
        return {key.digest: key for key in self.keys()}.get(_digest(secret))

    def add(self, name: str, *, may_write: bool = False) -> str:
        """Make a key, and return its secret: nobody can read it again."""
        if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            raise InvalidValueError(f"a key needs a name of 1 to {_LONGEST_NAME} printable characters, got {name!r}.")
        if name in [key.name for key in self.keys()]:
            raise InvalidValueError(f"there is a key {name!r} already; revoke it, or choose another name.")
        secret = f"warmer_{secrets.token_urlsafe(24)}"
        self._write([*self.keys(), Key(name, may_write, _digest(secret))])
        return secret

    def revoke(self, name: str) -> None:
        """From now on nobody comes in with this key."""
        left = [key for key in self.keys() if key.name != name]
        if len(left) == len(self.keys()):
            known = ", ".join(repr(key.name) for key in left) or "none"
            raise InvalidValueError(f"there is no key {name!r}; there are: {known}.")
        self._write(left)

    def _write(self, keys: list[Key]) -> None:
        form = {"keys": [{"name": key.name, "may_write": key.may_write, "sha256": key.digest} for key in keys]}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".keys-")  # readable by its owner alone
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(form, file, indent=2, ensure_ascii=False)
        os.replace(name, self.path)


def default_path() -> Path:
    """Where keys are kept: WARMER_KEYS, else `warmer/keys.json` among the user's settings."""
    given = os.environ.get("WARMER_KEYS")
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return Path(given) if given else settings / "warmer" / "keys.json"


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
