"""The players' connections to the race server: one for each who is active, closed when idle.

Every user of Discord has a client of their own here, in the tokens of which the bot speaks for
them. Shows nothing to anybody.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from bigben_chat import store
from bigben_chat.connections.identity import MOST_GUILDS, Visitor, player_of, token
from bigben_chat.evidence import Evidence
from bigben_chat.store import Memory
from bigben_client import Backoff, Client, ClientError, Event, Finding, RefusedError, lies
from bigben_protocol import Diff, PlayerId, Reveal, Room, Snapshot, Standing, Standings, Step, View

_log = logging.getLogger(__name__)

CLIENT: Final = "bigben-discord/1"
COME_BACK_S: Final = 5.0
"""The longest wait between two tries to reach the server again."""
PATIENCE_S: Final = 2.0
"""For a server that is away; a player who waits for it is told then, and can try again."""
IDLE_S: Final = 900.0
"""Longer than a board can be changed without its player: until then it is kept up to date."""
MOST_OPEN: Final = 50
"""Connections; beyond it, who has not played for longest makes room. The server allows 64 from
one address."""
DEAL_S: Final = 3.0
"""How long the deal of a closed race is waited for."""
MOST_RACES: Final = 10
"""That one connection follows; the server allows 20."""
_AT_REST: Final = ("closed", "cancelled")
_PLAYING: Final = ("joined", "ready", "playing")

News = Callable[["Player", str], None]
"""Something has happened in this race, which the player follows."""


class Player:
    """One user's connection, and what it has brought besides views and rooms."""

    def __init__(self, user: int, client: Client) -> None:
        self.user = user
        self.client = client
        self.last: dict[str, Sequence[Step]] = {}
        """The steps of the last move, by race."""
        self.reveals: dict[str, Reveal] = {}
        self.findings: dict[str, Sequence[Finding]] = {}
        """Of closed races that the player was in: whether each is the one that was seen."""
        self.lock = asyncio.Lock()
        """Held while a move is played and shown, so that boards come in the order of moves."""
        self.uses = 0
        self.used_at = asyncio.get_running_loop().time()
        self._changed = asyncio.Event()

    @property
    def id(self) -> PlayerId:
        """To the race server."""
        return self.client.player

    @property
    def busy(self) -> bool:
        """Somebody uses the connection, or it waits for the start or the end of a live race."""
        return self.uses > 0 or any(
            room.kind == "live"
            and room.phase not in _AT_REST
            and any(seat.player == self.id and seat.state in _PLAYING for seat in room.seats)
            for room in self.client.rooms.values()
        )

    async def room(self, race: str) -> Room:
        """The race as it stands; followed from now on. Takes no seat."""
        room = self.client.rooms.get(race)
        return room or await self.client.watch(race)

    async def seat(self, race: str) -> Standing | None:
        """The player's own seat; None if they have none."""
        room = await self.room(race)
        seats = room.seats
        if room.players > len(seats) and not any(seat.player == self.id for seat in seats):
            # Of a daily a Room shows no more than the best.
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
        """The player's own game, which is on its way."""
        while race not in self.client.views:
            await self._changed.wait()
        return self.client.views[race]

    async def revealed(self, race: str) -> Reveal:
        """The deal of a race that is closed, which is on its way."""
        while race not in self.reveals:
            await self._changed.wait()
        return self.reveals[race]

    async def judge(self, race: str) -> Sequence[Finding]:
        """Whether a closed race is the one that the player saw; empty before, and for others."""
        kept, room = self.client.kept.get(race), self.client.rooms.get(race)
        if kept is None or not kept.begun_at or room is None or room.phase != "closed":
            return ()
        # While nothing holds, the deal was not told; it may still be.
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

    async def tidy(self) -> None:
        """Follow no more races than need be: those that have ended go first, then the oldest."""
        rooms = self.client.rooms.values()
        # To leave a room before its start would be to give the seat up.
        begun = [room for room in rooms if room.phase not in ("open", "countdown")]
        begun.sort(key=lambda room: room.phase not in _AT_REST)
        for room in begun[: max(0, len(rooms) - MOST_RACES)]:
            await self.client.leave(room.race)

    async def move(self, race: str, text: str) -> Diff:
        """Play. Raises RefusedError."""
        diff = await self.client.move(race, text)
        self.last[race] = diff.steps
        return diff

    def take(self, event: Event) -> str:
        """Fold in what has happened: the race that it is news of, or nothing."""
        match event:
            case Diff():
                self.last[event.race] = event.steps
            case Snapshot():
                self.last.pop(event.race, None)
            case Reveal():
                self.reveals[event.race] = event
            case Room() | Standings():
                pass
            case _:
                return ""
        self._changed.set()
        self._changed = asyncio.Event()
        return event.race


