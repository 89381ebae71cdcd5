"""Races read from Redis, and kept true by what other processes tell. Decides and writes nothing,
but for the first event of today's daily.
"""

from collections.abc import Callable, Collection

from bigben_protocol import PlayerId, RaceId
from bigben_server.race import commands, daily
from bigben_server.race.events import Entry, RoomAppend, SeatStatus
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_server.rooms.batch import Request
from bigben_server.rooms.room import Room
from bigben_server.storage.client import reading
from bigben_server.storage.pubsub import PeerUpdate, PubSub
from bigben_server.storage.race_log import Store, log_name


class Loader:
    """Reads races one at a time or many at once, and misses no news in between."""

    def __init__(self, store: Store, wire: PubSub, secret: bytes, clock: Callable[[], int]) -> None:
        self._store = store
        self._wire = wire
        self._secret = secret
        self._clock = clock
        self._meanwhile: dict[RaceId, list[PeerUpdate]] = {}
        """News of races that are being read: it may be newer than what was found."""

    async def race(self, race: RaceId) -> Race | None:
        """The race as Redis has it; None if there is none. Raises StoreLost, and Damaged.

        Today's daily is opened if nobody has yet: its first event is the same from every process.
        """
        self._meanwhile[race] = []
        heard_of = self._wire.hears_of(race)
        try:
            await self._wire.subscribe(race)
            while read := await self._fold(race):
                meanwhile, self._meanwhile[race] = self._meanwhile[race], []
                if take(read, _together(race, meanwhile)):
                    return read
            await self._wire.unsubscribe(race)
            return None
        except Exception:
            if not heard_of:  # nobody holds it, who would unsubscribe later
                await self._wire.unsubscribe(race)
            raise
        finally:
            del self._meanwhile[race]

    async def seat(self, race: Race, player: PlayerId) -> None:
        """Read the log of one seat. Raises StoreLost, and Damaged."""
        while True:
            known = race.seats[player].status
            entries = await self._store.entries(race.id, player)
            # News may have come while it was read, and be newer. Where none has come the store has
            # lost what was known, and what it has is the truth.
            if not _older(entries, race.seats[player].status) or race.seats[player].status == known:
                break
        with reading(log_name(race.id, player)):
            race.remember(player, entries)

    async def news(self, race: Race, players: Collection[PlayerId]) -> PeerUpdate:
        """What a process that has just written would tell of a race and these seats of it.

        A process may have died, or a connection, before it was told. Raises StoreLost, and Damaged.
        """
        k = race.k
        events = await self._store.events(race.id, after=k)
        statuses = await self._store.statuses(race.id, list(players))
        return PeerUpdate(race.id, dict(enumerate(events, k + 1)), statuses)

    def hear(self, update: PeerUpdate) -> bool:
        """Keep news of a race that is being read; whether it is."""
        if update.race in self._meanwhile:
            self._meanwhile[update.race].append(update)
            return True
        return False

    async def _fold(self, race: RaceId) -> Race | None:
        now = self._clock()
        events = await self._store.events(race)
        if not events and daily.is_today(race, now):
            first = daily.opened(daily.daily_named(race, now), self._secret)
            await self._store.append([RoomAppend(race, 1, first)], {race: first.closes_at})
            events = await self._store.events(race)
        if not events:
            return None
        with reading(log_name(race)):
            read = Race(race, events)
        for player, status in (await self._store.statuses(race, list(read.seats))).items():
            read.take_status(player, status)
        read.take_moved()
        return read


def lacks(held: Room, asked: Request) -> bool:
    """Whether something must be read before this can be decided."""
    return held.stale or unread_seat(held.race, asked) is not None


def unread_seat(race: Race, asked: Request) -> PlayerId | None:
    """Whose log must be read before this can be decided, if any."""
    if isinstance(asked.message, RaceMessage):
        return commands.unread(race, asked.player.id, asked.message)
    return None


def ahead(race: Race, asked: Request) -> bool:
    """Whether whoever asks knows more of their seat than ``race`` does, or says so."""
    return commands.ahead(race, asked.player.id, asked.message)


def _older(entries: list[Entry], status: SeatStatus) -> bool:
    """Whether a seat's log was read before ``status`` was written there.

    The end of its time may have been decided here, and not be written yet.
    """
    last = entries[-1].n if entries else 0
    return last < status.moves - (status.state == "timed out")


def _together(race: RaceId, updates: list[PeerUpdate]) -> PeerUpdate:
    """Updates of several processes merged: each process is in order, but they interleave."""
    readable = all(update.readable for update in updates)
    together = PeerUpdate(race, {}, {}, readable)
    for update in updates:
        together.events.update(update.events)
        for player, status in update.statuses.items():
            known = together.statuses.get(player)
            if known is None or known.moves <= status.moves:
                together.statuses[player] = status
    return together


def take(
    race: Race, update: PeerUpdate, note: Callable[[PlayerId, SeatStatus], None] = lambda *_: None
) -> bool:
    """Take news into a race; False if it must be read: they do not follow on what it holds, or they
    could not be read.

    ``note`` is told where a seat stands that is there, before the race is.
    """
    if not update.readable:
        return False
    for k, event in sorted(update.events.items()):
        if k <= race.durable:
            continue
        # Where something of ours is on its way to Redis too, one of the two has the wrong number.
        if k > race.k + 1 or race.durable < race.k:
            return False
        race.fold([event])
    for player, status in update.statuses.items():
        if player in race.seats:
            if status.moves < race.seats[player].status.moves:
                return False  # an old one, or the store has lost what is known here
            note(player, status)
            race.take_status(player, status)
    return True
