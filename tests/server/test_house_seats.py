"""House players for everybody: seats for each address and player, and `busy` where none is left."""

import asyncio
from typing import Final

import pytest
from tests.server.guests import Guest, running
from tests.server.stage import NONCE
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_house import identity
from bigben_protocol import (
    AddHouse,
    Create,
    GetRaces,
    Hello,
    Join,
    Move,
    PlayerId,
    RaceId,
    Races,
    Ready,
    Refused,
    Rematch,
    RemoveHouse,
    Room,
    Snapshot,
    Start,
    Welcome,
    house_player,
)
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.events import Player
from bigben_server.rooms.app import App
from bigben_server.storage.bounds import house
from bigben_server.storage.client import Client
from bigben_server.storage.players import MOST_RACES

MINUTE: Final = 60_000


class Refs:
    """Numbers of requests."""

    last = 10

    def __next__(self) -> int:
        self.last += 1
        return self.last


REFS: Final = Refs()
SCHOOL: Final = "192.0.2.1"
ELSEWHERE: Final = "192.0.2.2"
TICK: Final = Player(house_player("casual"), "Tick (house)", bot=True)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "MOST_OF_PLAYER", 2)
    monkeypatch.setattr(house, "MOST_OF_ADDRESS", 3)
    monkeypatch.setattr(house, "MOST_SEATS", 5)


async def guest(app: App, address: str) -> Guest:
    app.policy.has_house = True
    one = Guest(app)
    one.address = address
    await one.ask(Hello("Ada"), Welcome)
    return one


def known(app: App, player: Player, address: str) -> Guest:
    """A player whom another issuer knows."""
    app.policy.has_house = True
    one = Guest(app)
    one.address = address
    app.hub.services.quotas.admit(one, player)
    return one


async def room_with(host: Guest, *strengths: str) -> Room | Refused:
    """A new room to which the host adds these; or why the last one was refused."""
    host.say(Create(ref=next(REFS)))
    answer = await answered(host)
    for strength in strengths or ("casual",):
        host.say(AddHouse(RaceId(answer.race), strength, ref=next(REFS)))
        answer = await answered(host)
    return answer


async def answered(host: Guest) -> Room | Refused:
    """The answer to the last request; it has told other things before."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            message = await host.hears()
            if isinstance(message, Room | Refused) and message.ref == REFS.last:
                return message


def is_seated(room: Room | Refused) -> bool:
    return isinstance(room, Room) and any(seat.player == TICK.id for seat in room.seats)


def code_of(refused: Room | Refused) -> str:
    assert isinstance(refused, Refused), refused
    return refused.code


@pytest.mark.usefixtures("few")
async def test_guests_of_one_address_leave_seats_for_others(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        ada, bob = await guest(app, SCHOOL), await guest(app, SCHOOL)
        for host in (ada, ada, bob):
            assert is_seated(await room_with(host))
        assert code_of(await room_with(ada)) == "limit", "two for a player"
        assert code_of(await room_with(bob)) == "limit", "three for the address"
        assert is_seated(await room_with(await guest(app, ELSEWHERE)))
        assert isinstance(await room_with(bob, "master"), Room), "each house player for itself"


@pytest.mark.usefixtures("few")
async def test_players_of_a_trusted_issuer_are_counted_one_by_one(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        for name in ("ada", "bob"):
            player = Player(PlayerId(f"discord:{name}"), name)
            for _ in range(2):
                assert is_seated(await room_with(known(app, player, SCHOOL)))
            assert code_of(await room_with(known(app, player, ELSEWHERE))) == "limit"


@pytest.mark.usefixtures("few")
async def test_a_house_player_who_has_no_time_is_busy(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        for n in range(5):
            assert is_seated(await room_with(await guest(app, f"192.0.2.{n}")))
        refused = await room_with(await guest(app, "192.0.2.9"))
        assert code_of(refused) == "busy"
        assert isinstance(refused, Refused)
        assert refused.text.startswith("Tick (house) plays in too many rooms now; try again")


@pytest.mark.usefixtures("few")
async def test_the_limits_hold_for_all_processes(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock, process="here") as here:
        for _ in range(3):
            assert is_seated(await room_with(await guest(here, SCHOOL)))
    clock.now += MINUTE
    async with running(client, clock, process="there") as there:
        assert code_of(await room_with(await guest(there, SCHOOL))) == "limit"


@pytest.mark.usefixtures("few")
async def test_a_seat_is_free_again_when_it_is_left_or_its_game_is_over(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada = await guest(app, SCHOOL)
        left, played = await room_with(ada), await room_with(ada)
        assert isinstance(left, Room)
        assert isinstance(played, Room)
        clock.now += MINUTE
        assert code_of(await room_with(ada)) == "limit"
        ada.say(RemoveHouse(left.race, "casual", ref=next(REFS)))
        await answered(ada)
        assert is_seated(await room_with(ada))
        tick = known(app, TICK, ELSEWHERE)
        await tick.ask(Join(played.race), Room)
        tick.say(Ready(played.race, NONCE))
        ada.say(Ready(played.race, NONCE))
        await tick.until(Room, lambda room: room.starts_at > 0)
        clock.now += COUNTDOWN_MS
        await tick.until(Snapshot)
        clock.now += MINUTE
        assert code_of(await room_with(ada)) == "limit"
        tick.say(Move(played.race, 1, "resign"))
        await tick.ask(GetRaces(), Races)
        while not is_seated(await room_with(ada)):  # once its end is recorded
            pass


@pytest.mark.usefixtures("few")
async def test_a_rematch_opens_without_a_house_player_who_has_no_time(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada = await guest(app, SCHOOL)
        room = await room_with(ada)
        assert isinstance(room, Room)
        ada.say(Ready(room.race, NONCE), Start(room.race))
        await ada.until(Room, lambda room: room.starts_at > 0)
        clock.now += COUNTDOWN_MS
        await ada.until(Snapshot)
        ada.say(Move(room.race, 1, "resign"))
        for n in range(5):
            await room_with(await guest(app, f"192.0.2.{n + 2}"))
        ada.say(Rematch(room.race, ref=next(REFS)))
        again = await answered(ada)
        assert isinstance(again, Room)
        assert not is_seated(again)


async def test_a_class_of_forty_behind_one_address_plays_against_the_house(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        for _ in range(40):
            assert is_seated(await room_with(await guest(app, SCHOOL), "casual", "master"))
        assert is_seated(await room_with(await guest(app, ELSEWHERE)))


async def test_the_house_finds_all_its_rooms_and_those_that_wait_first(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        tick = known(app, TICK, "127.0.0.1")
        started = await room_with(host := await guest(app, ELSEWHERE))
        assert isinstance(started, Room)
        tick.say(Join(started.race), Ready(started.race, NONCE))
        host.say(Ready(started.race, NONCE))
        await host.until(Room, lambda room: room.starts_at > 0)
        for n in range(MOST_RACES + 1):
            await room_with(await guest(app, f"192.0.2.{n}"))
        for _ in range(40):  # more often than others may ask in a minute
            tick.say(GetRaces())
        found = [info.race for info in (await tick.until(Races)).races]
        assert len(found) == MOST_RACES + 2
        assert found[-1] == started.race


def test_a_house_player_can_play_wherever_a_server_gives_it_a_seat() -> None:
    assert identity.MOST < house.MOST_SEATS <= identity.RACES * identity.CONNECTIONS
