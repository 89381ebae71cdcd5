"""Two server processes on one Redis look like one server to players and spectators."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest
from tests.processes.playing import client, heard, seat, serving, until
from tests.support.server_process import ServerProcess

from bigben_client import Client, RefusedError
from bigben_protocol import Reveal, Rules, Standings, View
from bigben_server.race.events import Opened, RoomAppend
from bigben_server.race.lobby import challenge_codes, rematch_codes
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

Servers = tuple[ServerProcess, ServerProcess]


@pytest.fixture
async def servers(tmp_path: Path) -> AsyncIterator[Servers]:
    async with serving(tmp_path / "data") as one, serving(tmp_path / "data") as other:
        yield one, other


async def test_racers_and_watchers_of_one_race_on_two_servers_see_the_same(
    servers: Servers,
) -> None:
    here, there = servers
    async with AsyncExitStack() as stack:
        ada = await stack.enter_async_context(client(here, "Ada"))
        bob = await stack.enter_async_context(client(there, "Bob"))
        eve = await stack.enter_async_context(client(here, "Eve"))
        dan = await stack.enter_async_context(client(there, "Dan"))
        everyone = (ada, bob, eve, dan)

        race = (await ada.create()).race
        await bob.join(race)
        for watcher in (eve, dan):
            await watcher.watch(race)
        await asyncio.gather(ada.ready(race), bob.ready(race))
        for one in everyone:
            await until(one, partial(_runs, one, race))
        assert ada.views[race].piles == bob.views[race].piles

        for mover in (ada, bob) * 10:
            diff = await mover.move(race, mover.views[race].legal[0])
            for one in everyone:
                await until(one, partial(_knows, one, race, mover, diff.n))
                assert seat(one, race, mover).home == mover.views[race].home

        for mover in (ada, bob):
            await mover.move(race, "resign")
        finals = [await heard(one, Standings) for one in everyone]
        assert all(final == finals[0] for final in finals)
        assert {row.player for row in finals[0].rows} == {ada.player, bob.player}
        assert finals[0].final
        reveals = [await heard(one, Reveal) for one in everyone]
        assert len({reveal.seed for reveal in reveals}) == 1
        assert {one.rooms[race].phase for one in everyone} == {"closed"}
        assert (await eve.standings(race)).rows == (await dan.standings(race)).rows


async def test_a_game_made_on_one_server_and_begun_on_the_other_shows_its_cards_on_both(
    servers: Servers,
) -> None:
    here, there = servers
    async with client(here, "Ada") as one, client(there, token=one.token) as other:
        race = (await one.create(practice=True)).race
        await other.join(race)
        await other.ready(race)
        await until(one, partial(_is_at, one, race, 0))


async def test_a_seat_played_on_two_servers_at_once_does_not_fork(servers: Servers) -> None:
    here, there = servers
    async with (
        client(here, "Ada") as one,
        client(there, token=one.token) as other,
        client(there, token=one.token) as late,
    ):
        race = (await one.create(practice=True, undo=True)).race
        await other.join(race)
        await one.ready(race)
        for either in (one, other):
            await until(either, partial(_is_at, either, race, 0))

        acknowledged = await asyncio.gather(_play(one, race, _first), _play(other, race, _another))

        record = await one.record(race)
        logged = dict(enumerate((move for _, move in record.moves), start=1))
        assert acknowledged[0].keys().isdisjoint(acknowledged[1])
        assert logged == acknowledged[0] | acknowledged[1]
        await late.join(race)
        for device in (one, other, late):
            await until(device, partial(_is_at, device, race, len(logged)))
            assert device.views[race] == late.views[race]


async def test_a_rematch_requested_on_two_servers_at_once_is_one_room(servers: Servers) -> None:
    here, there = servers
    async with client(here, "Ada") as ada, client(there, "Bob") as bob:
        race = (await ada.create()).race
        await bob.join(race)
        for _ in range(2):
            await _race_to_the_end(race, ada, bob)
            rooms = await asyncio.gather(ada.rematch(race), bob.rematch(race))
            assert rooms[0].race == rooms[1].race
            last, race = race, rooms[0].race
            for one in (ada, bob):
                await until(one, partial(_has_both, one, race))
                await until(one, partial(_is_followed, one, last, race))


async def test_when_everybody_has_left_the_rematch_there_can_be_another(servers: Servers) -> None:
    here, there = servers
    async with client(here, "Ada") as ada, client(there, "Bob") as bob:
        race = (await ada.create()).race
        await bob.join(race)
        await _race_to_the_end(race, ada, bob)
        first = (await ada.rematch(race)).race
        await until(bob, partial(_is_followed, bob, race, first))
        await ada.leave(first)
        second = await bob.rematch(race)
        assert (second.race != first, second.phase) == (True, "open")
        await until(ada, partial(_is_followed, ada, race, second.race))
        assert (await ada.rematch(race)).race == second.race


async def test_a_rematch_whose_code_another_room_has_gets_another_code(servers: Servers) -> None:
    here, _ = servers
    async with client(here, "Ada") as ada, client_of(here.redis_url) as redis:
        race = (await ada.create(limit_ms=1)).race
        await ada.ready(race)
        await ada.start(race)
        revealed = await heard(ada, Reveal)
        await until(ada, partial(_is_closed, ada, race))
        opened = Opened("live", Rules(limit_ms=1), revealed.server_seed, 0)
        taken = next(rematch_codes(opened.server_seed))
        stranger = Opened("live", Rules(limit_ms=1), "00" * 32, opened_at := 2**40)
        await Store(redis).append([RoomAppend(taken, 1, stranger)], {})

        room = await ada.rematch(race)
        assert room.race != taken
        assert (room.host, room.opened_at > opened_at) == (ada.player, True)
        await until(ada, partial(_is_followed, ada, race, room.race))


def _is_closed(one: Client, race: str) -> bool:
    return one.rooms[race].phase == "closed"


def _is_followed(one: Client, race: str, by: str) -> bool:
    return one.rooms[race].rematch == by


def _has_both(one: Client, race: str) -> bool:
    return len(one.rooms[race].seats) == 2


def _runs(one: Client, race: str) -> bool:
    return one.rooms[race].phase == "running"


def _knows(one: Client, race: str, mover: Client, n: int) -> bool:
    """Whether this client knows the mover's move n."""
    return seat(one, race, mover).moves == n


