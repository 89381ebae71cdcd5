"""Several deployments on one Redis: each has keys and channels of its own."""

import asyncio
import inspect
from collections.abc import Iterator
from contextlib import AsyncExitStack
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.boards.contents import everything
from tests.server.boards.made import Season, player, stuck, won
from tests.server.guests import Guest, running
from tests.server.monitor import Sent, monitored, names_in
from tests.server.stage import NONCE
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    CreateGroup,
    Diff,
    GetGroups,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetStandings,
    Groups,
    Hello,
    Join,
    Leaderboard,
    Link,
    Move,
    PlayerId,
    Profile,
    Progress,
    RaceId,
    Ready,
    Room,
    Snapshot,
    Standings,
    Watch,
    Welcome,
)
from bigben_server.ops import check
from bigben_server.ops.admin import admin
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.delete import delete
from bigben_server.ops.rebuild import rebuild
from bigben_server.rooms.app import App
from bigben_server.storage.admin.audit import Audit, AuditEntry
from bigben_server.storage.client import Client
from bigben_server.storage.keys import Keys, pattern, race_of
from bigben_server.storage.opening import client_of, keys_of
from bigben_server.storage.race_log import Store

DAILY = RaceId("daily.2026-11-21.bigben.standard")
PREFIX = "Friends-2.play_x"
prefixes = st.from_regex(r"[A-Za-z0-9_.-]{1,32}", fullmatch=True)


def named(keys: Keys) -> Iterator[str]:
    """Everything that these keys name, with some race, player and so on."""
    for name, member in inspect.getmembers(keys):
        if name.startswith("_") or name in ("prefix", "database", "exported", "within"):
            continue
        if isinstance(member, str):
            yield member
        elif isinstance(member, tuple):
            yield from member
        else:
            found = member(*["K7QPXM"] * len(inspect.signature(member).parameters))
            yield from (found,) if isinstance(found, str) else found


@given(prefixes, st.integers(0, 15))
def test_everything_begins_with_the_prefix(prefix: str, database: int) -> None:
    found = list(named(Keys(prefix, database)))
    assert len(found) > 25
    assert all(name.startswith(f"{prefix}:") for name in found)


@given(prefixes, prefixes)
def test_no_key_of_a_prefix_begins_like_those_of_another(one: str, other: str) -> None:
    mixed = [name for name in named(Keys(one)) if name.startswith(Keys(other).all)]
    assert bool(mixed) == (one == other)


@given(prefixes)
def test_an_export_has_the_usual_names(prefix: str) -> None:
    for key in named(Keys(prefix)):
        assert Keys(prefix).exported(key).startswith("bb:")
        assert Keys(prefix).within(Keys(prefix).exported(key)) == key


def test_the_race_of_a_name_is_read_with_any_prefix_and_database() -> None:
    keys = Keys(PREFIX, 3)
    names = keys.news(DAILY), keys.room_log(DAILY), keys.seat_log(DAILY, PlayerId("odd:{x}"))
    assert {race_of(name) for name in names} == {DAILY}


async def test_a_pattern_means_only_what_it_begins_with(store: Store) -> None:
    await store.ask(*(("SET", key, 1) for key in ("a*[b]?\\c:1", "aXb?\\c:1", "a*b?\\c:1")))
    assert [key async for key in store.scan("a*[b]?\\c:")] == ["a*[b]?\\c:1"]
    assert pattern("bb:{") == "bb:{*"


async def test_two_databases_of_a_redis_have_channels_of_their_own(redis_url: str) -> None:
    for number, channel in ((0, "bb:started"), (1, "bb:db1:started")):
        async with client_of(redis_url.replace("db=0", f"db={number}")) as client:
            keys = keys_of(client, "bb")
            assert (keys.started, keys.agenda) == (channel, "bb:agenda")


async def arrive(at: App, name: str = "", token: str = "") -> tuple[Guest, Welcome]:
    guest = Guest(at)
    return guest, await guest.ask(Hello(name, token), Welcome)


async def play_daily(guest: Guest, *moves: str) -> None:
    guest.say(Join(DAILY), Ready(DAILY))
    await guest.until(Snapshot)
    for n, move in enumerate(moves, start=1):
        await guest.ask(Move(DAILY, n, move), Diff)


async def evening(here: App, there: App) -> None:
    """A daily, a room, a group, a link and boards, on two processes."""
    ada, _ = await arrive(here, "Ada")
    bob, _ = await arrive(there, "Bob")
    await bob.ask(Watch(DAILY), Room)
    await play_daily(ada, "turn", "turn", "resign")
    await bob.until(Progress)
    await play_daily(bob, "turn")
    race = RaceId((await ada.ask(Create(limit_ms=60_000), Room)).race)
    await bob.ask(Join(race), Room)
    ada.say(Ready(race, NONCE))
    await bob.ask(Ready(race, NONCE), Room)
    for guest in (ada, bob):
        guest.say(GetStandings(DAILY))
        await guest.until(Standings)
    ada.say(Create(practice=True, seed="5e" * 32))
    practice = await ada.until(Room, lambda room: room.kind == "practice")
    ada.say(Ready(practice.race))
    await ada.until(Snapshot)
    (group,) = (await ada.ask(CreateGroup("The Aces"), Groups)).groups
    await bob.ask(GetGroups(), Groups)
    await ada.ask(GetLeaderboard(group=group.group), Leaderboard)
    await ada.ask(GetProfile(), Profile)
    link = await ada.ask(GetLink(), Link)
    await arrive(there, token=link.token)


