"""A countdown ends at the announced time, whatever else the server waits for."""

from pathlib import Path

import pytest
from tests.wire.in_process import server_here
from tests.wire.peer import peer

from bigben_protocol import Create, Diff, Move, Ready, Room, Snapshot, Start
from bigben_server.rooms import app


async def test_the_cards_come_when_the_countdown_ends_and_not_at_the_next_check_of_redis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "AGENDA_S", 3600.0)
    async with server_here(tmp_path / "data") as url, peer(url) as ada:
        alone = await ada.ask(Create(practice=True, ref=1), Room)
        await ada.say(Ready(alone.race))
        await ada.ask(Move(alone.race, 1, "resign"), Diff)
        await ada.until(
            Room, lambda room: room.phase == "closed"
        )  # the server has handled everything
        room = await ada.ask(Create(ref=2), Room)
        await ada.say(Ready(room.race))
        await ada.say(Start(room.race))
        counting = await ada.until(Room, lambda room: room.phase == "countdown")
        snapshot = await ada.until(Snapshot)
        assert snapshot.begun_at == counting.starts_at
