"""The result of a game to share, as a text and as a picture: it shows the progress, and no card."""

from urllib.parse import urlsplit

from bigben_chat.boards import current_race
from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player, Result
from bigben_chat.messages.content import Attachment, Button, Content, id_of
from bigben_chat.platform import Answer, Sorry
from bigben_chat.tree import Block, Name, Strong, lines


async def text(bot: Chat, answer: Answer, typed: str) -> None:
    """Answer with the text, to copy, and with a button that posts it here."""
    async with bot.players.connected(answer.user) as player:
        race = await current_race.named(bot.store, answer, player, typed)
        result = (await _result(answer, player, race)).text(answer.say.language)
    button = Button(answer.say.label("button.post"), id_of("share", race), "success")
    await answer.show(Content(lines(answer.say("share.copy"), Block(result)), [[button]]))


async def post(bot: Chat, answer: Answer, race: str) -> None:
    """Answer with a message for all: whose result it is, the text, and the card as a picture."""
    async with bot.players.connected(answer.user) as player:
        result = await _result(answer, player, race)
    language = answer.say.language
    said = result.text(language)
    plain = Content(lines(Strong((Name(answer.user.name),)), said))
    card = result.card(language, urlsplit(bot.browser_page).netloc)
    async with answer.unhurried():
        picture = Attachment("result.png", await bot.drawing.drawn(card.png), said)
    await answer.show(Content(plain.text, attachment=picture, plain=plain))


async def _result(answer: Answer, player: Player, race: str) -> Result:
    try:
        return await player.result(race)
    except ValueError:
        raise Sorry(answer.say("wrong.not_over")) from None
