"""The client finds every lie of a dishonest server, and has no complaint about an honest one."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack

import pytest
from tests.fairness.lying import LIES, honest, lying
from tests.support.server_process import UNHURRIED, ServerProcess, serving

from bigben_client import Client, Finding, RefusedError, lies, unchecked
from bigben_protocol import JSON, MSGPACK, Standings

HONEST = "honest"
Found = dict[tuple[str, str], tuple[Finding, ...]]
"""By lie and subprotocol."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), UNHURRIED) as one:
        yield one
        assert one.complaints() == []


@pytest.fixture(scope="module")
def found(server: ServerProcess) -> Found:
    """One live race with another lie for each racer, and what each of them found."""
    with ExitStack() as relays:
        urls = {
            name: relays.enter_context(lying(server.url, lie)) for name, (lie, _) in LIES.items()
        }
        urls[HONEST] = relays.enter_context(lying(server.url, lambda: honest))
        seats = {(name, way): urls[name].url for name in urls for way in (JSON, MSGPACK)}
        return asyncio.run(raced(seats))


async def raced(seats: dict[tuple[str, str], str]) -> Found:
    async with AsyncExitStack() as stack:
        clients = {
            (name, way): await stack.enter_async_context(
                Client(url, name=f"{name} {way[-4:]}", subprotocol=way)
            )
            for (name, way), url in seats.items()
        }
        host, *others = clients.values()
        race = (await host.create()).race
        for client in others:
            await client.join(race)
        await asyncio.gather(*(client.ready(race) for client in clients.values()))
        await asyncio.gather(*(_play(client, race) for client in clients.values()))
        await asyncio.gather(*(_end(client, race) for client in clients.values()))
        return {seat: await client.check(race) for seat, client in clients.items()}


async def _play(client: Client, race: str) -> None:
    """Play two cards."""
    async for _ in client.events():
        if race in client.views:
            break
    for move in ("turn", "turn", "resign"):
        await client.move(race, move)


async def _end(client: Client, race: str) -> None:
    """Wait until the race is closed."""
    async for news in client.events():
        if isinstance(news, Standings) and news.final and news.race == race:
            return


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found(found: Found, lie: str, subprotocol: str) -> None:
    _, caught = LIES[lie]
    assert caught in {finding.what for finding in lies(found[lie, subprotocol])}


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
def test_an_honest_server_holds_in_every_point(found: Found, subprotocol: str) -> None:
    findings = found[HONEST, subprotocol]
    assert len(findings) == 11
    assert (lies(findings), unchecked(findings)) == ((), ())


async def test_a_race_is_checked_when_it_is_closed(server: ServerProcess) -> None:
    async with Client(server.url, name="Ada") as ada:
        room = await ada.create()
        assert (kept := ada.kept[room.race]).commitment == room.commitment
        assert kept.in_time
        with pytest.raises(RefusedError, match="not over"):
            await ada.check(room.race)


async def test_evidence_continues_with_the_next_client(server: ServerProcess) -> None:
    async with Client(server.url, name="Ada") as ada, Client(server.url, name="Bob") as bob:
        race = (await ada.create()).race
        await bob.join(race)
        await ada.ready(race)
        kept, token = ada.kept[race], ada.token
        assert kept.nonce == ada.nonces[race]
    async with (
        Client(server.url, token=token, kept=[kept]) as ada,
        Client(server.url, token=bob.token) as bob,
    ):
        await ada.join(race)
        await bob.join(race)
        await ada.ready(race)
        await bob.ready(race)
        await asyncio.gather(_play(ada, race), _play(bob, race))
        await asyncio.gather(_end(ada, race), _end(bob, race))
        assert (lies(found := await ada.check(race)), unchecked(found)) == ((), ())
        assert ada.kept[race].nonce == kept.nonce


async def test_a_player_who_returns_after_the_close_can_check_then(server: ServerProcess) -> None:
    async with Client(server.url, name="Ada") as ada:
        race = (await ada.create()).race
        await ada.ready(race)
        await ada.start(race)
        await _play(ada, race)
        await _end(ada, race)
        kept = ada.kept[race]
    async with Client(server.url, token=ada.token, kept=[kept]) as ada:
        assert (lies(found := await ada.check(race)), unchecked(found)) == ((), ())
        assert race not in ada.rooms
    async with Client(server.url, name="Eve", kept=[kept]) as eve:
        assert await eve.check(race) == (), "what another player kept is not hers"


async def test_a_second_device_can_not_promise_another_nonce(server: ServerProcess) -> None:
    async with Client(server.url, name="Ada") as ada, Client(server.url, name="Bob") as bob:
        race = (await ada.create()).race
        await bob.join(race)
        await ada.ready(race)
        async with Client(server.url, token=ada.token) as second:
            await second.join(race)
            with pytest.raises(RefusedError, match="already ready with another nonce"):
                await second.ready(race)
            await bob.ready(race)
            await asyncio.gather(_play(ada, race), _play(bob, race))
            await asyncio.gather(_end(ada, race), _end(bob, race))
            for client in (ada, bob):
                assert lies(await client.check(race)) == ()
            found = await second.check(race)
            assert lies(found) == ()
            assert "nonce" in {finding.what for finding in unchecked(found)}


async def test_a_nonce_that_is_lost_with_its_device_is_withheld(server: ServerProcess) -> None:
    async with Client(server.url, name="Bob") as bob:
        race = (await bob.create()).race
        async with Client(server.url, name="Ada") as ada:
            await ada.join(race)
            await ada.ready(race)
            token = ada.token
        await bob.ready(race)
        async with Client(server.url, token=token) as ada:
            await ada.join(race)
            await asyncio.gather(_play(ada, race), _play(bob, race))
            await asyncio.gather(_end(ada, race), _end(bob, race))
            assert lies(await ada.check(race)) == ()
        (nonce,) = [finding for finding in await bob.check(race) if finding.what == "nonce"]
        assert nonce.holds
        assert "could choose among 2 deals" in nonce.text
