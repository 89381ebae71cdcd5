"""What an operator sees of running servers, and orders them to do: two processes, one Redis."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from tests.processes.playing import client, heard, serving
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess
from tests.wire.peer import peer
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from bigben_client import Client, ClientClosed, RefusedError
from bigben_protocol import JSON, Announcement, Ping, Pong, Welcome
from bigben_server.ops.admin import admin

Servers = tuple[ServerProcess, ServerProcess]
Run = Callable[..., Awaitable[Any]]


@pytest.fixture
async def servers(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Servers]:
    """Two servers; a parameter has options of the first."""
    options = getattr(request, "param", ())
    async with serving(tmp_path / "data", *options) as one, serving(tmp_path / "data") as other:
        yield one, other


@pytest.fixture
def run(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run ``bigben admin``, and return what it tells programs; ``done=None`` if it may fail."""
    for name in os.environ:
        if name.startswith("BIGBEN_"):
            monkeypatch.delenv(name)

    async def run(*words: str, done: bool | None = True) -> Any:
        capsys.readouterr()
        argv = ["--data", str(servers[0].data), "--json", *words]
        code = await asyncio.to_thread(admin, argv)
        told = json.loads(capsys.readouterr().out)
        assert (code == 0) == told["done"], told
        assert done in (None, told["done"]), told
        return told

    return run


