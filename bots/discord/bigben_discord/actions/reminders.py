"""The reminder role: the daily post mentions it, and members take or drop it by a button."""

from typing import Final

import discord

from bigben_chat.platform import Sorry
from bigben_chat.records import group_record
from bigben_chat.tree import Role
from bigben_discord.client import BotClient
from bigben_discord.interactions.answer import Answer
from bigben_discord.interactions.interaction import Interaction

WORD: Final = "remind"
"""The verb of the button, in ids of controls."""
NAME: Final = "Big Ben"
"""Of a role that the bot makes."""


async def make(interaction: Interaction, answer: Answer) -> int:
    """A new role without permissions; its id. Raises Sorry if the bot may not make one."""
    guild = _guild(interaction, answer)
    if not guild.me.guild_permissions.mention_everyone:
        raise Sorry(answer.say("wrong.mention_roles"))
    try:
        # Not mentionable: otherwise every member could ring for all who have it.
        role = await guild.create_role(
            name=NAME, permissions=discord.Permissions.none(), mentionable=False
        )
    except discord.Forbidden:
        raise Sorry(answer.say("wrong.manage_roles")) from None
    return role.id


def check(interaction: Interaction, answer: Answer, role: discord.Role) -> int:
    """The id of a role that members may give themselves. Raises Sorry for any other role.

    The bot must be able to mention it, or nobody would be reminded.

    A role with permissions of its own would make a manager of everybody who presses the button.
    """
    guild = _guild(interaction, answer)
    more = role.permissions.value & ~guild.default_role.permissions.value
    if more or role.is_default() or role.managed or role >= guild.me.top_role:
        raise Sorry(answer.say("wrong.role", role=Role(role.id)))
    if not (role.mentionable or guild.me.guild_permissions.mention_everyone):
        raise Sorry(answer.say("wrong.mention_roles"))
    return role.id


async def toggle(bot: BotClient, answer: Answer) -> None:
    """Give the user the role, or take it. Raises Sorry where that is not possible."""
    interaction, say = answer.interaction, answer.say
    guild = group_record(bot.chat.store, answer.user.group)
    member = interaction.user
    if not guild.role or not isinstance(member, discord.Member):
        raise Sorry(say("wrong.no_role"))
    role = discord.Object(guild.role)
    has = any(one == guild.role for one in member._roles)  # pyright: ignore[reportPrivateUsage] # the guild may not know the role yet
    try:
        await (member.remove_roles(role) if has else member.add_roles(role))
    except discord.Forbidden:
        raise Sorry(say("wrong.manage_roles")) from None
    except discord.NotFound:
        raise Sorry(say("wrong.no_role")) from None
    await answer.tell(say("remind.dropped" if has else "remind.taken"))


def _guild(interaction: Interaction, answer: Answer) -> discord.Guild:
    """The guild where bot and user both may manage roles. Raises Sorry where one may not."""
    guild = interaction.guild
    if guild is None or not interaction.is_guild_integration():
        raise Sorry(answer.say("wrong.guest"))
    if not interaction.permissions.manage_roles:
        raise Sorry(answer.say("wrong.not_role_manager"))
    if not guild.me.guild_permissions.manage_roles:
        raise Sorry(answer.say("wrong.manage_roles"))
    return guild
