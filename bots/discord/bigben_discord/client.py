"""The bot's parts on one Discord client, for commands and buttons to use."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, TypeAlias

import discord

from bigben_chat.connections.announcements import Announcements
from bigben_chat.connections.identity import Issuer
from bigben_chat.connections.player import Player
from bigben_chat.connections.player_pool import IDLE_S, PlayerPool
from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.games import KnownGames
from bigben_chat.store import Store
from bigben_discord.boards.open_boards import Boards
from bigben_discord.config import Settings
from bigben_discord.interactions.answers import PATIENCE_S, SERVER_PATIENCE_S, Answers
from bigben_discord.posts.daily_post import DailyPosts
from bigben_discord.posts.race_posts import RacePosts
from bigben_protocol import PlayerId

TICK_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Timing:
    """How patient the bot is, in seconds, and its clock."""

    patience: float = PATIENCE_S
    """After this long an interaction is deferred."""
    server_patience: float = SERVER_PATIENCE_S
    """How long the race server may take for an answer."""
    tick: float = TICK_S
    """Between two edits of messages in one channel."""
    idle: float = IDLE_S
    """After this long a player's connection is closed."""
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


class BotClient(discord.Client):
    """A Discord client with the parts of the bot. It hears no events: `bot.BigBen` does."""

    def __init__(self, settings: Settings, store: Store, timing: Timing) -> None:
        super().__init__(
            # Guilds: which channels there are, and what the bot may do there. Not privileged.
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self.settings = settings
        self.store = store
        self.issuer = Issuer("discord", settings.key)
        announcements = Announcements()
        self.answers = Answers(
            announcements, patience=timing.patience, server_patience=timing.server_patience
        )
        self.games = KnownGames()
        self.feed = RaceFeed(
            settings.server, self.issuer, self.games, self._race_changed, self._race_gone
        )
        self.players = PlayerPool(
            settings.server,
            self.issuer,
            store,
            self.games,
            announcements,
            self._player_changed,
            idle_s=timing.idle,
        )
        page = settings.page if settings.browsers else ""
        self.posts = RacePosts(self, store, self.feed, tick=timing.tick, page=page)
        self.boards = Boards(store, tick=timing.tick)
        self.daily_posts = DailyPosts(
            self,
            store,
            self.issuer,
            self.feed,
            self.posts,
            server_patience=timing.server_patience,
            now=timing.now,
        )

    def _race_changed(self, race: str, players: Collection[PlayerId] | None) -> None:
        self.posts.changed(race, players)

    def _race_gone(self, race: str) -> None:
        self.posts.gone(race)

    def _player_changed(self, player: Player, race: str) -> None:
        if room := player.client.rooms.get(race):
            self.posts.note(room, {player.id})
        self.boards.changed(player, race)


BotInteraction: TypeAlias = discord.Interaction[BotClient]
