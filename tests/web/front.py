"""An operator's whole deployment: a proxy before a race server and a bot, which is on Discord."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import aiohttp
from aiohttp import WSMsgType, web
from multidict import CIMultiDict
from tests.discord.running import KEY, bot_on
from tests.discord.standin.logins import SECRET
from tests.discord.standin.server import Discord, discord_on_loopback
from tests.support.server_process import UNHURRIED, ServerProcess, serving

from bigben_discord.bot import BigBen

_OF_ONE_CONNECTION: Final = {
    *("connection", "transfer-encoding", "content-length", "keep-alive", "upgrade"),
    *("sec-websocket-extensions", "sec-websocket-key", "sec-websocket-protocol"),
    "sec-websocket-version",
}
_NO_CODE: Final = {None, 0, 1005}
"""Of a WebSocket that was closed without one."""
_Side = web.WebSocketResponse | aiohttp.ClientWebSocketResponse


class Front:
    """The proxy: ``/login`` goes to the bot, all else to the race server."""

    server: ServerProcess
    bot: BigBen

    def __init__(self, world: Discord, session: aiohttp.ClientSession) -> None:
        self.world = world
        self.address = ""
        self.logins: list[str] = []
        """What was asked of the bot: a method and a path."""
        self._session = session

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """What one of the two answers."""
        headers = passed(request.headers)
        to = self.server.url.replace("ws:", "http:")
        if request.path.startswith("/login"):
            to = f"http://127.0.0.1:{self.bot.logins.port}"
            self.logins.append(f"{request.method} {request.path}")
            headers["X-Forwarded-For"] = request.remote or ""
        offered = request.headers.get("Sec-WebSocket-Protocol", "").split(", ")
        return await passed_on(request, self._session, to, headers, list(filter(None, offered)))


@asynccontextmanager
async def deployment(
    folder: Path, *, page: str = "", activities: bool = False
) -> AsyncIterator[Front]:
    """All of it, with the keys that Discord has given to the operator.

    ``page`` is its public address, if that is another one. Discord is called here what a test
    needs: ``activities`` are enabled there or not.
    """
    async with (
        discord_on_loopback("deployment") as world,
        aiohttp.ClientSession(auto_decompress=False) as session,
    ):
        world.state.activities.enabled = activities
        front = Front(world, session)
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", front.answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        front.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        page = page or front.address
        world.state.logins.redirects.append(f"{page}/")
        keys = {"BIGBEN_ISSUER_DISCORD_KEY": KEY, "BIGBEN_DISCORD_APP": world.application}
        with serving(folder, {**UNHURRIED, **keys, "BIGBEN_PAGE": page}) as front.server:
            server = front.server.url
            async with bot_on(world, server, folder, secret=SECRET, page=page) as front.bot:
                yield front
                await runner.cleanup()


def passed(headers: Mapping[str, str], but: Collection[str] = ()) -> CIMultiDict[str]:
    """The headers that a proxy passes on; the names in ``but`` are lowercase."""
    kept = ((name, value) for name, value in headers.items() if name.lower() not in but)
    return CIMultiDict((n, value) for n, value in kept if n.lower() not in _OF_ONE_CONNECTION)


async def passed_on(
    request: web.Request,
    session: aiohttp.ClientSession,
    to: str,
    headers: CIMultiDict[str],
    offered: Sequence[str],
) -> web.StreamResponse:
    """What the server at ``to`` answers; ``offered`` are the subprotocols of a WebSocket."""
    try:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            async with session.ws_connect(
                to + request.path_qs, headers=headers, protocols=offered, max_msg_size=0
            ) as far:
                near = web.WebSocketResponse(protocols=offered, max_msg_size=0)
                await near.prepare(request)
                ways = (_copy(near, far), _copy(far, near))
                await asyncio.gather(*ways)
            return near
        async with session.request(
            request.method, to + request.path_qs, headers=headers, data=await request.read()
        ) as answer:
            body, kept = await answer.read(), passed(answer.headers)
            return web.Response(status=answer.status, headers=kept, body=body)
    except aiohttp.ClientConnectorError:
        return web.Response(status=502, text="Nobody answers there.")


async def _copy(source: _Side, target: _Side) -> None:
    """Bring all messages over, and the end with its code and its reason."""
    code, reason = 1001, ""  # as a WebSocket ends that is just gone
    while (message := await source.receive()).type in (WSMsgType.TEXT, WSMsgType.BINARY):
        if target.closed:
            return
        if message.type == WSMsgType.TEXT:
            await target.send_str(message.data)
        else:
            await target.send_bytes(message.data)
    if message.type == WSMsgType.CLOSE and message.data not in _NO_CODE:
        code, reason = message.data, message.extra or ""
    await target.close(code=code, message=reason.encode())
