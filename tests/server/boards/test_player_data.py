"""What ``bigben admin export-player`` gives a person: all that is stored about them, no more."""

import json
from typing import Any

import pytest
from tests.server.boards.contents import everything
from tests.server.boards.test_deletion import ADA, BOB, ROOM, play
from tests.support.times import NOON

from bigben_protocol import PlayerId, Rules
from bigben_server.ops.admin import command_line
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.export import player_data
from bigben_server.race.events import Joined, Opened, RoomAppend
from bigben_server.storage.admin.audit import Audit, AuditEntry
from bigben_server.storage.admin.directives import Ban, DirectiveStore
from bigben_server.storage.admin.maintenance import NotThere
from bigben_server.storage.race_log import Store


async def data_of(store: Store, player: PlayerId) -> dict[str, Any]:
    """As a program reads it."""
    found = await player_data(store, player, SILENT, ranked="all")
    read: dict[str, Any] = json.loads(json.dumps(found))
    return read


async def test_a_person_gets_their_name_groups_ratings_races_and_moves(store: Store) -> None:
    await play(store)
    found = await data_of(store, ADA)
    assert (found["format"], found["player"], found["bot"]) == ("bigben-player-1", ADA, False)
    assert found["groups"] == [{"group": "aces", "name": "Aces", "since": NOON}]
    assert [(one["game"], one["races"]) for one in found["ratings"]] == [("bigben", 3)]
    by_name = {one["race"]: one for one in found["races"]}
    assert by_name.keys() == {
        "daily.2026-11-20.bigben.standard", "daily.2026-11-21.bigben.standard", ROOM
    }  # fmt: skip
    room = by_name[ROOM]
    assert (room["kind"], room["host"], room["invited"]) == ("live", True, False)
    assert [event["type"] for event in room["events"]] == ["joined", "readied"]
    assert room["moves"] == [[0, NOON + 3, "begin"], [1, 9, "resign"]]
    assert room["result"]["state"] == "won"
    assert by_name["daily.2026-11-20.bigben.standard"]["result"]["home_ms"] == 61_000


async def test_it_has_nothing_of_others_and_no_seed(store: Store) -> None:
    await play(store, closed=False)
    text = json.dumps(await data_of(store, ADA))
    assert BOB not in text
    assert "Bob" not in text
    assert "11" * 32 not in text, "the nonce of another player"
    assert "00" * 32 not in text, "the server's seed of a race that is open"
    assert "22" * 32 in text, "their own nonce"


async def test_what_operators_have_stored_about_them_is_in_it(store: Store) -> None:
    await play(store)
    await DirectiveStore(store).ban(Ban(ADA, NOON, 0, "Be kind"))
    await DirectiveStore(store).name(ADA, "Ada L.")
    entry = AuditEntry(NOON, "root@here", "ban", {"who": ADA}, "done", True)
    for one in (entry, AuditEntry(NOON, "root@here", "ban", {"who": BOB}, "done", True)):
        await Audit(store).add(one)
    found = await data_of(store, ADA)
    assert [ban["reason"] for ban in found["bans"]] == ["Be kind"]
    assert found["name_of_the_operator"] == "Ada L."
    assert [one["arguments"] for one in found["audit"]] == [{"who": ADA}]


async def test_a_race_that_cannot_be_read_is_named(store: Store) -> None:
    await play(store)
    await store.ask(("XADD", store.keys.room_log(ROOM), "99-0", "99", "?"))
    (unread,) = (one for one in (await data_of(store, ADA))["races"] if "unread" in one)
    assert unread["race"] == ROOM


async def test_nothing_is_changed_and_nobody_is_invented(store: Store) -> None:
    await play(store)
    before = await everything(store)
    await data_of(store, ADA)
    with pytest.raises(NotThere, match="there is no player guest:eve"):
        await data_of(store, PlayerId("guest:eve"))
    assert await everything(store) == before


async def test_who_only_has_a_seat_in_an_open_race_is_known(store: Store) -> None:
    eve = PlayerId("guest:eve")
    first = Opened("live", Rules(), "00" * 32, NOON, host=BOB)
    events = [RoomAppend(ROOM, 1, first), RoomAppend(ROOM, 2, Joined(eve, "Eve", NOON))]
    await store.append(events, {})
    (race,) = (await data_of(store, eve))["races"]
    assert (race["moves"], race["result"], race["host"]) == ([], None, False)


async def test_it_is_written_to_a_file_or_to_standard_output(
    store: Store, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    await play(store)
    for words in ([str(tmp_path / "ada.json")], []):
        options = command_line().parse_args(["export-player", ADA, *words])
        options.ranked, options.progress = "all", SILENT
        outcome = await options.command.run(store, options)
        assert outcome.done
        assert outcome.text.endswith(f"has what is stored about {ADA}: 3 races.")
    file = tmp_path / "ada.json"
    assert file.stat().st_mode & 0o777 == 0o600
    written = json.loads(file.read_text())
    piped = json.loads(capsys.readouterr().out)
    assert {**written, "at": 0} == {**piped, "at": 0}
