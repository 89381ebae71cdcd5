"""Where players' tokens for each server are kept: who has it, has the seat. Knows no connection.

Files for their owner only in ``$XDG_STATE_HOME/bigben/tokens`` (``~/.local/state``): one a server
for who played last, and one for every name that somebody plays by there.
"""

import os
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote


def folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of the tokens; it need not exist."""
    state = environ.get("XDG_STATE_HOME", "")
    # A relative one is to be ignored, says the XDG base directory specification.
    home = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return home / "bigben" / "tokens"


def load(server: str, name: str = "", where: Path | None = None) -> str:
    """The token of who plays there by that name, or played last; empty where there is none."""
    try:
        return _file(server, name, where).read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        return ""


def save(server: str, token: str, *names: str, where: Path | None = None) -> None:
    """Keep the token: whoever has these names plays there by it, and played last. Raises OSError.

    Every name has a file of its own, so that two who begin at once lose nothing.
    """
    for name in ("", *names):
        file = _file(server, name, where)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = file.with_name(f"{file.name}.{os.getpid()}")
        # Created with its final mode: another account can never open it.
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            out.write(token + "\n")
        new.replace(file)


def forget(server: str, name: str = "", where: Path | None = None) -> None:
    """The server does not take this token any more."""
    with suppress(OSError):
        _file(server, name, where).unlink()


def _file(server: str, name: str, where: Path | None) -> Path:
    file = quote(server.rstrip("/").lower(), safe="")
    same = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if same:
        # A name may be longer than a file's may be, and hold what no file system takes.
        file += "@" + sha256(same.encode(errors="replace")).hexdigest()[:16]
    return (where or folder()) / file
