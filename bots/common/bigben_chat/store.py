"""What the bot must not forget when it stops: one small SQLite file. Holds no game state.

Settings of guilds, the public messages of races, what players like. Losing the file loses these
and nothing else.
"""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec

from bigben_client import Kept

Kind = Literal["guild", "post", "player", "commands", "wait", "kept"]
PATIENCE_S: Final = 2.0
"""For the bot before this one to end."""
Value = TypeVar("Value", bound=msgspec.Struct)


class Guild(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a guild wants the bot."""

    channel: int = 0
    """Where the daily post goes; 0 for nowhere."""
    time: str = "08:00"
    """When, in the guild's own time zone."""
    zone: str = "UTC"
    rules: str = "standard"
    language: str = ""
    """Of public messages; empty for the one that Discord says the guild has."""
    posted: str = ""
    """The day of the last daily post, ``2026-11-21``."""
    by: int = 0
    """The user who chose the channel, and is told when the post can't be made there."""
    told: bool = False
    """Somebody was told of the failure since the last post that worked."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a player."""

    race: str = ""
    """The race that they entered or saw last; ``/bigben board`` shows it."""
    guilds: tuple[int, ...] = ()
    """Where they have played, the last one first."""
    four_colours: bool = True
    text: bool = False
    """A board of signs in place of the picture."""
    seen: str = ""
    """The race whose board they saw last: where ``/bigben move`` goes."""
    races: tuple[str, ...] = ()
    """The races that they entered or saw, the last one first."""


class Post(msgspec.Struct, frozen=True, omit_defaults=True):
    """The public message of a race in a channel."""

    race: str
    channel: int
    message: int
    language: str = "en"
    players: tuple[str, ...] = ()
    """Those who have entered the race here; a daily has more elsewhere."""
    head: str = ""
    """What stands above: yesterday's podium, on a daily post."""
    invite: str = ""
    """What to join an invite-only room by: whoever sees the message is invited."""


class Wait(msgspec.Struct, frozen=True):
    """A message that will become a player's board, and the token that can change it."""

    user: int
    name: str
    guild: int
    race: str
    token: str
    """The interaction's token; valid for fifteen minutes, for this message alone."""
    interaction: int
    message: int
    language: str


class KeptRace(msgspec.Struct, frozen=True):
    """What a player saw of one of their races: the evidence to check its end."""

    kept: Kept
    at: int
    """When it was written, ms since 1970."""


class Commands(msgspec.Struct, frozen=True):
    """What was last synced."""

    digest: str


class InUse(OSError):
    """Another bot has the folder."""


class Memory:
    """Small values by kind and key; every change is on disk when its call returns."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError or sqlite3.Error when the folder can't be used."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "discord.sqlite"
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

    def get(self, kind: Kind, key: str | int, type: type[Value]) -> Value | None:
        """The value, or None where there is none or an older bot wrote another sort."""
        found = self._connection.execute(
            "SELECT value FROM kept WHERE kind = ? AND key = ?", (kind, str(key))
        ).fetchone()
        return _read(found[0], type) if found else None

    def put(self, kind: Kind, key: str | int, value: msgspec.Struct) -> None:
        """Keep this in place of what was there."""
        self._connection.execute(
            "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)",
            (kind, str(key), msgspec.json.encode(value)),
        )

    def drop(self, kind: Kind, key: str | int) -> None:
        """Keep it no longer."""
        self._connection.execute("DELETE FROM kept WHERE kind = ? AND key = ?", (kind, str(key)))

    def all(self, kind: Kind, type: type[Value]) -> Iterator[tuple[str, Value]]:
        """Every key and value of a kind."""
        rows = self._connection.execute("SELECT key, value FROM kept WHERE kind = ?", (kind,))
        for key, data in rows.fetchall():
            value = _read(data, type)
            if value is not None:
                yield key, value

    def under(self, kind: Kind, prefix: str, type: type[Value]) -> Iterator[tuple[str, Value]]:
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
