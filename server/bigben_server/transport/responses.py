"""Plain HTTP: what requests say in their headers, and responses."""

import hashlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response


def header(request: Request, name: str) -> str:
    """The header's value; repeated headers are joined to one list."""
    return ", ".join(request.headers.get_all(name))


def wants_websocket(request: Request) -> bool:
    """RFC 9110, 7.8: other upgrades may be ignored; those in HTTP/1.0 must be."""
    offered = (one.strip().lower() for one in header(request, "Upgrade").split(","))
    return request.protocol == "HTTP/1.1" and "websocket" in offered


def respond(
    status: HTTPStatus, body: bytes, kind: str, headers: Mapping[str, str] | None = None
) -> Response:
    """A response with a body, whose Content-Type is ``kind``."""
    about = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"}
    return Response(status, status.phrase, Headers({**(headers or {}), **about}), body)


def sentence(status: HTTPStatus, text: str, headers: Mapping[str, str] | None = None) -> Response:
    return respond(status, f"{text}\n".encode(), "text/plain; charset=utf-8", headers)


def cacheable(body: bytes, kind: str, headers: Mapping[str, str], if_none_match: str) -> Response:
    """The body with its ETag, or Not Modified if the client has it already."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    if tag not in if_none_match and if_none_match.strip() != "*":
        return respond(HTTPStatus.OK, body, kind, {**headers, "ETag": tag})
    # A cache would take other headers for those of the body that it keeps.
    unchanged = Headers({**headers, "ETag": tag, "Connection": "close"})
    return Response(HTTPStatus.NOT_MODIFIED, HTTPStatus.NOT_MODIFIED.phrase, unchanged)


TOO_OFTEN: Final = sentence(
    HTTPStatus.TOO_MANY_REQUESTS,
    "Too many connections come from your address; wait a minute.",
    {"Retry-After": "60"},
)
