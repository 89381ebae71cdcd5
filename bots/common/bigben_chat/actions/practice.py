"""Practice: a game alone, with undo and hints, on no board. Only its player sees it."""

from bigben_chat.actions.races import note_joined
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer, Sorry
from bigben_chat.refusals import said
from bigben_chat.tree import text


async def practise(bot: Chat, answer: Answer, *, game: str, rules: str, day: str = "") -> None:
    """Deal a new game, or that of the daily of a past ``day``, and answer with its board."""
    daily = f"daily.{day}.{game}.{rules}" if day else ""
    async with bot.players.connected(answer.user) as player:
        room = await player.client.create(
            game=game, rules=rules, limit_ms=0, undo=True, practice=True, daily=daily
        )
        await player.client.ready(room.race)
        await player.dealt(room.race)
        note_joined(bot, answer, room)
        await bot.boards.show(answer, player, room.race)


async def hint(bot: Chat, answer: Answer, race: str) -> None:
    """Tell the player alone what is best on their board of this race, and why."""
    say = answer.say
    async with bot.players.connected(answer.user) as player:
        view = await player.view(race)
        if view is None:
            raise Sorry(say("wrong.no_cards"))
        best = await player.client.hint(race, view.n)
    why = said(best.said, best.why, say)
    await answer.tell(say("hint.best", move=best.move, why=why) if best.move else text("💡 ", why))
