"""The files of docs/proxy in front of two servers: a rolling restart refuses nobody."""

import asyncio
import random
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from http.client import HTTPMessage
from pathlib import Path
from typing import IO, NamedTuple
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

import pytest
from aiohttp import web
from benchmarks.chaos_players import Tally, all_move, playing
from tests.clusters.redis_setups import alone
from tests.deploy.proxies import CADDY, NGINX, Proxy, caddy, certificate, nginx
from tests.processes.playing import serving
from tests.support.operator import order
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from bigben_client import Backoff, Client
from bigben_client.connection.change_over import ChangeOver
from bigben_client.connection.wire import Wire
from bigben_protocol import JSON

pytestmark = pytest.mark.timeout(180)
needs_nginx = pytest.mark.skipif(NGINX is None, reason="no nginx; see tools/get_programs.sh")
needs_caddy = pytest.mark.skipif(CADDY is None, reason="no Caddy; see tools/get_programs.sh")
with_each_proxy = pytest.mark.parametrize(
    "proxied",
    [
        pytest.param(nginx, marks=needs_nginx, id="nginx"),
        pytest.param(caddy, marks=needs_caddy, id="Caddy"),
    ],
)
MakesProxy = Callable[..., AbstractAsyncContextManager[Proxy]]


GONE = 499
"""What nginx writes of a client that did not wait for the answer."""


class Deployed(NamedTuple):
    proxy: Proxy
    servers: list[ServerProcess]
    redis: str
    """The address of Redis."""


@asynccontextmanager
async def deployed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, proxied: MakesProxy = nginx
) -> AsyncIterator[Deployed]:
    """Two servers on one Redis, and a proxy in front of them."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate(folder)))
    async with alone(folder) as redis:
        env = {"BIGBEN_REDIS_URL": redis.url, "BIGBEN_BEHIND_PROXY": "1"}
        async with (
            serving(folder / "a", env=env) as first,
            serving(folder / "b", env=env) as second,
            proxied(folder, (first.port, second.port)) as proxy,
        ):
            yield Deployed(proxy, [first, second], redis.url)


def turning_back(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The races to whose homes clients were on their way when they stopped; it grows.

    They do when the race begins, or when their first connection is lost.
    """
    races, dialled = list[str](), ChangeOver._dialled  # pyright: ignore[reportPrivateUsage]

    async def dials(self: ChangeOver, race: str) -> Wire | None:
        try:
            return await dialled(self, race)
        except asyncio.CancelledError:
            races.append(race)
            raise

    monkeypatch.setattr(ChangeOver, "_dialled", dials)
    return races


@pytest.mark.parametrize(
    ("proxied", "websocket"),
    [
        pytest.param(nginx, 101, marks=needs_nginx, id="nginx"),
        # Caddy writes 0 into its log for a WebSocket.
        pytest.param(caddy, 0, marks=needs_caddy, id="Caddy"),
    ],
)
async def test_a_rolling_restart_under_play_refuses_nobody_and_loses_no_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxied: MakesProxy, websocket: int
) -> None:
    tally, turned_back = Tally(), turning_back(monkeypatch)
    async with deployed(tmp_path, monkeypatch, proxied) as (proxy, servers, _):
        async with playing([proxy.url], 8, random.Random(1), tally) as players:
            for server in servers:  # one right after the other
                await server.stop()
                await server.start()
            await all_move(players)
        # Everybody was sent to another server once.
        answers = await proxy.answered(2 * 8, websocket)
    assert tally.faults == []
    assert tally.races > 0
    assert set(answers) <= {websocket, GONE}
    assert answers.count(GONE) <= len(turned_back)


@needs_nginx
async def test_the_players_of_a_drained_server_are_sent_to_the_other_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        deployed(tmp_path, monkeypatch) as (proxy, servers, redis),
        AsyncExitStack() as stack,
    ):
        names = ("Ada", "Bob", "Carl", "Dora")
        clients = [Client(proxy.url, name=name, backoff=Backoff(first=0.05)) for name in names]
        for one in clients:
            await stack.enter_async_context(one)

        first, second = (server.pid for server in servers)
        assert sum((await connections(tmp_path, redis)).values()) == 4
        told = await asyncio.to_thread(order, tmp_path, "status", redis=redis)
        (drained,) = (each["id"] for each in told["processes"] if each["pid"] == first)
        await asyncio.to_thread(order, tmp_path, "drain", "--process", drained, redis=redis)
        async with asyncio.timeout(PATIENCE_S):
            while await connections(tmp_path, redis) != {first: 0, second: 4}:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        await asyncio.gather(*(one.create(practice=True) for one in clients))
        for _ in range(4):
            await open_and_close(proxy, f"https://127.0.0.1:{proxy.port}")
    assert set(proxy.answers()) == {101}, (tmp_path / "error.log").read_text()