def told(sent: list[Sent], command: str) -> list[Sent]:
    """Those with this command."""
    return [each for each in sent if each[1] == command]


def outside(prefix: str, sent: list[Sent]) -> list[Sent]:
    """The commands that name something without this prefix."""
    return [each for each in sent if any(not n.startswith(f"{prefix}:") for n in names_in(each))]


async def test_no_command_of_an_evening_names_anything_outside_the_prefix(
    client: Client, redis_url: str
) -> None:
    store, other = (Store(client, keys=Keys(prefix)) for prefix in (PREFIX, "Friends-2.play_y"))
    clock = Clock(NOON)
    async with monitored(redis_url) as sent:
        async with (
            running(client, clock, store, process="here") as here,
            running(client, clock, Store(client, keys=store.keys), process="there") as there,
        ):
            await evening(here, there)
        season = Season(store)
        await season.day("2026-11-19", {"ada": won(61_000), "bob": stuck(60, 9)})
        await season.room("K7QPXN", {"ada": won(61_000), "bob": won(60_000)})
        await rebuild(store)
        await Audit(store).add(AuditEntry(NOON, "root@here", "rebuild", {}, "", done=True))
        assert [damaged async for damaged in check.damaged(store, SILENT)] == []
        await delete(store, player("ada"), "0123")
        lines = [line async for line in exported(store)]
    assert outside(PREFIX, sent) == []
    for command in ("EVALSHA", "EVAL", "PUBLISH", "SUBSCRIBE", "PUBSUB", "SCAN", "XADD"):
        assert told(sent, command)

    before = await everything(store)
    async with monitored(redis_url) as sent:
        await imported(other, StringIO("".join(lines)))
    assert outside(other.keys.prefix, sent) == []
    after = await everything(store)
    assert {key: after[key] for key in before} == before
    assert [line async for line in exported(other)] == lines


async def test_the_operators_commands_have_the_same_prefix(
    client: Client, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await Season(Store(client, keys=Keys(PREFIX))).day("2026-11-19", {"ada": won(61_000)})
    monkeypatch.setenv("BIGBEN_REDIS_URL", redis_url)
    for prefix, command in ((PREFIX, "export"), ("other", "import")):
        monkeypatch.setenv("BIGBEN_PREFIX", prefix)
        assert await asyncio.to_thread(admin, [command, str(tmp_path / "file")]) == 0
    there = await everything(Store(client))
    copied = {f"other{key.removeprefix(PREFIX)}" for key in there if key.startswith(PREFIX)}
    assert {key for key in there if not key.startswith(PREFIX)} == copied


async def test_deployments_on_one_redis_do_not_hear_each_other(
    client: Client, redis_url: str
) -> None:
    """Two of them have the same prefix, in two databases. All play the race of the same name."""
    places = [(PREFIX, 0), ("Friends-2.play_y", 0), ("bb", 0), ("bb", 1)]
    scores: list[tuple[PlayerId, int]] = []
    async with AsyncExitStack() as stack:
        sent = await stack.enter_async_context(monitored(redis_url))
        apps: list[tuple[App, Guest]] = []
        for prefix, database in places:
            url = redis_url.replace("db=0", f"db={database}")
            own = await stack.enter_async_context(client_of(url))
            store = Store(own, keys=keys_of(own, prefix))
            app = await stack.enter_async_context(
                running(own, Clock(NOON), store, process=url + prefix)
            )
            watcher, _ = await arrive(app, "Eve")
            await watcher.ask(Watch(DAILY), Room)
            apps.append((app, watcher))
        for moves, (app, watcher) in enumerate(apps, start=1):
            guest, welcome = await arrive(app, "Ada")
            await play_daily(guest, *["turn"] * moves, "resign")
            seen = await watcher.until(Progress, lambda news: news.seats[0].state == "resigned")
            scores.append((welcome.player, moves + 1))
            assert [(seat.player, seat.moves) for seat in seen.seats] == scores[-1:]
        for (_, watcher), score in zip(apps, scores, strict=True):
            standings = await watcher.ask(GetStandings(DAILY), Standings)
            assert [(row.player, row.moves) for row in standings.rows] == [score]
    news = {channel.rpartition(":")[2] for _, _, channel, *_ in told(sent, "PUBLISH")}
    assert news == {"started"}, "a server that knows of no other one tells nobody of its races"
