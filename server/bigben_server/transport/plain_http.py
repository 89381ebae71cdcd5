"""HTTP requests and answers as values."""

import hashlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, NamedTuple


class Request(NamedTuple):
    method: str
    protocol: str
    path: str
    headers: Mapping[str, str]
    """By name in lower case; repeated headers are joined to one list."""
    address: str
    """See ``Admission.address``."""

    @property
    def wants_websocket(self) -> bool:
        """RFC 9110, 7.8: other upgrades may be ignored; those in HTTP/1.0 must be."""
        offered = (one.strip().lower() for one in self.headers.get("upgrade", "").split(","))
        return self.protocol == "HTTP/1.1" and "websocket" in offered


class Answer(NamedTuple):
    status: HTTPStatus
    body: bytes
    headers: Mapping[str, str]


def sentence(status: HTTPStatus, text: str, headers: Mapping[str, str] | None = None) -> Answer:
    plain = {"Content-Type": "text/plain; charset=utf-8"}
    return Answer(status, f"{text}\n".encode(), {**plain, **(headers or {})})


def cacheable(body: bytes, headers: Mapping[str, str], if_none_match: str) -> Answer:
    """The body with its ETag, or Not Modified if the client has it already."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {**headers, "ETag": tag}
    if tag in if_none_match or if_none_match.strip() == "*":
        return Answer(HTTPStatus.NOT_MODIFIED, b"", headers)
    return Answer(HTTPStatus.OK, body, headers)


TOO_OFTEN: Final = sentence(
    HTTPStatus.TOO_MANY_REQUESTS,
    "Too many connections come from your address; wait a minute.",
    {"Retry-After": "60"},
)
