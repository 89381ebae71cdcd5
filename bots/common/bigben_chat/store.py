"""The bot's own storage: one small SQLite file, without game state.

It has the records of `records.py` and of the platform. If the file is lost, only these are lost.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import msgspec

ChatId: TypeAlias = int | str
"""The platform's id of a user, a group or a message."""

PATIENCE_S: Final = 2.0
"""How long to wait for the previous bot to end."""
Value = TypeVar("Value", bound=msgspec.Struct)


class InUse(OSError):
    """Another bot has the file open."""


class Store:
    """Small values by kind and key; every change is on disk when its call returns."""

    def __init__(self, path: Path) -> None:
        """Raises OSError or sqlite3.Error when the file can't be used."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # Created before SQLite creates it, so that nobody else can ever read it.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        path.chmod(0o600)
        self._connection = sqlite3.connect(path, timeout=PATIENCE_S, isolation_level=None)
        # For one bot at a time: two would post and answer everything twice. One that is
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
        """Close the file. Nothing can be read afterwards."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes within are on disk when it ends, or none. Nothing may be awaited in it."""
        self._connection.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def get(self, kind: str, key: ChatId, type: type[Value]) -> Value | None:
        """The value, or None if there is none or another version wrote it."""
        found = self._connection.execute(
            "SELECT value FROM kept WHERE kind = ? AND key = ?", (kind, str(key))
        ).fetchone()
        return _read(found[0], type) if found else None

    def put(self, kind: str, key: ChatId, value: msgspec.Struct) -> None:
        """Store a value, and replace the old one."""
        self._connection.execute(
            "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)",
            (kind, str(key), msgspec.json.encode(value)),
        )

    def drop(self, kind: str, key: ChatId) -> None:
        """Delete a value, if there is one."""
        self._connection.execute("DELETE FROM kept WHERE kind = ? AND key = ?", (kind, str(key)))

    def drop_under(self, kind: str, prefix: str) -> None:
        """Delete every value of a kind whose key has this prefix."""
        self._connection.execute(
            "DELETE FROM kept WHERE kind = ? AND key >= ? AND key < ?",
            (kind, prefix, f"{prefix}\U0010ffff"),
        )

    def all(self, kind: str, type: type[Value], prefix: str = "") -> Iterator[tuple[str, Value]]:
        """Every key with this prefix and its value, of one kind."""
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
