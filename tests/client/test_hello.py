"""A client connects, says hello, is welcomed or refused, and leaves nothing behind."""

import asyncio
import http

import pytest
from tests.client.scripted import WELCOME, ScriptedServer
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from bigben_client import (
    Back,
    Backoff,
    BadAddress,
    Client,
    ClientClosed,
    Lost,
    RefusedError,
    ServerUnreachable,
)
from bigben_protocol import CODECS, JSON, Hello, Join, PlayerId, Pong, Refused, Welcome


async def entered(client: Client) -> None:
    """Enter the client and leave it."""
    async with client:
        pass


async def test_the_first_message_is_hello(server: ScriptedServer) -> None:
    client = server.client(name="Ada", client="a test")
    coming = asyncio.create_task(entered(client))
    _, hello = await server.greets()
    await coming
    assert hello == Hello(name="Ada", client="a test", elsewhere=True)


async def test_a_client_with_a_token_sends_no_name(server: ScriptedServer) -> None:
    coming = asyncio.create_task(entered(server.client(name="", token="t0")))
    _, hello = await server.greets()
    await coming
    assert (hello.name, hello.token) == ("", "t0")


async def test_a_client_that_keeps_the_rules_says_so_on_every_connection(
    server: ScriptedServer,
) -> None:
    client = server.client(keeps_rules=True)
    greeting = asyncio.create_task(server.greets())
    async with client:
        peer, hello = await greeting
        await peer.breaks()
        _, again = await server.greets()
    assert (hello.keeps_rules, again.keeps_rules) == (True, True)


@pytest.mark.parametrize("subprotocol", [*CODECS])
async def test_both_formats_work(server: ScriptedServer, subprotocol: str) -> None:
    client = server.client(subprotocol=subprotocol)
    coming = asyncio.create_task(entered(client))
    await server.greets(Welcome(PlayerId("guest:1"), "Ada II", "token-2", 0))
    await coming
    assert (client.player, client.name, client.token) == ("guest:1", "Ada II", "token-2")


async def test_http_addresses_work_too(server: ScriptedServer) -> None:
    coming = asyncio.create_task(entered(Client(server.url.replace("ws://", "http://"))))
    await server.greets()
    await coming


async def test_welcome_sets_the_clock(server: ScriptedServer) -> None:
    client = server.client(clock=lambda: 1_000.0)
    coming = asyncio.create_task(entered(client))
    await server.greets(Welcome(PlayerId("guest:1"), "Ada", "t", now_at=1_000_250))
    await coming
    assert client.offset_ms == 250
    assert client.now_at() == 1_000_250


async def test_a_refused_name_raises_the_servers_text(server: ScriptedServer) -> None:
    coming = asyncio.create_task(entered(server.client(name="?")))
    peer = await server.takes()
    await peer.hears(Hello)
    await peer.says(Refused("name", "A name has letters."))
    with pytest.raises(RefusedError, match=r"^A name has letters\.$") as caught:
        await coming
    assert caught.value.code == "name"


async def test_a_client_that_a_busy_server_refuses_tries_again(server: ScriptedServer) -> None:
    coming = asyncio.create_task(entered(server.client()))
    peer = await server.takes()
    await peer.hears(Hello)
    await peer.says(Refused("busy", "Not yet."))
    await server.greets()
    await coming


async def test_a_client_that_is_not_welcomed_tries_again(server: ScriptedServer) -> None:
    coming = asyncio.create_task(entered(server.client()))
    await (await server.takes()).breaks()
    await (await server.takes()).closes(1013, "try again later")
    await server.greets()
    await coming


async def test_a_client_that_is_closed_for_good_raises_the_reason(server: ScriptedServer) -> None:
    coming = asyncio.create_task(entered(server.client()))
    await (await server.takes()).closes(1008, "Say hello first.")
    with pytest.raises(ClientClosed, match=r"for good. Say hello first\.$"):
        await coming


async def test_a_server_that_does_not_say_welcome_is_not_trusted(server: ScriptedServer) -> None:
    coming = asyncio.create_task(entered(server.client()))
    await (await server.takes()).says(Pong(1, 1))
    with pytest.raises(ClientClosed, match="does not say welcome"):
        await coming


async def test_an_invalid_frame_closes_with_1007_and_the_name_of_the_field(
    server: ScriptedServer,
) -> None:
    async with server.connected(subprotocol=JSON) as (client, peer):
        await peer.sends(b'{"type":"room"}')
        with pytest.raises(ClientClosed, match="missing required field `race`"):
            await anext(client.events())
        assert await peer.is_left() == 1007


