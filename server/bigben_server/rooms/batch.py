"""Group commit: what many messages decided becomes durable together, and only then is told.

Knows no message and no race; it orders outcomes and asks the store. One commit is under way at a
time, and all that happens meanwhile is the next one, so that a turn costs one round trip however
many moves it holds.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import NamedTuple

from bigben_protocol import ClientMessage, Code, Move, RaceId, Refused
from bigben_server.race.effects import Effect, Player
from bigben_server.race.events import Append, RoomAppend, SeatAppend
from bigben_server.rooms.session import Session
from bigben_server.storage.race_log import log_of
from bigben_server.tasks import not_cancelled


class Request(NamedTuple):
    """A message about a race, and whose it is."""

    session: Session
    message: ClientMessage
    place: object = None
    """The session's key for the request to follow a race, until it is answered."""

    @property
    def player(self) -> Player:
        """Who asks; only those who have said hello do."""
        assert self.session.player is not None, "Hello comes first"
        return self.session.player

    @property
    def ref(self) -> int:
        """What the answer refers to."""
        message = self.message
        return message.n if isinstance(message, Move) else getattr(message, "ref", 0)

    def answered(self) -> None:
        """The request is answered: the session follows the race, or does not."""
        self.session.following.answered(self.place)

    def refuse(self, code: Code, text: str) -> None:
        """Answer at once that nothing was done."""
        self.answered()
        race = getattr(self.message, "race", "")
        self.session.tell(Refused(code, text, race, self.ref))


class Decision(NamedTuple):
    """What was decided, tentatively until it is durable. ``asked`` is None for time's doing."""

    race: RaceId
    asked: Request | None
    effects: list[Effect]

    @property
    def appends(self) -> list[Append]:
        """What must be durable before anything is told."""
        return [e for e in self.effects if isinstance(e, SeatAppend | RoomAppend)]

    def touches(self, logs: Collection[str]) -> bool:
        """Whether any of its appends goes to one of these logs."""
        return bool(logs) and any(log_of(append) in logs for append in self.appends)


class GroupCommit:
    """The outcomes that wait for the next commit."""

    def __init__(
        self,
        commit: Callable[[list[Decision]], Awaitable[None]],
        done: Callable[[], None] = lambda: None,
    ) -> None:
        self._commit = commit
        self._done = done
        self._waiting: list[Decision] = []
        self._under_way: list[Decision] = []
        self._wake = asyncio.Event()
        self._turns = 0
        """How many have been committed."""
        self._turned = asyncio.Event()
        """Set at the end of this turn; each turn has its own."""
        self._over = False
        """No turn comes any more, and nobody waits for one."""

    def add(self, outcome: Decision) -> None:
        """Commit this with the next turn."""
        self._waiting.append(outcome)
        self._wake.set()

    def holds(self, race: RaceId) -> bool:
        """Whether something of this race is not durable yet."""
        return any(outcome.race == race for outcome in (*self._waiting, *self._under_way))

    def withdraw(self, races: Collection[RaceId]) -> list[Decision]:
        """Take back what waits of these races: it rests on what has turned out not to be."""
        taken = [outcome for outcome in self._waiting if outcome.race in races]
        self._waiting = [outcome for outcome in self._waiting if outcome.race not in races]
        return taken

    async def settled(self) -> None:
        """Return once all that was added up to now is durable and told, or lost."""
        last = self._turns + sum(map(bool, (self._under_way, self._waiting)))
        # Counted, since of two turns that end at the same moment only the first is noticed.
        while self._turns < last and not self._over:
            await self._turned.wait()

    async def run(self) -> None:
        """Commit turn after turn until cancelled. Started again, it leaves what broke to others."""
        self._over, self._under_way = False, []
        try:
            while not_cancelled():
                await self._wake.wait()
                self._wake.clear()
                self._under_way, self._waiting = self._waiting, []
                turn = self._under_way
                await self._commit(turn)
                self._under_way = []
                self._turns += 1
                self._turned.set()
                self._turned = asyncio.Event()
                self._done()
        finally:
            self._over = True
            self._turned.set()
