"""Answers HTTP requests: boards, profiles, races, seasons and games, the page, who may connect.

All that ``openapi.json`` describes is public: any web page and any cache may read it. The page is
the files of ``bigben_web`` and the texts of the games, and no other file.
"""

import asyncio
import gzip
import hashlib
import logging
from http import HTTPStatus
from importlib.resources import files
from typing import Final, NamedTuple, TypeVar
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

import msgspec
from websockets import Request, Response

from bigben_protocol import (
    CODECS,
    JSON,
    Code,
    Codec,
    GetLeaderboard,
    GetProfile,
    PlayerId,
    Season,
    texts,
)
from bigben_protocol.sentence import Value, sentence
from bigben_protocol.sheet import season_csv
from bigben_server.leaderboards.queries import Queries
from bigben_server.leaderboards.seasons import Seasons
from bigben_server.race.events import Refusal
from bigben_server.readiness import Readiness
from bigben_server.rooms.descriptions import games
from bigben_server.scoring.boards import asked_for, is_over
from bigben_server.storage.client import StoreLost
from bigben_server.tasks import all_set
from bigben_server.transport.admission import Admission
from bigben_server.transport.page import TYPES, answer_page
from bigben_server.transport.responses import (
    ANY_PAGE,
    cacheable,
    header,
    plain_text,
    respond,
    takes_gzip,
    too_often,
)
from bigben_server.transport.status import answer_status

PREFIX: Final = "/api/"
GAMES: Final = f"{PREFIX}games"
"""Needed by each page that is loaded, and answered without the store."""
LEADERBOARD_PARAMETERS: Final = (
    *(
        "period",
        "date",
        "game",
        "rules",
        "by",
        "group",
        "start",
        "count",
        "around",
        "form",
        "player",
    ),
)
"""The fields of GetLeaderboard, and the player whose own row is wanted."""
PROFILE_PARAMETERS: Final = ("against", "form")
FRESH_S: Final = 5
"""How long caches may keep an answer that can change at any moment."""
WORTH_PACKING: Final = 1_000
"""Bytes of an answer from which on it is compressed."""
PAST_S: Final = 300
"""How long caches may keep a final board, on which only names change."""

_SUBPROTOCOL: Final = "Sec-WebSocket-Protocol"
_Question = TypeVar("_Question", GetLeaderboard, GetProfile)
_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode


class Problem(msgspec.Struct, frozen=True):
    """Why a request is refused."""

    code: Code
    text: str
    """A sentence for people: what is wrong, and what to do next."""
    id: str = ""
    values: dict[str, Value] = {}
    """The same as in ``Refused``."""


async def answer(
    request: Request,
    address: str,
    queries: Queries,
    seasons: Seasons,
    admission: Admission,
    readiness: Readiness,
    now: float,
    *,
    is_spare: bool = False,
) -> Response | None:
    """The answer to a request at ``now``, in seconds; None for a WebSocket that is admitted.

    ``is_spare``: the address has used up its connections, and gets only what a player of it needs
    to come in.
    """
    if asks_for_websocket(request):
        return refusal(request, address, admission, now)
    if request.method not in ("GET", "HEAD"):
        text = "Only GET and HEAD are answered here."
        return plain_text(HTTPStatus.METHOD_NOT_ALLOWED, text, {"Allow": "GET, HEAD"})
    if response := answer_status(request.path, readiness):
        return response
    is_file = request.path == GAMES or not request.path.startswith(PREFIX)
    if is_spare and not (is_file and admission.files.take(address, now)):
        return too_often()
    known, accepts = header(request, "If-None-Match"), header(request, "Accept-Encoding")
    if request.path.startswith(PREFIX):
        if is_file or admission.queries.take(address, now):
            path = request.path
            about = {"address": address, "page": admission.settings.page}
            return await answer_api(queries, seasons, path, known, accepts, **about)
        too_many = Refusal("rate", sentence("plain.questions"))
        return _problem(HTTPStatus.TOO_MANY_REQUESTS, too_many)
    settings, languages = admission.settings, header(request, "Accept-Language")
    file = answer_page(request.path, known, accepts, languages, settings)
    if not is_spare and file.status_code != HTTPStatus.NOT_FOUND:
        admission.sent_file(address, now)
    return file


