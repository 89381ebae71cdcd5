"""The settings of a server, read from the environment once. Opens nothing.

A setting exists when two deployments differ; ``docs/operators.md`` has them all.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bigben_server.scoring.divisions import Ranked

_OWN_ISSUERS: Final = ("guest", "link")


class BadSetting(ValueError):
    """A setting can't be used. Its message is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one peer may ask for."""

    frame_bytes: int = 16_384
    """A larger frame closes the connection with 1009."""
    messages_per_second: float = 50.0
    """In the long run; more is refused with code ``rate``, and then closes with 1008."""
    burst: int = 100
    """Messages that may come at once."""
    queue_bytes: int = 1_048_576
    """Unsent bytes at which a slow reader is dropped, to resume."""
    connections_per_address: int = 64
    """More are answered 429; a household or an office behind one address is fewer."""
    connects_per_second: int = 30
    """New connections from one address in the long run, and as many files of the page."""
    connections_per_player: int = 8
    """Browser, phone and terminal at once, and the ones that have not noticed they are gone."""
    races_per_connection: int = 20
    """Races that a connection follows at once."""
    races_per_address: int = 400
    """The same for all guests of an address."""
    rooms_per_minute: int = 20
    """Rooms, practice games and groups that a player makes, at once or in the long run."""
    rooms_per_address: int = 120
    """The same for all guests of an address; a school class is forty who begin at once."""
    guests_per_address: int = 200
    """New guests in a minute from one address, at once or in the long run."""
    api_per_second: int = 20
    """Requests to the HTTP API from one address in the long run; more are answered 429."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything two deployments differ in."""

    host: str = "127.0.0.1"
    port: int = 8765
    data: Path = Path("data")
    """The embedded Redis lives here."""
    worker: bool = False
    """One of several processes on one port, which another one started."""
    origins: tuple[str, ...] = ()
    """Web pages of other addresses that may connect: ``https://play.example``."""
    behind_proxy: bool = False
    """A proxy in front says in X-Forwarded-For where a connection comes from."""
    redis_url: str = ""
    """Empty for the embedded Redis."""
    redis_wait: int = 0
    """How many replicas must have a move before it is acknowledged."""
    secret: str = ""
    """Signs guests' tokens and makes the dailies' seeds; empty for one kept in Redis."""
    old_secret: str = ""
    """The secret before: tokens that it signed are still taken."""
    ranked: Ranked | None = None
    """Which players count on people's boards: all, or verified players, with guests ranked apart.

    None means all; ``bigben admin`` then keeps the setting that the boards were made for.
    """
    issuers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys by issuer, each at least 32 bytes; up to two at a time, to change them."""
    limits: Limits = Limits()


def from_environment(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings as ``BIGBEN_…`` variables give them; an empty one is not set.

    Raises BadSetting.
    """
    usual = Settings()
    limits = Limits(
        frame_bytes=_number(environ, "BIGBEN_FRAME_BYTES", usual.limits.frame_bytes, 256),
        messages_per_second=_number(
            environ, "BIGBEN_MESSAGES_PER_SECOND", int(usual.limits.messages_per_second), 1
        ),
        burst=_number(environ, "BIGBEN_BURST", usual.limits.burst, 1),
        queue_bytes=_number(environ, "BIGBEN_QUEUE_BYTES", usual.limits.queue_bytes, 65_536),
        connections_per_address=_number(
            environ, "BIGBEN_CONNECTIONS_PER_ADDRESS", usual.limits.connections_per_address, 1
        ),
        connects_per_second=_number(
            environ, "BIGBEN_CONNECTS_PER_SECOND", usual.limits.connects_per_second, 1
        ),
        connections_per_player=_number(
            environ, "BIGBEN_CONNECTIONS_PER_PLAYER", usual.limits.connections_per_player, 1
        ),
        races_per_connection=_number(
            environ, "BIGBEN_RACES_PER_CONNECTION", usual.limits.races_per_connection, 1
        ),
        rooms_per_minute=_number(
            environ, "BIGBEN_ROOMS_PER_MINUTE", usual.limits.rooms_per_minute, 1
        ),
        races_per_address=_number(
            environ, "BIGBEN_RACES_PER_ADDRESS", usual.limits.races_per_address, 1
        ),
        rooms_per_address=_number(
            environ, "BIGBEN_ROOMS_PER_ADDRESS", usual.limits.rooms_per_address, 1
        ),
        guests_per_address=_number(
            environ, "BIGBEN_GUESTS_PER_ADDRESS", usual.limits.guests_per_address, 1
        ),
        api_per_second=_number(environ, "BIGBEN_API_PER_SECOND", usual.limits.api_per_second, 1),
    )
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
        limits=limits,
    )


def _number(
    environ: Mapping[str, str], name: str, usual: int, least: int, most: int = 2**31
) -> int:
    text = environ.get(name, "")
    if not text:
        return usual
    # Ten digits are more than any of them takes, and int() itself takes not more than 4,300.
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
    """Separated by spaces or commas, and written as browsers send them."""
    origins = tuple(origin.rstrip("/").lower() for origin in text.replace(",", " ").split())
    for origin in origins:
        if not re.fullmatch(r"https?://[^/?#@*]+", origin):
            raise BadSetting(
                f"BIGBEN_ORIGINS lists addresses like https://play.example, not {origin[:40]!r}."
            )
    return origins


def _issuers(environ: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """``BIGBEN_ISSUER_DISCORD_KEY`` and, while keys change, ``BIGBEN_ISSUER_DISCORD_KEY_OLD``."""
    issuers: dict[str, tuple[str, ...]] = {}
    for name in environ:
        if name.startswith("BIGBEN_ISSUER_") and name.endswith("_KEY") and environ[name]:
            issuer = name[len("BIGBEN_ISSUER_") : -len("_KEY")].lower().replace("_", "-")
            if not re.fullmatch("[a-z0-9-]{1,32}", issuer):
                raise BadSetting(
                    f"{name} names no issuer; write it like BIGBEN_ISSUER_DISCORD_KEY."
                )
            if issuer in _OWN_ISSUERS:
                raise BadSetting(f"{name}: {issuer} is this server, whose key is BIGBEN_SECRET.")
            keys = (_secret(environ, name), _secret(environ, f"{name}_OLD"))
            issuers[issuer] = tuple(key for key in keys if key)
    return issuers
