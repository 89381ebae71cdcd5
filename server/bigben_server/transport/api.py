"""Answers plain HTTP requests: boards and profiles as JSON, files of the page, and the health.

Boards and profiles are public: any web page and any cache may read them. See ``openapi.json``.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Final, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from bigben_protocol import Code, GetLeaderboard, GetProfile, PlayerId
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.events import Refusal
from bigben_server.rooms.session import MISTAKE
from bigben_server.scoring.boards import asked_for, is_over
from bigben_server.storage.client import StoreLost
from bigben_server.transport import page
from bigben_server.transport.admission import Admission
from bigben_server.transport.plain_http import Answer, Request, cacheable, sentence

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

_HEADERS: Final = {
    "Content-Type": "application/json; charset=utf-8",
    "Access-Control-Allow-Origin": "*",
}
_Question = TypeVar("_Question", GetLeaderboard, GetProfile)
_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode


class Problem(msgspec.Struct, frozen=True):
    """Why a request is refused."""

    code: Code
    text: str
    """A sentence for people: what is wrong, and what to do next."""


@dataclass(slots=True, eq=False)
class Api:
    """Answers below ``PREFIX``."""

    queries: Queries
    clock: Callable[[], int]

    async def answer(self, path: str, if_none_match: str = "") -> Answer:
        """The answer to a GET of ``path`` with its query. Raises nothing."""
        try:
            body, fresh_s = await self._body(path)
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
        headers = {**_HEADERS, "Cache-Control": f"public, max-age={fresh_s}"}
        return cacheable(body, headers, if_none_match)

    async def _body(self, path: str) -> tuple[bytes, int]:
        """The body, and how many seconds it is fresh. Raises Refusal or StoreLost."""
        parts = urlsplit(path)
        match [unquote(part) for part in parts.path.removeprefix(PREFIX).split("/")]:
            case ["leaderboard"]:
                given = _parameters(parts.query, LEADERBOARD_PARAMETERS)
                asker = _read({"player": given.pop("player", "")}, GetProfile).player
                wanted = _read(given, GetLeaderboard)
                body = _encode(await self.queries.leaderboard(asker, wanted))
                now = self.clock()
                return body, PAST_S if is_over(asked_for(wanted, now), now) else FRESH_S
            case ["players", player] if player:
                given = _parameters(parts.query, PROFILE_PARAMETERS)
                asked = _read({**given, "player": player}, GetProfile)
                return _encode(await self.queries.profile(PlayerId(""), asked)), FRESH_S
            case ["openapi.json"]:
                return _openapi(), PAST_S
            case _:
                text = "There is nothing here; /api/openapi.json describes what there is."
                raise Refusal("unknown", text)


@cache
def _openapi() -> bytes:
    return files("bigben_server").joinpath("openapi.json").read_bytes()


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


def _problem(status: HTTPStatus, code: Code, text: str) -> Answer:
    headers = {**_HEADERS, "Cache-Control": "no-store"}
    return Answer(status, _encode(Problem(code, text)), headers)


async def answer(request: Request, admission: Admission, api: Api, now: float) -> Answer:
    """The answer to a request that wants no WebSocket, at ``now`` in seconds."""
    if request.method not in ("GET", "HEAD"):
        text = "Only GET and HEAD are answered here."
        return sentence(HTTPStatus.METHOD_NOT_ALLOWED, text, {"Allow": "GET, HEAD"})
    if request.path == "/health":
        return sentence(HTTPStatus.OK, "ok")
    known = request.headers.get("if-none-match", "")
    if request.path.startswith(PREFIX):
        if admission.queries.take(request.address, now):
            return await api.answer(request.path, known)
        text = "Too many questions come from your address; wait a moment."
        return _problem(HTTPStatus.TOO_MANY_REQUESTS, "rate", text)
    file = page.answer(request.path, known)
    if file.status is not HTTPStatus.NOT_FOUND:
        admission.sent_file(request.address, now)
    return file
