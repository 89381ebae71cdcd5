"""The player pool: one connection to the race server for each active player, closed when idle.

Every chat user has their own client, which uses tokens that the bot signs for them.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from bigben_chat.connections.announcements import Announcements
from bigben_chat.connections.identity import MOST_GROUPS, ChatUser, Issuer
from bigben_chat.connections.player import Player
from bigben_chat.evidence import Evidence
from bigben_chat.games import KnownGames
from bigben_chat.records import player_record
from bigben_chat.store import ChatId, Store
from bigben_client import Backoff, Client, ClientError
from bigben_protocol import Announcement, PlayerId

_log = logging.getLogger(__name__)

RECONNECT_S: Final = 5.0
"""The longest wait between two tries to reach the server again."""
PATIENCE_S: Final = 2.0
"""How long a player waits for a server that is away before they get a message."""
IDLE_S: Final = 900.0
"""How long an idle connection stays open: longer than a board can be edited without its player."""
AWAY_S: Final = 300.0
"""After so long without a press, a player of a running live race is taken to be away."""
MOST_OPEN: Final = 500
"""The most connections; a process may usually have a thousand files open. Beyond this the player
with the longest idle time is disconnected."""
OPENING: Final = 16
"""How many connections are being opened at once. For the server they count as the bot's address
until their players' tokens have arrived."""

Changed = Callable[[Player, str], None]
"""Called when something has happened in a race that the player follows."""


