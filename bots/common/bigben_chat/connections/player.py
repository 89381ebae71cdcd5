"""One player's connection to the race server, and what it has brought."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bigben_chat.connections.cheers_heard import CheersHeard
from bigben_chat.games import KnownGames
from bigben_chat.picture.results import ShareCard
from bigben_chat.store import ChatId
from bigben_client import Client, Event, Finding, RefusedError, lies
from bigben_protocol import (
    Cheers,
    Diff,
    GameInfo,
    PlayerId,
    Reason,
    Reveal,
    Room,
    Snapshot,
    Standing,
    Standings,
    Step,
    View,
    texts,
)
from bigben_protocol.share import Hours, hours_of, share_line, share_text

_log = logging.getLogger(__name__)

DEAL_S: Final = 3.0
"""How long to wait for the Reveal of a closed race."""
MOST_RACES: Final = 10
"""The most races that one connection follows; the server allows 20."""
_AT_REST: Final = ("closed", "cancelled")
_PLAYING: Final = ("joined", "ready", "playing")


@dataclass(frozen=True)
class Result:
    """What a player can share of a game that is over: it names no card."""

    room: Room
    seat: Standing
    game: GameInfo
    players: int
    streak: int
    hours: Hours

    def text(self, language: str) -> str:
        """In two lines, as on all front ends."""
        return share_text(
            self.room,
            self.seat,
            game=self.game,
            players=self.players,
            streak=self.streak,
            hours=self.hours,
            language=language,
        )

    def card(self, language: str, address: str) -> ShareCard:
        """As a picture; ``address`` is where others find the page."""
        line = share_line(
            self.room,
            self.seat,
            game=self.game,
            players=self.players,
            streak=self.streak,
            language=language,
        )
        total = self.game.total
        return ShareCard(
            line.title,
            line.place or line.home,
            " · ".join(filter(None, (self.seat.name, line.time, line.ended, line.streak))),
            self.seat.home,
            total,
            texts.fill(texts.of("share", language)["share.of"], total=total),
            self.hours,
            address,
        )


class Player:
    """A connected player. ``client`` has the views and rooms."""

    def __init__(self, user: ChatId, client: Client, games: KnownGames) -> None:
        self.user = user
        self.client = client
        self._games = games
        self.last: dict[str, Sequence[Step]] = {}
        """The steps of the last move, by race."""
        self.cheers = CheersHeard()
        self.reveals: dict[str, Reveal] = {}
        self.findings: dict[str, Sequence[Finding]] = {}
        """The findings for closed races that the player was in."""
        self.lock = asyncio.Lock()
        """Hold it while a move is played and shown, so that boards appear in the order of moves."""
        self.uses = 0
        self.used_at = asyncio.get_running_loop().time()
        self._changed = asyncio.Event()

    @property
    def id(self) -> PlayerId:
        """To the race server."""
        return self.client.player

    @property
    def busy(self) -> bool:
        """Whether somebody uses the connection, or it waits for a live race to start or end."""
        return self.uses > 0 or bool(self._live)

    @property
    def held_up(self) -> bool:
        """Whether the connection waits for nothing but the player, in a live race that runs."""
        return not self.uses and set(self._live) == {("running", "playing")}

    @property
    def _live(self) -> list[tuple[str, str]]:
        """The phases of live races that wait for their start or end, with the player's state."""
        return [
            (room.phase, seat.state)
            for room in self.client.rooms.values()
            for seat in room.seats
            if room.kind == "live" and room.phase not in _AT_REST
            if seat.player == self.id and seat.state in _PLAYING
        ]

    def game(self, race: str) -> GameInfo:
        """The game of a race that is followed."""
        return self._games[self.client.rooms[race].rules.game]

    async def room(self, race: str) -> Room:
        """The race in its latest state; followed from now on. Takes no seat."""
        return self.client.rooms.get(race) or await self.client.watch(race)

    async def seat(self, race: str) -> Standing | None:
        """The player's own seat; None if they have none."""
        room = await self.room(race)
        seats = room.seats
        if room.players > len(seats) and not any(seat.player == self.id for seat in seats):
            # A Room shows only the best players of a daily.
            seats = (await self.client.standings(race, only=[self.id])).rows
        return next((seat for seat in seats if seat.player == self.id), None)

    async def view(self, race: str) -> View | None:
        """The player's own game; None if they have no seat there, or no cards yet."""
        await self.room(race)
        if view := self.client.views.get(race):
            return view
        seat = await self.seat(race)
        if seat is None:
            return None
        if not seat.moves and seat.state in ("joined", "ready"):
            return None
        await self.client.join(race)
        return await self.dealt(race)

    def ended(self, view: View) -> View:
        """The view, with the state in which the end of the race has left the seat."""
        room = self.client.rooms.get(view.race)
        seat = next((s for s in room.seats if s.player == self.id), None) if room else None
        if seat is None or view.state != "playing" or seat.state in _PLAYING:
            return view
        if seat.moves < view.n:
            return view
        return replace(view, n=seat.moves, state=seat.state, legal=(), can_undo=False)

    async def dealt(self, race: str) -> View:
        """The player's own game. Waits until it arrives."""
        while race not in self.client.views:
            await self._changed.wait()
        return self.client.views[race]

    async def revealed(self, race: str) -> Reveal:
        """The deal of a race that is closed. Waits until it arrives."""
        while race not in self.reveals:
            await self._changed.wait()
        return self.reveals[race]

    async def judge(self, race: str) -> Sequence[Finding]:
        """The findings for a closed race; empty before the close, and for other players."""
        kept, room = self.client.kept.get(race), self.client.rooms.get(race)
        if kept is None or not kept.begun_at or room is None or room.phase != "closed":
            return ()
        # If no finding holds, the deal was not revealed yet; ask again.
        if not any(finding.holds for finding in self.findings.get(race, ())):
            try:
                found = await self.client.check(race, patience=DEAL_S)
            except RefusedError:
                return ()
            self.findings[race] = found
            if wrong := lies(found):
                said = " ".join(finding.text for finding in wrong)
                _log.error(
                    "the server contradicts what it said before about race %s: %s", race, said
                )
        return self.findings[race]

    async def result(self, race: str) -> Result:
        """Raises RefusedError, and ValueError if they have no seat or their game goes on."""
        room, game = await self.room(race), self.game(race)
        places = await self.client.standings(race, only=[self.id])
        seat = next((row for row in places.rows if row.player == self.id), None)
        if seat is None or seat.state in _PLAYING:
            raise ValueError("this game is not over")
        hours: Hours = ()
        if room.phase == "closed":
            hours = hours_of(await self.client.record(race), game)
        streak = await self._streak(room) if room.kind == "daily" else 0
        return Result(room, seat, game, places.players, streak, hours)

    async def _streak(self, room: Room) -> int:
        """How many days in a row the player has raced in this game and these rules."""
        wanted = room.rules.game, room.rules.rules
        tallies = (await self.client.profile()).tallies
        return next((t.days_played.now for t in tallies if (t.game, t.rules) == wanted), 0)

    async def tidy(self) -> None:
        """Follow at most MOST_RACES races: leave ended races first, then the oldest."""
        rooms = self.client.rooms.values()
        # Leaving a room before its start gives up the seat.
        begun = [room for room in rooms if room.phase not in ("open", "countdown")]
        begun.sort(key=lambda room: room.phase not in _AT_REST)
        for room in begun[: max(0, len(rooms) - MOST_RACES)]:
            await self.client.leave(room.race)

    async def why_not(self, view: View, source: str) -> Reason | None:
        """Why the card of this pile goes nowhere; None if it does, or if this is no pile."""
        if source not in view.piles or any(move.split()[0] == source for move in view.legal):
            return None
        return await self.client.explain(view.race, source)

    async def move(self, race: str, text: str, *, after: int | None) -> Diff:
        """Play in the position ``after`` this number of moves; None for any.

        Raises ClientError. RefusedError has the code ``conflict`` if the game has gone on since.
        """
        diff = await self.client.move(race, text, after=after)
        self.last[race] = diff.steps
        return diff

    def receive(self, event: Event) -> str:
        """Handle an event of the client. Return the race that it is about, or an empty text."""
        match event:
            case Diff():
                self.last[event.race] = event.steps
            case Snapshot():
                self.last.pop(event.race, None)
            case Reveal():
                self.reveals[event.race] = event
            case Room() | Standings():
                pass
            case Cheers():
                self.cheers.receive(event)
                return ""  # The board is not edited for it.
            case _:
                return ""
        self._changed.set()
        self._changed = asyncio.Event()
        return event.race
