"""For which race a connection is made: its address names it, as a hint for the server."""

import pytest
from msgspec.structs import replace
from tests.client.said import RACE, room
from tests.client.scripted import ADA, ScriptedServer

from bigben_client.connection.address import address
from bigben_client.session.home import race_of
from bigben_protocol import Phase, RaceId, Room, State


async def test_the_address_names_the_race_that_the_player_will_enter_and_later_the_one_they_are_in(
    server: ScriptedServer,
) -> None:
    async with server.connected(race="k7q pxm") as (client, peer):
        assert peer.path == "/?race=K7QPXM"
        await peer.says(replace(room(phase="open", state="joined"), race=RaceId("ABC234")))
        await anext(client.events())
        await peer.breaks()
        assert (await server.welcomes_back()).path == "/?race=ABC234"


async def test_the_players_of_a_daily_are_spread(server: ScriptedServer) -> None:
    async with server.connected(race="daily.bigben.standard") as (client, peer):
        assert peer.path == "/"
        await peer.says(replace(room(), race=RaceId("daily.2026-11-02"), kind="daily"))
        await anext(client.events())
        await peer.breaks()
        assert (await server.welcomes_back()).path == "/"


@pytest.mark.parametrize("url", ["ws://x.example/big?ben=1", "ws://x.example/big/?ben=1"])
def test_an_address_keeps_its_own_path_and_query(url: str) -> None:
    assert address(url).naming(RACE) == f"{url}&race={RACE}"
    assert address(url).naming("") == url


def followed(code: str, phase: Phase, state: State | None = None) -> Room:
    """A room that Ada follows, with or without a seat."""
    one = replace(room(phase=phase, state=state or "joined"), race=RaceId(code))
    return one if state else replace(one, seats=())


@pytest.mark.parametrize(
    ("rooms", "named"),
    [
        (
            [followed("PLAYED", "running", "playing"), followed("OPENED", "open", "joined")],
            "PLAYED",
        ),
        ([followed("COUNTS", "countdown", "ready"), followed("OPENED", "open", "ready")], "COUNTS"),
        ([followed("OPENED", "open", "ready"), followed("SEEN22", "running")], "OPENED"),
        ([followed("SECOND", "running"), followed("ENDED2", "closed", "won")], "SECOND"),
        ([followed("FIRST2", "open", "joined"), followed("SECOND", "open", "joined")], "SECOND"),
        ([followed("ENDED2", "closed", "won"), followed("GONE22", "cancelled", "joined")], ""),
    ],
)
def test_of_several_races_the_one_that_is_played_matters_most_and_the_last_one_of_equals(
    rooms: list[Room], named: str
) -> None:
    assert race_of(ADA, rooms) == named
