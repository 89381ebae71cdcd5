"""The limits of all players of one address together. Each test has its own address."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from tests.support.server_process import ServerProcess, serving
from tests.wire.in_process import server_here
from tests.wire.peer import Peer, peer, race_to_the_end

from bigben_protocol import (
    Create,
    CreateGroup,
    Curves,
    Diff,
    GetCurves,
    GetGroups,
    GetHint,
    GetLeaderboard,
    GetProfile,
    GetRaces,
    GetStandings,
    Groups,
    Hello,
    Hint,
    Join,
    Leaderboard,
    Leave,
    Left,
    Move,
    PlayerId,
    Profile,
    Races,
    Ready,
    Refused,
    Rematch,
    Resume,
    Room,
    Snapshot,
    Standings,
    Start,
    Watch,
    Welcome,
)
from bigben_server.accounts.tokens import Issuers
from bigben_server.race.events import Player

KEY = "k" * 32
ISSUERS = Issuers(b"s" * 32, {"discord": (KEY,)})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with small limits; at the end it must still work."""
    settings = {
        "BIGBEN_RACES_PER_CONNECTION": "2",
        "BIGBEN_RACES_PER_ADDRESS": "3",
        "BIGBEN_ROOMS_PER_MINUTE": "4",
        "BIGBEN_ROOMS_PER_ADDRESS": "6",
        "BIGBEN_GUESTS_PER_ADDRESS": "8",
        "BIGBEN_ISSUER_DISCORD_KEY": KEY,
    }
    with serving(tmp_path_factory.mktemp("server"), settings) as one:
        yield one
        asyncio.run(race_to_the_end(one.url))
        assert one.complaints() == []


