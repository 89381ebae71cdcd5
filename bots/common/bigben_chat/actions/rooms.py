"""Live rooms: opening one, taking a seat, getting ready, starting, leaving, the rematch."""

from typing import Final
from zlib import crc32

from msgspec.structs import replace

from bigben_chat.actions import races
from bigben_chat.actions.deadlines import deadline_at
from bigben_chat.actions.races import note_joined, seated
from bigben_chat.boards import current_race
from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player
from bigben_chat.messages import lobby
from bigben_chat.messages.content import Content
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import group_record
from bigben_protocol import Room, house_player

MINUTES: Final = 60
"""The usual time limit of a race."""


async def open_room(
    bot: Chat,
    answer: Answer,
    *,
    game: str,
    rules: str,
    minutes: int,
    undo: bool,
    invite_only: bool,
    deadline: str = "",
    winnable: bool = False,
    grade: str = "",
    house: str = "",
) -> None:
    """A new room, whose public message is the answer. ``deadline`` is one of DEADLINES.

    ``house`` is the strength of a house player who plays too.
    """
    if house and not bot.feed.house:
        raise Sorry(answer.say("wrong.no_house"))
    if house and deadline:
        raise Sorry(answer.say("wrong.house_deadline"))
    zone = group_record(bot.store, answer.user.group).zone
    async with bot.players.connected(answer.user) as player:
        room = await player.client.create(
            game=game,
            rules=rules,
            limit_ms=minutes * 60_000,
            undo=undo,
            invite_only=invite_only,
            deadline_at=deadline_at(deadline, answer.asked_at, zone) if deadline else 0,
            winnable=winnable,
            grade=grade,
        )
        if invite_only:
            # The server tells the invitation to players who have a seat.
            room = await player.client.join(room.race)
        if house:
            # An answer to the host of an invite-only room, without the invitation again.
            room = replace(await player.client.add_house(room.race, house), invite=room.invite)
        note_joined(bot, answer, room)
        await bot.posts.answer(answer, room)


async def open_usual(bot: Chat, answer: Answer) -> None:
    """A room without any wishes: as this group usually plays."""
    group = group_record(bot.store, answer.user.group)
    await open_room(
        bot, answer, game=group.game, rules=group.rules, minutes=MINUTES, undo=False,
        invite_only=False,
    )  # fmt: skip


async def join(bot: Chat, answer: Answer, race: str) -> None:
    """Take a seat."""
    async with bot.players.connected(answer.user, race) as player:
        room = await player.client.join(race)
        note_joined(bot, answer, room)
        await _show(bot, answer, room)


async def ready(bot: Chat, answer: Answer, race: str) -> None:
    """Be ready, or no longer."""
    async with bot.players.connected(answer.user, race) as player:
        room = await player.room(race)
        if seated(answer, player, room) == "ready":
            await _show(bot, answer, await player.client.unready(race))
            return
        if lobby.only_house(room, player.id):
            # Ready would start the race at once, before any friend has seen the message.
            question = lobby.ask_about_house(room, _left_out(room), answer.say)
            if answer.pressed_private:
                await answer.show(question)
            else:
                await answer.leave_as_it_is()
                await answer.follow_up(question, private=True)
            return
        room = await player.client.ready(race)
        note_joined(bot, answer, room)
        if answer.pressed_private:
            await bot.boards.wait(answer, player, race)
            return
        await bot.posts.refresh(answer, room)
        await bot.boards.wait(answer, player, race, extra=True)


async def mark_ready(bot: Chat, answer: Answer, race: str, *, wanted: bool) -> None:
    """Be ready or not, as a mark under the room's message says; where that is so, nothing is."""
    async with bot.players.connected(answer.user, race) as player:
        room = await player.room(race)
        is_ready = any(one.player == player.id and one.state == "ready" for one in room.seats)
    if room.phase == "open" and is_ready != wanted:
        await ready(bot, answer, race)
    else:
        await answer.leave_as_it_is()


async def ready_typed(bot: Chat, answer: Answer, race: str) -> None:
    """Be ready; the answer becomes the player's board. On one's own clock it offers the cards."""
    async with bot.players.connected(answer.user, race) as player:
        room = await player.room(race)
        state = seated(answer, player, room)
        if room.kind != "live":
            await races.daily(bot, answer, room.race)
            return
        if state == "joined" and lobby.only_house(room, player.id):
            await answer.show(lobby.ask_about_house(room, _left_out(room), answer.say))
            return
        if state == "joined":
            note_joined(bot, answer, await player.client.ready(room.race))
        await bot.boards.show(answer, player, room.race)


