"""An operator's whole deployment: a proxy before a race server and a bot, which is on Discord."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from aiohttp import WSMsgType, web
from multidict import CIMultiDict
from tests.discord.running import KEY, bot_on
from tests.discord.standin.logins import SECRET
from tests.discord.standin.server import Discord, discord_on_loopback
from tests.support.server_process import UNHURRIED, serving

_OF_ONE_CONNECTION = ("connection", "transfer-encoding", "content-length", "keep-alive", "upgrade")
_Side = web.WebSocketResponse | aiohttp.ClientWebSocketResponse


class Front:
    """The proxy: ``/login`` goes to the bot, all else to the race server."""

    def __init__(self, world: Discord, session: aiohttp.ClientSession) -> None:
        self.world = world
        self.address = ""
        self.server = ""
        self.login = ""
        self.logins: list[str] = []
        """What was asked of the bot: a method and a path."""
        self._session = session

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """What one of the two answers."""
        headers = _passed(request.headers)
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._socket(request, headers)
        to = self.server
        if request.path.startswith("/login"):
            to = self.login
            self.logins.append(f"{request.method} {request.path}")
            headers["X-Forwarded-For"] = request.remote or ""
        async with self._session.request(
            request.method, to + request.path_qs, headers=headers, data=await request.read()
        ) as answer:
            body = await answer.read()
            return web.Response(status=answer.status, headers=_passed(answer.headers), body=body)

    async def _socket(
        self, request: web.Request, headers: CIMultiDict[str]
    ) -> web.WebSocketResponse:
        offered = request.headers.get("Sec-WebSocket-Protocol", "").split(", ")
        for name in [name for name in headers if name.lower().startswith("sec-websocket")]:
            del headers[name]
        async with self._session.ws_connect(
            self.server + request.path_qs, headers=headers, protocols=offered
        ) as far:
            near = web.WebSocketResponse(protocols=offered)
            await near.prepare(request)
            ways = [asyncio.create_task(_copy(*way)) for way in ((near, far), (far, near))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.gather(near.close(), far.close(), *ways)
        return near


@asynccontextmanager
async def deployment(folder: Path) -> AsyncIterator[Front]:
    """All of it, with the keys that Discord has given to the operator."""
    async with (
        discord_on_loopback("login") as world,
        aiohttp.ClientSession(auto_decompress=False) as session,
    ):
        front = Front(world, session)
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", front.answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        front.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        world.state.logins.redirects.append(f"{front.address}/")
        keys = {"BIGBEN_ISSUER_DISCORD_KEY": KEY, "BIGBEN_DISCORD_APP": world.application}
        with serving(folder, {**UNHURRIED, **keys}) as server:
            front.server = server.url.replace("ws:", "http:")
            async with bot_on(world, server.url, folder, secret=SECRET, page=front.address) as bot:
                front.login = f"http://127.0.0.1:{bot.logins.port}"
                yield front
                await runner.cleanup()


def _passed(headers: Mapping[str, str]) -> CIMultiDict[str]:
    return CIMultiDict((n, v) for n, v in headers.items() if n.lower() not in _OF_ONE_CONNECTION)


async def _copy(source: _Side, target: _Side) -> None:
    async for message in source:
        if message.type == WSMsgType.TEXT:
            await target.send_str(message.data)
        else:
            await target.send_bytes(message.data)
