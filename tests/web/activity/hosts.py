"""https://discord.com and https://APP.discordsays.com as browsers find them: one TLS port for both.

The first has pages with one frame each. The second is Discord's proxy before the operator's host,
whose own proxy sends ``/login`` to the bot and all else to the race server. Discord's proxy
replaces the page's policy, writes its nonce into inline scripts and no other, carries no cookies,
and does not pass the subprotocol of a WebSocket.
"""

import asyncio
import re
import secrets
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import aiohttp
from aiohttp import WSCloseCode, WSMsgType, web
from multidict import CIMultiDict
from tests.deploy.proxies import certificate
from tests.web.activity.partner import Instance, Login, Message, Partner
from tests.web.activity.shapes import Json

SDK: Final = Path(__file__).parents[3] / "web/node_modules/@discord/embedded-app-sdk/output"
"""Discord's own SDK, which npm has installed."""
_HERE: Final = Path(__file__).parent
_SANDBOX: Final = "allow-forms allow-modals allow-popups allow-scripts"
_NOT_PASSED: Final = {
    *("connection", "content-encoding", "content-length", "content-security-policy"),
    *("cookie", "host", "keep-alive", "set-cookie", "transfer-encoding", "upgrade"),
    *("accept-encoding", "sec-websocket-extensions", "sec-websocket-key"),
    *("sec-websocket-protocol", "sec-websocket-version"),
}
_NEVER_SENT: Final = (None, 1005, 1006)
"""Codes for a WebSocket that was closed without one."""
_INLINE: Final = re.compile(r"<script(?![^>]*\ssrc=)")


class Place:
    """A page of Discord with one frame in it."""

    def __init__(self, address: str, partner: Partner, source: str, *, opaque: bool) -> None:
        self.address = address
        self.partner = partner
        self.source = source
        self.opaque = opaque

    def page(self) -> str:
        """The page of Discord, as HTML."""
        origin = self.source.partition("/?")[0]
        return (
            (_HERE / "parent.html")
            .read_text()
            .replace("{sandbox}", _SANDBOX + ("" if self.opaque else " allow-same-origin"))
            .replace("{target}", "*" if self.opaque else origin)
            .replace("{source}", self.source)
        )


