"""A deleted player is named nowhere, and nobody else's place or rating changes."""

from contextlib import suppress
from typing import Any

import pytest
from tests.server.boards.contents import everything
from tests.server.boards.made import Dies, Season, daily, daily_id, finish, player, stuck, won
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, GetProfile, Group, PlayerId, RaceId, Rules
from bigben_server.leaderboards.queries import Queries
from bigben_server.ops.people.delete import delete
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.events import (
    BEGIN,
    NOTHING,
    Closed,
    Counted,
    Entry,
    Joined,
    Opened,
    Player,
    Readied,
    RematchOpened,
    RoomAppend,
    RoomEvent,
    SeatAppend,
    SeatStatus,
)
from bigben_server.race.state import Race
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.client import StoreLost
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ADA, BOB = PlayerId("discord:80351110224678912"), player("bob")
ROOM = RaceId("K7QPXM")


async def play(store: Store, *, closed: bool = True) -> None:
    """Ada and Bob raced, live and in dailies; Ada is in two groups."""
    await People(store).create(ADA, Group("aces", "Aces", "CODE"), NOON)
    season = Season(store)
    await season.day("2026-11-20", {ADA: won(61_000), "bob": won(61_000)})
    await season.race(daily_id(), daily(), {"bob": stuck(60, 9), ADA: stuck(61, 9)})
    await season.room(ROOM, {ADA: won(61_000), "bob": won(60_000)})
    events: list[RoomEvent] = [
        Opened("live", Rules(limit_ms=10_000), "00" * 32, NOON, host=ADA),
        Joined(ADA, "Ada", NOON),
        Joined(BOB, "Bob", NOON),
        Readied(BOB, "11" * 32, NOON),
        Readied(ADA, "22" * 32, NOON),
        Counted(NOON + 3, NOON),
    ]
    first = [RoomAppend(ROOM, k, event) for k, event in enumerate(events[:3], start=1)]
    await store.append(first, {})
    for k, event in enumerate(events[3:], start=4):
        await store.append([RoomAppend(ROOM, k, event)], {})
    for who in (ADA, BOB):
        entry = SeatAppend(
            ROOM, who, Entry(0, NOON + 3, BEGIN), SeatStatus("playing", begun_at=NOON + 3), NOTHING
        )
        resigned = SeatAppend(
            ROOM, who, Entry(1, 9, "resign"), SeatStatus("resigned", 1, 12, 9, 0, NOON), 0
        )
        assert await store.append([entry, resigned], {}) == frozenset()
    if closed:
        await store.append([RoomAppend(ROOM, len(events) + 1, Closed(NOON + 100_000))], {})


async def board(store: Store, **wanted: Any) -> list[tuple[str, int]]:
    queries = Queries(store, clock=lambda: NOON)
    page = await queries.leaderboard("", GetLeaderboard(**wanted))
    return [
        *((row.name, row.place) for row in page.rows),
        *((row.name, row.place) for row in page.ranked),
    ]


async def test_a_deleted_player_is_named_nowhere(store: Store) -> None:
    await play(store)
    assert ADA in repr(await everything(store))
    await delete(store, ADA, "0123")
    left = repr(await everything(store))
    assert ADA not in left
    assert "Ada" not in left
    assert ADA.partition(":")[2] not in left


async def test_a_deleted_player_is_removed_from_the_invitations_of_a_rematch(store: Store) -> None:
    await play(store)
    rematch = RaceId("REMTCH")
    events: list[RoomEvent] = [
        Opened("live", Rules(), "00" * 32, NOON, host=BOB, invite="4TZ8QN", invited=(ADA, BOB)),
        Joined(BOB, "Bob", NOON),
    ]
    await store.append(
        [RoomAppend(rematch, k, event) for k, event in enumerate(events, start=1)], {}
    )
    instead, _ = await delete(store, ADA, "0123")
    assert ADA not in repr(await everything(store))
    assert Race(rematch, await store.events(rematch)).opened.invited == (instead, BOB)


async def test_in_the_log_of_a_race_with_very_many_all_is_found(store: Store) -> None:
    events: list[RoomEvent] = [Opened("daily", Rules(), "00" * 32, NOON)]
    people = [player(f"p{n:03}") for n in range(150)]
    events += [Joined(who, who.title(), NOON) for who in [*people[:120], ADA, *people[120:]]]
    events += [Closed(NOON)]
    for k, event in enumerate(events, start=1):
        await store.append([RoomAppend(daily_id(), k, event)], {})
    instead, _ = await delete(store, ADA, "0123")
    after = await store.events(daily_id())
    assert len(after) == len(events)
    assert [*Race(daily_id(), after).seats] == [*people[:120], instead, *people[120:]]
    assert str(ADA) not in repr(await everything(store))


