"""What is otherwise on Discord than in the table: its options are channels and roles."""

from dataclasses import replace
from typing import Final

import msgspec

from bigben_chat.actions import seasons
from bigben_chat.actions.settings import store_and_show
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer, Sorry
from bigben_chat.typed.command import Command, Given, Option
from bigben_chat.typed.people import settings_wanted
from bigben_chat.typed.reading import command_named
from bigben_discord.actions import reminders
from bigben_discord.interactions.answer import Answer as DiscordAnswer
from bigben_discord.interactions.interaction import Interaction


async def _settings(chat: Chat, answer: Answer, given: Given) -> None:
    """Change the settings that were given, and show all of them."""
    assert isinstance(answer, DiscordAnswer)
    interaction, channel = answer.interaction, given.number("channel")
    after = await settings_wanted(chat, answer, given, channel)
    if channel is not None and not answer.posts_here:
        raise Sorry(answer.say("wrong.guest"))
    if "role" in given.values:
        role = reminders.check(interaction, answer, interaction.namespace.role)
        after = msgspec.structs.replace(after, role=role)
    elif (reminder := given.yes("reminder")) is not None:
        made = (after.role or await reminders.make(interaction, answer)) if reminder else 0
        after = msgspec.structs.replace(after, role=made)
    may_write = _may_write(interaction, int(after.channel))
    await store_and_show(chat, answer, after, may_write=may_write)


def _may_write(interaction: Interaction, channel: int) -> bool:
    """Whether the bot may post there; True where it can't know."""
    guild = interaction.guild
    found = guild.get_channel(channel) if guild else None
    if guild is None or found is None:
        return True
    may = found.permissions_for(guild.me)
    return may.view_channel and may.send_messages


async def _post(chat: Chat, answer: Answer, given: Given) -> None:
    """Post a season's news there, or nowhere."""
    channel = given.number("channel")
    if channel is not None and not answer.posts_here:
        raise Sorry(answer.say("wrong.guest"))
    await seasons.post_in(chat, answer, given.text("season"), channel or 0)


def _with(name: str, *options: Option) -> Command:
    """The command of the table, with these options in place of its first, which is the channel."""
    command = command_named(name)
    channel, *more = options
    return replace(command, options=(channel, *command.options[1:], *more))


SETTINGS: Final = replace(
    _with("settings", Option("channel"), Option("reminder", "yes"), Option("role")), do=_settings
)
SEASON_POST: Final = replace(
    _with("season post", Option("channel", described="season_channel")), do=_post
)
