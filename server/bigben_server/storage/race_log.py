"""The logs of races in Redis: each entry is written once, in order."""

import hashlib
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec
from redis.exceptions import NoScriptError

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.broadcasts.updates import seat_changes
from bigben_server.race.events import (
    NOTHING,
    VERSION,
    Append,
    Entry,
    Log,
    RoomAppend,
    RoomEvent,
    SeatAppend,
    SeatStatus,
)
from bigben_server.readiness import AWAY
from bigben_server.storage import client
from bigben_server.storage.entries import (
    RawLog,
    entry_of,
    read_entries,
    read_events,
    status_in,
)
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import MARK, Keys
from bigben_server.storage.log_reading import Part, read_log, read_logs
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.work import AGE_MS

_Logs = Mapping[Log, Sequence[Append]]
_Depends = Sequence[str | int] | Literal[False]

_SCRIPT: Final = client.script("append")
_SHA: Final = hashlib.sha1(_SCRIPT.encode()).hexdigest()

MOST_IN_AN_ENTRY: Final = 1_000
"""The most appends in an entry. Lua unpacks about 8,000 words, and an append has two."""
MOST_IN_A_CALL: Final = 100
"""The most logs that one call of the script writes; nobody else is served meanwhile."""

_pack = msgspec.msgpack.Encoder().encode  # only of texts: Lua reads no bytes