def _is_at(one: Client, race: str, n: int) -> bool:
    return race in one.views and one.views[race].n == n


async def _play(player: Client, race: str, choose: Callable[[View], str]) -> dict[int, str]:
    """Move as fast as the server answers; the moves that were acknowledged."""
    acknowledged: dict[int, str] = {}
    while (view := player.views[race]).n < 150 and view.legal:
        move = choose(view)
        try:
            diff = await player.move(race, move)
        except RefusedError:
            continue
        if diff.move == move:  # and not the other player's first move
            acknowledged[diff.n] = move
    return acknowledged


def _first(view: View) -> str:
    return view.legal[0]


def _another(view: View) -> str:
    """A move that differs from the first, to tell whose move was accepted; it may be illegal."""
    return view.legal[-1] if len(view.legal) > 1 else "undo"


async def _race_to_the_end(race: str, *racers: Client) -> None:
    """Play until everybody knows that the race is closed."""
    await asyncio.gather(*(one.ready(race) for one in racers))
    for one in racers:
        await until(one, partial(_runs, one, race))
    await asyncio.gather(*(one.move(race, "resign") for one in racers))
    for one in racers:
        await until(one, partial(_is_closed, one, race))


async def test_a_challenge_is_accepted_once_though_a_server_is_killed_meanwhile(
    servers: Servers,
) -> None:
    here, there = servers
    async with client(here, "Ada") as ada, client(there, "Bob") as bob:
        for turns in (0, 3, 30):  # of the event loop, so that it is killed at different steps
            await ada.challenge(bob.player)
            one = (await bob.challenges()).received[0]
            answer = asyncio.create_task(bob.answer_challenge(one.id, accept=True))
            for _ in range(turns):
                await asyncio.sleep(0)
            await there.kill()
            await there.start()
            accepted = (await answer).received[0]
            assert (accepted.id, accepted.state) == (one.id, "accepted")
            assert accepted.race == next(challenge_codes(one.id))
            assert (await ada.challenges()).sent[0].race == accepted.race
            await ada.join(accepted.race)
            await bob.join(accepted.race)
            await until(ada, partial(_both_there, ada, accepted.race))


def _both_there(one: Client, race: str) -> bool:
    return [seat.name for seat in one.rooms[race].seats] == ["Ada", "Bob"]
