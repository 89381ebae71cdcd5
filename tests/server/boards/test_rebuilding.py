"""Everything made of results can be made again from them, here or in another Redis."""

import io
import json
import random
import re
from typing import Any

import pytest
from tests.server.boards.contents import everything, made
from tests.server.boards.made import Dies, Season, daily_id, finish, player, stuck, won
from tests.support.times import DAY, NOON

from bigben_protocol import Group, Rules
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import SILENT, Progress
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.events import (
    BEGIN,
    NOTHING,
    Entry,
    Joined,
    Opened,
    RoomAppend,
    SeatAppend,
    SeatStatus,
)
from bigben_server.storage.admin import dump
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.client import StoreLost
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import NEW, Keys
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.storage.safety import prove_writes


async def play_a_season(store: Store) -> None:
    """Two closed days, a live race, bots, a group, and a daily that is still open."""
    await People(store).secret(bytes(range(200, 232)))
    people = People(store)
    await people.create(player("ada"), Group("aces", "Ässe", "CODE"), NOON)
    season = Season(store)
    await season.day("2026-11-19", {"ada": won(61_000), "bob": won(61_000), "bot:x": won(5)})
    await season.day("2026-11-20", {"bob": stuck(60, 7), "carl": won(9), "bot:y": won(5)})
    await season.room("K7QPXM", {"ada": won(70_000), "carl": won(69_000), "bot:x": won(1)})
    opened = Opened("daily", Rules(), "00" * 32, NOON - DAY // 2, closes_at=NOON + DAY // 2)
    joined = Joined(player("ada"), "Ada", NOON)
    race = daily_id()
    await store.append(
        [RoomAppend(race, 1, opened), RoomAppend(race, 2, joined)], {race: opened.closes_at}
    )
    await season.boards.record([finish("ada", won(62_000)), finish("dora", stuck(50, 3))])


@pytest.fixture
async def season(store: Store) -> Store:
    await play_a_season(store)
    return store


async def export(store: Store) -> list[str]:
    return [line async for line in exported(store)]


async def import_(store: Store, lines: list[str], progress: Progress = SILENT) -> int:
    return await imported(store, io.StringIO("".join(lines)), progress)


class Recorded(Progress):
    """What a terminal would show."""

    said: list[tuple[str, int, int]]

    def __init__(self) -> None:
        super().__init__()
        self.said = []

    def show(self, what: str, done: int, of: int) -> None:
        self.said.append((what, done, of))


@pytest.mark.parametrize("at_once", [500, 2, 1])
async def test_boards_made_again_have_the_same_contents(
    season: Store, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_server.ops.rebuild._RACES", at_once)
    before = await everything(season)
    assert await rebuild(season) == 4
    assert await everything(season) == before


async def test_large_and_small_races_made_again_together_have_the_same_contents(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One board gets more changes than go in one step, from one race and from several."""
    monkeypatch.setattr("bigben_server.storage.ledger.AT_ONCE", 7)
    monkeypatch.setattr("bigben_server.storage.admin.batch_ledger.AT_ONCE", 7)
    monkeypatch.setattr("bigben_server.ops.rebuild._RESULTS", 30)
    season, chance = Season(store), random.Random(1)
    for n, size in enumerate((2, 3, 25, 6, 2, 5, 40, 1, 2)):
        results = {f"p{who}": won(chance.randrange(99)) for who in chance.sample(range(50), size)}
        await season.room(f"ROOM{n}", results)
    before = await everything(store)
    assert await rebuild(store) == 9
    assert await everything(store) == before


class DiesHalfway(Dies):
    """Fails at its n-th round trip, of which a part is written."""

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        if self.left == 1:
            await Store.ask(self, *commands[: len(commands) // 2])
        return await Dies.ask(self, *commands, raise_on_error=raise_on_error)


async def seen(store: Store) -> dict[str, Any]:
    """Everything but boards that are still being made."""
    return {key: value for key, value in (await everything(store)).items() if NEW not in key}


@pytest.mark.parametrize("at_once", [500, 2, 1])
async def test_boards_are_whole_whenever_a_rebuild_dies_and_a_server_goes_on_correctly(
    client: Any, season: Store, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_server.ops.rebuild._RACES", at_once)
    before, at = await everything(season), 1
    while True:
        try:
            await rebuild(DiesHalfway(client, at))
            break
        except StoreLost:
            await season.ask(("DEL", Keys().lease))  # which would expire
        assert await seen(season) == before, at
        await Season(season).settler.settle()
        assert await seen(season) == before, at
        at += 1
    assert at > 20
    assert await everything(season) == before


async def test_boards_that_were_lost_or_spoilt_come_back(season: Store) -> None:
    before = await everything(season)
    derived = [key for key in before if key.startswith(Keys().derived)]
    assert len(derived) > 30
    for key in derived[::2]:
        await season.ask(("DEL", key))
    for key in derived[1::2]:
        await season.ask(("DEL", key), ("SET", key, "spoilt"))
    await season.ask(("ZADD", "bb:board:{weekly.1999-W01.bigben.standard.points}", 1, "nobody"))
    await rebuild(season)
    assert await everything(season) == before


async def test_a_rebuild_that_was_broken_off_is_started_again(season: Store) -> None:
    before = await everything(season)
    for key in (Keys().settled, *(key for key in before if key.startswith(Keys().derived[0]))):
        await season.ask(("DEL", key))
    # A server settles what it finds meanwhile, on boards that are half forgotten.
    await Season(season).settler.settle()
    await rebuild(season)
    assert await everything(season) == before


@pytest.mark.parametrize("change", [("DEL", Keys().lease), ("SET", Keys().lease, "a server")])
async def test_a_rebuild_that_was_held_up_until_others_settled_says_so(
    client: Any, season: Store, change: Command
) -> None:
    class HeldUp(Store):
        async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
            if any(NEW in str(word) for command in commands for word in command):
                await season.ask(change)
            return await super().ask(*commands, raise_on_error=raise_on_error)

    with pytest.raises(StoreLost, match="a server settled races meanwhile; start it again"):
        await rebuild(HeldUp(client))


async def test_values_of_any_length_are_exported_in_parts(
    season: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for k in range(3, 8):
        joined = Joined(player(f"p{k}"), "P", NOON)
        await season.append([RoomAppend(daily_id(), k, joined)], {})
    begun = Entry(0, NOON, BEGIN), SeatStatus("playing", begun_at=NOON)
    await season.append([SeatAppend(daily_id(), player("p3"), *begun, NOTHING)], {})
    before = await everything(season)
    monkeypatch.setattr("bigben_server.storage.admin.dump._PART", 2)
    lines = await export(season)
    await season.ask(("FLUSHALL",))
    await import_(season, lines)
    assert await everything(season) == before


async def test_a_result_that_never_reached_a_board_is_on_it_after_a_rebuild(season: Store) -> None:
    before = await made(season)
    key = "bb:board:{daily.2026-11-21.bigben.standard}"
    await season.ask(("ZREM", key, "guest:ada"), ("DEL", "bb:history:guest:ada"))
    assert await made(season) != before
    await rebuild(season)
    assert await made(season) == before


async def test_an_export_moves_everything_to_another_redis(season: Store) -> None:
    before = await everything(season)
    lines = await export(season)
    assert all(isinstance(json.loads(line), dict) for line in lines)
    await season.ask(("FLUSHALL",))
    progress = Recorded()
    assert await import_(season, lines, progress) == 4
    assert progress.said == [
        ("Import", 0, len(lines) - 1),
        ("Results", 0, 4),
        ("Points and ratings", 0, 3),
    ]
    assert await everything(season) == before
    assert await export(season) == lines


async def test_what_is_not_what_its_key_says_is_exported_as_it_is(season: Store) -> None:
    words: tuple[str | bytes, ...] = ('"', "\\", "\x1f", "\x7f", "é", b"\xff", "", "a b")
    odd: dict[str, Command] = {
        **{f"bb:{n}": ("XADD", f"bb:{n}", "1-0", "1", word) for n, word in enumerate(words)},
        "bb:{K7QPXM}:room": ("SET", "bb:{K7QPXM}:room", b"\xff"),
        "bb:{K7QPXM}:seat:x": ("HSET", "bb:{K7QPXM}:seat:x", "a", "b"),
        "bb:player:y": ("ZADD", "bb:player:y", 1, "z"),
        "bb:odd": ("XADD", "bb:odd", "1-0", b"\xfe", '\u2028 " \\ \x00'),
    }
    await season.ask(*odd.values())
    before = await everything(season)
    lines = await export(season)
    await season.ask(("FLUSHALL",))
    await import_(season, lines)
    assert await everything(season) == before
    assert odd.keys() <= before.keys()


async def test_other_processes_export_the_same_lines(
    season: Store, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await export(season)
    monkeypatch.setattr("bigben_server.ops.export._FEW", 0)
    monkeypatch.setattr("bigben_server.ops.export._KEYS_AT_ONCE", 3)
    season.url = redis_url
    assert await export(season) == here


async def test_an_export_shows_how_far_it_is(
    season: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_server.ops.export._KEYS_AT_ONCE", 5)
    progress = Recorded()
    lines = [line async for line in exported(season, progress)]
    keys = len(lines) - 2  # without the first and the last
    assert progress.said == [("Export", done, keys) for done in range(0, keys, 5)]


def test_a_bar_grows_on_a_terminal_and_nowhere_else() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal, pipe = Terminal(), io.StringIO()
    for file in (terminal, pipe):
        progress = Progress(file)
        for done in (0, 15, 15, 30):
            progress.show("Races", done, 30)
        progress.show("Nothing", 0, 0)
        progress.clear()
    shown = terminal.getvalue().split("\r\x1b[K")
    assert shown == [
        "",
        f"Races [{'.' * 30}] 0 %",
        f"Races [{'#' * 15}{'.' * 15}] 50 %",
        f"Races [{'#' * 30}] 100 %",
        f"Nothing [{'#' * 30}] 100 %",
        "",
    ]
    assert pipe.getvalue() == ""


async def test_expiring_data_is_not_exported(season: Store) -> None:
    await season.ask(("SET", "bb:spent:1", 1, "EX", 600))
    # An earlier build that was killed may have left such a one that does not expire.
    await season.ask(("XADD", "bb:{K7QPXM}:unpacking:1", "1-0", "1", "{}"))
    assert not any("bb:spent" in line or "unpacking" in line for line in await export(season))


async def test_long_values_are_written_in_parts(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-21", {f"p{i}": won(i) for i in range(1_234)})
    before = await everything(store)
    lines = await export(store)
    assert max(map(len, lines)) < 100_000
    await store.ask(("FLUSHALL",))
    await import_(store, lines)
    assert await everything(store) == before


async def test_an_import_needs_an_empty_redis(season: Store) -> None:
    lines = await export(season)
    before = await everything(season)
    with pytest.raises(NotDone, match="This Redis is in use: it has bb:"):
        await import_(season, lines)
    assert await everything(season) == before


async def test_a_redis_that_was_only_looked_at_is_still_empty(season: Store) -> None:
    """`bigben admin status` writes something that expires."""
    lines = await export(season)
    await season.ask(("FLUSHALL",))
    assert (await prove_writes(season)).works
    await import_(season, lines)


async def test_an_import_that_was_broken_off_is_started_again_with_the_same_file(
    client: Any, season: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_server.ops.export._LINES_AT_ONCE", 3)
    before = await everything(season)
    lines = await export(season)
    await season.ask(("FLUSHALL",))
    await Season(season).day("2026-11-19", {"eve": won(1)})
    other = await export(season)
    await season.ask(("FLUSHALL",))
    with pytest.raises(StoreLost):
        await import_(Dies(client, 5), lines)
    assert await dump.importing(season)
    with pytest.raises(NotDone, match="The import of another file was interrupted here"):
        await import_(season, other)
    await import_(season, lines)
    assert await everything(season) == before
    assert not await dump.importing(season)


def spoilt(lines: list[str]) -> list[tuple[str, list[str]]]:
    """What may become of a file, and how that is said."""
    middle = len(lines) // 2
    named = next(n for n, line in enumerate(lines) if "guest:ada" in line)
    renamed = lines[named].replace("guest:ada", "guest:eve")
    return [
        ("ends too early. Import it again when it is whole.", lines[:middle]),
        ("ends too early", lines[:-1]),
        ("ends too early", lines[:middle] + lines[middle + 1 :]),
        (f"Line {middle + 1} is not a JSON object", [*lines[:middle], lines[middle][:20]]),
        ("something in it has changed", [*lines[:named], renamed, *lines[named + 1 :]]),
        ("comes after the end", lines + lines[1:]),
        ("is not a key and its value", [lines[0], '{"key": "bb:x", "zset": {"a": "b"}}\n']),
        ("is not a key and its value", [lines[0], '{"key": "bb:x", "stream": [5]}\n']),
    ]


async def test_of_a_file_that_is_not_whole_nothing_is_imported(season: Store) -> None:
    lines = await export(season)
    await season.ask(("FLUSHALL",))
    for text, bad in spoilt(lines):
        with pytest.raises(NotDone, match=re.escape(text)):
            await import_(season, bad)
        assert await everything(season) == {}, text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([], "This is not an export: it is empty."),
        (["hello"], "Line 1 is not a JSON object; is this an export"),
        (["[]"], "Line 1 is not a JSON object"),
        (['{"format": "other"}'], "its first line does not say bigben-export-1"),
        (['{"format": "bigben-export-1"}'], "ends too early"),
        (['{"format": "bigben-export-1"}', '{"key": "bb:x"}'], "Line 2 is not a key and its value"),
        (['{"format": "bigben-export-1"}', '{"lines": 7}'], "ends too early"),
        (['{"format": "bigben-export-1"}', '{"key": "bb:x", "string": "a"}'], "ends too early"),
    ],
)
async def test_a_bad_file_is_refused_in_a_sentence(
    store: Store, lines: list[str], text: str
) -> None:
    with pytest.raises(NotDone, match=text):
        await import_(store, [f"{line}\n" for line in lines])
