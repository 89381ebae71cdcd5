"""Calling one of five things to all who play or watch in a room."""

from bigben_chat.boards import current_race
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer, Sorry
from bigben_chat.tree import text
from bigben_protocol import Cheered
from bigben_protocol.cheer_lines import cheer_lines


async def cheer(bot: Chat, answer: Answer, called: str, race: str) -> None:
    """Call it; the others see it on their boards, and the player is told so."""
    async with bot.players.connected(answer.user) as player:
        if not player.client.cheers:
            raise Sorry(answer.say("wrong.no_cheers"))
        await player.client.cheer(await current_race.named(bot.store, answer, player, race), called)
        (line,) = cheer_lines([Cheered(called, player.id)], {}, player.id, answer.say.language)
        await answer.tell(text("💬 ", line))
