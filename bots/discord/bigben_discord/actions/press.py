"""What happens when a button or a menu is used.

discord.py's ``DynamicItem`` would do the same, but does not answer if a control is pressed just
when its message loses it, which happens to players who tap fast.
"""

from typing import Any

import discord

from bigben_chat.actions.buttons import VERBS, Pressed
from bigben_chat.messages.content import read_id
from bigben_discord.actions import reminders
from bigben_discord.client import BotClient


async def press(bot: BotClient, interaction: discord.Interaction[Any]) -> None:
    """Do what the button or menu does, and answer."""
    data: Any = interaction.data  # Any: as Discord sent it
    word, details = read_id(data["custom_id"])
    value = next(iter(data.get("values", ())), "")
    if word == reminders.WORD and not details:
        async with bot.answers.to(interaction) as answer:
            await reminders.toggle(bot, answer)
        return
    verb = VERBS.get(word)
    if verb is None or len(details) != verb.details:
        async with bot.answers.to(interaction) as answer:
            await answer.tell(answer.say("wrong.old_button"))
        return
    async with bot.answers.to(interaction, verb.kind) as answer:
        await verb.do(Pressed(bot.chat, answer, details, value))