@dataclass(eq=False, repr=False)
class Store(client.Connection):
    """The races in one logical Redis. After StoreLost a log may be longer: read it again."""

    version: int = field(default=VERSION, init=False)
    """The version of the data; newer events must not be written. ``Schema`` keeps it up to date."""
    _late: dict[RaceId, int] = field(default_factory=dict, init=False)
    """Agenda entries that could not be written."""

    async def append(
        self, appends: Sequence[Append], agenda: Mapping[RaceId, int]
    ) -> frozenset[Log]:
        """Write to logs. The appends are durable on return, except for those to the returned logs.

        A log refuses an append if it does not end with the number before it: another process wrote
        first, or the store has lost entries, or the race is packed. Then it is unpacked, so that
        it can be read and written again. ``agenda`` says when a timer must look at a race, 0 for
        never; if its node of a cluster is away, the next call of ``due`` writes it. Raises
        StoreLost, Damaged, and PartlyLost if other logs are not affected.
        """
        rooms: dict[Log, list[RoomAppend]] = {}
        seats: dict[Log, list[SeatAppend]] = {}
        for append in appends:
            if isinstance(append, SeatAppend):
                seats.setdefault((append.race, append.player), []).append(append)
            else:
                rooms.setdefault((append.race, None), []).append(append)
        # Rooms first: an append to a seat may depend on an event of the same batch.
        logs: _Logs = {**rooms, **seats}
        calls = [_Call(self.keys, logs, some) for some in self._together(logs)]
        # Before the logs: a race that is on the agenda or a player's list needlessly does no harm.
        lists = [self._due(race, at) for race, at in agenda.items()]
        lists += [self._open(*one) for one in seat_changes(itertools.chain(*rooms.values()))]
        commands = [call.command("EVALSHA", _SHA) for call in calls]
        answers = await self.send([*lists, *commands], raise_on_error=False)
        for race, answer in zip(agenda, answers, strict=False):
            self._late.pop(race, None)
            if isinstance(answer, Exception):
                self._late[race] = agenda[race]
        answered = dict(zip(calls, answers[len(lists) :], strict=False))
        # A restarted Redis, or a node of a cluster, may not have the script yet.
        if unseen := [call for call in calls if isinstance(answered[call], NoScriptError)]:
            commands = [call.command("EVAL", _SCRIPT) for call in unseen]
            answers = await self.send(commands, raise_on_error=False)
            answered.update(zip(unseen, answers, strict=False))
        refused, lost = _refused_and_lost(self.keys, answered)
        for error in lost.values():
            why = client.lost(error)
            # Of a cluster only this node is away or refuses.
            if isinstance(error, client.NodeLost) or (self.cluster and why.trouble != AWAY):
                gone = frozenset(lost)
                text, trouble = str(why), why.trouble
                raise client.PartlyLost(text, trouble, lost=gone, refused=refused) from error
            raise why from error
        for log in refused & rooms.keys():
            await self._unpack_for(rooms[log][0])
        return refused

    async def _unpack_for(self, refused: RoomAppend) -> None:
        """Unpack a race that has refused an event if it is packed, for the next try."""
        if not refused.follows:  # of a new room, which needs another code
            return
        try:
            await Swaps(self).unpack(refused.race, refused.event.at + AGE_MS)
        except client.Damaged as damaged:
            self.report(damaged)
        except client.StoreLost:
            pass  # what is written is durable, and the next try comes here again

    def _together(self, logs: _Logs) -> Iterable[Sequence[Log]]:
        """The logs, in order, that one script can write: in a cluster those of one race."""
        if self.cluster is None:
            return client.chunks(list(logs), MOST_IN_A_CALL)
        races: dict[RaceId, list[Log]] = {}
        for log in logs:
            races.setdefault(log[0], []).append(log)
        return [
            some for of_race in races.values() for some in client.chunks(of_race, MOST_IN_A_CALL)
        ]

    async def events(self, race: RaceId, *, after: int = 0, most: int = 0) -> list[RoomEvent]:
        """The events after ``after``, or of the first ``most`` entries of them. Raises Damaged."""
        log = await read_log(self, Part(race, since=after + 1, most=most))
        with client.reading(self.keys.room_log(race)):
            return read_events(log, after=after)

    async def events_of(self, races: Sequence[RaceId]) -> list[list[RoomEvent] | client.Damaged]:
        """All events of each of these races; Damaged of one that can't be read."""
        logs = await read_logs(self, [Part(race) for race in races])
        keys = (self.keys.room_log(race) for race in races)
        return client.read_each(keys, logs, lambda _, log: read_events(log))

    async def raw_logs(
        self, seats: Iterable[tuple[RaceId, PlayerId]]
    ) -> list[RawLog | client.Damaged]:
        """The log of each of these seats, or Damaged."""
        return await read_logs(self, [Part(*seat) for seat in seats])

    async def statuses(
        self, race: RaceId, players: Sequence[PlayerId]
    ) -> dict[PlayerId, SeatStatus]:
        """The status of those seats whose log has begun. Raises Damaged."""
        ends = await read_logs(self, [Part(race, player, last=True) for player in players])
        statuses: dict[PlayerId, SeatStatus] = {}
        for player, end in zip(players, ends, strict=True):
            with client.reading(self.keys.seat_log(race, player)):
                for _, words in client.sound(end):
                    statuses[player] = status_in(words)
        return statuses

    async def changed(self, ends: Mapping[Log, str]) -> set[Log]:
        """The logs that have entries and another end than this. Raises Damaged.

        The end of a room's log is the number of its last event, and of a seat's log its status.
        """
        found = await read_logs(self, [Part(*log, last=True) for log in ends])
        changed = set()
        for (log, end), entries in zip(ends.items(), found, strict=True):
            for _, words in client.sound(entries):
                number, value = words[-2:]
                if (value if number == MARK else number) != end.encode():
                    changed.add(log)
        return changed

    async def entries(self, race: RaceId, player: PlayerId) -> list[Entry]:
        """The whole log of a seat. Raises Damaged."""
        log = await read_log(self, Part(race, player))
        with client.reading(self.keys.seat_log(race, player)):
            return read_entries(log)

    async def due(self, now: float = math.inf) -> list[RaceId]:
        """The races on the agenda that are due at ``now``, or all, without invalid names."""
        if late := dict(self._late):
            await self.ask(*(self._due(race, at) for race, at in late.items()))
            self._late = {race: at for race, at in self._late.items() if late.get(race) != at}
        (races,) = await self.ask(("ZRANGEBYSCORE", self.keys.agenda, "-inf", now))
        return [RaceId(race.decode()) for race in races if race.isascii()]

    async def postpone(self, races: Sequence[RaceId], at: int) -> None:
        """Change the time of races that are on the agenda to ``at``, ms since 1970."""
        if races:
            words = (word for race in races for word in (at, race))
            await self.ask(("ZADD", self.keys.agenda, "XX", *words))

    async def strike(self, race: RaceId) -> None:
        """Take a race off the agenda."""
        await self.ask(("ZREM", self.keys.agenda, race))

    async def expire(self, race: RaceId, players: Iterable[PlayerId], seconds: int) -> None:
        """Let a race expire; its seats expire a little later, so that none is missing before it."""
        await self.ask(
            ("EXPIRE", self.keys.packed(race), seconds),
            ("EXPIRE", self.keys.room_log(race), seconds),
            *(("EXPIRE", self.keys.seat_log(race, player), seconds + 60) for player in players),
        )

    async def note_open_seeds(self, race: RaceId, digests: Iterable[str], seconds: int) -> None:
        """Store for ``seconds`` that the seeds with these digests belong to this race."""
        await self.ask(*(("SET", self.keys.open_seed(one), race, "EX", seconds) for one in digests))

    async def race_of_seed(self, digest: str) -> RaceId | None:
        """The race of a seed that was noted; it may be closed by now. None if there is none."""
        (race,) = await self.ask(("GET", self.keys.open_seed(digest)))
        return RaceId(race.decode()) if race is not None else None

    def _due(self, race: RaceId, at: int) -> Command:
        return ("ZADD", self.keys.agenda, at, race) if at else ("ZREM", self.keys.agenda, race)

    def _open(self, race: RaceId, player: PlayerId, at: int) -> Command:
        key = self.keys.open_races(player)
        return ("ZADD", key, at, race) if at else ("ZREM", key, race)


