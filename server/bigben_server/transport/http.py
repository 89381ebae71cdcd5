"""Answers HTTP requests: boards and profiles as JSON, files of the page, and who may connect.

Boards and profiles are public: any web page and any cache may read them. See ``openapi.json``.
The page is the files of ``bigben_web``, and no other file.
"""

import hashlib
import json
import logging
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import as_file, files
from typing import Final, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from websockets import Headers, Request, Response

from bigben_protocol import CODECS, Code, GetLeaderboard, GetProfile, PlayerId
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.events import Refusal
from bigben_server.rooms.session import MISTAKE
from bigben_server.scoring.boards import asked_for, is_over
from bigben_server.storage.client import StoreLost
from bigben_server.transport.admission import Admission

PREFIX: Final = "/api/"
LEADERBOARD_PARAMETERS: Final = (
    *("period", "date", "game", "rules", "by", "group", "start", "count", "around", "player"),
)
"""The fields of GetLeaderboard, and the player whose own row is wanted."""
PROFILE_PARAMETERS: Final = ("against",)
FRESH_S: Final = 5
"""How long caches may keep an answer that can change at any moment."""
PAST_S: Final = 300
"""How long caches may keep a final board, on which only names change."""

LANGUAGES: Final = "/texts/languages.json"
"""The codes of all languages. It is not a file, so that a new language needs one file only."""

TYPES: Final[Mapping[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""By the extension of a file; no other file is served."""

# 'self' covers WebSockets to the same address. Because of the last two, a name of another player
# can't become part of the page's code, whatever the code does.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Content-Security-Policy: nothing inline, and nothing from other hosts."""

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # The browser asks each time, so that it never mixes the files of two versions.
    "Cache-Control": "no-cache",
}

_ANY_PAGE: Final = {"Access-Control-Allow-Origin": "*"}
_Question = TypeVar("_Question", GetLeaderboard, GetProfile)
_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode


class Problem(msgspec.Struct, frozen=True):
    """Why a request is refused."""

    code: Code
    text: str
    """A sentence for people: what is wrong, and what to do next."""


async def answer(
    request: Request, address: str, queries: Queries, admission: Admission, now: float
) -> Response | None:
    """The answer to a request at ``now``, in seconds; None for a WebSocket that is admitted."""
    if admission.settings.behind_proxy and not admission.arrivals.take(address, now):
        return _too_often()
    # RFC 9110, 7.8: other upgrades may be ignored; those in HTTP/1.0 must be.
    offered = [one.strip().lower() for one in header(request, "Upgrade").split(",")]
    if request.protocol == "HTTP/1.1" and "websocket" in offered:
        return refusal(request, address, admission, now)
    if request.method not in ("GET", "HEAD"):
        text = "Only GET and HEAD are answered here."
        return _sentence(HTTPStatus.METHOD_NOT_ALLOWED, text, {"Allow": "GET, HEAD"})
    if request.path == "/health":
        return _sentence(HTTPStatus.OK, "ok")
    known = header(request, "If-None-Match")
    if request.path.startswith(PREFIX):
        if admission.queries.take(address, now):
            return await answer_api(queries, request.path, known)
        text = "Too many questions come from your address; wait a moment."
        return _problem(HTTPStatus.TOO_MANY_REQUESTS, "rate", text)
    file = answer_page(request.path, known)
    if file.status_code != HTTPStatus.NOT_FOUND:
        admission.sent_file(address, now)
    return file


def refusal(request: Request, address: str, admission: Admission, now: float) -> Response | None:
    """The refusal of a request for a WebSocket; None if it gets one when it is well formed."""
    if request.headers.get_all("Sec-WebSocket-Version") not in ([], ["13"]):
        text = "This server speaks version 13 of WebSockets."
        # RFC 6455, 4.4; RFC 9110, 15.5.22 asks for Upgrade.
        headers = {"Sec-WebSocket-Version": "13", "Upgrade": "websocket"}
        return _sentence(HTTPStatus.UPGRADE_REQUIRED, text, headers)
    if "Sec-WebSocket-Protocol" not in request.headers:
        text = f"Offer one of the subprotocols {' and '.join(CODECS)}."
        return _sentence(HTTPStatus.BAD_REQUEST, text)
    origin = header(request, "Origin") if "Origin" in request.headers else None
    if not admission.allows_origin(origin, header(request, "Host")):
        text = "Pages of this address may not connect; the operator can list it in BIGBEN_ORIGINS."
        return _sentence(HTTPStatus.FORBIDDEN, text)
    if admission.arrivals.of(address, now).tokens(now) < 0:
        return _too_often()
    if admission.open[address] >= admission.settings.limits.connections_per_address:
        text = "Too many connections come from your address; close some and try again."
        return _sentence(HTTPStatus.TOO_MANY_REQUESTS, text)
    return None


async def answer_api(queries: Queries, path: str, if_none_match: str = "") -> Response:
    """The answer to a GET of ``path``, below ``PREFIX``, with its query. Raises nothing."""
    try:
        body, fresh_s = await _body(queries, path)
    except Refusal as refusal:
        # Not Found if something does not exist, or does not exist yet.
        missing = refusal.code in ("unknown", "rules", "phase")
        status = HTTPStatus.NOT_FOUND if missing else HTTPStatus.BAD_REQUEST
        return _problem(status, refusal.code, refusal.text)
    except StoreLost:
        text = "The store is away; come back in a moment."
        return _problem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", text)
    except Exception:
        _log.exception("%s could not be answered", path[:200])
        return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, "busy", MISTAKE)
    headers = {**_ANY_PAGE, "Cache-Control": f"public, max-age={fresh_s}"}
    return _cacheable(body, TYPES[".json"], headers, if_none_match)


