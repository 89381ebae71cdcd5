"""Stores the players' tokens for each server. A token gives access to its player's seats.

Only their owner can read the files in ``$XDG_STATE_HOME/bigben/tokens`` (``~/.local/state``). Each
server has one file for the last player, and one for every player's name.
"""

import json
import os
import unicodedata
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from contextlib import suppress
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from bigben_terminal.local_files import private_files


def folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of the tokens; it may not exist yet."""
    state = environ.get("XDG_STATE_HOME", "")
    # The XDG base directory specification says to ignore a relative path.
    home = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return home / "bigben" / "tokens"


def load(server: str, name: str = "", where: Path | None = None) -> str:
    """The token of the player with that name, or of the last player; empty if there is none."""
    try:
        return _file(server, name, where).read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        return ""


def save(server: str, token: str, *names: str, where: Path | None = None) -> None:
    """Store the token for these names, and for the last player. Raises OSError.

    Every name has its own file, so two players who start at once do not overwrite each other.
    """
    for name in ("", *names):
        private_files.write(_file(server, name, where), f"{token}\n".encode())


def forget(server: str, name: str = "", where: Path | None = None) -> None:
    """Delete the token, which the server no longer accepts."""
    with suppress(OSError):
        _file(server, name, where).unlink()


def forget_player(server: str, player: str, where: Path | None = None) -> None:
    """Delete every token of this player for the server, by whatever name."""
    last = _file(server, "", where)
    for file in (last, *last.parent.glob(f"{escape(last.name)}@*")):
        with suppress(OSError, UnicodeError):
            found = holder(file.read_text(encoding="ascii").strip())
            if found and found.player == player:
                file.unlink()


class Holder(NamedTuple):
    """Whom a token says it is for. Only the server can know."""

    player: str
    name: str


def holder(token: str) -> Holder | None:
    """The player of a token; None if it is none."""
    try:
        payload = token.split(".")[1]
        said = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return Holder(str(said["sub"]), str(said["name"]))
    except (IndexError, KeyError, TypeError, ValueError):
        return None


def _file(server: str, name: str, where: Path | None) -> Path:
    file = quote(server.rstrip("/").lower(), safe="")
    same = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if same:
        # A name may be too long for a file name, or have characters that file systems refuse.
        file += "@" + sha256(same.encode(errors="replace")).hexdigest()[:16]
    return (where or folder()) / file
