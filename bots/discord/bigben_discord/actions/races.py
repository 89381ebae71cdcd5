"""Entering races: today's, a room, a rematch. What a command or a button brings about here.

Plays no moves; that is in ``boards.py``.
"""

from bigben_chat.connections.identity import Visitor
from bigben_chat.connections.player_pool import Player
from bigben_client import RefusedError
from bigben_discord.boards import current_race
from bigben_discord.controls import Content, Tap, id_of
from bigben_discord.interactions.answers import Answer, Sorry
from bigben_discord.interactions.editable_message import Interaction
from bigben_discord.telling import day_of, todays
from bigben_protocol import Room, State


def visitor(interaction: Interaction) -> Visitor:
    """Who did this, and where."""
    user = interaction.user
    return Visitor(user.id, user.display_name, interaction.guild_id or 0)


async def daily(answer: Answer, race: str) -> None:
    """Start or go on with a daily: ``daily``, ``daily.book``, or one by its whole id."""
    bot = answer.interaction.client
    async with bot.players.at(visitor(answer.interaction)) as player:
        room = await _joined(answer, player, race)
        if room is None or (room.phase == "closed" and await player.view(room.race) is None):
            await answer.show(_todays(answer, race))
            return
        _remember(answer, room)
        if await player.view(room.race) is None:
            await answer.show(bot.boards.intro(player, room.race, answer.say))
            return
        await bot.boards.show(answer, player, room.race)
        await bot.posts.enter(answer, room, player.id)


async def begin(answer: Answer, race: str) -> None:
    """Show the cards of a daily; the clock runs from now on."""
    bot = answer.interaction.client
    async with bot.players.at(visitor(answer.interaction)) as player:
        if await _joined(answer, player, race) is None:
            await answer.show(_todays(answer, race))
            return
        room = await player.client.ready(race)
        await player.dealt(race)
        _remember(answer, room)
        await bot.boards.show(answer, player, race)
        await bot.posts.enter(answer, room, player.id)


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
    """What is said instead of a daily that is over: which one is not."""
    play = Tap(answer.say("button.todays"), id_of("play", todays(race)), "success")
    return Content(answer.say("wrong.closed"), [[play]])


async def open_room(
    answer: Answer, *, rules: str, minutes: int, undo: bool, invite_only: bool
) -> None:
    """A new room, whose public message is the answer."""
    bot = answer.interaction.client
    async with bot.players.at(visitor(answer.interaction)) as player:
        room = await player.client.create(
            rules=rules, limit_ms=minutes * 60_000, undo=undo, invite_only=invite_only
        )
        if invite_only:
            # Whoever sits there is told the invitation.
            room = await player.client.join(room.race)
        _remember(answer, room)
        await bot.posts.answer(answer, room)


async def join(answer: Answer, race: str) -> None:
    """Take a seat."""
    bot = answer.interaction.client
    async with bot.players.at(visitor(answer.interaction)) as player:
        room = await player.client.join(race)
        _remember(answer, room)
        await bot.posts.refresh(answer, room)


async def ready(answer: Answer, race: str) -> None:
    """Be ready, or no longer."""
    bot = answer.interaction.client
    async with bot.players.at(visitor(answer.interaction)) as player:
        state = _seated(answer, player, await player.room(race))
        if state == "ready":
            await bot.posts.refresh(answer, await player.client.unready(race))
            return
        room = await player.client.ready(race)
        _remember(answer, room)
        await bot.posts.refresh(answer, room)
        await bot.boards.wait(answer, player, race, extra=True)


async def start(answer: Answer, race: str) -> None:
    """As the host: start with those who are ready, the host among them."""
    bot = answer.interaction.client
    async with bot.players.at(visitor(answer.interaction)) as player:
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


async def leave(answer: Answer, race: str) -> None:
    """Give the seat up."""
    bot = answer.interaction.client
    async with bot.players.at(visitor(answer.interaction)) as player:
        _seated(answer, player, await player.room(race))
        await player.client.leave(race)
        await bot.posts.refresh(answer, await player.client.watch(race))


async def rematch(answer: Answer, race: str) -> None:
    """The room that follows, in a public message of its own."""
    bot = answer.interaction.client
    async with bot.players.at(visitor(answer.interaction)) as player:
        await player.room(race)
        room = await player.client.rematch(race)
        room = await player.client.join(room.race)
        _remember(answer, room)
        if not await bot.posts.answer(answer, room):
            await answer.tell(answer.say("room.joined", code=room.race))


def _seated(answer: Answer, player: Player, room: Room) -> State:
    """The state of the player's seat. Raises Sorry where they have none."""
    for seat in room.seats:
        if seat.player == player.id:
            return seat.state
    over = room.phase in ("closed", "cancelled")
    raise Sorry(answer.say("wrong.closed" if over else "wrong.not_joined"))


def _remember(answer: Answer, room: Room) -> None:
    """From now on this is the race that the user has entered last."""
    interaction = answer.interaction
    current_race.entered(interaction.client.memory, interaction.user.id, room.race)
    interaction.client.posts.note(room)
