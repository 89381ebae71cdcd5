"""The guided practice game, step by step. Only its player sees it."""

import asyncio
from typing import Final

from bigben_chat.actions.races import note_joined
from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player
from bigben_chat.messages.lesson import LessonPage, move_of, moves_before
from bigben_chat.platform import Answer
from bigben_protocol.lesson import LESSON

END: Final = len(LESSON.steps) + 1


async def begin(bot: Chat, answer: Answer) -> None:
    """Deal the lesson's game, and answer with its first step."""
    async with bot.players.connected(answer.user) as player:
        room = await player.client.create(
            game=LESSON.game, rules=LESSON.rules, limit_ms=0, practice=True, seed=LESSON.seed
        )
        await player.client.ready(room.race)
        await player.dealt(room.race)
        note_joined(bot, answer, room)
        await _show(bot, answer, player, room.race, 1)


async def step(bot: Chat, answer: Answer, race: str, number: int) -> None:
    """Do what a step asks for, and show the next one. Pressed twice, it is done once."""
    async with (
        bot.players.connected(answer.user) as player,
        answer.alone(player.lock),
    ):
        view = await player.view(race)
        if view is None or view.state != "playing" or view.n < moves_before(number):
            # It was played on with other buttons, or it is another's: begin again.
            await answer.tell(answer.say("learn.again"))
            return
        if move_of(number) and view.n == moves_before(number):
            await player.move(race, move_of(number), after=view.n)
        await _show(bot, answer, player, race, min(number + 1, END))


async def _show(bot: Chat, answer: Answer, player: Player, race: str, number: int) -> None:
    view, last = player.client.views[race], player.last.get(race, ())
    look = bot.boards.look(player.user)
    page = LessonPage(player.game(race), view, last, number, look, answer.say)
    async with answer.unhurried():
        content = await asyncio.to_thread(page.message)
    await answer.show(content)
