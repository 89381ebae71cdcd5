"""Where a player's token for each server is kept: who has it, has the seat. Knows no connection.

One file a server in ``$XDG_STATE_HOME/bigben/tokens`` (``~/.local/state``), for its owner only.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote


def folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of the tokens; it need not exist."""
    state = environ.get("XDG_STATE_HOME", "")
    # A relative one is to be ignored, says the XDG base directory specification.
    home = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return home / "bigben" / "tokens"


def load(server: str, where: Path | None = None) -> str:
    """The token for that server; empty where there is none that can be read."""
    try:
        return _file(server, where).read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        return ""


def save(server: str, token: str, where: Path | None = None) -> None:
    """Keep the token for next time, in place of another. Raises OSError."""
    file = _file(server, where)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    # Made with its mode: at no time can another account open it.
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        out.write(token + "\n")
    new.replace(file)


def forget(server: str, where: Path | None = None) -> None:
    """The server does not take this token any more."""
    with suppress(OSError):
        _file(server, where).unlink()


def _file(server: str, where: Path | None) -> Path:
    return (where or folder()) / quote(server.rstrip("/").lower(), safe="")