def aim(request: Request) -> str:
    """The label for what a request wants: any path may be asked for."""
    if "Upgrade" in request.headers:
        return "websocket"
    if request.path.startswith(PREFIX):
        return "api"
    return "status" if request.path in ("/health", "/ready", "/version") else "page"


def asks_for_websocket(request: Request) -> bool:
    """RFC 9110, 7.8: other upgrades may be ignored; those in HTTP/1.0 must be."""
    offered = [one.strip().lower() for one in header(request, "Upgrade").split(",")]
    return request.protocol == "HTTP/1.1" and "websocket" in offered


def refusal(request: Request, address: str, admission: Admission, now: float) -> Response | None:
    """The refusal of a request for a WebSocket; None if it gets one when it is well formed."""
    if request.headers.get_all("Sec-WebSocket-Version") not in ([], ["13"]):
        text = "This server speaks version 13 of WebSockets."
        # RFC 6455, 4.4; RFC 9110, 15.5.22 asks for Upgrade.
        headers = {"Sec-WebSocket-Version": "13", "Upgrade": "websocket"}
        return plain_text(HTTPStatus.UPGRADE_REQUIRED, text, headers)
    if codec_of(request) is None:
        names = " and ".join(CODECS)
        text = f"Offer one of the subprotocols {names}, or name it in the address: /?codec={JSON}"
        return plain_text(HTTPStatus.BAD_REQUEST, text)
    origin = header(request, "Origin") if "Origin" in request.headers else None
    if not admission.allows_origin(origin, header(request, "Host")):
        text = "Pages of this address may not connect; the operator can list it in BIGBEN_ORIGINS."
        return plain_text(HTTPStatus.FORBIDDEN, text)
    if not admission.has_used_up(address, now) or admission.reserve.take(address, now):
        return None
    if admission.owes(address, now):
        return too_often()
    text = texts.said(sentence("plain.connections"))
    return plain_text(HTTPStatus.TOO_MANY_REQUESTS, text)


def codec_of(request: Request) -> Codec | None:
    """The codec that a handshake asks for: the first of ours that it offers as a subprotocol.

    Where none is offered the address names one: not all proxies pass subprotocols on.
    """
    offered = [one.strip() for one in header(request, _SUBPROTOCOL).split(",")]
    if not any(offered):
        # Not urlsplit, which refuses some paths.
        offered = parse_qs(request.path.partition("?")[2]).get("codec", [])
    return next((codec for name, codec in CODECS.items() if name in offered), None)


async def answer_api(
    queries: Queries,
    seasons: Seasons,
    path: str,
    if_none_match: str = "",
    accepts: str = "",
    *,
    address: str = "",
    page: str = "",
) -> Response:
    """The answer to a GET of ``path``, below ``PREFIX``, with its query. Raises nothing.

    ``page`` is the public address of the page, if it is known.
    """
    try:
        await all_set(queries.recording)  # first, so that no turn is spent on it
        async with queries.reads.turn(address):
            body, fresh_s, kind = await _body(queries, seasons, path, page)
    except Refusal as refusal:
        if refusal.code == "busy":
            return _problem(HTTPStatus.SERVICE_UNAVAILABLE, refusal)
        # Not Found if something does not exist, or does not exist yet.
        missing = refusal.code in ("unknown", "rules", "phase")
        status = HTTPStatus.NOT_FOUND if missing else HTTPStatus.BAD_REQUEST
        status = HTTPStatus.FORBIDDEN if refusal.code == "seat" else status
        return _problem(status, refusal)
    except StoreLost:
        away = Refusal("busy", sentence("plain.store_away"))
        return _problem(HTTPStatus.SERVICE_UNAVAILABLE, away)
    except Exception:
        _log.exception("%s could not be answered", path[:200])
        mistake = Refusal("busy", sentence("plain.mistake"))
        return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, mistake)
    headers = {**ANY_PAGE, "Cache-Control": f"public, max-age={fresh_s}"}
    headers["Vary"] = "Accept-Encoding"
    tag = hashlib.sha256(body).hexdigest()[:24]
    if len(body) > WORTH_PACKING and takes_gzip(accepts):
        headers["Content-Encoding"] = "gzip"
        body, tag = gzip.compress(body, compresslevel=1, mtime=0), f"{tag}-gzip"
    return cacheable(body, TYPES[kind], tag, headers, if_none_match)


