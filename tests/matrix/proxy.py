"""What stands between the bot and its homeserver, and counts and breaks what goes through."""

import asyncio
import json
import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final

import aiohttp
from aiohttp import web
from benchmarks.servers import reserved_port
from tests.support.patience import PATIENCE_S
from yarl import URL

Forward = Callable[[], Awaitable[web.Response]]
Fault = Callable[[web.Request, Forward], Awaitable[web.Response]]
"""What happens to a request instead of being forwarded."""

_TRANSACTION: Final = re.compile(r"/(?:send/[^/]+|redact/[^/]+)/([^/]+)$")
_KINDS: Final = (
    ("sync", re.compile(r"/sync$")),
    ("upload", re.compile(r"/upload")),
    ("message", re.compile(r"/send/m\.room\.message/")),
    ("reaction", re.compile(r"/send/m\.reaction/")),
    ("redact", re.compile(r"/redact/")),
    ("invite", re.compile(r"/invite$")),
    ("messages", re.compile(r"/messages$")),
    ("direct", re.compile(r"/createRoom$")),
    ("join", re.compile(r"/join(/[^/]+)?$")),
)
_DROPPED: Final = ("Host", "Content-Length", "Transfer-Encoding", "Connection", "Content-Encoding")


async def cut_before(request: web.Request, _: Forward) -> web.Response:
    """The connection ends before the homeserver has the request."""
    return _cut(request)


async def cut_after(request: web.Request, forward: Forward) -> web.Response:
    """The homeserver does it, and the bot does not learn of it."""
    await forward()
    return _cut(request)


def answered(status: int) -> Fault:
    """A proxy's own page, such as of 502."""

    async def answer(_: web.Request, __: Forward) -> web.Response:
        return web.Response(status=status, text="<h1>Bad Gateway</h1>", content_type="text/html")

    return answer


def limited(retry_after_ms: int) -> Fault:
    """As the homeserver answers those who send too much."""

    async def answer(_: web.Request, __: Forward) -> web.Response:
        body = {"errcode": "M_LIMIT_EXCEEDED", "error": "Too Many Requests"}
        return web.json_response({**body, "retry_after_ms": retry_after_ms}, status=429)

    return answer


def held(until: asyncio.Event) -> Fault:
    """The request is forwarded when the test says so."""

    async def wait(_: web.Request, forward: Forward) -> web.Response:
        await until.wait()
        return await forward()

    return wait


def unanswered(done: asyncio.Event) -> Fault:
    """The homeserver has done it when ``done`` is set, and the bot waits for the answer."""

    async def wait(_: web.Request, forward: Forward) -> web.Response:
        answer = await forward()
        done.set()
        await asyncio.Event().wait()  # until the connection ends
        return answer

    return wait


@dataclass
class _Planned:
    kind: str
    fault: Fault
    times: int


class Proxy:
    """The homeserver's address for the bot."""

    def __init__(self, homeserver: str, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.requests: Counter[str] = Counter()
        """How many there were of each kind: sync, upload, message, edit, reaction, redact…"""
        self.statuses: Counter[int] = Counter()
        """How they were answered, by the homeserver or by a fault."""
        self.sends: Counter[str] = Counter()
        """How often each transaction was asked for."""
        self.events: defaultdict[str, set[str]] = defaultdict(set)
        """The ids that the homeserver gave for each transaction."""
        self._homeserver, self._port = homeserver, port
        self._planned: list[_Planned] = []
        self._changed = asyncio.Condition()

    def next(self, kind: str, fault: Fault, times: int = 1) -> None:
        """Plan what happens to the next requests of a kind."""
        self._planned.append(_Planned(kind, fault, times))

    @contextmanager
    def always(self, kind: str, fault: Fault) -> Iterator[None]:
        """For this long it happens to all requests of a kind; "" are all kinds."""
        plan = _Planned(kind, fault, 1_000_000)
        self._planned.append(plan)
        yield
        self._planned.remove(plan)

    async def asked(self, kind: str, times: int) -> None:
        """Wait until there have been so many requests of a kind since the beginning."""
        async with asyncio.timeout(PATIENCE_S), self._changed:
            await self._changed.wait_for(lambda: self.requests[kind] >= times)

    def doubles(self) -> dict[str, set[str]]:
        """The transactions that have become more than one event."""
        return {id: events for id, events in self.events.items() if len(events) > 1}

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """For this long nobody listens, and all connections have ended."""
        await self._runner.cleanup()
        yield
        await self._listen()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Proxy"]:
        """Listen for this long."""
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as self._session:
            await self._listen()
            try:
                yield self
            finally:
                await self._runner.cleanup()

    async def _listen(self) -> None:
        app = web.Application(client_max_size=2**26)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.01)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True).start()

    async def _handle(self, request: web.Request) -> web.Response:
        body = await request.read()
        kind = _kind(request, body)
        if transaction := _TRANSACTION.search(request.path):
            self.sends[transaction[1]] += 1
        async with self._changed:
            self.requests[kind] += 1
            self._changed.notify_all()

        async def forward() -> web.Response:
            answer = await self._forward(request, body)
            if transaction and answer.status == 200:
                assert isinstance(answer.body, bytes), "read whole"
                self.events[transaction[1]].add(json.loads(answer.body)["event_id"])
            return answer

        fault = self._fault(kind)
        answer = await (fault(request, forward) if fault else forward())
        self.statuses[answer.status] += 1
        return answer

    def _fault(self, kind: str) -> Fault | None:
        for plan in self._planned:
            if plan.kind in ("", kind) and plan.times:
                plan.times -= 1
                return plan.fault
        return None

    async def _forward(self, request: web.Request, body: bytes) -> web.Response:
        headers = {name: value for name, value in request.headers.items() if name not in _DROPPED}
        url = f"{self._homeserver}{request.raw_path}"
        try:
            async with self._session.request(
                request.method, URL(url, encoded=True), data=body, headers=headers
            ) as answer:
                kept = {name: one for name, one in answer.headers.items() if name not in _DROPPED}
                return web.Response(status=answer.status, headers=kept, body=await answer.read())
        except aiohttp.ClientError:
            return web.Response(status=502, text="the homeserver is away")


def _cut(request: web.Request) -> web.Response:
    assert request.transport is not None, "connected"
    request.transport.abort()
    return web.Response(status=499)  # nobody reads it


def _kind(request: web.Request, body: bytes) -> str:
    if b'"m.replace"' in body:
        return "edit"
    named = (name for name, path in _KINDS if path.search(request.path))
    return next(named, request.path.rpartition("/")[2])


@asynccontextmanager
async def proxied(homeserver: str) -> AsyncIterator[Proxy]:
    """A proxy before a homeserver."""
    with reserved_port() as port:
        async with Proxy(homeserver, port).running() as proxy:
            yield proxy