class Players:
    """Everybody who is connected."""

    def __init__(
        self, server: str, key: str, kept: Memory, news: News, *, idle_s: float = IDLE_S
    ) -> None:
        self._server = server
        self._key = key
        self._memory = kept
        self._news = news
        self._idle_s = idle_s
        self._evidence = Evidence(kept)
        self._players: dict[int, Player] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._opening: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._players)

    @asynccontextmanager
    async def at(self, visitor: Visitor) -> AsyncIterator[Player]:
        """The user's connection, opened if it is not. Raises RefusedError and ClientClosed."""
        async with self._opening.setdefault(visitor.user, asyncio.Lock()):
            player = self._players.get(visitor.user)
            if self._remember(visitor) and player is not None and not player.busy:
                await self._close(visitor.user)
                player = None
            player = player or await self._open(visitor)
        player.uses += 1
        try:
            await player.tidy()
            yield player
        finally:
            player.uses -= 1
            player.used_at = asyncio.get_running_loop().time()

    def known(self, user: int) -> Player | None:
        """The user's connection if there is one."""
        return self._players.get(user)

    async def sweep(self) -> None:
        """Close every connection that was idle for long. Runs until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._idle_s / 10)
            for user, player in list(self._players.items()):
                if not player.busy and loop.time() - player.used_at > self._idle_s:
                    await self._close(user)

    async def close(self) -> None:
        """Close all of them."""
        for user in list(self._tasks):
            await self._close(user)

    def _remember(self, visitor: Visitor) -> bool:
        """Keep where the user plays; True if it is new, and a connection's token lacks it."""
        kept = self._memory.get("player", visitor.user, store.Player) or store.Player()
        if not visitor.guild or visitor.guild in kept.guilds:
            return False
        guilds = (visitor.guild, *kept.guilds)[:MOST_GUILDS]
        self._memory.put("player", visitor.user, msgspec.structs.replace(kept, guilds=guilds))
        return True

    async def _open(self, visitor: Visitor) -> Player:
        if len(self._players) >= MOST_OPEN:
            everybody = self._players.values()
            idle = [player for player in everybody if not player.busy]
            # Better that a board has to be asked for than that somebody can't play at all.
            idle = idle or [player for player in everybody if not player.uses]
            if idle:
                await self._close(min(idle, key=lambda player: player.used_at).user)
        opened: asyncio.Future[Player] = asyncio.get_running_loop().create_future()
        self._tasks[visitor.user] = asyncio.create_task(self._live(visitor, opened))
        # Who no longer waits does not stop it: it is there when they ask again.
        return await asyncio.shield(opened)

    async def _live(self, visitor: Visitor, opened: asyncio.Future[Player]) -> None:
        """One connection from its beginning to its end."""
        kept = self._memory.get("player", visitor.user, store.Player) or store.Player()
        who = player_of(visitor.user)
        speaks = token(self._key, who, visitor.name, kept.guilds, time.time())
        client = Client(
            self._server,
            token=speaks,
            client=CLIENT,
            backoff=Backoff(longest=COME_BACK_S),
            tries=2,
            patience=PATIENCE_S,
            kept=self._evidence.of(visitor.user),
        )
        try:
            async with client:
                player = self._players[visitor.user] = Player(visitor.user, client)
                opened.set_result(player)
                async for event in client.events():
                    if race := player.take(event):
                        self._evidence.note(visitor.user, client.kept.get(race))
                        self._news(player, race)
        except ClientError as error:
            if not opened.done():
                opened.set_exception(error)
            else:
                _log.warning("the connection of %s has ended: %s", visitor.user, error)
        finally:
            self._evidence.flush(visitor.user, client.kept)
            # Unless it was closed from here: by now there may be another one.
            if self._tasks.get(visitor.user) is asyncio.current_task():
                self._players.pop(visitor.user, None)
                del self._tasks[visitor.user]
            if not opened.done():
                opened.cancel()

    async def _close(self, user: int) -> None:
        # Out of sight first: to say goodbye takes time, and who comes meanwhile is connected anew.
        self._players.pop(user, None)
        if task := self._tasks.pop(user, None):
            task.cancel()
            await asyncio.wait([task])