class PlayerPool:
    """The players who are connected."""

    def __init__(
        self,
        server: str,
        issuer: Issuer,
        store: Store,
        games: KnownGames,
        announcements: Announcements,
        changed: Changed,
        *,
        idle_s: float = IDLE_S,
    ) -> None:
        self._server = server
        self._issuer = issuer
        self._store = store
        self._games = games
        self._announcements = announcements
        self._changed = changed
        self._idle_s = idle_s
        self._evidence = Evidence(store)
        self._players: dict[ChatId, Player] = {}
        self._tasks: dict[ChatId, asyncio.Task[None]] = {}
        self._opening: WeakValueDictionary[ChatId, asyncio.Lock] = WeakValueDictionary()
        self._doors = asyncio.Semaphore(OPENING)

    def __len__(self) -> int:
        return len(self._players)

    @asynccontextmanager
    async def connected(self, user: ChatUser, race: str = "") -> AsyncIterator[Player]:
        """The user's connection; if there is none, one is opened for this race, or for their last.

        Raises RefusedError and ClientClosed.
        """
        async with self._opening.setdefault(user.id, asyncio.Lock()):
            player = self._players.get(user.id)
            if self._note_group(user) and player is not None and not player.busy:
                await self._close(user.id)
                player = None
            player = player or await self._open(user, race)
        self._note_player(user.id, player.id)
        player.uses += 1
        try:
            await player.tidy()
            yield player
        finally:
            player.uses -= 1
            player.used_at = asyncio.get_running_loop().time()

    def get(self, user: ChatId) -> Player | None:
        """The user's connection if there is one."""
        return self._players.get(user)

    def organising(self, user: ChatUser) -> Client:
        """A connection for one request, as an organiser of the group if the user manages it.

        It is not opened yet. What the platform said just now holds, whatever other connections of
        the user were opened with.
        """
        managed = (user.group,) if user.group and user.manages else ()
        token = self.token(user, organises=managed)
        return Client(
            self._server, token=token, client=self._issuer.client, tries=2, patience=PATIENCE_S
        )

    def token(self, user: ChatUser, *, organises: Iterable[ChatId] | None = None) -> str:
        """A token, valid for a day, for a front end of this user's own: it plays their seats."""
        groups = player_record(self._store, user.id).groups
        here = (user.group,) if user.group else ()
        return self._issuer.token(
            self._issuer.player(user.id),
            user.name,
            dict.fromkeys((*here, *groups)),
            time.time(),
            organises=organises,
        )

    async def forget(self, user: ChatId) -> None:
        """Close the user's connection, and delete what is stored of them. Their seats stay."""
        async with self._opening.setdefault(user, asyncio.Lock()):
            await self._close(user)
            self._evidence.forget(user)
            self._store.drop("player", user)

    async def close_idle(self) -> None:
        """Close each connection that is idle, or whose player is away. Runs until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._idle_s / 10)
            for user, player in list(self._players.items()):
                idle = loop.time() - player.used_at
                # The server shows whose connection is closed as away: nobody waits for them.
                away = player.held_up and idle > min(AWAY_S, self._idle_s)
                if away or (not player.busy and idle > self._idle_s):
                    await self._close(user)

    async def close(self) -> None:
        """Close all of them."""
        for user in list(self._tasks):
            await self._close(user)

    def _note_group(self, user: ChatUser) -> bool:
        """Note the group in which the user plays. Return True if the token lacks it."""
        record = player_record(self._store, user.id)
        if not user.group or user.group in record.groups:
            return False
        groups = (user.group, *record.groups)[:MOST_GROUPS]
        self._store.put("player", user.id, msgspec.structs.replace(record, groups=groups))
        return True

    def _note_player(self, user: ChatId, player: PlayerId) -> None:
        """Note who the user is to the server, which may have tied them to another player."""
        noted = "" if player == self._issuer.player(user) else player
        record = player_record(self._store, user)
        if record.player != noted:
            self._store.put("player", user, msgspec.structs.replace(record, player=noted))

    async def _open(self, user: ChatUser, race: str) -> Player:
        if len(self._players) >= MOST_OPEN:
            everybody = self._players.values()
            idle = [player for player in everybody if not player.busy]
            # It is better to lose an open board than to refuse a player.
            idle = idle or [player for player in everybody if not player.uses]
            if idle:
                await self._close(min(idle, key=lambda player: player.used_at).user)
        opened: asyncio.Future[Player] = asyncio.get_running_loop().create_future()
        self._tasks[user.id] = asyncio.create_task(self._run(user, race, opened))
        # A cancelled call does not stop it: the connection is ready for the next call.
        return await asyncio.shield(opened)

    async def _run(self, user: ChatUser, race: str, opened: asyncio.Future[Player]) -> None:
        """Run one connection from its start to its end."""
        record = player_record(self._store, user.id)
        client = Client(
            self._server,
            token=self.token(user),
            client=self._issuer.client,
            backoff=Backoff(longest=RECONNECT_S),
            tries=2,
            patience=PATIENCE_S,
            kept=self._evidence.of(user.id),
            announcements=True,
            keep=lambda kept: self._evidence.note(user.id, kept),
            cheers=True,
            race=race or record.race,
        )
        try:
            async with AsyncExitStack() as stack:
                async with self._doors:
                    await stack.enter_async_context(client)
                await self._games.fetch(client)
                player = self._players[user.id] = Player(user.id, client, self._games)
                opened.set_result(player)
                async for event in client.events():
                    if isinstance(event, Announcement):
                        self._announcements.receive(event)
                    elif race := player.receive(event):
                        self._evidence.note(user.id, client.kept.get(race))
                        self._changed(player, race)
        except ClientError as error:
            if not opened.done():
                opened.set_exception(error)
            else:
                _log.warning("the connection of %s has ended: %s", user.id, error)
        finally:
            self._evidence.flush(user.id, client.kept)
            # Unless it was closed from here: by now there may be another one.
            if self._tasks.get(user.id) is asyncio.current_task():
                self._players.pop(user.id, None)
                del self._tasks[user.id]
            if not opened.done():
                opened.cancel()

    async def _close(self, user: ChatId) -> None:
        # Removed first: closing takes time, and a call meanwhile gets a new connection.
        self._players.pop(user, None)
        if task := self._tasks.pop(user, None):
            task.cancel()
            await asyncio.wait([task])
