"""The settings of a server, read from the environment once; see ``docs/operators.md``."""

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from socket import gaierror
from typing import Final

from bigben_server.scoring.results import Ranked

_LEAST: Final = {"frame_bytes": 256, "queue_bytes": 65_536}
"""The limits that must be more than one."""


class BadSetting(ValueError):
    """A setting can't be used. The text is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one peer, player or address may ask for, from ``BIGBEN_`` and the field's name."""

    frame_bytes: int = 16_384
    messages_per_second: int = 50
    burst: int = 100
    queue_bytes: int = 1_048_576
    connections_per_address: int = 64
    connects_per_second: int = 30
    connections_per_player: int = 8
    races_per_connection: int = 20
    races_per_address: int = 400
    """Races that all guests of an address follow at once."""
    rooms_per_minute: int = 20
    """Rooms, practice games and groups that a player makes, at once or in the long run."""
    rooms_per_address: int = 120
    """The same for all guests of an address. A school class is forty who begin at once."""
    guests_per_address: int = 200
    """New guests in a minute, at once or in the long run."""
    api_per_second: int = 20


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8765
    data: Path = Path("data")
    worker: bool = False
    """Whether a parent started this process as one of several on one port."""
    origins: tuple[str, ...] = ()
    behind_proxy: bool = False
    """Whether a proxy puts the address of a connection into X-Forwarded-For."""
    redis_url: str = ""
    """Empty for the embedded Redis."""
    redis_wait: int = 0
    """How many replicas must have a move before it is acknowledged."""
    secret: str = ""
    """Signs guests' tokens and makes the dailies' seeds; empty for one that Redis keeps."""
    old_secret: str = ""
    """Tokens that it signed are still accepted."""
    ranked: Ranked | None = None
    """None means all; ``bigben admin`` then keeps the setting that the boards were made for."""
    issuers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys by issuer, each at least 32 bytes; there are two while an operator changes them."""
    limits: Limits = Limits()


def from_environment(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings in ``BIGBEN_…`` variables; an empty one counts as not set. Raises BadSetting."""
    usual = Settings()
    limits = {
        name: _number(environ, f"BIGBEN_{name.upper()}", common, _LEAST.get(name, 1), 2**31)
        for name, common in asdict(usual.limits).items()
    }
    return Settings(
        host=environ.get("BIGBEN_HOST") or usual.host,
        port=_number(environ, "BIGBEN_PORT", usual.port, 0, 65_535),
        data=Path(environ.get("BIGBEN_DATA") or usual.data),
        origins=_origins(environ.get("BIGBEN_ORIGINS", "")),
        behind_proxy=_number(environ, "BIGBEN_BEHIND_PROXY", 0, 0, 1) == 1,
        redis_url=environ.get("BIGBEN_REDIS_URL", ""),
        redis_wait=_number(environ, "BIGBEN_REDIS_WAIT", usual.redis_wait, 0, 100),
        secret=_secret(environ, "BIGBEN_SECRET"),
        old_secret=_secret(environ, "BIGBEN_SECRET_OLD"),
        ranked=_ranked(environ.get("BIGBEN_RANKED", "")),
        issuers=_issuers(environ),
        limits=Limits(**limits),
    )


def _number(environ: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    if not (text := environ.get(name)):
        return usual
    # Ten digits are enough for each of them, and int() raises for more than 4,300.
    if not (re.fullmatch("[0-9]{1,10}", text) and least <= int(text) <= most):
        raise BadSetting(f"{name} is a number from {least} to {most}, not {text[:40]!r}.")
    return int(text)


def _secret(environ: Mapping[str, str], name: str) -> str:
    text = environ.get(name, "")
    if text and len(os.fsencode(text)) < 32:
        raise BadSetting(f"{name} needs at least 32 bytes; `openssl rand -hex 32` makes one.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadSetting(f"{name} is not UTF-8; `openssl rand -hex 32` makes one.") from None
    return text


def _ranked(text: str) -> Ranked | None:
    match text:
        case "":
            return None
        case "all" | "verified":
            return text
        case _:
            raise BadSetting(f"BIGBEN_RANKED is all or verified, not {text[:40]!r}.")


def _origins(text: str) -> tuple[str, ...]:
    """In the form that browsers send."""
    origins = tuple(origin.rstrip("/").lower() for origin in text.replace(",", " ").split())
    for origin in origins:
        if not re.fullmatch(r"https?://[^/?#@*]+", origin):
            text = f"lists addresses like https://play.example, not {origin[:40]!r}."
            raise BadSetting(f"BIGBEN_ORIGINS {text}")
    return origins


def _issuers(environ: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """From ``BIGBEN_ISSUER_DISCORD_KEY`` and, while keys change, ``…_KEY_OLD``."""
    issuers: dict[str, tuple[str, ...]] = {}
    for name in environ:
        named = re.fullmatch("BIGBEN_ISSUER_(.*)_KEY|BIGBEN_ISSUER_KEY", name)
        if not (named and environ[name]):
            continue
        issuer = (named[1] or "").lower().replace("_", "-")
        if not re.fullmatch("[a-z0-9-]{1,32}", issuer):
            raise BadSetting(f"{name} names no issuer; write it like BIGBEN_ISSUER_DISCORD_KEY.")
        if issuer in ("guest", "link"):
            raise BadSetting(f"{name}: {issuer} is this server, whose key is BIGBEN_SECRET.")
        keys = (_secret(environ, name), _secret(environ, f"{name}_OLD"))
        issuers[issuer] = tuple(key for key in keys if key)
    return issuers


@contextmanager
def binding(settings: Settings) -> Iterator[None]:
    """Around the code that binds the port. Raises BadSetting."""
    host, port = settings.host, settings.port
    try:
        yield
    except (OSError, UnicodeError) as error:  # UnicodeError: the host can't be a name
        match error:
            case gaierror() | UnicodeError() | OSError(errno=errno.EADDRNOTAVAIL):
                text = (
                    f"{host[:60]!r} is no address of this machine; --host (BIGBEN_HOST) is "
                    "127.0.0.1 for players on this machine only, 0.0.0.0 for everybody."
                )
            case OSError(errno=errno.EADDRINUSE):
                text = (
                    f"port {port} is taken, perhaps by a server that runs already; stop that one, "
                    "or choose another port with --port (BIGBEN_PORT; make serve PORT=…)."
                )
            case OSError(errno=errno.EACCES):
                text = (
                    f"port {port} is reserved for the system; choose one from 1024 on with --port "
                    "(BIGBEN_PORT), and let a proxy forward that one."
                )
            case _:
                text = f"can't listen on {host[:60]!r}, port {port}: {error}."
        raise BadSetting(text) from error