async def _body(queries: Queries, path: str) -> tuple[bytes, int]:
    """The body, and how many seconds it is fresh. Raises Refusal or StoreLost."""
    parts = urlsplit(path)
    match [unquote(part) for part in parts.path.removeprefix(PREFIX).split("/")]:
        case ["leaderboard"]:
            given = _parameters(parts.query, LEADERBOARD_PARAMETERS)
            asker = _read({"player": given.pop("player", "")}, GetProfile).player
            wanted = _read(given, GetLeaderboard)
            body = _encode(await queries.leaderboard(asker, wanted))
            now = queries.clock()
            return body, PAST_S if is_over(asked_for(wanted, now), now) else FRESH_S
        case ["players", player] if player:
            given = _parameters(parts.query, PROFILE_PARAMETERS)
            asked = _read({**given, "player": player}, GetProfile)
            return _encode(await queries.profile(PlayerId(""), asked)), FRESH_S
        case ["openapi.json"]:
            return files("bigben_server").joinpath("openapi.json").read_bytes(), PAST_S
        case _:
            text = "There is nothing here; /api/openapi.json describes what there is."
            raise Refusal("unknown", text)


def _parameters(query: str, known: tuple[str, ...]) -> dict[str, str]:
    """Raises Refusal."""
    pairs = parse_qsl(query, keep_blank_values=True)
    given = dict(pairs)
    if len(given) != len(pairs):
        raise Refusal("board", "Give each parameter once.")
    for name in given:
        if name not in known:
            text = f"There is no parameter {name[:40]!r}; there are {', '.join(known)}."
            raise Refusal("board", text)
    return given


def _read(given: dict[str, str], question: type[_Question]) -> _Question:
    """Raises Refusal."""
    try:
        return msgspec.convert(given, question, strict=False)
    except msgspec.ValidationError as error:
        problem, _, field = str(error).partition(" - at `$.")
        raise Refusal("board", f"{field.rstrip('`')}: {problem}.") from None


def _problem(status: HTTPStatus, code: Code, text: str) -> Response:
    headers = {**_ANY_PAGE, "Cache-Control": "no-store"}
    return _respond(status, _encode(Problem(code, text)), TYPES[".json"], headers)


def answer_page(path: str, if_none_match: str = "") -> Response:
    """The file of the page at ``path``, whose query is ignored."""
    path = path.partition("?")[0]
    file = page().get("/index.html" if path == "/" else path)
    if file is None:
        text = "There is nothing here; the game is at /, /health says whether the server is up."
        return _sentence(HTTPStatus.NOT_FOUND, text, HEADERS)
    return _cacheable(*file, HEADERS, if_none_match)


@cache
def page() -> Mapping[str, tuple[bytes, str]]:
    """The body and the type of every file, by path."""
    with as_file(files("bigben_web").joinpath("files")) as folder:
        found = {
            f"/{file.relative_to(folder).as_posix()}": (file.read_bytes(), TYPES[file.suffix])
            for file in folder.rglob("*")
            if file.suffix in TYPES
        }
        codes = sorted(text.stem for text in folder.joinpath("texts").glob("*.js"))
    return {**found, LANGUAGES: (json.dumps(codes).encode(), TYPES[".json"])}


def header(request: Request, name: str) -> str:
    """The header's value; repeated headers are joined to one list."""
    return ", ".join(request.headers.get_all(name))


def _respond(status: HTTPStatus, body: bytes, kind: str, headers: Mapping[str, str]) -> Response:
    """A response with a body, whose Content-Type is ``kind``."""
    about = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"}
    return Response(status, status.phrase, Headers({**headers, **about}), body)


def _sentence(status: HTTPStatus, text: str, headers: Mapping[str, str] = {}) -> Response:
    return _respond(status, f"{text}\n".encode(), "text/plain; charset=utf-8", headers)


def _cacheable(body: bytes, kind: str, headers: Mapping[str, str], if_none_match: str) -> Response:
    """The body with its ETag, or Not Modified if the client has it already."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    if tag not in if_none_match and if_none_match.strip() != "*":
        return _respond(HTTPStatus.OK, body, kind, {**headers, "ETag": tag})
    # A cache would take other headers for those of the body that it keeps.
    unchanged = Headers({**headers, "ETag": tag, "Connection": "close"})
    return Response(HTTPStatus.NOT_MODIFIED, HTTPStatus.NOT_MODIFIED.phrase, unchanged)


def _too_often() -> Response:
    text = "Too many connections come from your address; wait a minute."
    return _sentence(HTTPStatus.TOO_MANY_REQUESTS, text, {"Retry-After": "60"})
