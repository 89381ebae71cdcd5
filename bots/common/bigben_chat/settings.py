"""The settings that every bot has, read from the environment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from bigben_chat.connections.identity import Issuer

LEAST_KEY_BYTES: Final = 32


class BadSetting(ValueError):
    """A setting is missing or can't be used. Its message is a sentence for the operator."""


class Address(NamedTuple):
    """Where something is served."""

    host: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSettings:
    """What two deployments of any bot differ in."""

    server: str
    """Where the race server listens, ``ws://127.0.0.1:8765``."""
    issuer: Issuer
    """Has the key that signs the players' tokens; the server knows it under the same name."""
    data: Path
    """The folder of the bot's store."""
    page: str
    """Where people find the server, without a slash at the end."""
    browsers: bool = False
    """Whether BIGBEN_PAGE is set, so that players' browsers reach the page."""
    metrics: Address | None = None
    """Where Prometheus reads the bot's metrics."""

    @property
    def store(self) -> Path:
        """The file that holds what the bot must not forget."""
        return self.data / f"{self.issuer.name}.sqlite"


def of_every_bot(environ: Mapping[str, str], platform: str) -> dict[str, Any]:
    """The fields of `BotSettings` (Any: as they are there). Raises BadSetting."""
    return {
        "server": _server(environ),
        "issuer": Issuer(platform, _key(environ, platform)),
        "data": Path(environ.get(f"BIGBEN_{platform.upper()}_DATA", "") or "data"),
        "page": _page(environ.get("BIGBEN_PAGE", "") or _server(environ)),
        "browsers": bool(environ.get("BIGBEN_PAGE", "")),
        "metrics": _metrics(environ),
    }


def _key(environ: Mapping[str, str], platform: str) -> str:
    name = f"BIGBEN_ISSUER_{platform.upper()}_KEY"
    key = environ.get(name, "")
    if not key:
        raise BadSetting(
            f"{name} is missing; make one with `openssl rand -hex 32` and give "
            "the same to the server and to the bot."
        )
    if len(key.encode()) < LEAST_KEY_BYTES:
        raise BadSetting(
            f"{name} needs at least {LEAST_KEY_BYTES} bytes; `openssl rand -hex 32` makes one."
        )
    return key


def _server(environ: Mapping[str, str]) -> str:
    return environ.get("BIGBEN_SERVER", "") or "ws://127.0.0.1:8765"


def _metrics(environ: Mapping[str, str]) -> Address | None:
    host = environ.get("BIGBEN_METRICS_HOST", "") or "127.0.0.1"
    if not environ.get("BIGBEN_BOT_METRICS_PORT", ""):
        return None
    return Address(host, number(environ, "BIGBEN_BOT_METRICS_PORT", 0, 65_535))


def number(environ: Mapping[str, str], name: str, usual: int, most: int) -> int:
    """A number from 0. Raises BadSetting."""
    text = environ.get(name, "") or str(usual)
    if not (re.fullmatch("[0-9]{1,5}", text) and int(text) <= most):
        raise BadSetting(f"{name} is a number from 0 to {most}, not {text[:40]!r}.")
    return int(text)


def _page(address: str) -> str:
    """The address for a browser: the server shows the page on the port of its WebSockets.

    >>> _page("ws://localhost:8765/")
    'http://localhost:8765'
    """
    scheme, separator, rest = address.partition("://")
    if not separator:
        scheme, rest = "ws", address
    scheme = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    if scheme not in ("http", "https"):
        raise BadSetting(f"BIGBEN_PAGE is an address like https://race.example, not {address!r}.")
    return f"{scheme}://{rest.rstrip('/')}"
