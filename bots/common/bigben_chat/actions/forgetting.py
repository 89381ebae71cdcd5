"""Forgetting a user: deletes what the bot stores of a user, after it has said what that is."""

import msgspec

from bigben_chat.chat import Chat
from bigben_chat.connections.identity import player_of
from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.platform import Answer
from bigben_chat.records import GroupRecord, SeasonRecord


async def ask(bot: Chat, answer: Answer) -> None:
    """Say what will be forgotten and what stays, and ask whether to go on."""
    say = answer.say
    player = player_of(bot.store, bot.issuer, answer.user.id)
    buttons = [
        Button(say.label("button.forget"), id_of("forget", "yes"), "danger"),
        Button(say.label("button.keep"), id_of("forget", "no"), "primary"),
    ]
    await answer.show(Content(say("forget.ask", player=player), [buttons]))


async def forget(bot: Chat, answer: Answer, *, sure: bool) -> None:
    """Forget the user, or say that nothing was forgotten."""
    if not sure:
        await answer.show(Content(answer.say("forget.kept")))
        return
    user = answer.user.id
    bot.posts.forget(player_of(bot.store, bot.issuer, user))
    await bot.players.forget(user)
    bot.boards.forget(user)
    for key, record in list(bot.store.all("guild", GroupRecord)):
        if record.by == user:
            bot.store.put("guild", key, msgspec.structs.replace(record, by=0))
    for key, season in list(bot.store.all("season", SeasonRecord)):
        bot.store.drop("wish", f"{key}:{user}")
        if season.by == user:
            bot.store.put("season", key, msgspec.structs.replace(season, by=0))
    await answer.show(Content(answer.say("forget.done")))
