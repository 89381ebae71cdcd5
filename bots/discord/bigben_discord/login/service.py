"""The login service: HTTP under ``/login``, while the bot runs and has the client secret."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

import aiohttp
import msgspec
from aiohttp import web

from bigben_chat.chat import Chat
from bigben_chat.texts import Say, say_in
from bigben_client import ClientError, RefusedError
from bigben_discord.config import Settings
from bigben_discord.login import bodies
from bigben_discord.login.budgets import Budget, client_address, counted
from bigben_discord.login.discord_api import PATIENCE, DiscordApi
from bigben_discord.login.logins import Answer, Logins
from bigben_discord.login.refusal import Refusal

_log = logging.getLogger(__name__)

LAST_S: Final = 3.0
"""How long logins under way may take when the bot stops."""
BODY_S: Final = 10.0
"""How long a body may take to arrive."""

FRAMED: Final = ("/login", "/login/instance")
"""What a frame asks, whose origin may be opaque: its own server is foreign to it, then. Not what
terminals ask, or any page could ask in their name, from the address of its visitor."""
FOR_FRAMES: Final = {
    # No answer depends on who the browser is: there are no cookies, and what is asked brings its
    # own secrets.
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "Content-Type",
}
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class CantListen(Exception):
    """The address of the login service can't be used. Its message is a sentence."""


@dataclass
class Route:
    """A request of the service."""

    method: str
    path: str
    body: type[Any]
    """Any: each has its own, of ``bodies``."""
    do: Callable[[Any, str], Awaitable[Answer]]
    budget: Budget
    """Of each address. Behind Discord's proxy many frames have the same one."""


class LoginService:
    """Answers logins, once it has been started."""

    def __init__(self, settings: Settings, chat: Chat, now: Callable[[], datetime]) -> None:
        self._settings = settings
        self._chat = chat
        self._now = now
        self._runner: web.AppRunner | None = None
        self._session: aiohttp.ClientSession | None = None

    @property
    def port(self) -> int:
        """Where it listens; 0 if it does not."""
        return int(self._runner.addresses[0][1]) if self._runner is not None else 0

    async def start(self, application: int) -> None:
        """Listen, if it does not yet and there is a secret. Raises CantListen."""
        settings = self._settings
        if not settings.secret or self._runner is not None:
            return
        self._session = aiohttp.ClientSession(timeout=PATIENCE)
        discord = DiscordApi(self._session, application, settings.secret, settings.token)
        app = web.Application(client_max_size=bodies.MOST_BYTES, middlewares=[_readable, _refusing])
        for route in _routes(Logins(self._chat, discord, self._now)):
            app.router.add_route(route.method, route.path, self._handler(route))
        # Without a log of requests, which would keep the addresses of players.
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=LAST_S)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, settings.login_host, settings.login_port).start()
        except OSError as error:
            raise CantListen(
                f"BIGBEN_LOGIN_HOST and BIGBEN_LOGIN_PORT can't be used: {error.strerror}."
            ) from error
        _log.info("Players log in at %s port %s.", settings.login_host, self.port)

    async def close(self) -> None:
        """Listen no more; requests under way are answered."""
        if self._runner is not None:
            await self._runner.cleanup()
        if self._session is not None:
            await self._session.close()

    def _handler(self, route: Route) -> Handler:
        async def handle(request: web.Request) -> web.Response:
            forwarded = request.headers.getall("X-Forwarded-For", [])
            proxies = self._settings.behind_proxy
            address = client_address(request.remote or "", forwarded, proxies)
            if not route.budget.take(counted(address), time.monotonic()):
                raise Refusal("often", 429)
            answer = await route.do(await _body(request, route.body), address)
            return _json(answer, 400 if "error" in answer else 200)

        return handle


def _routes(logins: Logins) -> tuple[Route, ...]:
    return (
        # Frames also ask it every few seconds, and it costs next to nothing.
        Route("GET", "/login", bodies.Begin, logins.begin, Budget(100, 2_000)),
        Route("POST", "/login", bodies.Finish, logins.finish, Budget(5, 200)),
        Route("POST", "/login/instance", bodies.Playing, logins.playing, Budget(5, 200)),
        Route("POST", "/login/device", bodies.Ask, logins.ask, Budget(1 / 6, 20)),
        Route("POST", "/login/device/confirm", bodies.Decide, logins.decide, Budget(1 / 6, 20)),
        Route("POST", "/login/token", bodies.Poll, logins.poll, Budget(4, 60)),
    )


async def _body(request: web.Request, body: type[Any]) -> Any:
    """What was sent, checked (Any: one of ``bodies``). Raises Refusal."""
    if request.method == "GET":
        return bodies.read(dict(request.query), body)
    # Else any page could send it unasked, from the address of its visitor.
    if request.content_type != "application/json":
        raise Refusal("request", 400)
    try:
        async with asyncio.timeout(BODY_S):
            data = await request.read()
    except (TimeoutError, ConnectionError, web.RequestPayloadError):
        raise Refusal("request", 400) from None
    return bodies.read(data, body)


@web.middleware
async def _readable(request: web.Request, handler: Handler) -> web.StreamResponse:
    """What frames ask can be read by them, wherever they are."""
    if request.path not in FRAMED:
        return await handler(request)
    asks_whether = request.method == "OPTIONS"
    answer = web.Response(status=204) if asks_whether else await handler(request)
    answer.headers.update(FOR_FRAMES)
    return answer


@web.middleware
async def _refusing(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Whatever goes wrong is answered with a sentence, in the language of the browser."""
    say = say_in(request.headers.get("Accept-Language", "").partition(",")[0].partition(";")[0])
    try:
        return await handler(request)
    except Refusal as refusal:
        return _refused(refusal, say)
    except web.HTTPException as error:
        return _refused(Refusal("request", error.status), say)
    except RefusedError as error:
        _log.error("the race server refuses a login: %s", error)
        return _json({"code": "server", "text": say.told(error.said, error.text)}, 502)
    except (ClientError, TimeoutError):
        return _json({"code": "server", "text": say.label("wrong.away")}, 503)
    except Exception:
        _log.exception("a login went wrong")
        return _refused(Refusal("mistake", 500), say)


def _refused(refusal: Refusal, say: Say) -> web.Response:
    text = say.label(f"login.{refusal.code}")
    return _json({"code": refusal.code, "text": text}, refusal.status)


def _json(answer: Answer, status: int) -> web.Response:
    headers = {"Cache-Control": "no-store", "Content-Type": "application/json"}
    return web.Response(status=status, body=msgspec.json.encode(answer), headers=headers)
