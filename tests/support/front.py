"""The proxy of an operator: ``/login`` goes to the bot's process, all else to the race server."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web
from multidict import CIMultiDict

_OF_ONE_CONNECTION = ("connection", "transfer-encoding", "content-length", "keep-alive", "upgrade")


class Front:
    """Where browsers and terminals find both."""

    def __init__(self, server: str, login: str) -> None:
        """``server`` and ``login`` are addresses: ``http://127.0.0.1:8765``."""
        self.server = server
        self.login = login
        self.address = ""

    async def run(self, started: threading.Event, stop: asyncio.Event) -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._pass_on)
        runner = web.AppRunner(app, shutdown_timeout=0)
        await runner.setup()
        async with ClientSession(auto_decompress=False) as self._session:
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            self.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
            started.set()
            await stop.wait()
            await runner.cleanup()

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        to = self.login if request.path.startswith("/login") else self.server
        headers = _passed(request.headers)
        headers["X-Forwarded-For"] = request.remote or ""
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._socket(request, headers)
        async with self._session.request(
            request.method,
            to + request.path_qs,
            headers=headers,
            data=await request.read(),
            allow_redirects=False,
        ) as answer:
            body = await answer.read()
            return web.Response(status=answer.status, headers=_passed(answer.headers), body=body)

    async def _socket(
        self, request: web.Request, headers: CIMultiDict[str]
    ) -> web.WebSocketResponse:
        offered = request.headers.get("Sec-WebSocket-Protocol", "").split(",")
        for name in [name for name in headers if name.lower().startswith("sec-websocket")]:
            del headers[name]
        async with self._session.ws_connect(
            self.server + request.path_qs,
            headers=headers,
            protocols=[name.strip() for name in offered if name],
            autoclose=False,
        ) as far:
            near = web.WebSocketResponse(protocols=[far.protocol] if far.protocol else ())
            await near.prepare(request)
            ways = [asyncio.create_task(_copy(*way)) for way in ((near, far), (far, near))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            await near.close(code=far.close_code or 1001)
            await asyncio.gather(*ways)
        return near


@contextmanager
def fronting(server: str, login: str) -> Iterator[Front]:
    """In a thread: the event loop of this one may be Playwright's."""
    front, started = Front(server, login), threading.Event()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(front.run(started, stop),))
    thread.start()
    assert started.wait(10)
    try:
        yield front
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


def _passed(headers: Mapping[str, str]) -> CIMultiDict[str]:
    return CIMultiDict((n, v) for n, v in headers.items() if n.lower() not in _OF_ONE_CONNECTION)


_Socket = web.WebSocketResponse | ClientWebSocketResponse


async def _copy(source: _Socket, target: _Socket) -> None:
    async for message in source:
        if message.type == WSMsgType.TEXT:
            await target.send_str(message.data)
        else:
            await target.send_bytes(message.data)
    await target.close()
