"""``/bigben settings``, for people who manage the guild."""

from typing import Any

import discord
import msgspec
from discord import app_commands
from discord.app_commands import AppCommandChannel, Choice

from bigben_chat.actions import settings as group_settings
from bigben_chat.platform import Sorry
from bigben_discord.actions import reminders
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands import completions
from bigben_discord.commands.table import GROUP
from bigben_discord.commands.translator import text
from bigben_protocol.texts import languages


class PostChannel(app_commands.Transformer):
    """A channel for texts, by what Discord says of it: the bot need not know the guild."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """What Discord lets the user choose."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """And which of them."""
        return [discord.ChannelType.text, discord.ChannelType.news]

    async def transform(
        self, interaction: discord.Interaction[Any], value: Any, /
    ) -> AppCommandChannel:
        """As it came (Any: discord.py's own signature)."""
        assert isinstance(value, AppCommandChannel), "Discord sends what its type says"
        return value


_CHOICES = [
    *(Choice(name=name, value=code) for code, name in languages().items()),
    Choice(name=text("settings.by_guild"), value=group_settings.BY_GROUP),
]


@GROUP.command(name="settings", description=text("command.settings"))
@app_commands.rename(time_="time")
@app_commands.describe(
    channel=text("option.channel"),
    post=text("option.post"),
    time_=text("option.time"),
    timezone=text("option.timezone"),
    game=text("option.game"),
    rules=text("option.rules"),
    language=text("option.language"),
    reminder=text("option.reminder"),
    role=text("option.role"),
)
@app_commands.autocomplete(
    game=completions.games, rules=completions.rules, timezone=completions.zones
)
@app_commands.choices(language=_CHOICES)
async def settings(
    interaction: BotInteraction,
    channel: app_commands.Transform[AppCommandChannel, PostChannel] | None = None,
    post: bool | None = None,
    time_: app_commands.Range[str, 4, 5] | None = None,
    timezone: app_commands.Range[str, 1, 50] | None = None,
    game: app_commands.Range[str, 0, 64] = "",
    rules: app_commands.Range[str, 0, 64] = "",
    language: str | None = None,
    reminder: bool | None = None,
    role: discord.Role | None = None,
) -> None:
    """Change the settings that were given, and show all of them."""
    async with answering(interaction) as (bot, answer):
        after = await group_settings.wanted(
            bot, answer, game=game, rules=rules, time=time_, zone=timezone, language=language,
            place=channel.id if channel else None, post=post,
        )  # fmt: skip
        if channel is not None and not answer.posts_here:
            raise Sorry(answer.say("wrong.guest"))
        if role is not None:
            after = msgspec.structs.replace(after, role=reminders.check(interaction, answer, role))
        elif reminder is not None:
            made = (after.role or await reminders.make(interaction, answer)) if reminder else 0
            after = msgspec.structs.replace(after, role=made)
        may_write = _may_write(interaction, int(after.channel))
        await group_settings.store_and_show(bot, answer, after, may_write=may_write)


def _may_write(interaction: BotInteraction, channel: int) -> bool:
    """Whether the bot may post there; True where it can't know."""
    guild = interaction.guild
    found = guild.get_channel(channel) if guild else None
    if guild is None or found is None:
        return True
    may = found.permissions_for(guild.me)
    return may.view_channel and may.send_messages
