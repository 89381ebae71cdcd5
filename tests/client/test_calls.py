"""Every call sends its message and receives its answer."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count

import pytest
from msgspec.structs import replace
from tests.client.said import RACE, progress, refused, room, snapshot
from tests.client.scripted import ADA, ScriptedServer

from bigben_client import Client, ClientClosed, RefusedError
from bigben_client.session.session import Request
from bigben_protocol import (
    Create,
    CreateGroup,
    Curves,
    Explain,
    GameInfo,
    Games,
    GetCurves,
    GetGames,
    GetGroups,
    GetHint,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRaces,
    GetRecord,
    GetStandings,
    Group,
    Groups,
    Hint,
    Join,
    JoinGroup,
    Leaderboard,
    Leave,
    LeaveGroup,
    Left,
    Link,
    Ping,
    PlayerId,
    Pong,
    Profile,
    Races,
    Ready,
    Reason,
    Record,
    Refused,
    Rematch,
    Reveal,
    ServerMessage,
    Slot,
    Standing,
    Standings,
    Start,
    Unready,
    Watch,
)

STANDING = Standing(ADA, "Ada", "won", place=1)
STANDINGS = Standings(RACE, (STANDING,))
RECORD = Record(RACE, STANDING, (), ((5, "turn"),))
BOARD = Leaderboard("daily.2026-11-21.bigben.standard", 1, (STANDING,))
PROFILE = Profile(ADA, "Ada")
GROUPS = Groups(())
GAME = GameInfo("g", 1, False, (), ("standard",), (Slot("h", "hand", "row", 1),), ())
ROOM = room(phase="open", state="joined")

Ask = Callable[[Client], Awaitable[object]]

CALLS: list[tuple[Ask, Request, ServerMessage]] = [
    (lambda c: c.create(), Create(), ROOM),
    (lambda c: c.create(practice=True, seed="f" * 64), Create(practice=True, seed="f" * 64), ROOM),
    (
        lambda c: c.create(game="g", rules="book", limit_ms=5, undo=True, invite_only=True),
        Create("g", "book", 5, undo=True, invite_only=True),
        ROOM,
    ),
    (lambda c: c.join("daily"), Join("daily"), ROOM),
    (lambda c: c.watch(RACE), Watch(RACE), ROOM),
    (lambda c: c.unready(RACE), Unready(RACE), ROOM),
    (lambda c: c.start(RACE), Start(RACE), ROOM),
    (lambda c: c.rematch(RACE), Rematch(RACE), ROOM),
    (lambda c: c.standings(RACE), GetStandings(RACE), STANDINGS),
    (
        lambda c: c.standings(RACE, start=100, only=[ADA]),
        GetStandings(RACE, start=100, only=(ADA,)),
        STANDINGS,
    ),
    (lambda c: c.record(RACE), GetRecord(RACE), RECORD),
    (lambda c: c.record(RACE, ADA), GetRecord(RACE, ADA), RECORD),
    (lambda c: c.leaderboard(), GetLeaderboard(), BOARD),
    (
        lambda c: c.leaderboard(
            date="2026-11-21",
            game="g",
            rules="book",
            start=20,
            count=5,
            period="weekly",
            by="rating",
            group="the-aces",
            around=True,
        ),
        GetLeaderboard(
            "2026-11-21", "g", "book", 20, 5, 0, "weekly", "rating", "the-aces", around=True
        ),
        BOARD,
    ),
    (lambda c: c.profile(), GetProfile(), PROFILE),
    (lambda c: c.profile(ADA, against="guest:bob"), GetProfile(ADA, "guest:bob"), PROFILE),
    (lambda c: c.groups(), GetGroups(), GROUPS),
    (lambda c: c.create_group("The Aces"), CreateGroup("The Aces"), GROUPS),
    (lambda c: c.join_group("ABC"), JoinGroup("ABC"), GROUPS),
    (lambda c: c.leave_group("the-aces"), LeaveGroup("the-aces"), GROUPS),
    (lambda c: c.races(), GetRaces(), Races()),
    (lambda c: c.curves(RACE, ADA), GetCurves(RACE, (ADA,)), Curves(RACE)),
    (lambda c: c.explain(RACE, "3"), Explain(RACE, "3"), Reason(RACE, "3", "why")),
    (lambda c: c.hint(RACE, 3), GetHint(RACE, 3), Hint(RACE, 3, "turn", "why")),
    (lambda c: c.hint(RACE, 3, ADA), GetHint(RACE, 3, ADA), Hint(RACE, 3, "turn", "why", 0, ADA)),
    (lambda c: c.games(), GetGames(), Games((GAME,))),
    (lambda c: c.link(), GetLink(), Link("once", 5)),
]


NAMES = [f"{i}-{type(wanted).__name__}" for i, (_, wanted, _) in enumerate(CALLS)]


@pytest.mark.parametrize(("ask", "wanted", "answer"), CALLS, ids=NAMES)
async def test_a_call_sends_its_message_and_returns_the_answer(
    server: ScriptedServer, ask: Ask, wanted: Request, answer: ServerMessage
) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.ensure_future(ask(client))
        asked = await peer.hears(type(wanted))
        assert replace(asked, ref=0) == wanted
        await peer.says(replace(answer, ref=asked.ref))
        assert await asking == replace(answer, ref=asked.ref)


async def test_answers_reach_their_calls_in_any_order(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        first = asyncio.create_task(client.groups())
        one = await peer.hears(GetGroups)
        second = asyncio.create_task(client.groups())
        two = await peer.hears(GetGroups)
        assert one.ref != two.ref
        late = Groups((Group("late"),), one.ref)
        await peer.says(Groups((), two.ref), late)
        assert await second == Groups((), two.ref)
        assert await first == late


async def test_a_refusal_is_raised_with_its_code_and_its_text(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.join(RACE))
        asked = await peer.hears(Join)
        await peer.says(refused(asked.ref, code="limit", text="The room is full."))
        with pytest.raises(RefusedError, match=r"^The room is full\.$") as caught:
            await asking
        assert (caught.value.code, caught.value.race) == ("limit", RACE)


async def test_a_refusal_without_a_request_is_an_event(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        slow_down = Refused("rate", "Too many messages at once.")
        await peer.says(slow_down)
        assert await anext(client.events()) == slow_down


async def test_an_answer_of_the_wrong_kind_ends_the_call(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.groups())
        asked = await peer.hears(GetGroups)
        await peer.says(room(ref=asked.ref))
        with pytest.raises(ClientClosed, match="answered with Room instead of Groups"):
            await asking


async def test_a_cancelled_call_gets_no_answer_and_makes_no_event(
    server: ScriptedServer,
) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.groups())
        given_up = await peer.hears(GetGroups)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await peer.says(Groups((), given_up.ref), progress(13), room(ref=5))
        assert await anext(client.events()) == room(ref=5)


async def test_rooms_and_views_are_current_before_the_event_is_read(
    server: ScriptedServer,
) -> None:
    async with server.connected() as (client, peer):
        joining = asyncio.create_task(client.join(RACE))
        asked = await peer.hears(Join)
        entered = room(ref=asked.ref)
        await peer.says(entered, snapshot(2), progress(30))
        news = client.events()
        assert await joining == entered
        assert [await anext(news) for _ in range(3)] == [entered, snapshot(2), progress(30)]
        assert client.rooms[RACE].seats == progress(30).seats
        assert client.views[RACE].n == 2


async def test_a_player_who_joins_a_daily_later_is_in_its_room(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        joining = asyncio.create_task(client.join(RACE))
        asked = await peer.hears(Join)
        late = progress(13, player="guest:late")
        await peer.says(room(ref=asked.ref), snapshot(), late)
        entered, news = await joining, client.events()
        assert [await anext(news) for _ in range(3)][-1] == late
        now = client.rooms[RACE]
        assert now.seats == (*entered.seats, *late.seats)
        assert now.players == len(now.seats)


@pytest.mark.parametrize("rank", [7, 130])
async def test_the_players_own_place_is_requested_if_it_is_not_among_the_best(
    server: ScriptedServer, rank: int
) -> None:
    rows = [Standing(PlayerId(f"guest:{n}"), "Bob", "won", place=n) for n in range(1, 131)]
    rows[rank - 1] = replace(STANDING, place=rank)
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.standings_and_own(RACE))
        asked = await peer.hears(GetStandings)
        await peer.says(Standings(RACE, tuple(rows[:100]), ref=asked.ref, players=130))
        if rank > 100:
            asked = await peer.hears(GetStandings)
            assert asked.only == (ADA,)
            await peer.says(Standings(RACE, (rows[rank - 1],), ref=asked.ref, players=130))
        assert (await asking).rows == tuple(dict.fromkeys((*rows[:100], rows[rank - 1])))


async def test_all_standings_are_requested_page_by_page(server: ScriptedServer) -> None:
    rows = tuple(Standing(PlayerId(f"guest:{n}"), "Ada", "won", place=n) for n in range(1, 251))
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.all_standings(RACE))
        for start in (0, 100, 200):
            asked = await peer.hears(GetStandings)
            assert asked.start == start
            page = rows[start : start + 100]
            await peer.says(Standings(RACE, page, True, asked.ref, players=250))
        assert (await asking).rows == rows


async def test_the_cards_are_here_when_ready_returns(
    server: ScriptedServer,
) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.ready(RACE))
        asked = await peer.hears(Ready)
        begun = room(ref=asked.ref)
        await peer.says(begun)
        news = client.events()
        assert await anext(news) == begun
        assert not asking.done()
        await peer.says(snapshot())
        assert await asking == begun
        assert client.views[RACE].n == 0


async def test_watching_does_not_wait_for_cards(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.watch(RACE))
        asked = await peer.hears(Watch)
        await peer.says(room(ref=asked.ref))
        assert await asking == room(ref=asked.ref)


async def test_an_older_room_changes_nothing(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        news = client.events()
        await peer.says(room(since=5), room(since=4, phase="open"), snapshot())
        assert [await anext(news), await anext(news)] == [room(since=5), snapshot()]
        assert client.rooms[RACE] == room(since=5)


async def test_a_client_that_leaves_a_race_no_longer_follows_it(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        await peer.says(room(), snapshot())
        await anext(client.events())
        leaving = asyncio.create_task(client.leave(RACE))
        asked = await peer.hears(Leave)
        await peer.says(Left(RACE, asked.ref))
        await leaving
        assert not client.rooms
        assert not client.views


async def test_the_end_of_a_race_is_an_event(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        news = client.events()
        end = (Standings(RACE, (STANDING,), final=True), Reveal(RACE, "c0", "5e", "5f", ("aa",)))
        await peer.says(*end)
        assert (await anext(news), await anext(news)) == end


async def test_the_nonce_of_a_live_race_is_drawn_once(server: ScriptedServer) -> None:
    drawn = (bytes([number]) * 32 for number in count(1))
    async with server.connected(nonce_source=lambda _: next(drawn)) as (client, peer):
        nonces = []
        for race in (RACE, RACE, "OTHERS"):
            asking = asyncio.create_task(client.ready(race))
            asked = await peer.hears(Ready)
            await peer.says(room(ref=asked.ref, phase="open", state="ready"))
            await asking
            nonces.append(asked.nonce)
        assert nonces == ["01" * 32, "01" * 32, "02" * 32]
        assert client.nonces == {RACE: "01" * 32, "OTHERS": "02" * 32}


async def test_nonces_of_old_races_are_dropped(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So few that the client sends everything in its first burst.
    most = 5
    monkeypatch.setattr("bigben_client.asking.MOST_NONCES", most)
    races = [f"RACE{number}" for number in range(3 * most)]
    async with server.connected() as (client, peer):
        for race in races:
            for again in (races[0], race):
                asking = asyncio.create_task(client.ready(again))
                asked = await peer.hears(Ready)
                await peer.says(room(ref=asked.ref, phase="open", state="ready"))
                await asking
        assert list(client.nonces) == [*races[-most + 1 : -1], races[0], races[-1]]


async def test_a_nonce_is_32_random_bytes(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        tasks = [asyncio.create_task(client.ready(race)) for race in (RACE, "OTHERS")]
        nonces = {(await peer.hears(Ready)).nonce for _ in tasks}
        assert {len(bytes.fromhex(nonce)) for nonce in nonces} == {32}
        assert len(nonces) == 2
        for task in tasks:
            task.cancel()


async def test_a_daily_takes_no_nonce(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        await peer.says(replace(room(state="joined"), kind="daily"))
        await anext(client.events())
        asking = asyncio.create_task(client.ready(RACE))
        asked = await peer.hears(Ready)
        assert asked.nonce == ""
        asking.cancel()


async def test_a_ping_measures_the_round_trip_and_sets_the_clock(server: ScriptedServer) -> None:
    seconds = iter([0.0, 9.0, 100.0, 100.04, 200.0])
    async with server.connected(clock=lambda: next(seconds)) as (client, peer):
        asking = asyncio.create_task(client.ping())
        ping = await peer.hears(Ping)
        await peer.says(Pong(ping.sent, now_at=107_020))
        assert await asking == 40
        assert client.offset_ms == 7_000
        assert client.now_at() == 207_000
