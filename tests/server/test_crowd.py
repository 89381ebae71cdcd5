"""What the followers of a crowded room hear of moves, and when. Sessions have no sockets here."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.server.guests import Guest, SlowStore, running
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import DAY, MIDNIGHT, NOON

from bigben_protocol import (
    Diff,
    Hello,
    Join,
    Leave,
    Left,
    Move,
    PlayerId,
    Progress,
    Ready,
    Reveal,
    Room,
    ServerMessage,
    Snapshot,
    Standing,
    Standings,
    Watch,
    Welcome,
)
from bigben_server.race.broadcasts.visible import SMALL_FIELD
from bigben_server.race.events import Player
from bigben_server.rooms.app import App
from bigben_server.rooms.followers import crowd
from bigben_server.rooms.followers.crowd import CROWD
from bigben_server.storage.client import Client

DAILY = "daily.2026-11-21.bigben.standard"
MOVES = 10


async def guest(app: App, name: str) -> tuple[Guest, PlayerId]:
    one = Guest(app)
    return one, (await one.ask(Hello(name=name), Welcome)).player


async def spectators(app: App, count: int) -> list[Guest]:
    """So many guests who watch the daily."""
    guests = [(await guest(app, f"Guest {i}"))[0] for i in range(count)]
    for one in guests:
        one.say(Watch(DAILY, ref=1))
    for one in guests:
        await one.until(Room)
    return guests


async def dealt(app: App, name: str) -> tuple[Guest, PlayerId, str]:
    """A guest who has begun the daily, and a move that is legal again and again."""
    one, player = await guest(app, name)
    one.say(Join(DAILY), Ready(DAILY))
    legal = (await one.until(Snapshot)).legal
    await one.until(Progress, lambda told: seat(told, player).state == "playing")
    return one, player, legal[-1]


def seat(told: Progress, player: PlayerId) -> Standing:
    (found,) = [seat for seat in told.seats if seat.player == player]
    return found


async def all_until(one: Guest, player: PlayerId, count: int) -> list[ServerMessage]:
    """Everything that a guest hears until this player has so many moves."""
    heard: list[ServerMessage] = []
    async with asyncio.timeout(PATIENCE_S):
        while True:
            heard.append(message := await one.hears())
            if moves(message, player) == count:
                return heard


@asynccontextmanager
async def crowded(client: Client) -> AsyncIterator[tuple[App, Clock[int], list[Guest]]]:
    """An application with a daily that two periods' worth of spectators watch."""
    clock = Clock(NOON)
    async with running(client, clock) as app:
        yield app, clock, await spectators(app, 2 * CROWD)


async def play(one: Guest, first: str, count: int) -> list[ServerMessage]:
    """Play so many moves one after the other; what the player hears until the last diff."""
    heard: list[ServerMessage] = []
    move = first
    for n in range(1, count + 1):
        one.say(Move(DAILY, n, move))
        while not isinstance(message := await one.hears(), Diff):
            heard.append(message)
        heard.append(message)
        assert message.legal, "an undecided game of a client that does not keep the rules"
        move = message.legal[-1]
    return heard


async def test_a_crowd_hears_of_many_moves_together(client: Client) -> None:
    async with crowded(client) as (app, _, watching):
        ada, player, first = await dealt(app, "Ada")
        await play(ada, first, MOVES)
        for one in watching:
            heard = await all_until(one, player, MOVES)
            assert all(isinstance(message, Progress) for message in heard)
            moves = [seat(told, player).moves for told in heard if isinstance(told, Progress)]
            assert moves == sorted(moves)
            assert len(moves) < MOVES, "several moves are one message"


async def test_a_player_hears_of_their_own_moves_at_once(client: Client) -> None:
    async with crowded(client) as (app, _, _):
        ada, player, first = await dealt(app, "Ada")
        ada.say(Move(DAILY, 1, first))
        assert isinstance(await ada.hears(), Diff)
        told = await ada.hears()
        assert isinstance(told, Progress)
        assert [(one.player, one.moves) for one in told.seats] == [(player, 1)]


async def test_all_of_a_crowd_hear_of_an_end_although_a_round_is_under_way(client: Client) -> None:
    async with crowded(client) as (app, _, watching):
        ada, player, first = await dealt(app, "Ada")
        await play(ada, first, 1)
        bob, other, _ = await dealt(app, "Bob")
        bob.say(Move(DAILY, 1, "resign"))
        await bob.until(Diff)
        for one in watching:
            over = await one.until(Progress, lambda told: told.seats[0].player == other)
            if over.seats[0].state != "resigned":
                await one.until(Progress, lambda told: told.seats[0].state == "resigned")
        await play_on(ada)
        for one in watching:
            await all_until(one, player, 2)


async def play_on(one: Guest) -> None:
    one.say(Move(DAILY, 2, "resign"))
    await one.until(Diff)