BROKEN: list[tuple[list[Command], str]] = [
    ([("XADD", "bb:{BROKEN}:room", "1-0", "1", "{}")], "missing required field"),
    ([("XADD", "bb:{BROKEN}:room", "2-0", "2", '{"type":"closed","at":1}')], "event 1 is missing"),
    ([("SET", "bb:{BROKEN}:room", "soap")], "another kind of value is there"),
    ([("HSET", "bb:{BROKEN}:room", "a", "b")], "another kind of value is there"),
    ([("RPUSH", "bb:{BROKEN}:room", "a")], "another kind of value is there"),
    ([("SADD", "bb:{BROKEN}:room", "a")], "another kind of value is there"),
    ([("ZADD", "bb:{BROKEN}:room", 1, "a")], "another kind of value is there"),
]


@pytest.mark.parametrize(("broken", "why"), BROKEN)
async def test_a_race_of_others_that_cannot_be_read_is_skipped_and_named(
    store: Store, broken: list[Command], why: str
) -> None:
    await play(store)
    await store.ask(*broken)
    _, unread = await delete(store, ADA, "0123")
    assert str(ADA) not in repr(await everything(store))
    (damaged,) = map(str, unread)
    assert damaged.startswith("bb:{BROKEN}:room: ")
    assert why in damaged


@pytest.mark.parametrize(
    "broken",
    [
        ("XADD", "bb:{BROKEN}:room", "1-0", "1", f'{{"type":"new","player":"{ADA}"}}'),
        ("XADD", "bb:{BROKEN}:room", "1-0", "1", f'{{"type":"joined","player":"{ADA}'),
        ("SET", "bb:{BROKEN}:room", f"... {ADA} ..."),
        ("HSET", "bb:{BROKEN}:room", "a", ADA),
        ("RPUSH", "bb:{BROKEN}:room", "a", ADA),
        ("SADD", "bb:{BROKEN}:room", "a", ADA),
        ("ZADD", "bb:{BROKEN}:room", 1, ADA),
    ],
)
async def test_a_player_named_in_a_race_that_cannot_be_read_is_not_deleted(
    store: Store, broken: Command
) -> None:
    await play(store)
    await store.ask(broken)
    before = await everything(store)
    advice = "named in a race that can't be read .*; restore it from a backup, or delete the key"
    with pytest.raises(NotDone, match=advice):
        await delete(store, ADA, "0123")
    assert await everything(store) == before


async def test_a_player_with_a_game_in_a_race_that_cannot_be_read_is_not_deleted(
    store: Store,
) -> None:
    await play(store)
    await store.ask(
        ("DEL", Keys().room_log(ROOM)), ("XADD", Keys().room_log(ROOM), "1-0", "1", "{}")
    )
    with pytest.raises(NotDone, match=f"named in a race that can't be read .bb:.{ROOM}.:room"):
        await delete(store, ADA, "0123")


async def test_results_of_a_race_that_cannot_be_read_get_the_new_id_too(
    store: Store,
) -> None:
    """Their history names it, and nothing else of it does."""
    await play(store)
    daily_room = Keys().room_log(daily_id())
    await store.ask(("XADD", daily_room, "1-0", "1", "{}"))
    _, unread = await delete(store, ADA, "0123")
    assert [str(damaged).split(": ")[0] for damaged in unread] == [daily_room]
    assert str(ADA) not in repr(await everything(store))


async def test_ratings_stay_when_nothing_but_ids_kept_the_order(store: Store) -> None:
    """Of a large field that ended at one moment with one key: ids say who is in which heat."""
    season = Season(store)
    names = [f"p{n:02}" for n in range(40)]
    await season.room("BEFORE", {who: won(60_000 + n) for n, who in enumerate(names)})
    level = stuck(12, 0)
    await season.day("2026-11-20", dict.fromkeys(names, level))
    for n, who in enumerate(("p03", "p30")):
        await delete(store, player(who), f"012{n}")
    after = await everything(store)
    await rebuild(store)
    assert await everything(store) == after


async def test_boards_keep_their_places(store: Store) -> None:
    await play(store)
    questions: list[dict[str, Any]] = [
        {},
        {"date": "2026-11-20"},
        {"period": "weekly"},
        {"period": "all-time", "by": "rating"},
        {"group": "aces", "period": "monthly"},
    ]
    before = [await board(store, **wanted) for wanted in questions]
    await delete(store, ADA, "0123")
    after = [await board(store, **wanted) for wanted in questions]
    assert before[0] == [(str(ADA).title(), 1), ("Bob", 2)]
    for was, now in zip(before, after, strict=True):
        assert sorted(now) == sorted(
            ("deleted player" if name == str(ADA).title() else name, place) for name, place in was
        )


async def test_a_rebuild_after_it_gives_the_same_contents(store: Store) -> None:
    await play(store)
    await delete(store, ADA, "0123")
    after = await everything(store)
    await rebuild(store)
    assert await everything(store) == after


