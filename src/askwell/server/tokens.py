"""Who may use the server from elsewhere: named tokens, each with what it may see. Only their hashes are kept."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from askwell.errors import BadRequest, ConfigError

if TYPE_CHECKING:
    from pathlib import Path

PREFIX = "askwell_"
_BYTES = 32
_MODE = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token as it is kept. `hash` is SHA-256: the token itself is random, so a slow hash would add nothing."""

    name: str
    hash: str
    open_only: bool


class TokenFile:
    """The tokens of one server, in a file that only its owner reads. Read again when it changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._tokens: tuple[Token, ...] = ()

    def all(self) -> tuple[Token, ...]:
        """Return them by name; none where there is no file.

        Raises:
            ConfigError: the file is not what was written, or others may read it.
        """
        try:
            found = self._path.stat()
        except FileNotFoundError:
            self._seen, self._tokens = None, ()
            return ()
        if os.name == "posix" and found.st_mode & 0o077:
            raise ConfigError(
                f"others may read the tokens in {str(self._path)!r}", hint=f"run `chmod 600 {str(self._path)!r}`"
            )
        stamp = (found.st_mtime_ns, found.st_size)
        if stamp != self._seen:
            self._tokens = _read(self._path)
            self._seen = stamp
        return self._tokens

    def find(self, text: str) -> Token | None:
        """Return the token that `text` is, or None. Takes the same time for every wrong text."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        found = None
        for token in self.all():
            if hmac.compare_digest(token.hash, digest):
                found = token
        return found

    def add(self, name: str, *, open_only: bool) -> str:
        """Make a token and return it; this is the only time that it can be read.

        Raises:
            BadRequest: the name is taken, empty, or holds something other than letters, digits, `-`, `_` and `.`.
        """
        tokens = self.all()
        if not name or not all(char.isalnum() or char in "-_." for char in name) or len(name) > 64:
            raise BadRequest(f"{name!r} cannot name a token", hint="use letters, digits, `-`, `_` and `.`")
        if any(token.name == name for token in tokens):
            raise BadRequest(f"there is a token {name!r} already", hint="remove it first, or choose another name")
        text = PREFIX + secrets.token_urlsafe(_BYTES)
        fresh = Token(name=name, hash=hashlib.sha256(text.encode()).hexdigest(), open_only=open_only)
        self._write((*tokens, fresh))
        return text

    def remove(self, name: str) -> None:
        """Forget a token: it is refused from the next request on.

        Raises:
            BadRequest: there is none of this name.
        """
        tokens = self.all()
        left = tuple(token for token in tokens if token.name != name)
        if len(left) == len(tokens):
            known = ", ".join(token.name for token in tokens) or "none"
            raise BadRequest(f"there is no token {name!r}", hint=f"known: {known}")
        self._write(left)

    def _write(self, tokens: tuple[Token, ...]) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        text = json.dumps([asdict(token) for token in sorted(tokens, key=lambda token: token.name)], indent=2)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE), "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)
        self._seen = None


def _read(path: Path) -> tuple[Token, ...]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return tuple(
            Token(name=str(entry["name"]), hash=str(entry["hash"]), open_only=bool(entry["open_only"]))
            for entry in entries
        )
    except (ValueError, TypeError, KeyError) as error:
        raise ConfigError(
            f"the tokens in {str(path)!r} cannot be read", hint="delete the file and make them again"
        ) from error