async def test_who_comes_back_meanwhile_never_hears_of_fewer_moves(client: Client) -> None:
    async with crowded(client) as (app, _, watching):
        ada, player, first = await dealt(app, "Ada")
        await play(ada, first, MOVES)
        late = watching[-1]
        late.say(Watch(DAILY, ref=2))
        room = await late.until(Room, lambda room: room.ref == 2)
        assert [one.moves for one in room.seats] == [MOVES]
        await ada.ask(Move(DAILY, MOVES + 1, "resign"), Diff)
        for message in await all_until(late, player, MOVES + 1):
            assert isinstance(message, Progress)
            assert seat(message, player).moves >= MOVES


async def test_a_round_does_not_tell_of_a_move_that_is_not_durable(client: Client) -> None:
    store = SlowStore(client)
    async with running(client, Clock(NOON), store) as app:
        watching = await spectators(app, 2 * CROWD)
        ada, player, first = await dealt(app, "Ada")
        await play(ada, first, 1)
        store.writes.clear()
        store.asked_to_write.clear()
        ada.say(Move(DAILY, 2, "resign"))
        await store.asked_to_write.wait()
        for one in watching:
            heard = await all_until(one, player, 1)
            assert not any(moves(message, player) == 2 for message in heard)
        store.writes.set()
        for one in watching:
            assert len(await all_until(one, player, 2)) == 1


async def test_a_large_crowd_hears_of_moves_before_pings_and_of_ends_at_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "LARGE_CROWD", CROWD)
    async with crowded(client) as (app, _, watching):
        ada, player, first = await dealt(app, "Ada")
        await play(ada, first, 2)
        one, *_ = watching
        app.hub.rooms.before_ping(one)
        assert moves(await one.hears(), player) == 2
        app.hub.rooms.before_ping(one)  # there is nothing new
        await ada.ask(Move(DAILY, 3, "resign"), Diff)
        for each in watching:
            (told,) = await all_until(each, player, 3)
            assert isinstance(told, Progress), "and nobody else has heard of the moves before"
            assert seat(told, player).state == "resigned"


async def test_who_has_left_hears_nothing_more(client: Client) -> None:
    async with crowded(client) as (app, _, watching):
        ada, player, first = await dealt(app, "Ada")
        await play(ada, first, 1)
        gone, *others = reversed(watching)
        gone.say(Leave(DAILY, ref=2))
        await gone.until(Left)
        for one in others:
            await all_until(one, player, 1)
        gone.say(Watch(DAILY, ref=3))
        assert isinstance(await gone.hears(), Room)


async def test_the_end_of_the_day_is_told_to_all_of_a_crowd(client: Client) -> None:
    async with crowded(client) as (app, clock, watching):
        ada, player, first = await dealt(app, "Ada")
        await play(ada, first, 1)
        clock.now = MIDNIGHT + DAY
        app.hub.tick()
        for one in [*watching, ada]:
            assert (await one.until(Room, lambda room: room.phase == "closed")).seats
            standings = await one.until(Standings)
            assert [(row.player, row.state) for row in standings.rows] == [(player, "timed out")]
            await one.until(Reveal)


async def test_of_a_large_field_each_hears_of_the_best_and_of_neighbours(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        field = [await dealt_with(app, f"Guest {i}") for i in range(SMALL_FIELD + 1)]
        field.sort()  # equals are in the order of their ids
        bot = Guest(app)
        bot.player = Player(PlayerId("discord:bot-1-0"), "Bot")
        await bot.ask(Watch(DAILY), Room)
        (best, leader, move), (outsider, other, _) = field[0], field[60]
        await leader.ask(Move(DAILY, 1, move), Diff)
        for _, one, _ in field:
            await one.until(Progress, lambda told: moves(told, best) == 1)
        await other.ask(Move(DAILY, 1, move), Diff)
        await leader.ask(Move(DAILY, 2, move), Diff)
        for place, (_, one, _) in enumerate(field):
            heard = await all_until(one, best, 2)
            of_outsider = [told for told in heard if moves(told, outsider) == 1]
            assert bool(of_outsider) == (57 <= place <= 63), place
        heard = await all_until(bot, best, 2)
        assert any(moves(told, outsider) == 1 for told in heard)


async def dealt_with(app: App, name: str) -> tuple[PlayerId, Guest, str]:
    """A guest who has begun the daily: they can turn the stock again and again."""
    one, player = await guest(app, name)
    one.say(Join(DAILY), Ready(DAILY))
    await one.until(Snapshot)
    return player, one, "turn"


def moves(told: ServerMessage, player: PlayerId) -> int:
    """How many moves a message says that this player has made."""
    seats = told.seats if isinstance(told, Progress) else ()
    return next((seat.moves for seat in seats if seat.player == player), 0)
