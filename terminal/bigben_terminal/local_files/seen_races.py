"""Stores on disk what players of this machine saw of their races.

Only their owner can read the files in ``$XDG_STATE_HOME/bigben/kept``: a folder for each server,
and a JSON file for each race and player. ``bigben verify`` reads them with the standard library
alone, so this module handles texts and no structs.
"""

from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bigben_terminal.local_files import private_files, tokens

MOST_FILES: Final = 100
"""The most files for all servers together; beyond this the oldest are deleted."""
_LONGEST_NAME: Final = 200
"""The longest file name; most file systems allow 255 bytes."""


def folder() -> Path:
    """The folder of all files; it may not exist yet."""
    return tokens.folder().with_name("kept")


def save(server: str, race: str, player: str, text: str, where: Path | None = None) -> Path:
    """Replace one file, and delete the oldest ones beyond the limit. Raises OSError."""
    top = where or folder()
    file = _folder_of(server, top) / f"{_short_hash(race, player)}.json"
    private_files.write(file, text.encode())
    private_files.delete_oldest(top.glob("*/*.json"), beyond=MOST_FILES)
    return file


def load(server: str, where: Path | None = None) -> list[str]:
    """All texts for this server, the oldest first."""
    return _texts(_folder_of(server, where or folder()).glob("*.json"))


def load_all(where: Path | None = None) -> list[str]:
    """All texts for all servers, the oldest first."""
    return _texts((where or folder()).glob("*/*.json"))


def _folder_of(server: str, top: Path) -> Path:
    name = quote(server.rstrip("/").lower(), safe="")
    return top / (name if len(name) <= _LONGEST_NAME else _short_hash(name))


def _short_hash(*parts: str) -> str:
    return sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:32]


def _texts(files: Iterable[Path]) -> list[str]:
    found = []
    for file in reversed(private_files.newest_first(files)):
        with suppress(OSError, UnicodeError):  # deleted meanwhile, or not readable
            found.append(file.read_text(encoding="utf-8"))
    return found
