"""``/bigben forget-me``: deletes what the bot stores of a user, after it has said what that is."""

import msgspec

from bigben_chat.messages.content import Button, Content, id_of
from bigben_discord.client import BotClient
from bigben_discord.interactions.answer import Answer
from bigben_discord.records import Guild


async def ask(bot: BotClient, answer: Answer) -> None:
    """Say what will be forgotten and what stays, and ask whether to go on."""
    say = answer.say
    player = bot.issuer.player(answer.interaction.user.id)
    buttons = [
        Button(say.label("button.forget"), id_of("forget", "yes"), "danger"),
        Button(say.label("button.keep"), id_of("forget", "no"), "primary"),
    ]
    await answer.show(Content(say("forget.ask", player=player), [buttons]))


async def forget(bot: BotClient, answer: Answer, *, sure: bool) -> None:
    """Forget the user, or say that nothing was forgotten."""
    if not sure:
        await answer.show(Content(answer.say("forget.kept")))
        return
    user = answer.interaction.user.id
    await bot.players.forget(user)
    bot.boards.forget(user)
    bot.posts.forget(bot.issuer.player(user))
    for key, guild in list(bot.store.all("guild", Guild)):
        if guild.by == user:
            bot.store.put("guild", key, msgspec.structs.replace(guild, by=0))
    await answer.show(Content(answer.say("forget.done")))
