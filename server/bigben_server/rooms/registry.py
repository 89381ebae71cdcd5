"""The rooms of this process by code, and which of them are due or can't be used."""

from asyncio import Event
from collections import UserDict
from collections.abc import Iterable
from typing import Final

from bigben_protocol import RaceId, Refused
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Request
from bigben_server.storage.client import Damaged, DamageLog
from bigben_server.storage.pubsub import PubSub
from bigben_server.supervisor import Supervisor

UNREADABLE: Final = (
    "{} can't be read by this server: it is damaged, or of a newer version. The operator's log"
    " names it; all other races continue."
)


class Rooms(UserDict[RaceId, Room]):
    """The rooms, and which of them a timer must look at."""

    def __init__(self, pubsub: PubSub, supervisor: Supervisor, damage: DamageLog) -> None:
        super().__init__()
        self._pubsub = pubsub
        self._supervisor = supervisor
        self._damage = damage
        self._woken: dict[RaceId, None] = {}
        self.sooner = Event()
        """Set when a room may be due before ``next_at``."""

    def __delitem__(self, code: RaceId) -> None:
        """Drop a room, and unsubscribe from its updates by peers."""
        del self.data[code]
        self._supervisor.start("unsubscribing", self._pubsub.unsubscribe, code)

    def wake(self, code: RaceId) -> None:
        """Let the timer look at this room soon."""
        self._woken[code] = None
        self.sooner.set()

    def wake_later(self, code: RaceId) -> None:
        """Let the timer look at this room when the next batch is committed."""
        self._woken[code] = None

    def committed(self) -> None:
        """A batch is committed: let the timer look at the rooms that waited for it."""
        if self._woken:
            self.sooner.set()

    def is_woken(self, code: RaceId) -> bool:
        """Whether the timer still has to look at this room."""
        return code in self._woken

    def next_at(self) -> int:
        """When a room is next due, ms since 1970; 0 for never."""
        return min((room.next_at for room in self.data.values() if room.next_at), default=0)

    def due(self, now: int) -> list[Room]:
        """The rooms that the timer must look at, each once."""
        woken, self._woken = self._woken, {}
        timed = (c for c, room in self.data.items() if room.next_at and room.next_at <= now)
        woken |= dict.fromkeys(timed)
        return [self.data[code] for code in woken if code in self.data]

    def fence(self, code: RaceId, damaged: Damaged, requests: Iterable[Request]) -> None:
        """Drop a race that can't be read, and tell its subscribers and requesters."""
        self._damage.report(damaged)
        self.withdraw(code, UNREADABLE.format(f"Race {code}"), requests)

    def withdraw(self, code: RaceId, text: str, requests: Iterable[Request]) -> None:
        """Drop a race that is unavailable, and tell its subscribers and requesters."""
        for request in requests:
            request.refuse("unknown", text)
        if room := self.data.get(code):
            for session in list(room.sessions()):
                room.unsubscribe(session)
                session.tell(Refused("unknown", text, code))
            del self[code]