@asynccontextmanager
async def from_discord(url: str, user: int, address: str) -> AsyncIterator[Peer]:
    player = Player(PlayerId(f"discord:{user}"), f"User {user}")
    token = ISSUERS.mint("discord", player, time.time_ns() // 1_000_000)
    async with peer(url, name="", address=address) as one:
        await one.ask(Hello(token=token), Welcome)
        yield one


async def opened(one: Peer) -> bool:
    """Open a room and leave it. Whether the server allowed it."""
    await one.say(Create(ref=1))
    while True:
        match await one.hear():
            case Room(ref=1) as room:
                await one.ask(Leave(room.race, ref=2), Left)
                return True
            case Refused(ref=1) as refused:
                assert refused.code == "limit"
                return False
            case _:
                pass


async def test_rooms_of_new_guests_of_one_address_are_limited(
    server: ServerProcess,
) -> None:
    async with AsyncExitStack() as stack:
        guests = [
            await stack.enter_async_context(peer(server.url, address="127.3.0.1")) for _ in range(8)
        ]
        assert [await opened(guest) for guest in guests] == [True] * 6 + [False] * 2
        refused = await guests[0].ask(CreateGroup("The Aces", ref=3), Refused)
        assert (
            refused.text == "Too many rooms or groups were opened from your address; wait a minute."
        )
        async with peer(server.url, address="127.3.0.2") as elsewhere:
            assert await opened(elsewhere)
        for user in range(4):
            async with from_discord(server.url, user, "127.3.0.1") as one:
                assert [await opened(one) for _ in range(5)] == [True] * 4 + [False]


async def test_new_guests_of_an_address_are_limited_and_known_guests_may_return(
    server: ServerProcess,
) -> None:
    tokens = []
    for _ in range(8):
        async with peer(server.url, name="", address="127.3.1.1") as one:
            tokens.append((await one.ask(Hello("Ada"), Welcome)).token)
    async with peer(server.url, name="", address="127.3.1.1") as one:
        refused = await one.ask(Hello("Ada"), Refused)
        assert refused.code == "limit"
        assert await one.closed() == (1008, refused.text)
    for token in tokens:
        async with peer(server.url, name="", address="127.3.1.1") as one:
            await one.ask(Hello(token=token), Welcome)
    async with peer(server.url, address="127.3.1.2"):
        pass
    async with from_discord(server.url, 7, "127.3.1.1"):
        pass


async def test_races_followed_by_guests_of_an_address_are_limited_until_one_leaves(
    server: ServerProcess,
) -> None:
    here = "127.3.2.1"
    async with (
        peer(server.url, address=here) as ada,
        peer(server.url, address=here) as bob,
        from_discord(server.url, 8, here) as cas,
    ):
        mine = await ada.ask(Create(ref=1), Room)
        await ada.ask(Watch("daily", ref=2), Room)
        await bob.ask(Watch("daily", ref=1), Room)
        assert (await bob.ask(Watch(mine.race, ref=2), Refused)).code == "limit"
        await bob.ask(Watch("daily", ref=3), Room)
        await cas.ask(Watch("daily", ref=1), Room)
        await ada.ask(Leave("daily", ref=3), Left)
        await bob.ask(Watch(mine.race, ref=4), Room)


async def test_a_rematch_counts_as_a_room_even_if_the_player_leaves_at_once(
    server: ServerProcess,
) -> None:
    async with peer(server.url, address="127.3.3.1") as ada:
        room = await ada.ask(Create(ref=1), Room)
        await ada.say(Ready(room.race, nonce="5e" * 32))
        await ada.say(Start(room.race))
        await ada.until(Snapshot)
        await ada.say(Move(room.race, 1, "resign"))
        await ada.until(Standings, lambda standings: standings.final)
        await ada.ask(Leave(room.race, ref=2), Left)
        for ref in range(3, 6):
            rematch = await ada.ask(Rematch(room.race, ref=ref), Room)
            await ada.ask(Leave(rematch.race, ref=ref), Left)
        refused = await ada.ask(Rematch(room.race, ref=6), Refused)
        assert (refused.code, refused.ref) == ("limit", 6)
        assert (await ada.ask(Create(ref=7), Refused)).code == "limit"


async def test_a_move_follows_its_race_only_within_the_limit(
    server: ServerProcess,
) -> None:
    async with from_discord(server.url, 9, "127.3.4.1") as one:
        races = []
        for ref in (1, 2, 3):
            room = await one.ask(Create(practice=True, ref=ref), Room)
            await one.say(Ready(room.race))
            races.append(await one.until(Snapshot))
            await one.ask(Leave(room.race, ref=ref), Left)
        moves = [Move(at.race, 1, at.legal[0]) for at in races]
        for move in moves[:2]:
            await one.ask(move, Diff)
        refused = await one.ask(moves[2], Refused)
        assert (refused.code, refused.race, refused.ref) == ("limit", moves[2].race, 1)
        await one.ask(Resume(moves[0].race.lower(), since=1, ref=4), Room)
        await one.ask(Leave(moves[0].race, ref=5), Left)
        assert (await one.ask(moves[2], Diff)).n == 1


async def test_a_requested_race_counts_until_it_is_answered(
    server: ServerProcess,
) -> None:
    """An answer about one race meanwhile does not raise the limit for the others."""
    async with from_discord(server.url, 10, "127.3.5.1") as host:
        rooms = [await host.ask(Create(ref=ref), Room) for ref in (1, 2)]
    async with (
        from_discord(server.url, 11, "127.3.5.1") as other,
        from_discord(server.url, 12, "127.3.5.1") as one,
    ):
        rooms += [await other.ask(Create(ref=ref), Room) for ref in (1, 2)]
        await one.ask(Watch("daily", ref=1), Room)
        for n, room in enumerate(rooms):
            await one.say(Watch(room.race, ref=10 + n), Resume("daily", ref=20 + n))
        granted = []
        answered: set[int] = set()
        while len(answered) < 8:
            match await one.hear():
                case Room(ref=ref) as room if ref:
                    answered.add(ref)
                    granted.append(room.race)
                case Refused(ref=ref):
                    answered.add(ref)
                case _:
                    pass
        assert len(set(granted)) == 2


async def test_a_school_class_behind_one_address_can_start_at_once(tmp_path: Path) -> None:
    """With the default limits: forty new guests, each with today's race, a room and practice.

    They look at boards, at themselves and at each other, and all of them ask for a hint.
    """
    async with server_here(tmp_path / "data") as url, AsyncExitStack() as stack:

        async def pupil(n: int) -> None:
            one = await stack.enter_async_context(peer(url, name=f"Pupil {n}"))
            await one.ask(Join("daily", ref=1), Room)
            await one.say(Ready("daily"))
            await one.until(Snapshot)
            await one.ask(Create(ref=2), Room)
            practice = await one.ask(Create("watch", practice=True, ref=3), Room)
            await one.say(Ready(practice.race))
            await one.until(Snapshot)
            await one.ask(GetLeaderboard(ref=4), Leaderboard)
            await one.ask(GetProfile(ref=5), Profile)
            await one.ask(GetRaces(ref=6), Races)
            await one.ask(GetGroups(ref=7), Groups)
            await one.ask(GetStandings("daily", ref=8), Standings)
            await one.ask(GetCurves("daily", ref=9), Curves)
            await one.ask(GetHint(practice.race, 0, ref=10), Hint)
            await one.ask(Move(practice.race, 1, "turn"), Diff)
            assert not [heard for heard in one.heard if isinstance(heard, Refused)]

        await asyncio.gather(*map(pupil, range(40)))
