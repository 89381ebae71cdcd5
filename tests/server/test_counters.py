"""What is counted for the metrics while people play."""

from dataclasses import fields

import pytest
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import Create, Hello, Move, Ready, Refused, Resume, Room, Snapshot, Welcome
from bigben_server.counters import COUNTS, Counts, Distribution, close_code, front_end
from bigben_server.storage.client import Client


@pytest.fixture(autouse=True)
def _begin_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in fields(COUNTS):
        monkeypatch.setattr(COUNTS, field.name, getattr(Counts(), field.name))


def test_a_client_may_call_itself_anything_and_becomes_one_of_a_few_front_ends() -> None:
    known = [front_end(f"{name}/1") for name in ("page", "bigben-terminal", "bigben-discord")]
    assert known == ["page", "terminal", "discord"]
    assert {front_end(name) for name in ("", "Ada", "Page/1", "page1", "x" * 64)} == {"other"}


def test_a_peer_may_close_with_any_code_and_it_becomes_one_of_a_few() -> None:
    assert [close_code(code) for code in (1000, 1012, 4321, 1999, None)] == [
        *("1000", "1012", "other", "other", "other")
    ]


def test_a_value_is_counted_at_its_bound() -> None:
    sizes = Distribution((1, 10))
    for value in (1, 2, 10, 11):
        sizes.add(value)
    assert (sizes.counts, sizes.sum) == ([1, 2, 1], 24)


async def test_a_game_is_counted_once_from_hello_to_its_end(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        ada = Guest(app)
        welcome = await ada.ask(Hello("Ada", client="page/1"), Welcome)
        race = (await ada.ask(Create(practice=True, ref=1), Room)).race
        view = await ada.ask(Ready(race, ref=2), Snapshot)
        assert view.legal
        ada.say(Move(race, 1, view.legal[0]), Move(race, 1, view.legal[0]))
        assert (await ada.ask(Move(race, 2, "9 9"), Refused)).ref == 2
        ada.say(Move(race, 2, "resign"))
        await ada.until(Room, lambda room: room.phase == "closed")
        ada.say(Resume(race, 0, 3), Resume(race, 0, 4))
        await ada.until(Snapshot)
        back = Guest(app)
        await back.ask(Hello(token=welcome.token), Welcome)
        back.say(Resume(race, 0, 5), Resume(race, 0, 6))
        await back.until(Snapshot)
        assert COUNTS.connections == {"page": 1, "other": 1}
        app.hub.leave(back)
        assert COUNTS.connections["other"] == 0
    assert COUNTS.moves == 2  # the one that was sent twice is one move
    assert sum(COUNTS.acknowledgements.counts) == 4  # one answer is the refusal
    assert COUNTS.refusals == {"notation": 1}
    assert COUNTS.seats == {"resigned": 1}
    assert COUNTS.room_events["opened"] == COUNTS.room_events["closed"] == 1
    assert COUNTS.hellos == {("page", "new"): 1, ("other", "returning"): 1}
    assert COUNTS.reconnects == {"other": 1}  # the page was there all along
    assert sum(COUNTS.commits.counts) == sum(COUNTS.batches.counts) >= 3
    assert sum(COUNTS.redis.counts) > 3
