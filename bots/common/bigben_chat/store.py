"""What a bot must not forget when it stops: one small SQLite file. Holds no game state.

What is kept are the records of `records.py` and of the platform. Losing the file loses these and
nothing else.
"""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import msgspec

ChatId: TypeAlias = int | str
"""A user, a group or a message, as the platform names it."""

PATIENCE_S: Final = 2.0
"""For the bot before this one to end."""
Value = TypeVar("Value", bound=msgspec.Struct)


class InUse(OSError):
    """Another bot has the file open."""


class Store:
    """Small values by kind and key; every change is on disk when its call returns."""

    def __init__(self, path: Path) -> None:
        """Raises OSError or sqlite3.Error when the file can't be used."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # Made before SQLite makes it, so that nobody else can read it at any time.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        path.chmod(0o600)
        self._connection = sqlite3.connect(path, PATIENCE_S, isolation_level=None)
        # For one bot at a time: two would post twice and answer every command twice. One that is
        # about to end is waited for.
        self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._connection.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise InUse("another bot is using it; stop that one first") from None
            raise
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS kept"
            " (kind TEXT, key TEXT, value BLOB, PRIMARY KEY (kind, key)) WITHOUT ROWID"
        )

    def close(self) -> None:
        """Nothing can be asked afterwards."""
        self._connection.close()

    def get(self, kind: str, key: ChatId, type: type[Value]) -> Value | None:
        """The value, or None where there is none or an older bot wrote another sort."""
        found = self._connection.execute(
            "SELECT value FROM kept WHERE kind = ? AND key = ?", (kind, str(key))
        ).fetchone()
        return _read(found[0], type) if found else None

    def put(self, kind: str, key: ChatId, value: msgspec.Struct) -> None:
        """Store this in place of what was there."""
        self._connection.execute(
            "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)",
            (kind, str(key), msgspec.json.encode(value)),
        )

    def drop(self, kind: str, key: ChatId) -> None:
        """Delete it. Does nothing where there is none."""
        self._connection.execute("DELETE FROM kept WHERE kind = ? AND key = ?", (kind, str(key)))

    def all(self, kind: str, type: type[Value]) -> Iterator[tuple[str, Value]]:
        """Every key and value of a kind."""
        rows = self._connection.execute("SELECT key, value FROM kept WHERE kind = ?", (kind,))
        for key, data in rows.fetchall():
            value = _read(data, type)
            if value is not None:
                yield key, value

    def under(self, kind: str, prefix: str, type: type[Value]) -> Iterator[tuple[str, Value]]:
        """Every key and value of a kind whose key begins so."""
        rows = self._connection.execute(
            "SELECT key, value FROM kept WHERE kind = ? AND key >= ? AND key < ?",
            (kind, prefix, f"{prefix}\U0010ffff"),
        )
        for key, data in rows.fetchall():
            value = _read(data, type)
            if value is not None:
                yield key, value


def _read(data: bytes, type: type[Value]) -> Value | None:
    try:
        return msgspec.json.decode(data, type=type)
    except msgspec.DecodeError:
        return None
