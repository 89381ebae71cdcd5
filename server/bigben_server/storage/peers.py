"""What a process knows of its peers: which races they follow, and what each has told the other.

Messages to a peer are numbered, so that it notices a gap. No Redis, no clock.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from bigben_protocol import RaceId
from bigben_server.race.events import PeerUpdate

SILENT_BEATS: Final = 3
"""A peer that was silent for so many beats of this process has died, or has forgotten it."""


class Inbox(msgspec.Struct, array_like=True, frozen=True):
    """Where a process is told what it follows."""

    process: str
    epoch: int
    """How often the process has subscribed; what it missed before, it has read again."""
    sharded: bool = False
    """Whether only one shard of the cluster carries it."""


class Message(msgspec.Struct, array_like=True):
    """What a peer is told at once: of all races that it follows."""

    sender: Inbox
    number: int
    updates: Sequence[PeerUpdate]


class _Encoded(msgspec.Struct, array_like=True):
    """The same with updates that are encoded once for all peers."""

    sender: Inbox
    number: int
    updates: list[msgspec.Raw]


_encode = msgspec.msgpack.Encoder().encode
decode: Final = msgspec.msgpack.Decoder(Message).decode
"""Raises msgspec.DecodeError for what another version has sent."""


class Peers:
    """Who follows which race, and the number of the last message to and from each peer."""

    def __init__(self) -> None:
        self.followers: dict[RaceId, dict[str, None]] = {}
        """The peers that follow each race. Only methods change it."""
        self._inboxes: dict[str, Inbox] = {}
        self._sent: dict[str, int] = {}
        """The number of the last message to each peer, in its present epoch."""
        self._heard: dict[str, int] = {}
        """The number of the last message from each peer."""
        self._beats: dict[str, int] = {}
        """How many beats of this process came since each peer was heard."""

    def restart(self, inbox: Inbox) -> None:
        """This process has subscribed again, with a new inbox, in which peers number from 1."""
        self.followers.clear()
        self._heard.clear()
        self._beats.clear()
        self.meet(inbox)

    # Who follows

    def meet(self, inbox: Inbox) -> None:
        """A peer is heard, which has this inbox. If it is a new one, it tells what it follows."""
        process, known = inbox.process, self._inboxes.get(inbox.process)
        self._beats[process] = 0
        if known is None or known.epoch < inbox.epoch:
            self.forget(process)
            self._inboxes[process], self._sent[process] = inbox, 0

    def note(self, process: str, race: RaceId) -> bool:
        """A peer follows a race; whether that was not known. Nothing can be told to one that was
        not met.
        """
        if process not in self._inboxes:
            return False
        followers = self.followers.setdefault(race, {})
        is_new = process not in followers
        followers[process] = None
        return is_new

    def leave(self, process: str, race: RaceId) -> None:
        """A peer follows a race no more."""
        followers = self.followers.get(race, {})
        followers.pop(process, None)
        if not followers:
            self.followers.pop(race, None)

    def drop(self, race: RaceId) -> bool:
        """This process follows a race no more; whether a peer does."""
        return self.followers.pop(race, None) is not None

    def forget(self, process: str) -> list[RaceId]:
        """A peer is gone; which races it followed."""
        races = [race for race, followers in self.followers.items() if process in followers]
        for race in races:
            self.leave(process, race)
        return races

    # Messages

    def hear(self, message: Message) -> bool:
        """Take the number of a peer's message; whether none is missing before it."""
        process, number = message.sender.process, message.number
        self.meet(message.sender)
        follows = number == self._heard.get(process, 0) + 1
        self._heard[process] = number
        return follows

    def beat(self) -> list[RaceId]:
        """A beat of this process has come back. Forget the silent peers; which races they followed.

        Beats are counted instead of seconds: what waits to be heard comes between them.
        """
        peers = {process for followers in self.followers.values() for process in followers}
        silent: list[RaceId] = []
        for process in peers:
            self._beats[process] = self._beats.get(process, 0) + 1
            if self._beats[process] >= SILENT_BEATS:
                silent += self.forget(process)
        return silent

    def address(
        self, sender: Inbox, updates: Iterable[PeerUpdate], *, everybody: bool = False
    ) -> list[tuple[Inbox, bytes]]:
        """One message for each peer that follows any of these races, or for ``everybody``, which
        includes this process.
        """
        told: dict[str, list[msgspec.Raw]] = {}
        if everybody:
            told = {process: [] for each in self.followers.values() for process in each}
            told[sender.process] = []
        for update in updates:
            # An answer is for the peer that asked, if it has an inbox.
            asked = [update.process] if update.process in self._inboxes else ()
            one = asked if update.process else self.followers.get(update.race, ())
            if one:
                raw = msgspec.Raw(_encode(update))
                for process in one:
                    told.setdefault(process, []).append(raw)
        messages: list[tuple[Inbox, bytes]] = []
        for process, raws in told.items():
            self._sent[process] = number = self._sent.get(process, 0) + 1
            messages.append((self._inboxes[process], _encode(_Encoded(sender, number, raws))))
        return messages
