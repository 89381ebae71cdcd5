"""The bot on Discord: its commands, and what it does when discord.py calls it."""

import asyncio
import logging
from datetime import timedelta
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bigben_chat.chat import Pace
from bigben_chat.messages.content import is_ours
from bigben_chat.store import Store
from bigben_discord.actions.press import press
from bigben_discord.client import BotClient
from bigben_discord.commands import GROUP
from bigben_discord.commands.sync import ENTRY_POINT, sync_if_changed
from bigben_discord.commands.translator import Translator
from bigben_discord.config import Settings
from bigben_discord.interactions.answers import PATIENCE_S
from bigben_discord.login.service import LoginService
from bigben_discord.posts.welcome import welcome

_log = logging.getLogger(__name__)

LOGIN_AGAIN_S: Final = 10.0
JUST_NOW: Final = timedelta(days=1)
"""A guild that has added the bot since then may not have been welcomed."""


class Tree(app_commands.CommandTree["BigBen"]):
    """The commands, and the answer when one can't even begin."""

    async def interaction_check(self, interaction: discord.Interaction["BigBen"], /) -> bool:
        """The Entry Point opens the page at its start; discord.py knows no such command."""
        data: Any = interaction.data  # Any: as Discord sent it
        if data.get("type") != ENTRY_POINT:
            return True
        async with interaction.client.answers.to(interaction) as answer:
            await answer.open_frame()
        return False

    async def on_error(
        self, interaction: discord.Interaction["BigBen"], error: app_commands.AppCommandError, /
    ) -> None:
        """Commands answer for themselves; this is for what fails before them."""
        _log.error("a command failed", exc_info=error)
        async with interaction.client.answers.to(interaction) as answer:
            await answer.tell(answer.say("wrong.old_command"))


class BigBen(BotClient):
    """Big Ben on Discord."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        tasks: asyncio.TaskGroup,
        pace: Pace | None = None,
        *,
        patience: float = PATIENCE_S,
    ) -> None:
        """``tasks`` runs everything in the background; when it ends, the bot ends."""
        pace = pace or Pace()
        super().__init__(settings, store, pace, patience)
        self._tasks = tasks
        self.logins = LoginService(settings, self.chat, pace.now)
        self.tree = Tree(
            self,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
        )
        self.tree.add_command(GROUP)

    async def run_until_closed(self) -> None:
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
        assert self.application is not None, "login sets it"
        await self.tree.set_translator(Translator())
        try:
            await sync_if_changed(self.tree, self.application, self.chat.store)
        except discord.HTTPException:
            _log.exception("the commands could not be synced")
        await self.logins.start(self.application.id)
        self._tasks.create_task(self.chat.run(self.application.id))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Called by discord.py for everything users do; commands go to the tree by themselves."""
        custom_id = interaction.custom_id
        is_control = interaction.type is discord.InteractionType.component
        if is_control and custom_id is not None and is_ours(custom_id):
            await press(self, interaction)

    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Called by discord.py when a channel's permissions have changed, among other things."""
        self.chat.permissions_changed(after.guild.id)

    async def on_guild_role_update(self, _: discord.Role, after: discord.Role) -> None:
        """The same of a role."""
        self.chat.permissions_changed(after.guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A guild is available again; the bot may have missed changes, or that it was added."""
        self.chat.permissions_changed(guild.id)
        joined = guild.me.joined_at
        if joined is not None and discord.utils.utcnow() - joined < JUST_NOW:
            await welcome(self.chat.store, guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a guild, maybe once more."""
        self.chat.permissions_changed(guild.id)
        await welcome(self.chat.store, guild)

    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """Without a privileged intent, called for the bot itself: its roles may have changed."""
        self.chat.permissions_changed(after.guild.id)

    async def close(self) -> None:
        """Leave Discord and the race server. All races continue."""
        await self.logins.close()
        await self.answers.finish()
        await self.chat.close()
        await super().close()
