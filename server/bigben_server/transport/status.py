"""Answers the questions of what runs or uses a server: does it live, is it ready, what is it?"""

from functools import cache
from http import HTTPStatus
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Final

import msgspec
from websockets import Response

from bigben_protocol import CODECS
from bigben_server.readiness import Readiness
from bigben_server.transport.page import TYPES
from bigben_server.transport.responses import plain_text, respond

_NOT_KEPT: Final = {"Cache-Control": "no-store"}
_ANY_PAGE: Final = {"Access-Control-Allow-Origin": "*"}


class Version(msgspec.Struct, frozen=True):
    """What this server is."""

    version: str
    """Of the package ``bigben-race``; ``unknown`` if it runs without being installed."""
    protocols: tuple[str, ...]
    """The subprotocols of its WebSocket, each with the version of the messages."""


@cache
def version() -> Version:
    try:
        installed = version_of("bigben-race")
    except PackageNotFoundError:
        installed = "unknown"
    return Version(installed, tuple(CODECS))


def is_about_status(path: str) -> bool:
    """Whether ``answer_status`` answers."""
    return path.partition("?")[0] in ("/health", "/ready", "/version")


def answer_status(path: str, readiness: Readiness) -> Response | None:
    """The answer if ``path``, without its query, asks for one of these."""
    match path.partition("?")[0]:
        case "/health":  # any answer shows that the process runs
            return plain_text(HTTPStatus.OK, "ok", _NOT_KEPT)
        case "/ready":
            if reasons := readiness.reasons():
                text = " ".join(reasons)
                return plain_text(HTTPStatus.SERVICE_UNAVAILABLE, text, _NOT_KEPT)
            return plain_text(HTTPStatus.OK, "ready", _NOT_KEPT)
        case "/version":
            body = msgspec.json.encode(version())
            return respond(HTTPStatus.OK, body, TYPES[".json"], {**_NOT_KEPT, **_ANY_PAGE})
        case _:
            return None
