"""The bot: puts its parts together and gives discord.py what it asks for."""

import asyncio
import logging
import threading
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bigben_chat.connections.player_pool import IDLE_S, Player, Players
from bigben_chat.connections.race_feed import Follower
from bigben_chat.picture import drawing
from bigben_chat.store import Memory
from bigben_chat.texts import Say, say_in
from bigben_discord.actions.buttons import press
from bigben_discord.boards.open_boards import Boards
from bigben_discord.commands import GROUP
from bigben_discord.commands.sync import sync_if_changed
from bigben_discord.commands.translator import Translator
from bigben_discord.config import Settings
from bigben_discord.controls import is_ours
from bigben_discord.interactions.answers import SERVER_PATIENCE_S, Link, answering
from bigben_discord.interactions.editable_message import Interaction
from bigben_discord.posts.daily_post import DailyPosts
from bigben_discord.posts.race_posts import Posts
from bigben_protocol import PlayerId

_log = logging.getLogger(__name__)

PATIENCE_S: Final = 1.5
"""After this long an interaction is acknowledged with a promise; Discord waits for 3 seconds."""
TICK_S: Final = 1.0
"""Between two edits of messages in one channel."""
LOGIN_AGAIN_S: Final = 10.0
LAST_WORDS_S: Final = 3.0
"""For answers that are under way when the bot is told to stop."""


class Tree(app_commands.CommandTree["BigBen"]):
    """The commands, and what is said when one can't even begin."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Commands answer for themselves; this is for what comes before them."""
        _log.error("a command failed", exc_info=error)
        async with answering(interaction) as answer:
            await answer.tell(answer.say("wrong.old_command"))


class BigBen(discord.Client):
    """Big Ben on Discord."""

    def __init__(
        self,
        settings: Settings,
        memory: Memory,
        tasks: asyncio.TaskGroup,
        *,
        patience: float = PATIENCE_S,
        server_patience: float = SERVER_PATIENCE_S,
        tick: float = TICK_S,
        idle: float = IDLE_S,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """``tasks`` is where everything runs that goes on by itself; its end ends the bot."""
        super().__init__(
            # Guilds: which channels there are, and what the bot may do there. Not privileged.
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self.settings = settings
        self.memory = memory
        self.patience = patience
        self.server_patience = server_patience
        self.answers_under_way: set[asyncio.Task[Any]] = set()
        self.link = Link()
        self._tasks = tasks
        self.follower = Follower(settings.server, settings.key, self._race_changed, self._race_gone)
        self.players = Players(
            settings.server, settings.key, memory, self._player_changed, idle_s=idle
        )
        self.posts = Posts(self, memory, self.follower, tick=tick)
        self.boards = Boards(memory, tick=tick)
        self.daily_posts = DailyPosts(self, now)
        self.tree = Tree(
            self,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
        )
        self.tree.add_command(GROUP)

    async def live(self) -> None:
        """Be on Discord until closed. Raises discord.LoginFailure for a wrong token.

        To cancel it is not enough: asyncio.wait_for, in which discord.py connects, may lose that.
        """
        while not self.is_closed():
            try:
                await self.start(self.settings.token)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                if self.is_closed():
                    return
                # Once connected, discord.py comes back by itself; this is for the first time.
                # A wrong token is none of these.
                _log.warning("Discord can't be reached: %s", error)
                await self.http.close()
                self.http.connector = discord.utils.MISSING  # closed with its session
                await asyncio.sleep(LOGIN_AGAIN_S)

    async def setup_hook(self) -> None:
        """Called by discord.py once it knows who the bot is, before anything else happens."""
        assert self.application_id is not None, "login has asked for it"
        await self.tree.set_translator(Translator())
        try:
            await sync_if_changed(self.tree, self.application_id, self.memory)
        except discord.HTTPException:
            _log.exception("the commands could not be synced")
        self.posts.load()
        self._tasks.create_task(self.follower.run(self.application_id))
        self._tasks.create_task(self.players.sweep())
        self._tasks.create_task(self.boards.restore(self.players, self))
        self._tasks.create_task(self.daily_posts.run())
        # A daemon: who stops the bot does not wait for it.
        threading.Thread(target=drawing.warm, daemon=True).start()

    async def on_interaction(self, interaction: Interaction) -> None:
        """Called by discord.py for everything users do; commands go to the tree by themselves."""
        custom_id = interaction.custom_id
        is_control = interaction.type is discord.InteractionType.component
        if is_control and custom_id is not None and is_ours(custom_id):
            await press(interaction)

    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Called by discord.py when a channel's permissions have changed, among other things."""
        self.daily_posts.permissions_changed(after.guild.id)

    async def on_guild_role_update(self, _: discord.Role, after: discord.Role) -> None:
        """The same of a role."""
        self.daily_posts.permissions_changed(after.guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """The bot hears of a guild again, of which it may have missed something."""
        self.daily_posts.permissions_changed(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot has been added to a guild, maybe once more."""
        self.daily_posts.permissions_changed(guild.id)

    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """Without a privileged intent, called for the bot itself: it may have other roles."""
        self.daily_posts.permissions_changed(after.guild.id)

    async def close(self) -> None:
        """Leave Discord and the race server; every race goes on without us."""
        if self.answers_under_way:
            await asyncio.wait(self.answers_under_way, timeout=LAST_WORDS_S)
        await self.posts.close()
        await self.boards.close()
        await self.players.close()
        await super().close()

    def say(self, interaction: discord.Interaction[Any]) -> Say:
        """The language of this user."""
        return say_in(str(interaction.locale))

    def _race_changed(self, race: str, players: Collection[PlayerId] | None) -> None:
        self.posts.changed(race, players)

    def _race_gone(self, race: str) -> None:
        self.posts.gone(race)

    def _player_changed(self, player: Player, race: str) -> None:
        if room := player.client.rooms.get(race):
            self.posts.note(room, {player.id})
        self.boards.changed(player, race)