async def test_a_missing_server_raises_a_sentence_after_all_tries(server: ScriptedServer) -> None:
    waits: list[float] = []

    def draw() -> float:
        waits.append(0)
        return 0

    async with ScriptedServer.listening() as gone:
        url = gone.url
    client = Client(url, tries=3, backoff=Backoff(draw=draw))
    with pytest.raises(ServerUnreachable) as caught:
        await entered(client)
    assert str(caught.value) == (
        f"The server at {url} can’t be reached. No server runs there. "
        "Check the address and that the server runs, then try again."
    )
    assert len(waits) == 2


async def test_a_server_that_does_not_answer_is_given_up(server: ScriptedServer) -> None:
    with pytest.raises(ServerUnreachable, match="It does not answer"):
        await entered(server.client(tries=2, timeout=0.05))


def answering(status: http.HTTPStatus) -> object:
    """An option of the server: plain HTTP for all."""

    def process(connection: ServerConnection, _: Request) -> Response:
        return connection.respond(status, "no\n")

    return process


async def test_a_web_site_that_is_not_a_server_is_named() -> None:
    refuse = answering(http.HTTPStatus.NOT_FOUND)
    async with ScriptedServer.listening(process_request=refuse) as site:
        with pytest.raises(ClientClosed, match=r"not a Big Ben server .* HTTP status 404\. Check"):
            await entered(site.client())


async def test_a_server_behind_a_proxy_that_waits_for_it_is_tried_again() -> None:
    refuse = answering(http.HTTPStatus.SERVICE_UNAVAILABLE)
    async with ScriptedServer.listening(process_request=refuse) as site:
        with pytest.raises(ServerUnreachable, match="HTTP status 503"):
            await entered(site.client(tries=2))


async def test_a_server_of_another_version_is_named() -> None:
    async with ScriptedServer.listening(subprotocols=None) as site:
        with pytest.raises(ClientClosed, match=r"It does not speak bigben\.v1\.msgpack"):
            await entered(site.client())


@pytest.mark.parametrize("text", ["", "ftp://race.example", "ws://", "ws://a b", "ws://h:port"])
def test_an_invalid_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadAddress, match="write one like ws://localhost:8765"):
        Client(text)


async def test_a_client_that_leaves_leaves_nothing_behind(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        events = client.events()
        assert client.connected
        assert [task for task in asyncio.all_tasks() if "bigben_client" in repr(task)]
    assert await peer.is_left() == 1000
    assert not client.connected
    assert [event async for event in events] == []
    assert [task for task in asyncio.all_tasks() if "bigben_client" in repr(task)] == []


async def test_an_exception_of_the_block_passes_through_unchanged(server: ScriptedServer) -> None:
    client = server.client()
    greeting = asyncio.create_task(server.greets())
    with pytest.raises(ZeroDivisionError):
        async with client:
            raise ZeroDivisionError
    peer, _ = await greeting
    assert await peer.is_left() == 1000


async def test_a_cancelled_client_leaves_too(server: ScriptedServer) -> None:
    inside = asyncio.Event()

    async def stay() -> None:
        async with server.client() as client:
            inside.set()
            await client.join("K7QPXM")

    staying = asyncio.create_task(stay())
    peer, _ = await server.greets()
    await inside.wait()
    await peer.hears(Join)
    staying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await staying
    assert await peer.is_left() == 1000


async def test_leaving_ends_a_call_that_waits(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.join("K7QPXM"))
        await peer.hears(Join)
    with pytest.raises(ClientClosed, match="left before the answer came"):
        await asking


async def test_calls_are_refused_before_the_client_is_entered(server: ScriptedServer) -> None:
    with pytest.raises(ClientClosed, match="enter it with `async with` first"):
        await server.client().ping()


async def test_calls_are_refused_after_the_client_is_left(server: ScriptedServer) -> None:
    async with server.connected() as (client, _):
        pass
    with pytest.raises(ClientClosed, match="The client was left"):
        await client.ping()


async def test_the_front_end_receives_lost_and_back(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        news = client.events()
        await peer.breaks()
        assert await anext(news) == Lost("The connection broke.")
        await server.welcomes_back()
        assert await anext(news) == Back()
        assert client.token == WELCOME.token
