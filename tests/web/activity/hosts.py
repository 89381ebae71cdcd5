"""https://discord.com and https://APP.discordsays.com as browsers find them: one TLS port for both.

The first has pages with one frame each. The second is Discord's proxy before the operator's: it
replaces the page's policy, writes its nonce into inline scripts and no other, carries no cookies,
and does not pass the subprotocol of a WebSocket.
"""

import asyncio
import re
import secrets
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import aiohttp
from aiohttp import web
from multidict import CIMultiDict
from tests.deploy.proxies import certificate
from tests.discord.standin.activities import Instance
from tests.discord.standin.people import User
from tests.web.activity.partner import Login, Message, Partner, participants
from tests.web.front import passed, passed_on

SDK: Final = Path(__file__).parents[3] / "web/node_modules/@discord/embedded-app-sdk/output"
"""Discord's own SDK, which npm has installed."""
_HERE: Final = Path(__file__).parent
_SANDBOX: Final = "allow-forms allow-modals allow-popups allow-scripts"
_INLINE: Final = re.compile(r"<script(?![^>]*\ssrc=)")


class Place:
    """A page of Discord with one frame in it."""

    def __init__(self, path: str, partner: Partner, source: str, *, opaque: bool) -> None:
        self.path = path
        """Below https://discord.com."""
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

    def __init__(
        self, application: str, login: Login, operator: str, session: aiohttp.ClientSession
    ) -> None:
        """``operator`` is the address to which the operator has Discord send all requests."""
        self.application = application
        self.origin = f"https://{application}.discordsays.com"
        self._login = login
        self._operator = operator
        self._session = session
        self._places: dict[str, Place] = {}
        self._of: dict[str, list[Partner]] = {}
        """By instance."""
        self.asked: list[str] = []
        """The path and query of each request to the proxy."""
        self._loop = asyncio.get_running_loop()
        self.port = 0

    # What a test does

    def opens(
        self,
        instance: Instance,
        user: User,
        *,
        path: str = "/",
        opaque: bool = False,
        platform: str = "desktop",
        link: str = "",
    ) -> Place:
        """A frame of this user, who may come by a shared link that carries ``link``.

        It is ``opaque`` as on iOS, where it may not have its origin.
        """
        frame, channel = secrets.token_hex(8), instance.channel
        told = {
            **{"instance_id": instance.id, "frame_id": frame, "platform": platform},
            **{"channel_id": channel.id, "guild_id": channel.guild and channel.guild.id},
            "custom_id": link,
        }
        origin = "null" if opaque else self.origin
        partner = Partner(self.application, instance, frame, user, self._login, origin)
        source = f"{self.origin}{path}?{urlencode({name: of for name, of in told.items() if of})}"
        place = Place(frame, partner, source, opaque=opaque)
        self._places[frame] = place
        if user not in instance.users:
            instance.users.append(user)
        for one in self._of.setdefault(instance.id, []):
            one.dispatch("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", participants(instance))
        self._of[instance.id].append(partner)
        return place

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
        headers = passed(request.headers, ("cookie", "host"))
        headers["Accept-Encoding"] = "identity"
        # Without any subprotocol.
        answer = await passed_on(request, self._session, self._operator, headers, ())
        if isinstance(answer, web.WebSocketResponse):
            return answer
        answer.headers.popall("Set-Cookie", None)
        answer.headers.popall("Content-Security-Policy", None)
        if isinstance(answer, web.Response) and answer.content_type == "text/html":
            return self._rewritten(str(answer.text), passed(answer.headers, ("content-type",)))
        return answer


@asynccontextmanager
async def hosts_on_loopback(
    application: str, login: Login, folder: Path, operator: str = ""
) -> AsyncIterator[Hosts]:
    """Listens on a free port, with a certificate that a browser must be told to accept."""
    made = certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(made, folder / "privkey.pem")
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        hosts = Hosts(application, login, operator, session)
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
