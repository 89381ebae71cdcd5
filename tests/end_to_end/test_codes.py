"""Two rooms that draw the same code, which is rare until there are millions of rooms."""

from pathlib import Path

import pytest
from tests.wire.in_process import server_here
from tests.wire.peer import peer

from bigben_protocol import Create, GetStandings, Leave, Left, Room, Standings


@pytest.fixture
def two_draws_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["AAAAAA", "AAAAAA", "AAAAAA", "BBBBBB"])
    monkeypatch.setattr("bigben_server.race.lobby.new_code", lambda random_bytes: next(codes))


@pytest.mark.usefixtures("two_draws_alike")
async def test_a_code_that_is_taken_here_is_drawn_again(tmp_path: Path) -> None:
    async with server_here(tmp_path / "data") as url, peer(url) as ada, peer(url) as bob:
        first = await ada.ask(Create(ref=1), Room)
        second = await bob.ask(Create(ref=2), Room)
        assert (first.race, second.race) == ("AAAAAA", "BBBBBB")
        assert (await ada.ask(GetStandings("AAAAAA", ref=3), Standings)).ref == 3


@pytest.mark.usefixtures("two_draws_alike")
async def test_a_code_that_only_redis_knows_is_drawn_again(tmp_path: Path) -> None:
    """Another process opened the room, or this one did before it restarted."""
    async with server_here(tmp_path / "data") as url, peer(url) as ada:
        first = await ada.ask(Create(ref=1), Room)
    async with server_here(tmp_path / "data") as url, peer(url, name="Bob") as bob:
        second = await bob.ask(Create(ref=2), Room)
        assert second.race == "BBBBBB"
        assert [seat.name for seat in second.seats] == ["Bob"]
        assert (await bob.ask(Leave(first.race, ref=3), Left)).race == first.race
