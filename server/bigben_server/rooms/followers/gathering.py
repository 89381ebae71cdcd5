"""What players say to all who follow a race, and nobody stores: gathered, so that none are flooded.

Nobody waits for it, and it may be lost: with a process, with a peer's update, or because others
said more at the same time.
"""

import asyncio
from collections import deque
from collections.abc import Collection
from typing import Final

from bigben_protocol import Cheered, Cheers, RaceId
from bigben_server.rooms.session import EncodedOnce, Session
from bigben_server.storage.pubsub import PubSub
from bigben_server.supervisor import Supervisor

PERIOD_S: Final = 1.0
"""The shortest time between two messages."""
TOLD_TOGETHER: Final = 200
"""Sessions that are told in one period; a larger crowd is told in several."""
MOST_OF_SEATS: Final = 12
MOST_OF_WATCHERS: Final = 3
"""The most in one message, so that watchers, who may be many, never hide the players."""


class Latest:
    """The latest of what was said, of players and of watchers."""

    def __init__(self) -> None:
        self._of_seats = deque[Cheered](maxlen=MOST_OF_SEATS)
        self._of_watchers = deque[Cheered](maxlen=MOST_OF_WATCHERS)

    def add(self, *said: Cheered) -> None:
        for one in said:
            (self._of_seats if one.player else self._of_watchers).append(one)

    def take(self) -> tuple[Cheered, ...]:
        """All of it, which is then no longer here."""
        taken = (*self._of_seats, *self._of_watchers)
        self._of_seats.clear()
        self._of_watchers.clear()
        return taken


class Gathering:
    """Tells the subscribers of one room, and the peers, what players say."""

    def __init__(self, race: RaceId, subscribers: Collection[Session]) -> None:
        """``subscribers``: all of the room, also those who join later."""
        self._said = Latest()
        """At this process, and not told yet."""
        self._heard = Latest()
        """The same at peers."""
        self._race = race
        self._subscribers = subscribers
        self._waits = False
        """Whether there is something to tell."""
        self._telling = False

    def say(self, said: Cheered) -> None:
        """Tell this later, to the peers too. Call ``start`` next."""
        self._said.add(said)
        self._waits = True

    def hear(self, said: tuple[Cheered, ...]) -> None:
        """Tell later what was said at a peer, if anything was. Call ``start`` next."""
        self._heard.add(*said)
        self._waits = self._waits or bool(said)

    def start(self, supervisor: Supervisor, peers: PubSub) -> None:
        """Tell what waits, as a task; calling it again changes nothing."""
        if self._waits and not self._telling:
            self._telling = True
            supervisor.start("telling what players say", self._tell_all, peers)

    async def _tell_all(self, peers: PubSub) -> None:
        try:
            while self._waits:
                self._waits, said = False, self._said.take()
                peers.tell_said(self._race, said)
                self._heard.add(*said)
                cheers = EncodedOnce(Cheers(self._race, self._heard.take()))
                listeners = [session for session in self._subscribers if session.cheers]
                for start in range(0, max(1, len(listeners)), TOLD_TOGETHER):
                    for session in listeners[start : start + TOLD_TOGETHER]:
                        if session in self._subscribers:
                            cheers.put(session)
                            session.flush()
                    await asyncio.sleep(PERIOD_S)
        finally:
            self._telling = False
