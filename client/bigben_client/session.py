"""What a client follows, has asked and must send again. No socket, no clock, no chance.

Methods return effects, in order, for ``client.py`` to carry out. A session outlives connections:
after each loss comes ``lost``, and on the next connection ``resume``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Final

import msgspec

from bigben_client.errors import Hangup
from bigben_client.moves import Moves
from bigben_protocol import (
    ClientMessage,
    Code,
    Create,
    Diff,
    Diverged,
    Gap,
    GetLeaderboard,
    GetRecord,
    GetStandings,
    Join,
    Leaderboard,
    Leave,
    Left,
    Ping,
    PlayerId,
    Pong,
    Progress,
    Ready,
    Record,
    Refused,
    Rematch,
    Resume,
    Reveal,
    Room,
    ServerMessage,
    Snapshot,
    Standings,
    Start,
    Unready,
    View,
    Watch,
    Welcome,
)

Request = (
    Create
    | Join
    | Watch
    | Leave
    | Ready
    | Unready
    | Start
    | Rematch
    | GetStandings
    | GetRecord
    | GetLeaderboard
)

FIRST_TICKET: Final = 2**32
"""Above every number of a move, so that the ``ref`` of a refusal never means two things."""

MOST_TRIES: Final = 3
"""How often in a row a race is asked for again when what comes does not fit."""

LATER: Final[tuple[Code, ...]] = ("rate", "busy", "limit")
"""Refused now; it may be granted to one who comes back."""
_NOT_BEGUN: Final = ("joined", "ready")


@dataclass(frozen=True, slots=True)
class Send:
    """To be sent if there is a connection; if there is none, ``resume`` sends it again."""

    message: ClientMessage


@dataclass(frozen=True, slots=True)
class Answer:
    """For the caller who holds this ticket."""

    ticket: int
    message: ServerMessage


@dataclass(frozen=True, slots=True)
class Tell:
    """News for the front end, folded in already."""

    message: ServerMessage


Effect = Send | Answer | Tell


@dataclass(frozen=True, slots=True)
class _Resync:
    """A Resume that is not answered yet."""

    ref: int
    whole: bool
    """Only a Snapshot helps: the view that is held is wrong."""


class Session:
    """The client's side of everything that has to survive a lost connection."""

    def __init__(self) -> None:
        self.player = PlayerId("")
        self.rooms: dict[str, Room] = {}
        """The races that are followed, as they stand."""
        self.views: dict[str, View] = {}
        """The player's own games, as they stand."""
        self._tickets = count(FIRST_TICKET)
        self._asked: dict[int, Request | Ping] = {}
        self._moves: dict[str, Moves] = {}
        self._resyncs: dict[str, _Resync] = {}
        self._tries: dict[str, int] = {}

    # What the front end wants

    def ticket(self) -> int:
        """A number for one call, under which its Answer comes. Also the ``ref`` on the wire."""
        return next(self._tickets)

    def ask(self, ticket: int, request: Request) -> list[Effect]:
        """Ask until it is answered, on as many connections as that takes."""
        request = msgspec.structs.replace(request, ref=ticket)
        self._asked[ticket] = request
        return [Send(request)]

    def ping(self, ticket: int) -> list[Effect]:
        """Answered by Pong."""
        self._asked[ticket] = ping = Ping(ticket)
        return [Send(ping)]

    def move(self, ticket: int, race: str, text: str) -> list[Effect]:
        """Play in the player's own game of ``race``. Answered by Diff or Refused."""
        self._moves.setdefault(race, Moves(race)).add(ticket, text)
        return self._send_moves(race)

    def forget(self, ticket: int) -> None:
        """Nobody waits for this answer any more. A move that was sent may still be played."""
        self._asked.pop(ticket, None)
        for moves in self._moves.values():
            moves.forget(ticket)

    # The connection

    def lost(self) -> None:
        """The connection is gone, and with it whatever was on its way."""
        self._resyncs.clear()
        self._tries.clear()

    def resume(self) -> list[Effect]:
        """All that a new connection begins with, once Welcome has come."""
        effects: list[Effect] = []
        for race in dict.fromkeys((*self.rooms, *self.views)):
            effects += self._resume(race)
        effects += map(Send, self._asked.values())
        effects += (Send(moves.sent.move) for moves in self._moves.values() if moves.sent)
        return effects

    def receive(self, message: ServerMessage) -> list[Effect]:
        """Fold in what the server says. Raises Hangup when that makes no sense any more."""
        match message:
            case Room():
                return self._room(message)
            case Snapshot():
                return self._snapshot(message)
            case Diff():
                return self._diff(message)
            case Refused():
                return self._refused(message)
            case Progress():
                return self._progress(message)
            case Left():
                return [*self._drop(message.race), *self._answered(message.ref, message)]
            case Standings():
                return [Tell(message), *self._answered(message.ref, message)]
            case Record() | Leaderboard():
                return self._answered(message.ref, message)
            case Pong():
                return self._answered(message.sent, message)
            case Reveal():
                return [Tell(message)]
            case Welcome():
                raise Hangup(1002, "the server says welcome a second time")

    # Folding

    def _room(self, room: Room) -> list[Effect]:
        before = self.rooms.get(room.race)
        resync = self._resyncs.get(room.race)
        resumed = resync is not None and resync.ref == room.ref
        if before and room.since < before.since and not resumed:
            return self._answered(room.ref, room)
        self.rooms[room.race] = room
        if resumed and resync and not resync.whole:
            del self._resyncs[room.race]
        return [
            Tell(room),
            *self._answered(room.ref, room),
            *(self._come_true(room) if resumed else ()),
            *self._send_moves(room.race),
        ]

    def _snapshot(self, snapshot: Snapshot) -> list[Effect]:
        race = snapshot.race
        try:
            self.views[race] = View.of(snapshot)
        except Diverged:
            return self._resync(race, whole=True)
        self._resyncs.pop(race, None)
        self._tries.pop(race, None)
        return [Tell(snapshot), *self._send_moves(race)]

    def _diff(self, diff: Diff) -> list[Effect]:
        effects = self._fold(diff)
        moves = self._moves.get(diff.race)
        if moves and moves.made_by(diff):
            ticket = moves.answered(diff.n)
            assert ticket is not None, "made_by has compared the numbers"
            effects.append(Answer(ticket, diff))
        return effects + self._send_moves(diff.race)

    def _fold(self, diff: Diff) -> list[Effect]:
        race, view, resync = diff.race, self.views.get(diff.race), self._resyncs.get(diff.race)
        if resync and resync.whole:
            return []
        if view is None:
            return [] if resync else self._resync(race, whole=True)
        try:
            after = view.after(diff)
        except Gap:
            return [] if resync else self._resync(race, whole=False)
        except Diverged:
            return self._resync(race, whole=True)
        if after is view:
            return []
        self.views[race] = after
        self._tries.pop(race, None)
        return [Tell(diff)]

    def _progress(self, progress: Progress) -> list[Effect]:
        if room := self.rooms.get(progress.race):
            now = {standing.player: standing for standing in progress.seats}
            seats = tuple(now.get(standing.player, standing) for standing in room.seats)
            self.rooms[room.race] = msgspec.structs.replace(room, seats=seats)
        return [Tell(progress)]

    # Answers

    def _answered(self, ref: int, message: ServerMessage) -> list[Effect]:
        return [Answer(ref, message)] if self._asked.pop(ref, None) else []

    def _come_true(self, room: Room) -> list[Effect]:
        """The answers to what was done just before the connection was lost.

        It has been asked again, and the second time the server may refuse it.
        """
        own = next((s.state for s in room.seats if s.player == self.player), "")
        effects: list[Effect] = []
        for ticket, request in list(self._asked.items()):
            match request:
                case Ready(race) if race == room.race and own not in ("", "joined"):
                    effects += self._answered(ticket, room)
                case Start(race) if race == room.race and room.phase != "open":
                    effects += self._answered(ticket, room)
                case _:
                    pass
        return effects

    def _refused(self, refused: Refused) -> list[Effect]:
        race = refused.race
        if refused.ref in self._asked:
            return self._answered(refused.ref, refused)
        moves = self._moves.get(race)
        if moves and (ticket := moves.answered(refused.ref)):
            return [Answer(ticket, refused), *self._send_moves(race)]
        resync = self._resyncs.get(race)
        if resync and resync.ref == refused.ref:
            if refused.code in LATER:
                raise Hangup(1013, refused.text)
            return [*self._drop(race), Tell(refused)]
        if refused.ref >= FIRST_TICKET:
            return []  # Nobody waits for this answer any more.
        return [Tell(refused)]

    def _drop(self, race: str) -> list[Effect]:
        """Follow this race no longer."""
        self.rooms.pop(race, None)
        self.views.pop(race, None)
        self._resyncs.pop(race, None)
        self._tries.pop(race, None)
        moves = self._moves.pop(race, None)
        return _refusals(race, moves.drop()) if moves else []

    # Asking again

    def _resync(self, race: str, *, whole: bool) -> list[Effect]:
        """Ask for what does not fit once more, but not for ever."""
        tries = self._tries[race] = self._tries.get(race, 0) + 1
        if tries > MOST_TRIES:
            raise Hangup(1013, f"the cards of race {race} do not agree with the server's")
        return self._resume(race, whole=whole)

    def _resume(self, race: str, *, whole: bool = False) -> list[Effect]:
        view = self.views.get(race)
        ref = self.ticket()
        self._resyncs[race] = _Resync(ref, whole)
        since = view.n if view and not whole else 0
        return [Send(Resume(race, since, ref))]

    # Moves

    def _send_moves(self, race: str) -> list[Effect]:
        """Send the next move if its number is certain."""
        moves = self._moves.get(race)
        if moves is None or race in self._resyncs:
            return []
        if view := self.views.get(race):
            move = moves.next(view.n + 1)
            return [Send(move)] if move else []
        if self._cards_are_coming(race):
            return []
        del self._moves[race]
        return _refusals(race, moves.drop())

    def _cards_are_coming(self, race: str) -> bool:
        """The seat has begun, and its Snapshot follows."""
        room = self.rooms.get(race)
        if room is None or room.phase not in ("running", "closed"):
            return False
        return any(s.player == self.player and s.state not in _NOT_BEGUN for s in room.seats)


def _refusals(race: str, tickets: Iterable[int]) -> list[Effect]:
    """Of moves that are not worth sending."""
    text = "You have no cards in this race; join it, say that you are ready, wait for the start."
    return [Answer(ticket, Refused("seat", text, race)) for ticket in tickets]
