"""The daily race: joining it, and seeing its cards. And what all actions on races share."""

from bigben_chat.boards import current_race, pending
from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player
from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.formatting import day_of, todays
from bigben_chat.platform import Answer, Sorry
from bigben_client import RefusedError
from bigben_protocol import Room, State


async def daily(bot: Chat, answer: Answer, race: str) -> None:
    """Start or continue a daily: ``daily``, ``daily.bigben.book``, or one by its whole id."""
    async with bot.players.connected(answer.user) as player:
        room = await _joined(answer, player, race)
        if room is None or (room.phase == "closed" and await player.view(room.race) is None):
            if room is not None and room.kind != "daily":
                raise Sorry(answer.say("wrong.closed"))
            await answer.show(_todays(answer, race))
            return
        note_joined(bot, answer, room)
        if await player.view(room.race) is None:
            await answer.show(pending.intro(bot.store, player, room.race, answer.say))
            return
        await bot.boards.show(answer, player, room.race)
        await bot.posts.show_player(answer, room, player.id)


async def begin(bot: Chat, answer: Answer, race: str) -> None:
    """Show the cards of a daily: the player's clock starts."""
    async with bot.players.connected(answer.user) as player:
        if await _joined(answer, player, race) is None:
            await answer.show(_todays(answer, race))
            return
        room = await player.client.ready(race)
        await player.dealt(race)
        note_joined(bot, answer, room)
        await bot.boards.show(answer, player, race)
        await bot.posts.show_player(answer, room, player.id)


async def _joined(answer: Answer, player: Player, race: str) -> Room | None:
    """A daily, with a seat in it; None if its day is over."""
    try:
        return await player.client.join(race)
    except RefusedError:
        day = day_of(race)
        if day is None or day >= answer.asked_at.date():
            raise
        return None


def _todays(answer: Answer, race: str) -> Content:
    """The answer for a daily that is over: a button for today's."""
    play = Button(answer.say.label("button.todays"), id_of("play", todays(race)), "success")
    return Content(answer.say("wrong.closed"), [[play]])


def seated(answer: Answer, player: Player, room: Room) -> State:
    """The state of the player's seat. Raises Sorry where they have none."""
    for seat in room.seats:
        if seat.player == player.id:
            return seat.state
    over = room.phase in ("closed", "cancelled")
    raise Sorry(answer.say("wrong.closed" if over else "wrong.not_joined"))


def note_joined(bot: Chat, answer: Answer, room: Room) -> None:
    """Note that this is the race that the user joined last."""
    current_race.joined(bot.store, answer.user.id, room.race)
    bot.posts.note(room)
