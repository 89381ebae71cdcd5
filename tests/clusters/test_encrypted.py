"""Sentinels and clusters that want passwords and TLS, and what an operator reads who forgets one.

The Redis of the tests speaks no TLS: a relay before each node does, and is announced in its place.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.clusters.redis_setups import Node, Watched, cluster, watched
from tests.clusters.test_failover import assert_news_pass_between
from tests.deploy.proxies import certificate
from tests.processes.playing import serving

from bigben_server.config import BadSetting, Settings
from bigben_server.logs import secrets_of
from bigben_server.storage.client import StoreLost
from bigben_server.storage.opening import client_of, connect
from bigben_server.storage.race_log import Store

PASSWORD = "open/sesame@home"
SENTINELS = "simsim"


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine that signs itself, with its key beside it."""
    return certificate(tmp_path_factory.mktemp("tls"))


@asynccontextmanager
async def relayed(node: Node, signed: Path, said: dict[int, int]) -> AsyncIterator[int]:
    """The port of a relay that speaks TLS for a node, and replaces some ports in its answers."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(signed, signed.with_name("privkey.pem"))

    ending: set[asyncio.Task[None]] = set()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            for port, instead in said.items():
                data = data.replace(b"%d" % port, b"%d" % instead)
            writer.write(data)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        ending.add(task)
        there, back = await asyncio.open_connection("127.0.0.1", node.port)
        both = [asyncio.create_task(pump(reader, back)), asyncio.create_task(pump(there, writer))]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in both:
                one.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            for each in (writer, back):
                each.transport.abort()
                with suppress(OSError):
                    await each.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


async def with_passwords(setup: Watched) -> None:
    """From now on Redis and its sentinels want one each."""
    for sentinel in setup.sentinels:
        await sentinel.ask("SENTINEL", "SET", "bigben", "auth-pass", PASSWORD)
        await sentinel.ask("ACL", "SETUSER", "default", "resetpass", f">{SENTINELS}")
    for node in (setup.master, *setup.replicas):
        await node.ask("CONFIG", "SET", "masterauth", PASSWORD)
    for node in (*setup.replicas, setup.master):
        await node.ask("CONFIG", "SET", "requirepass", PASSWORD)


async def assert_play(folder: Path, url: str) -> None:
    """What one player does at one server reaches another at a second one."""
    async with AsyncExitStack() as stack:
        env = {"BIGBEN_REDIS_URL": url}
        here, there = [
            await stack.enter_async_context(serving(folder / "data", env=env)) for _ in range(2)
        ]
        await assert_news_pass_between(here, there)


async def test_players_play_on_a_redis_whose_sentinels_want_a_password_and_tls(
    tmp_path: Path, signed: Path
) -> None:
    async with AsyncExitStack() as stack:
        setup = await stack.enter_async_context(watched(tmp_path))
        await with_passwords(setup)
        master = await stack.enter_async_context(relayed(setup.master, signed, {}))
        ports = [
            await stack.enter_async_context(relayed(sentinel, signed, {setup.master.port: master}))
            for sentinel in setup.sentinels
        ]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        begin = f"rediss+sentinel://:{quote(PASSWORD, safe='')}@{hosts}/bigben"
        tls = f"?ssl_ca_certs={signed}"
        url = f"{begin}{tls}&sentinel_password={SENTINELS}&db=1"
        await assert_play(tmp_path, url)
        for wrong, why in (
            (f"{begin}{tls}", r"the password of the sentinels \(sentinel_password\) is missing"),
            (f"{begin}?sentinel_password={SENTINELS}", "or none can be reached with TLS"),
            (
                url.replace(quote(PASSWORD, safe=""), "wrong"),
                "its password is missing or wrong",
            ),
        ):
            async with client_of(wrong) as lost:
                with pytest.raises(StoreLost, match=why):
                    await Store(lost).ping()


async def test_players_play_on_a_cluster_that_wants_a_password_and_tls(
    tmp_path: Path, signed: Path
) -> None:
    async with AsyncExitStack() as stack:
        nodes = await stack.enter_async_context(cluster(tmp_path))
        for node in nodes:
            port = await stack.enter_async_context(relayed(node, signed, {}))
            await node.ask("CONFIG", "SET", "cluster-announce-bus-port", node.port + 10_000)
            await node.ask("CONFIG", "SET", "cluster-announce-port", port)
        for node in nodes:
            for other in nodes:  # each has heard of the others' new port
                await node.until(f":{await announced(other)}@", "CLUSTER", "NODES")
        first = await announced(nodes[0])
        for node in nodes:
            await node.ask("CONFIG", "SET", "requirepass", PASSWORD)
        url = f"rediss+cluster://:{quote(PASSWORD, safe='')}@127.0.0.1:{first}?ssl_ca_certs="
        await assert_play(tmp_path, f"{url}{signed}")
        async with client_of(f"{url}{signed}".replace(quote(PASSWORD, safe=""), "wrong")) as lost:
            with pytest.raises(StoreLost, match="its password is missing or wrong"):
                await Store(lost).ping()


async def announced(node: Node) -> str:
    """The port at which clients are to find a node."""
    return (await node.ask("CONFIG", "GET", "cluster-announce-port")).rpartition(":")[2]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis+sentinel://a/m?sentinel_pasword=x", "no option 'sentinel_pasword', only db, "),
        ("rediss+cluster://a?db=1", "no option 'db', only ssl_ca_certs, "),
        ("redis+cluster://a?ssl_ca_certs=/x", "begins with rediss+cluster://"),
        ("rediss+cluster://a?ssl_ca_certs=/none", "ssl_ca_certs names no file: '/none'"),
        ("rediss+cluster://a?ssl_check_hostname=nope", "is yes or no, not 'nope'"),
        ("redis+sentinel://a/m?db=one", "db is a number, not 'one'"),
    ],
)
def test_a_misspelt_option_is_refused(url: str, why: str) -> None:
    with pytest.raises(BadSetting) as refused:
        connect(url)
    assert why in str(refused.value)


def test_no_password_of_the_url_comes_into_the_log() -> None:
    url = "redis+sentinel://:p%40ss@a/m?sentinel_password=s%2Fx"
    assert {"p@ss", "p%40ss", "s/x", "s%2Fx"} <= {*secrets_of(Settings(redis_url=url))}