class Hosts:
    """What is behind both names."""

    def __init__(self, application: str, login: Login, server: str, bot: str) -> None:
        """``server`` and ``bot`` are the addresses of the race server and of the login service."""
        self.application = application
        self.origin = f"https://{application}.discordsays.com"
        self._login = login
        self._behind = {"server": server, "bot": bot}
        self._places: dict[str, Place] = {}
        self._own: dict[str, list[Partner]] = {}
        """The frames of an instance."""
        self.asked: list[str] = []
        """The path and query of each request to the proxy."""
        self._loop = asyncio.get_running_loop()
        self.port = 0

    # What a test does

    def opens(
        self,
        instance: Instance,
        user: Json,
        *,
        path: str = "/",
        opaque: bool = False,
        locale: str = "en-US",
        **parameters: str,
    ) -> Place:
        """A frame of this user; ``parameters`` are further ones of its address."""
        frame = secrets.token_hex(8)
        told = {"frame_id": frame, "instance_id": instance.id, "platform": "desktop", **parameters}
        origin = "null" if opaque else self.origin
        partner = Partner(instance, frame, user, self._login, origin, locale)
        source = f"{self.origin}{path}?{urlencode(told)}"
        place = Place(f"https://discord.com/{frame}", partner, source, opaque=opaque)
        self._places[frame] = place
        self._joins(instance, user, partner)
        return place

    def _joins(self, instance: Instance, user: Json, partner: Partner) -> None:
        instance.users[user["id"]] = user
        frames = self._own.setdefault(instance.id, [])
        frames.append(partner)
        for one in frames:
            data = {"participants": list(instance.users.values())}
            one.dispatch("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", data)

    # How it answers

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """The answer of the host that is asked."""
        if request.host == "discord.com":
            return await self._discord(request)
        assert request.host == f"{self.application}.discordsays.com", request.host
        self.asked.append(request.path_qs)
        if request.headers.get("Sec-Fetch-Dest") == "iframe":
            self._places[request.query["frame_id"]].partner.begin()
        if request.path.startswith("/sdk/"):
            return web.FileResponse(SDK / request.path.removeprefix("/sdk/"))
        if request.path == "/judge/":
            return self._rewritten((_HERE / "judge.html").read_text(), CIMultiDict())
        return await self._passed_on(request)

    async def _discord(self, request: web.Request) -> web.StreamResponse:
        *where, frame = request.path.strip("/").split("/")
        place = self._places[frame]
        if not where:
            return web.Response(text=place.page(), content_type="text/html")
        socket = web.WebSocketResponse()
        await socket.prepare(request)

        def out(message: Message) -> None:
            self._loop.call_soon_threadsafe(lambda: self._loop.create_task(send(message)))

        async def send(message: Message) -> None:
            if not socket.closed:
                await socket.send_json(message)

        place.partner.attach(out)
        async for told in socket:
            place.partner.receive(*told.json())
        return socket

    def _rewritten(self, text: str, headers: CIMultiDict[str]) -> web.Response:
        """A page as Discord's proxy passes it on."""
        nonce = secrets.token_urlsafe(12)
        host = self.origin.removeprefix("https://")
        headers["Content-Security-Policy"] = (
            f"default-src 'none'; script-src 'self' 'unsafe-eval' 'nonce-{nonce}' blob:; "
            f"connect-src {self.origin}/ wss://{host}/; style-src {self.origin}/ 'unsafe-inline'; "
            f"img-src {self.origin}/ data: blob:; media-src {self.origin}/ blob:; "
            f"font-src {self.origin}/ data:; worker-src {self.origin}/ blob:; "
            f"manifest-src {self.origin}/; frame-ancestors https://discord.com"
        )
        text = _INLINE.sub(f'<script nonce="{nonce}"', text)
        return web.Response(text=text, headers=headers, content_type="text/html", charset="utf-8")

    async def _passed_on(self, request: web.Request) -> web.StreamResponse:
        target = self._behind["bot" if re.match(r"/login\b", request.path) else "server"]
        headers = _passed(request.headers)
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            try:
                if request.headers.get("Upgrade", "").lower() == "websocket":
                    return await self._joined(request, session, target, headers)
                body = await request.read()
                async with session.request(
                    request.method, target + request.path_qs, headers=headers, data=body or None
                ) as response:
                    passed = _passed(response.headers)
                    if response.content_type == "text/html":
                        del passed["Content-Type"]
                        return self._rewritten(await response.text(), passed)
                    whole = await response.read()
                    return web.Response(status=response.status, body=whole, headers=passed)
            except aiohttp.ClientConnectorError:
                return web.Response(status=502, text="Nobody answers there.")

    async def _joined(
        self,
        request: web.Request,
        session: aiohttp.ClientSession,
        target: str,
        headers: CIMultiDict[str],
    ) -> web.StreamResponse:
        """A WebSocket on both sides, until one of them closes it."""
        async with session.ws_connect(
            target + request.path_qs, headers=headers, max_msg_size=0
        ) as behind:
            before = web.WebSocketResponse(max_msg_size=0)
            await before.prepare(request)
            back = asyncio.create_task(_carry(behind, before))
            try:
                await _carry(before, behind)
            finally:
                await behind.close()
                await back
            return before


Side = web.WebSocketResponse | aiohttp.ClientWebSocketResponse


async def _carry(source: Side, target: Side) -> None:
    """Bring all messages over, and the end."""
    async for told in source:
        if target.closed:
            return
        if told.type is WSMsgType.TEXT:
            await target.send_str(told.data)
        elif told.type is WSMsgType.BINARY:
            await target.send_bytes(told.data)
    code = source.close_code
    await target.close(code=WSCloseCode.GOING_AWAY if code in _NEVER_SENT else code)


def _passed(headers: Mapping[str, str]) -> CIMultiDict[str]:
    """Of these headers, those that a proxy passes on."""
    kept = CIMultiDict(headers)
    for name in _NOT_PASSED:
        kept.popall(name, None)
    return kept


@asynccontextmanager
async def hosts_on_loopback(hosts: Hosts, folder: Path) -> AsyncIterator[Hosts]:
    """Listens on a free port, with a certificate that a browser must be told to accept."""
    made = certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(made, folder / "privkey.pem")
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", hosts.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
        hosts.port = int(runner.addresses[0][1])
        yield hosts
    finally:
        await runner.cleanup()
