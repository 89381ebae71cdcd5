"""The result of a game as a text to share: it shows the progress, and no card."""

from bigben_chat.boards import current_race
from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player
from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.platform import Answer, Sorry
from bigben_chat.tree import Block, Name, Strong, lines


async def text(bot: Chat, answer: Answer, typed: str) -> None:
    """Answer with the text, to copy, and with a button that posts it here."""
    async with bot.players.connected(answer.user) as player:
        race = await current_race.named(bot.store, answer, player, typed)
        result = await _result(answer, player, race)
    button = Button(answer.say.label("button.post"), id_of("share", race), "success")
    await answer.show(Content(lines(answer.say("share.copy"), Block(result)), [[button]]))


async def post(bot: Chat, answer: Answer, race: str) -> None:
    """Answer with a message for all: whose result it is, and the text."""
    async with bot.players.connected(answer.user) as player:
        result = await _result(answer, player, race)
        name = Strong((Name(answer.user.name),))
    await answer.show(Content(lines(name, result)))


async def _result(answer: Answer, player: Player, race: str) -> str:
    try:
        return await player.result(race, answer.say.language)
    except ValueError:
        raise Sorry(answer.say("wrong.not_over")) from None