def get(server: ServerProcess, path: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


async def until_status(server: ServerProcess, path: str, status: int) -> str:
    async with asyncio.timeout(PATIENCE_S):
        while (answer := await asyncio.to_thread(get, server, path))[0] != status:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return answer[1]


async def until_told(run: Run, holds: Callable[[Any], bool]) -> Any:
    """The first status for which this holds; processes report every few seconds."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds(told := await run("status")):  # noqa: ASYNC110
            await asyncio.sleep(0.2)
    return told


async def refused_upgrade(server: ServerProcess) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as refused:
        await connect(server.url, subprotocols=[Subprotocol(JSON)])
    response = refused.value.response
    return response.status_code, response.headers.get("Retry-After", "")


async def begun(one: Client) -> str:
    """The code of a practice game that this player has begun."""
    race = (await one.create(practice=True)).race
    await one.ready(race)
    return race


async def test_the_status_adds_up_what_all_processes_do(servers: Servers, run: Run) -> None:
    here, there = servers
    async with client(here, "Ada") as ada, client(there, "Bob"), client(there, "Carl"):
        race = await begun(ada)
        await ada.move(race, ada.views[race].legal[0])
        told = await until_told(run, lambda told: told["total"]["moves"] == 1)
        assert [one["pid"] for one in told["processes"]] == [here.pid, there.pid]
        assert [one["figures"]["connections"] for one in told["processes"]] == [1, 2]
        assert told["total"] == {
            "connections": 3, "players": 3, "playing": 1, "moves": 1, "open_races": 2
        }  # fmt: skip
        assert told["processes"][0]["figures"]["races"] == {
            "daily running": 1, "practice running": 1
        }  # fmt: skip
        assert not told["drained"]
        assert told["packing"] == {"looked": 0, "closed": 0, "listed": 0}
    said = await run("drain", "--process", "", done=False)
    assert said["error"].startswith("several processes begin with ''")
    await there.stop()
    assert [one["pid"] for one in (await run("status"))["processes"]] == [here.pid]


async def test_a_drained_process_sends_new_players_to_the_other_and_lets_its_games_end(
    servers: Servers, run: Run
) -> None:
    here, there = servers
    async with client(here, "Ada") as ada, peer(here.url, JSON, name="Idle") as idle:
        race = await begun(ada)
        first, _ = (await run("status"))["processes"]
        await run("drain", "--process", first["id"])
        said = await until_status(here, "/ready", 503)
        assert said == "The operator is draining this server.\n"
        assert get(there, "/ready") == (200, "ready\n")
        assert (await idle.closed())[0] == 1012
        assert await refused_upgrade(here) == (503, "2")
        async with client(there, "Bob") as bob:
            await begun(bob)
            with pytest.raises(RefusedError, match="about to be updated") as refused:
                await ada.create(practice=True)
            assert refused.value.code == "busy"
            await ada.move(race, ada.views[race].legal[0])
            told = await until_told(run, lambda told: told["processes"][0]["draining"])
            assert not told["processes"][0]["drained"]
            await ada.move(race, "resign")
            told = await until_told(run, lambda told: told["processes"][0]["drained"])
            assert not told["drained"]
        await run("drain", "--process", first["id"], "--off")
        await until_status(here, "/ready", 200)
        await begun(ada)  # her client has come back by itself


@pytest.mark.parametrize("servers", [("--workers", "2")], indirect=True)
async def test_players_come_to_the_worker_that_is_not_drained(servers: Servers, run: Run) -> None:
    here, _ = servers

    async def workers() -> list[Any]:
        return [one for one in (await run("status"))["processes"] if one["pid"] in here.workers()]

    first, _ = await workers()
    await run("drain", "--process", first["id"])
    async with asyncio.timeout(PATIENCE_S):
        while not (await workers())[0]["reasons"]:  # it has told its parent before
            pass
    async with AsyncExitStack() as stack:
        for _ in range(3):
            player = await stack.enter_async_context(client(here, "Ada"))
            await begun(player)
        assert [one["figures"]["connections"] for one in await workers()] == [0, 3]
        assert get(here, "/ready") == (200, "ready\n")


async def test_a_drain_of_all_lets_players_return_to_their_games_and_begins_none(
    servers: Servers, run: Run
) -> None:
    here, there = servers
    async with client(here, "Ada") as ada:
        race = await begun(ada)
        await run("drain")
        await until_status(there, "/ready", 503)
        await until_status(here, "/ready", 503)
        async with client(there, token=ada.token) as again:
            with pytest.raises(RefusedError, match="Games in progress continue"):
                await again.ready((await again.join("daily")).race)
            await again.join(race)
            await again.move(race, again.views[race].legal[0])
            await again.move(race, "resign")
        await until_told(run, lambda told: told["drained"])
        await run("drain", "--off")
        await until_status(here, "/ready", 200)
        await begun(ada)


async def test_a_banned_player_is_closed_on_all_processes_and_can_return_when_it_is_over(
    servers: Servers, run: Run
) -> None:
    here, there = servers
    async with client(here, "Ada") as ada, client(there, token=ada.token) as twice:
        banned = await run("ban", ada.player, "--days", "1", "--reason", "You cheat.")
        assert banned["who"] == ada.player
        for one in (ada, twice):
            with pytest.raises(
                ClientClosed, match=r"You may not play here until .* UTC: You cheat"
            ):
                await heard(one, Pong)
        for server in servers:
            with pytest.raises(RefusedError, match="You may not play here until") as refused:
                async with client(server, token=ada.token):
                    pass
            assert refused.value.code == "seat"
        await run("unban", ada.player)
        await run("unban", ada.player, done=False)
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    async with client(here, token=ada.token) as back:
                        assert back.player == ada.player
                        break
                except RefusedError:  # until the process has heard of it
                    await asyncio.sleep(0.05)


async def test_each_order_leaves_one_dated_line_in_the_log_of_each_server(
    servers: Servers, run: Run
) -> None:
    here, there = servers
    async with client(here, "Ada") as ada:
        await run("announce", "An update comes.")
        await run("ban", ada.player, "--days", "1")
        await run("ban", "203.0.113.7")
        await run("drain")
        await until_status(here, "/ready", 503)
        await until_status(there, "/ready", 503)
    for server in servers:
        await server.stop()
        lines = [line for line in server.log().splitlines() if re.match(r"\d{4}-\d\d-\d\d ", line)]
        said = [line.split(" INFO ")[1].partition(":")[0].partition(",")[0] for line in lines]
        first, *ordered, last = said
        assert (first, last.startswith("stopped after ")) == ("started", True)
        # Two orders that come at once are read together.
        assert sorted(ordered) == ["announce", "ban of a player", "ban of an address", "drain"]
        assert ada.player not in server.log()
        assert "203.0.113" not in server.log()


async def test_a_banned_address_gets_nothing_but_the_reason_until_the_ban_ends(
    servers: Servers, run: Run
) -> None:
    here, _ = servers
    async with client(here, "Ada") as ada:
        told = await run("ban", "127.0.0.1", "--minutes", "5", "--reason", "Too many rooms")
        assert told["who"] == "127.0.0.1/32"
        with pytest.raises(ClientClosed, match="Too many rooms"):
            await heard(ada, Pong)
    said = await until_status(here, "/", 403)
    assert said.startswith("You may not play here until ")
    assert (await refused_upgrade(here))[0] == 403
    assert get(here, "/health")[0] == get(here, "/ready")[0] == 200
    with pytest.raises(ClientClosed, match=r"refuses this connection\. You may not play here"):
        async with client(here, "Bob"):
            pass
    await run("ban", "127.0.0.1", "--reason", "x" * 61, done=False)
    entries = (await run("audit"))["entries"]
    assert [entry["arguments"]["who"] for entry in entries] == ["an address"] * 2
    assert "127.0.0.1" not in json.dumps(entries)
    await run("unban", "127.0.0.1")
    await until_status(here, "/", 200)


async def test_an_announcement_reaches_those_who_show_them_now_and_later_and_no_others(
    servers: Servers, run: Run
) -> None:
    here, there = servers
    async with (
        peer(here.url, JSON, announcements=True) as ada,
        peer(there.url, JSON, name="Bob", announcements=True) as bob,
        peer(there.url, JSON, name="Old") as old,
    ):
        await run("announce", "  The server is updated \n at\u202e 20:00. ", "--minutes", "10")
        told = [await one.until(Announcement) for one in (ada, bob)]
        assert told[0] == told[1]
        assert told[0].text == "The server is updated at 20:00."
        assert told[0].until - told[0].at == 600_000
        async with peer(there.url, JSON, name="Carl", announcements=True) as carl:
            assert await carl.until(Announcement) == told[0]
        async with Client(here.url, name="Dora", announcements=True) as dora:
            assert await heard(dora, Announcement) == told[0]
        await run("announce", "--withdraw")
        assert (await ada.until(Announcement)).text == ""
        assert (await bob.until(Announcement)).text == ""
        await run("announce", "--withdraw", done=False)
        await old.ask(Ping(1), Pong)
        assert [type(one) for one in old.heard] == [Welcome, Pong]
        await run("announce", "x" * 301, done=False)
