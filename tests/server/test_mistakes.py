"""What becomes of a decision that breaks: it is ours to mend, and one connection's to lose."""

import logging
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.server.guests import Guest, SentAway, running
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import Create, Hello, Join, Refused, Room, Start, Welcome
from bigben_server.race import deciding


def _breaks(*_: object) -> Any:
    raise AssertionError("we are wrong")


async def test_a_mistake_is_logged_and_the_race_is_loaded_again(
    client: Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(client, Clock(NOON)) as app:
        ada, bob = Guest(app), Guest(app)
        for guest in (ada, bob):
            await guest.ask(Hello("Ada"), Welcome)
        room = await ada.ask(Create(), Room)
        before = app.hub.rooms[room.race].race
        with monkeypatch.context() as broken:
            broken.setattr(deciding, "decide", _breaks)
            bob.say(Join(room.race))
        assert app.hub.rooms[room.race].stale
        with pytest.raises(SentAway, match="1011 The server made a mistake"):
            await bob.until(Room)
        assert (await ada.ask(Join(room.race, 5), Room)).ref == 5
        assert app.hub.rooms[room.race].race is not before
    assert "we are wrong" in caplog.text
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


async def test_a_refusal_is_not_a_failure(client: Redis, caplog: pytest.LogCaptureFixture) -> None:
    async with running(client, Clock(NOON)) as app:
        ada = Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        room = await ada.ask(Create(), Room)
        refused = await ada.ask(Start(room.race, 7), Refused)
        assert (refused.code, refused.race, refused.ref) == ("phase", room.race, 7)
        assert not app.hub.rooms[room.race].stale
    assert caplog.text == ""