async def test_the_log_of_a_race_is_the_same_but_for_the_name(store: Store) -> None:
    await play(store)
    before = Race(ROOM, await store.events(ROOM))
    moves = await store.entries(ROOM, ADA)
    assert len(moves) == 2
    instead, _ = await delete(store, ADA, "0123")
    after = Race(ROOM, await store.events(ROOM))
    assert (after.seed, after.order, after.event_count) == (
        before.seed,
        before.order,
        before.event_count,
    )
    assert after.nonces == before.nonces
    assert list(after.seats) == [instead, BOB]
    assert [seat.name for seat in after.seats.values()] == ["deleted player", "Bob"]
    assert after.opened.host == instead
    assert await store.entries(ROOM, instead) == moves
    assert await store.entries(ROOM, ADA) == []
    # The log goes on where it was.
    again = Closed(NOON)
    assert await store.append([RoomAppend(ROOM, before.event_count, again)], {}) != frozenset()
    assert await store.append([RoomAppend(ROOM, before.event_count + 1, again)], {}) == frozenset()


async def test_deleting_may_break_off_anywhere_and_is_started_again(
    client: Any, store: Store
) -> None:
    await play(store)
    await delete(store, ADA, "0123")
    expected = await everything(store)
    at = 1
    while True:
        await store.ask(("FLUSHALL",))
        await play(store)
        try:
            await delete(Dies(client, at), ADA, "0123")
        except StoreLost:
            await store.ask(("DEL", "bb:settling"))  # which would expire
        else:
            break
        # At the very end only the lease was left to be given back.
        instead = PlayerId("deleted:0123")
        with suppress(NotDone):
            instead, _ = await delete(store, ADA, "4567")
        left = repr(await everything(store))
        assert left.replace(instead, "deleted:0123") == repr(expected), f"died at {at}"
        at += 1
    assert at > 15


class Interrupted(Store):
    """Somebody is deleted between the two round trips of a page."""

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        if commands[0][:2] == ("HMGET", Keys().names):
            await delete(Store(self.client), ADA, "0123")
        return await super().ask(*commands, raise_on_error=raise_on_error)


async def test_a_player_who_is_deleted_while_a_page_is_read_is_not_on_it(
    client: Any, store: Store
) -> None:
    await play(store)
    queries = Queries(Interrupted(client), clock=lambda: NOON)
    page = await queries.leaderboard(ADA, GetLeaderboard())
    assert [(row.name, row.place) for row in page.rows] == [("Bob", 2)]
    assert page.mine is None


class Grows(Store):
    """Another process appends to the room's log before it is replaced."""

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        if commands and Keys().room_log(ROOM) in commands[0] and commands[0][0] == "EVAL":
            followed = RoomAppend(ROOM, 8, RematchOpened(RaceId("REMTCH"), NOON))
            await Store(self.client).append([followed], {})
        return await super().ask(*commands, raise_on_error=raise_on_error)


async def test_a_log_that_grows_while_a_player_is_deleted_loses_nothing(
    client: Any, store: Store
) -> None:
    await play(store)
    await delete(Grows(client), ADA, "0123")
    assert Race(ROOM, await store.events(ROOM)).rematch == "REMTCH"
    assert ADA not in repr(await everything(store))


async def test_a_player_in_a_race_that_is_being_recorded_is_not_deleted(store: Store) -> None:
    """Its server would write the name once more."""
    await play(store)
    await store.ask(("ZADD", "bb:agenda", NOON, ROOM))
    before = await everything(store)
    with pytest.raises(NotDone, match="K7QPXM is closed, but not all of it is recorded; try"):
        await delete(store, ADA, "0123")
    assert await everything(store) == before


async def test_an_unknown_player_is_not_deleted(store: Store) -> None:
    with pytest.raises(NotDone, match="there is no player guest:nobody"):
        await delete(store, player("nobody"), "0123")


async def test_a_deleted_player_who_returns_starts_again(store: Store) -> None:
    await play(store)
    await delete(store, ADA, "0123")
    race = daily_id("2026-11-22")
    await Season(store).boards.record([finish(ADA, won(5), race, daily("2026-11-22"))])
    queries = Queries(store, clock=lambda: NOON)
    (tally,) = (await queries.profile(ADA, GetProfile())).tallies
    assert (tally.played, tally.rated) == (1, 0)


async def test_a_deleted_player_can_still_be_compared_with(store: Store) -> None:
    await play(store)
    instead, _ = await delete(store, ADA, "0123")
    queries = Queries(store, clock=lambda: NOON)
    profile = await queries.profile(BOB, GetProfile(against=instead))
    assert profile.against is not None
    against = profile.against
    assert (against.name, against.ahead, against.behind, against.level) == (
        *("deleted player", 1, 1),
        1,
    )


async def test_an_operator_renames_and_tokens_do_not_change_that(store: Store) -> None:
    await play(store)
    people = People(store)
    assert await people.rename(BOB, "Robert")
    await people.introduce(Player(BOB, "Bob the Rude"), NOON)
    assert [name for name, _ in await board(store)] == [str(ADA).title(), "Robert"]
    assert not await people.rename(player("nobody"), "Somebody")