class _Call:
    """One run of the script, which writes some of a batch's ``logs``."""

    def __init__(self, keys: Keys, logs: _Logs, some: Sequence[Log]) -> None:
        self.logs: list[Log] = []
        """The log of each entry, in the order of the answers."""
        self._keys: list[str] = []
        self._entries: list[list[object]] = []
        others: list[str]
        depends: _Depends
        for log in some:
            race, player = log
            key, appends, empty = keys.log(race, player), logs[log], NOTHING if player else 0
            others, depends = [], False
            if player is None or appends[0].follows == empty:  # seldom
                others, depends = _depends_on(keys, log, logs)
            for together in client.chunks(appends, MOST_IN_AN_ENTRY):
                follows = together[0].follows
                self.logs.append(log)
                self._keys.append(key)
                self._keys += others
                self._entries.append([follows != empty and follows, depends, *entry_of(together)])
                others, depends = [], False

    def command(self, *script: str) -> Command:
        """The command that runs the script, named by ``EVAL`` or ``EVALSHA``."""
        return (*script, len(self._keys), *self._keys, _pack(self._entries))


def _depends_on(keys: Keys, log: Log, logs: _Logs) -> tuple[list[str], _Depends]:
    """Which other logs an event or a seat's first append depends on, and how; see the script."""
    first, last = logs[log][0], logs[log][-1]
    if isinstance(first, SeatAppend) and isinstance(last, SeatAppend):
        room = first.race, None
        id_, _, event, *_ = entry_of(logs[room][:1]) if room in logs else ["", "", ""]
        return [keys.log(*room)], [1, last.room_events, first.room_events, id_, event]
    events = (append for append in logs[log] if isinstance(append, RoomAppend))
    empty = [keys.seat_log(each.race, player) for each in events for player in each.unbegun]
    if not first.follows:  # a packed race has no log, and its code is taken
        empty.append(keys.packed(first.race))
    return ([keys.log(*log), *empty], [1 + len(empty), 0, 0, "", ""]) if empty else ([], False)


def _refused_and_lost(
    keys: Keys,
    answered: Mapping[_Call, Any],  # Any: what Redis answered
) -> tuple[frozenset[Log], dict[Log, Exception]]:
    """The logs that refused an append, and the errors of others. Raises Damaged."""
    refused: set[Log] = set()
    lost: dict[Log, Exception] = {}
    for call, answers in answered.items():
        lost_together = isinstance(answers, Exception)
        of_logs: list[Any] = [answers] * len(call.logs) if lost_together else answers
        for log, answer in zip(call.logs, of_logs, strict=True):
            if isinstance(answer, Exception):
                client.check_kind(keys.log(*log), answer)
                lost[log] = answer
            elif answer == 0:
                refused.add(log)
    return frozenset(refused), lost
