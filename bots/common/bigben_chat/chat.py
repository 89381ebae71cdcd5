"""The parts of a bot, put together: what users do on any platform needs nothing else."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final

from msgspec.structs import replace

from bigben_chat import metrics
from bigben_chat.boards.open_boards import Boards
from bigben_chat.connections.announcements import Announcements
from bigben_chat.connections.player import Player
from bigben_chat.connections.player_pool import IDLE_S, PlayerPool
from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.drawing_queue import DrawingQueue
from bigben_chat.games import KnownGames
from bigben_chat.picture import drawing
from bigben_chat.platform import EditRate, Platform
from bigben_chat.posts.daily_post import DailyPosts
from bigben_chat.posts.poster import Poster
from bigben_chat.posts.race_posts import RacePosts
from bigben_chat.posts.season_posts import SeasonPosts
from bigben_chat.records import GroupRecord, SeasonRecord
from bigben_chat.settings import BotSettings
from bigben_chat.store import ChatId, Store

SERVER_PATIENCE_S: Final = 10.0
"""How long the race server may take before a player gets a message that it is away."""
TICK_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient a bot is, in seconds, and its clock."""

    server_patience: float = SERVER_PATIENCE_S
    """How long the race server may take for an answer."""
    tick: float = TICK_S
    """Between two edits of messages in one place."""
    idle: float = IDLE_S
    """After this long a player's connection is closed."""
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


class Chat:
    """A bot on a platform."""

    def __init__(
        self,
        settings: BotSettings,
        store: Store,
        platform: Platform,
        rate: EditRate,
        pace: Pace,
    ) -> None:
        server, issuer = settings.server, settings.issuer
        self.platform = platform
        self.issuer = issuer
        self.store = store
        self.page = settings.page
        self.browser_page = settings.page if settings.browsers else ""
        self.announcements = Announcements()
        self.games = KnownGames()
        self.feed = RaceFeed(
            server,
            issuer,
            self.games,
            lambda race, players: self.posts.changed(race, players),
            lambda race: self.posts.gone(race),
        )
        self.players = PlayerPool(
            server,
            issuer,
            store,
            self.games,
            self.announcements,
            self._player_changed,
            idle_s=pace.idle,
        )
        self.drawing = DrawingQueue()
        self.posts = RacePosts(
            platform, rate, store, self.feed, self.drawing, page=self.browser_page
        )
        self.boards = Boards(platform, store, self.drawing, tick=pace.tick)
        poster = partial(
            Poster, platform, store, server_patience=pace.server_patience, now=pace.now
        )
        self.daily_posts = DailyPosts(poster, store, issuer, self.feed, self.posts)
        self.season_posts = SeasonPosts(poster, platform, store, issuer, self.feed, self.posts)
        self._posters = (self.daily_posts.poster, self.season_posts.poster)
        metrics.PLAYERS.set_function(lambda: len(self.players))
        metrics.BOARDS.set_function(lambda: len(self.boards))
        metrics.CONNECTED.labels("platform").set_function(lambda: self.platform.connected)
        metrics.CONNECTED.labels("server").set_function(lambda: self.feed.connected)

    async def run(self, bot: ChatId) -> None:
        """Do until cancelled what nobody asks for. ``bot``: its own id on the platform.

        Messages that waited for a race when the bot was stopped become boards. Raises what ends
        the bot, in a group.
        """
        self.posts.load()
        # A daemon: stopping the bot does not wait for it.
        threading.Thread(target=drawing.warm, daemon=True).start()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.feed.run(bot))
            tasks.create_task(self.players.close_idle())
            tasks.create_task(self.boards.restore(self.players))
            for poster in self._posters:
                tasks.create_task(poster.run())

    async def moved(self, place: ChatId, into: ChatId) -> None:
        """Go on in the place that has replaced this one, of the same group."""
        for kind, type in (("guild", GroupRecord), ("season", SeasonRecord)):
            for key, record in self.store.all(kind, type):
                if record.channel == place:
                    self.store.put(kind, key, replace(record, channel=into))
        await self.posts.moved(place, into)
        for poster in self._posters:
            poster.wake()

    def permissions_changed(self, group: ChatId) -> None:
        """The bot may now be allowed to post in this group."""
        for poster in self._posters:
            poster.permissions_changed(group)

    async def close(self) -> None:
        """Leave the race server, and edit nothing any more. All races continue."""
        await self.posts.close()
        await self.boards.close()
        await self.players.close()

    def _player_changed(self, player: Player, race: str) -> None:
        if room := player.client.rooms.get(race):
            self.posts.note(room, {player.id})
        self.boards.changed(player, race)
