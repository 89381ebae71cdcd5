"""HTTP on the port: which requests become WebSockets, and what the others get. Opens no socket."""

import http
from collections.abc import Mapping
from typing import Final, NamedTuple

from bigben_protocol import CODECS
from bigben_server.transport import page
from bigben_server.transport.admission import Admission
from bigben_server.transport.answers import Answer
from bigben_server.transport.api import PREFIX, TOO_FAST, Api

WEBSOCKET_VERSION: Final = "13"


class Request(NamedTuple):
    """One HTTP request."""

    method: str
    protocol: str
    path: str
    headers: Mapping[str, str]
    """By name in lower case; a header that is there several times is one list."""
    address: str
    """The address, as determined by ``Admission.address``."""


def wants_websocket(request: Request) -> bool:
    """Whether it asks for a WebSocket. Other upgrades are ignored, as RFC 9110, 7.8 allows.

    In HTTP/1.0 all are, as it demands.
    """
    offered = (one.strip().lower() for one in request.headers.get("upgrade", "").split(","))
    return request.protocol == "HTTP/1.1" and "websocket" in offered


def refusal(request: Request, admission: Admission, now: float) -> Answer | None:
    """Why this request gets no WebSocket; None if it gets one where it is well formed."""
    version = request.headers.get("sec-websocket-version", WEBSOCKET_VERSION)
    if version != WEBSOCKET_VERSION:
        text = f"WebSockets of version {WEBSOCKET_VERSION} are spoken here."
        # RFC 6455, 4.4, and of RFC 9110, 15.5.22 the Upgrade.
        headers = {"Sec-WebSocket-Version": WEBSOCKET_VERSION, "Upgrade": "websocket"}
        return sentence(http.HTTPStatus.UPGRADE_REQUIRED, text, headers)
    if "sec-websocket-protocol" not in request.headers:
        text = f"Offer one of the subprotocols {' and '.join(CODECS)}."
        return sentence(http.HTTPStatus.BAD_REQUEST, text)
    if not admission.lets_page(request.headers):
        text = "Pages of this address may not connect; the operator can list it in BIGBEN_ORIGINS."
        return sentence(http.HTTPStatus.FORBIDDEN, text)
    if admission.owes(request.address, now):
        return TOO_OFTEN
    if admission.is_full(request.address):
        text = "Too many connections come from your address; close some and try again."
        return sentence(http.HTTPStatus.TOO_MANY_REQUESTS, text)
    return None


async def answered(request: Request, admission: Admission, api: Api, now: float) -> Answer:
    """What a request that wants no WebSocket gets, at ``now`` in seconds."""
    if request.method not in ("GET", "HEAD"):
        text = "Only GET and HEAD are answered here."
        return sentence(http.HTTPStatus.METHOD_NOT_ALLOWED, text, {"Allow": "GET, HEAD"})
    known = request.headers.get("if-none-match", "")
    if request.path == "/health":
        answer = sentence(http.HTTPStatus.OK, "ok")
    elif not request.path.startswith(PREFIX):
        answer = page.answer(request.path, known)
        if answer.status in (http.HTTPStatus.OK, http.HTTPStatus.NOT_MODIFIED):
            admission.sent_file(request.address, now)
    elif admission.lets_ask(request.address, now):
        answer = _for_every_page(await api.answer(request.path, known))
    else:
        answer = _for_every_page(TOO_FAST)
    return answer


def sentence(
    status: http.HTTPStatus, text: str, headers: Mapping[str, str] | None = None
) -> Answer:
    """A status with a sentence that says why."""
    plain = {"Content-Type": "text/plain; charset=utf-8"}
    return Answer(status, f"{text}\n".encode(), {**plain, **(headers or {})})


def _for_every_page(answer: Answer) -> Answer:
    every = {
        "Content-Type": "application/json; charset=utf-8",
        "Access-Control-Allow-Origin": "*",
    }
    return answer._replace(headers={**every, **answer.headers})


TOO_OFTEN: Final = sentence(
    http.HTTPStatus.TOO_MANY_REQUESTS,
    "Too many connections come from your address; wait a minute.",
    {"Retry-After": "60"},
)
