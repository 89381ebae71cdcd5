"""What the followers of a race see of players who are connected to other server processes.

Whatever is lost on the way: in the end all see what is stored, and no seat ever goes back.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import Final

import pytest
from redis.asyncio import Redis
from tests.server.guests import Guest, SentAway, running
from tests.server.relaying import LosingStore
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import DAY, NOON
from tests.support.torture import a_seed, often

from bigben_protocol import (
    CODECS,
    JSON,
    Codec,
    Create,
    Diff,
    Hello,
    Join,
    Move,
    PlayerId,
    Progress,
    RaceId,
    Ready,
    Resume,
    Room,
    ServerMessage,
    Snapshot,
    Standing,
    Watch,
    Welcome,
)
from bigben_server.race.events import VERSION
from bigben_server.rooms import registry
from bigben_server.rooms.app import App
from bigben_server.storage import pubsub
from bigben_server.storage.keys import Keys
from bigben_server.storage.race_log import Store

PROCESSES: Final = 3
STEPS: Final = 60


class Follower(Guest):
    """A guest who keeps what they see of each seat."""

    def __init__(self, app: App, codec: str = JSON) -> None:
        super().__init__(app)
        self.codec: Codec = CODECS[codec]
        self.app = app
        self.last: Snapshot | Diff
        """The last answer about the own game."""
        self.seen: dict[str, Standing] = {}
        self.frames: list[bytes] = []
        self.went_back: list[Standing] = []

    def write(self, frames: list[bytes]) -> None:
        for frame in frames:
            self.frames.append(frame)
            message = self.codec.decode_server(frame.decode() if self.codec.text else frame)
            if isinstance(message, Snapshot | Diff):
                self.last = message
            self._see(message)
            self._heard.put_nowait(message)

    def _see(self, message: ServerMessage) -> None:
        for seat in message.seats if isinstance(message, Room | Progress) else ():
            if seat.player in self.seen and self.seen[seat.player].moves > seat.moves:
                self.went_back.append(seat)
            self.seen[seat.player] = seat


@asynccontextmanager
async def processes(client: Redis) -> AsyncIterator[list[App]]:
    await client.set(Keys().schema, VERSION)  # as the first of them does
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                running(
                    client,
                    Clock(NOON),
                    store := LosingStore(client),
                    process=f"p{n}",
                    revive=store.revive,
                )
            )
            for n in range(PROCESSES)
        ]


async def arrive(
    app: App, name: str = "Eve", *, token: str = "", codec: str = JSON
) -> tuple[Follower, Welcome]:
    one = Follower(app, codec)
    return one, await one.ask(Hello("" if token else name, token), Welcome)


async def in_a_race(apps: list[App]) -> tuple[RaceId, list[Follower], list[str]]:
    """Three players, each on a process of their own, until a deadline; and their tokens."""
    guests = [await arrive(app, name) for app, name in zip(apps, "ABC", strict=True)]
    players = [guest for guest, _ in guests]
    race = RaceId((await players[0].ask(Create(deadline_at=NOON + DAY), Room)).race)
    for player in players:
        await player.ask(Join(race), Room)
    for player in players:
        await player.ask(Ready(race), Snapshot)
    for player in players:
        while [seat.state for seat in player.seen.values()] != ["playing"] * 3:
            await player.hears()
    return race, players, [welcome.token for _, welcome in guests]


async def test_followers_elsewhere_receive_the_bytes_that_those_beside_the_player_do(
    client: Redis,
) -> None:
    """In both codecs, and their process neither keeps the game nor encodes anything."""
    async with processes(client) as apps:
        race, (ada, *_), _ = await in_a_race(apps)
        watchers = [
            (await arrive(app, codec=codec))[0] for codec in CODECS for app in (apps[0], apps[1])
        ]
        for one in watchers:
            await one.ask(Watch(race), Room)
            one.frames.clear()
        elsewhere = apps[1].hub.rooms[race]
        encoded = elsewhere._progress  # pyright: ignore[reportPrivateUsage]
        for n in range(1, 6):
            await ada.ask(Move(race, n, "turn"), Diff)
        for beside, one in (watchers[:2], watchers[2:]):
            for each in (beside, one):
                await each.until(Progress, lambda told: told.seats[0].moves == 5)
            assert one.frames == beside.frames
        assert elsewhere._progress is encoded  # pyright: ignore[reportPrivateUsage]
        kept = [seat.name for seat in elsewhere.race.seats.values() if seat.play]
        assert kept == ["B"], "only he plays here"


async def test_an_answer_never_hides_what_came_after_it_was_made(client: Redis) -> None:
    async with processes(client) as apps:
        race, (ada, bob, _), _ = await in_a_race(apps)
        eve, _ = await arrive(apps[1])
        rooms = apps[1].hub.rooms
        for n in range(1, 13):
            eve.say(Watch(race, ref=n))
            await ada.ask(Move(race, n, "turn"), Diff)
            while rooms[race].race.seats[next(iter(rooms[race].race.seats))].status.moves < n:
                await client.ping()
        while next(iter(eve.seen.values())).moves < 12:
            await eve.hears()
        assert eve.went_back == bob.went_back == []


@pytest.mark.longer
@pytest.mark.parametrize("run", range(often(3, 60)))
async def test_in_the_end_all_see_what_is_stored_whatever_is_lost(
    client: Redis, monkeypatch: pytest.MonkeyPatch, run: int
) -> None:
    """Also if the field counts as large, of which is told now and then."""
    monkeypatch.setattr(pubsub, "BEAT_S", 0.1)
    monkeypatch.setattr(pubsub, "LATE_S", 0.05)
    monkeypatch.setattr(registry, "SMALL_FIELD", (100, 1)[run % 2])
    random = Random(f"{a_seed()} {run}")
    async with processes(client) as apps, asyncio.timeout(PATIENCE_S):
        race, players, tokens = await in_a_race(apps)
        watchers: list[Follower] = []
        for _ in range(STEPS):
            n = random.randrange(len(players))
            match random.randrange(12):
                case 0:
                    await client.client_kill_filter(_type="pubsub")
                case 1:  # what the process of this player publishes next is lost
                    store = players[n].app._store  # pyright: ignore[reportPrivateUsage]
                    assert isinstance(store, LosingStore)
                    store.losing = 2
                case 2:
                    watchers.append((await arrive(random.choice(apps)))[0])
                    watchers[-1].say(Watch(race))
                case 3 if watchers:
                    gone = watchers.pop(random.randrange(len(watchers)))
                    gone.app.hub.leave(gone)
                    await gone.app.hub.rooms.drop_unused()
                case 4:
                    players[n] = await reconnect(players[n], tokens[n], random.choice(apps), race)
                case _:
                    try:
                        await play(players[n], race, random)
                    except SentAway:
                        players[n] = await reconnect(players[n], tokens[n], apps[0], race)
        stored = await Store(client).statuses(race, list(map(PlayerId, players[0].seen)))
        last = {player: status.moves for player, status in stored.items()}
        everybody = [one for one in (*players, *watchers) if not one.gone]
        for one in everybody:
            while {player: seat.moves for player, seat in one.seen.items()} != last:
                await client.ping()
        assert [one.went_back for one in everybody if one.went_back] == []


async def play(player: Follower, race: RaceId, random: Random) -> None:
    """Any move, until the game is over."""
    if player.last.state == "playing":
        moves = player.last.legal or ()
        await player.ask(Move(race, player.last.n + 1, random.choice(moves)), Diff)


async def reconnect(player: Follower, token: str, app: App, race: RaceId) -> Follower:
    """The player goes on at this process, and leaves the one before only then."""
    while True:
        with suppress(SentAway):
            other, _ = await arrive(app, token=token)
            other.last = player.last
            await other.ask(Resume(race, since=player.last.n, ref=1), Room)
            player.app.hub.leave(player)
            return other
