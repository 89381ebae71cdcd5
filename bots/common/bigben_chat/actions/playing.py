"""What is typed about a race in play, without naming it: moves, the board, a hint, giving up."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec

from bigben_chat.actions import practice
from bigben_chat.boards import current_race
from bigben_chat.boards.current_race import Seated
from bigben_chat.chat import Chat
from bigben_chat.connections.identity import ChatUser
from bigben_chat.messages import moves
from bigben_chat.messages.moves import Choice
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import player_record
from bigben_chat.texts import Say
from bigben_client import ClientError
from bigben_protocol import GameInfo, View

COMPLETION_S: Final = 2.0
"""For a completion, which comes in time or not at all."""

Complete: TypeAlias = Callable[[GameInfo, View, Say], list[Choice]]
"""The suggestions for what was typed, on a board."""


async def play(bot: Chat, answer: Answer, source: str, race: str, target: str = "") -> None:
    """Play in the race that was typed, or on the board that the user saw last."""
    async with bot.players.connected(answer.user) as player:
        chosen = await current_race.to_play(bot.store, answer, player, race)
        if chosen is not None:
            source = moves.read_source(player.game(chosen), source)
            typed = f"{source} {target.lower()}".strip()
            await bot.boards.play_typed(answer, player, chosen, typed)


async def hint(bot: Chat, answer: Answer, race: str) -> None:
    """Say what is best on the board of a practice game, and why."""
    async with bot.players.connected(answer.user) as player:
        chosen = await current_race.to_play(bot.store, answer, player, race)
    if chosen is not None:
        await practice.hint(bot, answer, chosen)


async def board(
    bot: Chat,
    answer: Answer,
    race: str,
    *,
    text: bool | None = None,
    four_colours: bool | None = None,
    hints: bool | None = None,
    cheers: bool | None = None,
) -> None:
    """Show the player's own board. The chosen look stays for later boards."""
    before = player_record(bot.store, answer.user.id)
    looks = {"text": text, "four_colours": four_colours, "hints": hints, "cheers": cheers}
    chosen_looks = {name: look for name, look in looks.items() if look is not None}
    after = msgspec.structs.replace(before, **chosen_looks)
    if after != before:
        bot.store.put("player", answer.user.id, after)
    async with bot.players.connected(answer.user) as player:
        chosen = await current_race.named(bot.store, answer, player, race)
        room = await player.room(chosen)
        there = await bot.posts.is_there(answer.place, room)
        try:
            await bot.boards.show(answer, player, chosen)
        except Sorry as sorry:
            if there:
                raise
            await answer.say_sorry(sorry.text)
        if not there:
            await bot.posts.bring_back(answer, room)


async def resign(bot: Chat, answer: Answer, race: str) -> None:
    """Give up; the bot asks first whether the player is sure."""
    async with bot.players.connected(answer.user) as player:
        wanted = race or current_race.seen(bot.store, player.user)
        chosen = await current_race.named(bot.store, answer, player, wanted)
        await bot.boards.ask_if_sure(answer, player, chosen)


def typed_or_last(bot: Chat, answer: Answer, typed: str) -> str:
    """The race that was typed, or the one that the user joined or saw last. Raises Sorry."""
    return typed.strip() or current_race.last(bot.store, answer.user.id, answer.say)


async def complete(bot: Chat, user: ChatUser, race: str, say: Say, how: Complete) -> list[Choice]:
    """Complete what was typed so far; nothing where there is no board to complete from."""
    try:
        async with asyncio.timeout(COMPLETION_S), bot.players.connected(user) as player:
            chosen = (await player.room(race)).race if race else ""
            chosen = chosen or current_race.seen(bot.store, player.user)
            view = await player.view(chosen) if chosen else None
            return how(player.game(chosen), view, say) if view else []
    except (ClientError, TimeoutError):
        return []


async def complete_race(
    bot: Chat, user: ChatUser, typed: str, say: Say, wanted: Callable[[Seated], bool]
) -> list[Choice]:
    """Complete the races that the user is in, if they are wanted."""
    try:
        async with asyncio.timeout(COMPLETION_S), bot.players.connected(user) as player:
            seated = await current_race.races(bot.store, player)
    except (ClientError, TimeoutError):
        return []
    return current_race.choices(list(filter(wanted, seated)), typed, say)
