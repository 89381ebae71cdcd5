"""Joining races and leaving them: today's, a room, a rematch."""

from bigben_chat.connections.player import Player
from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.formatting import day_of, todays
from bigben_client import RefusedError
from bigben_discord.boards import current_race
from bigben_discord.client import BotClient
from bigben_discord.interactions.answer import Answer, Sorry
from bigben_discord.interactions.interaction import user_of
from bigben_protocol import Room, State


async def daily(bot: BotClient, answer: Answer, race: str) -> None:
    """Start or continue a daily: ``daily``, ``daily.book``, or one by its whole id."""
    async with bot.players.connected(user_of(answer.interaction)) as player:
        room = await _joined(answer, player, race)
        if room is None or (room.phase == "closed" and await player.view(room.race) is None):
            await answer.show(_todays(answer, race))
            return
        _note_joined(bot, answer, room)
        if await player.view(room.race) is None:
            await answer.show(bot.boards.intro(player, room.race, answer.say))
            return
        await bot.boards.show(answer, player, room.race)
        await bot.posts.show_player(answer, room, player.id)


async def begin(bot: BotClient, answer: Answer, race: str) -> None:
    """Show the cards of a daily: the player's clock starts."""
    async with bot.players.connected(user_of(answer.interaction)) as player:
        if await _joined(answer, player, race) is None:
            await answer.show(_todays(answer, race))
            return
        room = await player.client.ready(race)
        await player.dealt(race)
        _note_joined(bot, answer, room)
        await bot.boards.show(answer, player, race)
        await bot.posts.show_player(answer, room, player.id)


async def _joined(answer: Answer, player: Player, race: str) -> Room | None:
    """A daily, with a seat in it; None if its day is over."""
    try:
        return await player.client.join(race)
    except RefusedError:
        day = day_of(race)
        if day is None or day >= answer.interaction.created_at.date():
            raise
        return None


def _todays(answer: Answer, race: str) -> Content:
    """The answer for a daily that is over: a button for today's."""
    play = Button(answer.say("button.todays"), id_of("play", todays(race)), "success")
    return Content(answer.say("wrong.closed"), [[play]])


async def open_room(
    bot: BotClient, answer: Answer, *, rules: str, minutes: int, undo: bool, invite_only: bool
) -> None:
    """A new room, whose public message is the answer."""
    async with bot.players.connected(user_of(answer.interaction)) as player:
        room = await player.client.create(
            rules=rules, limit_ms=minutes * 60_000, undo=undo, invite_only=invite_only
        )
        if invite_only:
            # The server tells the invitation to players who have a seat.
            room = await player.client.join(room.race)
        _note_joined(bot, answer, room)
        await bot.posts.answer(answer, room)


async def join(bot: BotClient, answer: Answer, race: str) -> None:
    """Take a seat."""
    async with bot.players.connected(user_of(answer.interaction)) as player:
        room = await player.client.join(race)
        _note_joined(bot, answer, room)
        await bot.posts.refresh(answer, room)


async def ready(bot: BotClient, answer: Answer, race: str) -> None:
    """Be ready, or no longer."""
    async with bot.players.connected(user_of(answer.interaction)) as player:
        state = _seated(answer, player, await player.room(race))
        if state == "ready":
            await bot.posts.refresh(answer, await player.client.unready(race))
            return
        room = await player.client.ready(race)
        _note_joined(bot, answer, room)
        await bot.posts.refresh(answer, room)
        await bot.boards.wait(answer, player, race, extra=True)


async def start(bot: BotClient, answer: Answer, race: str) -> None:
    """As the host: start with the players who are ready, the host included."""
    async with bot.players.connected(user_of(answer.interaction)) as player:
        room = await player.room(race)
        state = _seated(answer, player, room)
        was_ready = state == "ready"
        if room.host == player.id and not was_ready:
            room = await player.client.ready(race)
        if room.phase == "open":
            room = await player.client.start(race)
        await bot.posts.refresh(answer, room)
        if not was_ready:
            await bot.boards.wait(answer, player, race, extra=True)


async def leave(bot: BotClient, answer: Answer, race: str) -> None:
    """Give up the seat."""
    async with bot.players.connected(user_of(answer.interaction)) as player:
        _seated(answer, player, await player.room(race))
        await player.client.leave(race)
        await bot.posts.refresh(answer, await player.client.watch(race))


async def rematch(bot: BotClient, answer: Answer, race: str) -> None:
    """Open a rematch, in a public message of its own."""
    async with bot.players.connected(user_of(answer.interaction)) as player:
        await player.room(race)
        room = await player.client.rematch(race)
        room = await player.client.join(room.race)
        _note_joined(bot, answer, room)
        if not await bot.posts.answer(answer, room):
            await answer.tell(answer.say("room.joined", code=room.race))


def _seated(answer: Answer, player: Player, room: Room) -> State:
    """The state of the player's seat. Raises Sorry where they have none."""
    for seat in room.seats:
        if seat.player == player.id:
            return seat.state
    over = room.phase in ("closed", "cancelled")
    raise Sorry(answer.say("wrong.closed" if over else "wrong.not_joined"))


def _note_joined(bot: BotClient, answer: Answer, room: Room) -> None:
    """Note that this is the race that the user joined last."""
    current_race.joined(bot.store, answer.interaction.user.id, room.race)
    bot.posts.note(room)