class _Found(NamedTuple):
    body: bytes
    fresh_s: int = FRESH_S
    """For how many seconds."""
    kind: str = ".json"


async def _body(queries: Queries, seasons: Seasons, path: str, page: str) -> _Found:
    """Raises Refusal or StoreLost."""
    parts = urlsplit(path)
    match [unquote(part) for part in parts.path.removeprefix(PREFIX).split("/")]:
        case ["leaderboard"]:
            given = _parameters(parts.query, LEADERBOARD_PARAMETERS)
            asker = _read({"player": given.pop("player", "")}, GetProfile).player
            wanted = _read(given, GetLeaderboard)
            body = _encode(await queries.leaderboard(asker, wanted))
            now = queries.clock()
            return _Found(body, PAST_S if is_over(asked_for(wanted, now), now) else FRESH_S)
        case ["players", player] if player:
            given = _parameters(parts.query, PROFILE_PARAMETERS)
            asked = _read({**given, "player": player}, GetProfile)
            return _Found(_encode(await queries.profile(PlayerId(""), asked)))
        case ["races", race] if race:
            _parameters(parts.query, ())
            return _Found(_encode(await queries.race(race)))
        case ["seasons", named] if named:
            return await _season(seasons, named, parts.query, page)
        case ["games"]:
            return _Found(_encode(games()))
        case ["openapi.json"]:
            return _Found(files("bigben_server").joinpath("openapi.json").read_bytes(), PAST_S)
        case _:
            text = sentence("page.nothing")
            raise Refusal("unknown", text)


async def _season(seasons: Seasons, named: str, query: str, page: str) -> _Found:
    """A season as JSON, its results as CSV, or its weeks as a calendar. Raises Refusal."""
    name, dot, kind = named.partition(".")
    given = _parameters(query, ("lang",) if kind == "ics" else ())
    match dot + kind:
        case "":
            return _Found(_encode(await seasons.told(name)))
        case ".csv":
            text = await asyncio.to_thread(season_csv, await seasons.told(name))
            return _Found(text.encode(), kind=".csv")
        case ".ics":
            language = given.get("lang", texts.DEFAULT)
            told = await seasons.told(name)
            return _Found(await asyncio.to_thread(_calendar, told, page, language), kind=".ics")
        case _:
            raise Refusal("unknown", sentence("page.nothing"))


def _calendar(season: Season, page: str, language: str) -> bytes:
    """In a thread, because its library takes long to import."""
    from bigben_server.transport.calendar import season_calendar  # only here: few ask for one

    return season_calendar(season, page, language)


def _parameters(query: str, known: tuple[str, ...]) -> dict[str, str]:
    """Raises Refusal."""
    pairs = parse_qsl(query, keep_blank_values=True)
    given = dict(pairs)
    if len(given) != len(pairs):
        raise Refusal("board", sentence("page.once"))
    for name in given:
        if name not in known:
            text = sentence("page.no_parameter", name=repr(name[:40]), known=", ".join(known))
            raise Refusal("board", text)
    return given


def _read(given: dict[str, str], question: type[_Question]) -> _Question:
    """Raises Refusal."""
    try:
        return msgspec.convert(given, question, strict=False)
    except msgspec.ValidationError as error:
        problem, _, field = str(error).partition(" - at `$.")
        wrong = sentence("page.parameter", name=field.rstrip("`"), problem=problem)
        raise Refusal("board", wrong) from None


def _problem(status: HTTPStatus, refusal: Refusal) -> Response:
    headers = {**ANY_PAGE, "Cache-Control": "no-store"}
    return respond(
        status,
        _encode(Problem(refusal.code, str(refusal), refusal.said.id, refusal.said.values)),
        TYPES[".json"],
        headers,
    )
