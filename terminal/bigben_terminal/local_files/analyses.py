"""Stores on disk the analyses that were made on this machine, so that none is made twice.

Only their owner can read the files in ``$XDG_STATE_HOME/bigben/analyses``. Their names are digests
of what was analysed.
"""

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from bigben_solver.analysis import VERSION, SeatAnalysis
from bigben_terminal.local_files import private_files, tokens

MOST_FILES: Final = 500
"""Beyond this the oldest are deleted."""


def digest(game: str, rules: str, seed: str, moves: Sequence[str]) -> str:
    """The name of an analysis: what was analysed, and by which version."""
    return sha256(msgspec.json.encode([VERSION, game, rules, seed, moves])).hexdigest()[:32]


def load(name: str, where: Path | None = None) -> SeatAnalysis | None:
    """The analysis with this name, if it can be read."""
    file = (where or _folder()) / f"{name}.json"
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(file.read_bytes(), type=SeatAnalysis)
    return None


def save(name: str, analysis: SeatAnalysis, where: Path | None = None) -> None:
    """Store an analysis, and delete the oldest ones beyond the limit. Raises OSError."""
    folder = where or _folder()
    private_files.write(folder / f"{name}.json", msgspec.json.encode(analysis))
    private_files.delete_oldest(folder.glob("*.json"), beyond=MOST_FILES)


def _folder() -> Path:
    return tokens.folder().with_name("analyses")
