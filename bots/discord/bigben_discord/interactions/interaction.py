"""Who caused an interaction, in which language and in which channel."""

from typing import TypeAlias

import discord

from bigben_chat.connections.identity import ChatUser
from bigben_chat.texts import Say, say_in

Interaction: TypeAlias = discord.Interaction[discord.Client]


def user_of(interaction: Interaction) -> ChatUser:
    """Who did this, and in which guild."""
    user = interaction.user
    manages = interaction.permissions.manage_guild
    return ChatUser(user.id, user.display_name, interaction.guild_id or 0, manages)


def say_to(interaction: Interaction) -> Say:
    """The language of the user."""
    return say_in(str(interaction.locale))


def channel_of(interaction: Interaction) -> int:
    """The channel in which a command or a button was used."""
    assert interaction.channel_id is not None, "commands and buttons are used in channels"
    return interaction.channel_id