async def unready(bot: Chat, answer: Answer, race: str) -> None:
    """Be ready no longer."""
    async with bot.players.connected(answer.user, race) as player:
        room = await player.room(race)
        seated(answer, player, room)
        bot.posts.note(await player.client.unready(room.race))
        await answer.tell(answer.say("room.unready", code=room.race))


async def start(bot: Chat, answer: Answer, race: str) -> None:
    """As the host: start, once it is clear who is left out and whether that leaves anybody."""
    async with bot.players.connected(answer.user, race) as player:
        room = await player.room(race)
        seated(answer, player, room)
        if room.host != player.id:
            raise Sorry(answer.say("wrong.not_host"))
        if room.phase == "open" and lobby.asks_first(room):
            await answer.show(lobby.ask(room, _left_out(room), answer.say))
            return
        await _go(bot, answer, player, room)


async def go(bot: Chat, answer: Answer, race: str, left_out: str) -> None:
    """The same after the confirmation, which named these players; others are asked about again."""
    async with bot.players.connected(answer.user, race) as player:
        room = await player.room(race)
        seated(answer, player, room)
        if room.phase == "open" and lobby.asks_first(room) and left_out != _left_out(room):
            await answer.show(lobby.ask(room, _left_out(room), answer.say))
            return
        await _go(bot, answer, player, room)


async def stay(_: Chat, answer: Answer, race: str) -> None:
    """Start nothing after all."""
    await answer.show(Content(answer.say("start.waits", code=race)))


async def house(bot: Chat, answer: Answer, race: str, strength: str) -> None:
    """As the host: add this house player, or take it out again."""
    async with bot.players.connected(answer.user, race) as player:
        room, wanted = await player.room(race), house_player(strength)
        if any(seat.player == wanted for seat in room.seats):
            room = await player.client.remove_house(race, strength)
        else:
            room = await player.client.add_house(race, strength)
        await _show(bot, answer, room)


async def leave(bot: Chat, answer: Answer, race: str) -> None:
    """Give up the seat."""
    async with bot.players.connected(answer.user, race) as player:
        seated(answer, player, await player.room(race))
        await player.client.leave(race)
        await _show(bot, answer, await player.client.watch(race))


async def leave_typed(bot: Chat, answer: Answer, typed: str) -> None:
    """Give up a seat by typing; where the cards are dealt, say what to do instead."""
    async with bot.players.connected(answer.user) as player:
        room = await player.room(await current_race.named(bot.store, answer, player, typed))
        state = seated(answer, player, room)
        if room.phase not in ("open", "running") or state not in ("joined", "ready"):
            over = room.phase in ("closed", "cancelled") or state != "playing"
            raise Sorry(answer.say("wrong.leave_over" if over else "wrong.leave_running"))
        await player.client.leave(room.race)
        await answer.show(Content(answer.say("room.left")))
        if room.kind == "live":
            bot.posts.note(await player.client.watch(room.race))


async def rematch(bot: Chat, answer: Answer, race: str) -> None:
    """Open a rematch, in a public message of its own."""
    async with bot.players.connected(answer.user) as player:
        await player.room(race)
        room = await player.client.rematch(race)
        room = await player.client.join(room.race)
        note_joined(bot, answer, room)
        if not await bot.posts.answer(answer, room):
            await answer.tell(answer.say("room.joined", code=room.race))


async def _go(bot: Chat, answer: Answer, player: Player, room: Room) -> None:
    """Start with the players who are ready, the host included; the answer becomes the board."""
    if seated(answer, player, room) == "joined":
        room = await player.client.ready(room.race)
    if room.phase == "open":
        room = await player.client.start(room.race)
    bot.posts.note(room)
    await bot.boards.wait(answer, player, room.race)


async def _show(bot: Chat, answer: Answer, room: Room) -> None:
    """Show the room as it is now where the button was pressed: for all, or for its user alone."""
    if answer.pressed is None or answer.pressed_private:
        await answer.show(bot.posts.copy(room, answer.say))
        bot.posts.note(room)
    else:
        await bot.posts.refresh(answer, room)


def _left_out(room: Room) -> str:
    """Who would be left out, in few letters: it stands in the id of a button."""
    return f"{crc32(' '.join(seat.player for seat in lobby.left_out(room)).encode()):x}"
