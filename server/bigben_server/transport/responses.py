"""HTTP responses, and the headers of requests."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from websockets import Headers, Request, Response

from bigben_protocol import texts
from bigben_protocol.sentence import sentence

ANY_PAGE: Final = {"Access-Control-Allow-Origin": "*"}
"""For what any web page may read."""
FORWARDED: Final = "X-Forwarded-For"
"""The header to which each proxy appends the address that it was asked from."""


def takes_gzip(accepts: str) -> bool:
    """Whether an Accept-Encoding allows gzip (RFC 9110, 12.5.3)."""
    weights = _weights(accepts)
    return weights.get("gzip", weights.get("*", 0)) > 0


def language_for(accepts: str) -> str:
    """The language that an Accept-Language likes best, of those that there are (12.5.4)."""
    weights = _weights(accepts)
    liked = sorted(weights, key=weights.__getitem__, reverse=True)
    known = (code for tag in liked if (code := tag.partition("-")[0]) in texts.languages())
    return next(known, texts.DEFAULT)


def _weights(accepts: str) -> dict[str, float]:
    """What a header accepts, with how much; a weight that is none counts in full."""
    weights = {}
    for one in accepts.lower().replace(" ", "").split(","):
        name, _, weight = one.partition(";q=")
        weights[name] = float(weight) if re.fullmatch(r"[01](\.\d*)?", weight) else 1.0
    return weights


def keeps_open(request: Request) -> bool:
    """Whether the peer may send another request on its connection (RFC 9112, 9.3)."""
    options = [one.strip().lower() for one in header(request, "Connection").split(",")]
    return request.protocol == "HTTP/1.1" and not {"close", "upgrade"} & {*options}


def header(request: Request, name: str) -> str:
    """The header's value; repeated headers are joined to one list."""
    return ", ".join(request.headers.get_all(name))


def respond(status: HTTPStatus, body: bytes, kind: str, headers: Mapping[str, str]) -> Response:
    """A response with a body, whose Content-Type is ``kind``."""
    about = {"Content-Type": kind, "Content-Length": str(len(body))}
    return Response(status, status.phrase, Headers({**headers, **about}), body)


def plain_text(status: HTTPStatus, text: str, headers: Mapping[str, str] = {}) -> Response:
    """A response with a line of text for people."""
    return respond(status, f"{text}\n".encode(), "text/plain; charset=utf-8", headers)


def cacheable(
    body: bytes, kind: str, tag: str, headers: Mapping[str, str], if_none_match: str
) -> Response:
    """The body with its ETag, or Not Modified if the client has it already."""
    if f'"{tag}"' not in if_none_match and if_none_match.strip() != "*":
        return respond(HTTPStatus.OK, body, kind, {**headers, "ETag": f'"{tag}"'})
    # A cache would take other headers for those of the body that it keeps.
    headers = {name: headers[name] for name in headers if name != "Content-Encoding"}
    unchanged = Headers({**headers, "ETag": f'"{tag}"'})
    return Response(HTTPStatus.NOT_MODIFIED, HTTPStatus.NOT_MODIFIED.phrase, unchanged)


def too_often() -> Response:
    """The refusal of an address that asks for more than its share."""
    text = texts.said(sentence("plain.connections_often"))
    return plain_text(HTTPStatus.TOO_MANY_REQUESTS, text, {"Retry-After": "60"})


def bad_forwarded() -> Response:
    """The refusal of a request whose client is unknown: nobody else's address is taken for it."""
    text = f"{FORWARDED} has something that is no address; the proxy must write the client's there."
    return plain_text(HTTPStatus.BAD_REQUEST, text)