@with_each_proxy
async def test_a_race_is_served_by_one_server_and_by_the_other_when_that_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxied: MakesProxy
) -> None:
    async with (
        deployed(tmp_path, monkeypatch, proxied) as (proxy, servers, redis),
        AsyncExitStack() as stack,
    ):

        async def come(name: str, race: str = "") -> Client:
            one = Client(proxy.url, name=name, race=race, backoff=Backoff(first=0.05))
            return await stack.enter_async_context(one)

        # Asked by an operator, each server hears of the other one.
        assert sum((await connections(tmp_path, redis)).values()) == 0
        ada = await come("Ada")
        race = (await ada.create()).race
        for name in ("Bob", "Carl"):
            await (await come(name, race)).join(race)
        found = await connections(tmp_path, redis)
        async with asyncio.timeout(PATIENCE_S):
            while sorted(found.values()) != [0, 3]:  # the host changes over
                found = await connections(tmp_path, redis)
        strangers = [await come(f"Guest {number}") for number in range(16)]
        spread = await connections(tmp_path, redis)
        assert all(spread[pid] > found[pid] for pid in found)
        (home,) = (server for server in servers if found[server.pid] == 3)
        await home.stop()
        await (await come("Dora", race)).join(race)
        seats = (await ada.ready(race)).seats
        assert [seat.name for seat in seats] == ["Ada", "Bob", "Carl", "Dora"]
        await asyncio.gather(*(one.ping() for one in strangers))


async def connections(folder: Path, redis: str) -> dict[int, int]:
    """How many connections each server has, by its process id."""
    told = await asyncio.to_thread(order, folder, "status", redis=redis)
    return {each["pid"]: each["figures"]["connections"] for each in told["processes"]}


@needs_nginx
async def test_the_page_and_its_websocket_work_through_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with deployed(tmp_path, monkeypatch) as (proxy, *_):
        own = f"https://127.0.0.1:{proxy.port}"
        status, page = await fetched(f"{own}/")
        assert status == 200
        assert "<!doctype html>" in page.lower()
        assert (await fetched(f"{own}/health"))[0] == 200
        with pytest.raises(HTTPError) as moved:
            await fetched(f"http://127.0.0.1:{proxy.plain_port}/r/ABC")
        moved.value.close()
        assert moved.value.headers["Location"] == "https://127.0.0.1/r/ABC"
        await open_and_close(proxy, own)
        with pytest.raises(InvalidStatus):
            await open_and_close(proxy, "https://elsewhere.example")


@with_each_proxy
async def test_the_bot_gets_logins_with_the_address_that_they_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxied: MakesProxy
) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=f"{request.path} from {request.headers['X-Forwarded-For']}")

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate(tmp_path)))
    app = web.Application()
    app.router.add_get("/{rest:login.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with proxied(tmp_path, (1, 1), runner.addresses[0][1]) as proxy:
        for path in ("/login", "/login/device"):
            told = await fetched(f"https://127.0.0.1:{proxy.port}{path}")
            assert told == (200, f"{path} from 127.0.0.1")
    await runner.cleanup()


async def open_and_close(proxy: Proxy, origin: str) -> None:
    """What a page of this origin does. Raises InvalidStatus."""
    async with connect(proxy.url, origin=Origin(origin), subprotocols=[Subprotocol(JSON)]):
        pass


async def fetched(url: str) -> tuple[int, str]:
    """The status and the text of a page. Raises HTTPError instead of following a redirect."""

    def fetch() -> tuple[int, str]:
        opener = build_opener(Stay, HTTPSHandler(context=ssl.create_default_context()))
        with opener.open(url) as page:
            return page.status, page.read().decode()

    return await asyncio.to_thread(fetch)


class Stay(HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None
