"""A seat in a race that was opened anywhere, by its code or its link."""

import re
from contextlib import suppress
from typing import Final
from urllib.parse import unquote

from bigben_chat.actions import races
from bigben_chat.boards import pending
from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player
from bigben_chat.games import has_rules
from bigben_chat.messages import lobby
from bigben_chat.messages.content import Content
from bigben_chat.messages.formatting import game_name
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import MAIN
from bigben_chat.refusals import refusal
from bigben_chat.tree import Text, lines
from bigben_client import RefusedError
from bigben_protocol import Room

_LINK: Final = re.compile(r"[#?](?:.*&)?(?:room|watch|custom_id)=([^&\s>]+)")
"""A link to the page, or one that opens it in a frame."""
LONGEST: Final = 64
"""The most letters of the name of a race."""


def code_in(typed: str) -> str:
    """The code in what somebody typed: a code in any case, or a link to the page.

    >>> code_in(" ag348e "), code_in("<https://bigben.example/#room=K7QPXM-4TZ8QN>")
    ('AG348E', 'K7QPXM-4TZ8QN')
    """
    found = _LINK.search(typed)
    code = (unquote(found[1]) if found else typed.strip().strip("<>`*"))[:LONGEST]
    return code if code.lower().startswith("daily") else code.upper()


async def join_by_code(bot: Chat, answer: Answer, typed: str) -> None:
    """Take a seat and show it to its player; the place gets the race's message."""
    code = code_in(typed)
    if code.lower().startswith("daily"):
        _check_daily(bot, answer, code.lower())
        await races.daily(bot, answer, code.lower())
        return
    async with bot.players.connected(answer.user, code) as player:
        try:
            room = await player.client.join(code)
        except RefusedError as error:
            why = refusal(error, answer.say)
            await answer.show(await _instead(bot, answer, player, code, why))
            return
        if await player.seat(room.race) is None:
            # Everybody may look at a race that is over.
            why = answer.say(f"race.{room.phase}")
            await answer.show(await _instead(bot, answer, player, code, why))
            return
        races.note_joined(bot, answer, room)
        if room.kind == "practice" or await player.view(room.race) is not None:
            await bot.boards.show(answer, player, room.race)
        elif room.kind == "deadline":
            await answer.show(pending.intro(bot.store, player, room.race, answer.say))
        else:
            copy = bot.posts.copy(room, answer.say)
            said = answer.say("room.seated", code=room.race)
            await answer.show(Content(lines(said, copy.text), copy.rows))
        if room.kind != "practice":
            await bot.posts.show_player(answer, room, player.id)


async def _instead(bot: Chat, answer: Answer, player: Player, code: str, why: Text) -> Content:
    """Why there is no seat, and what can be done instead."""
    room: Room | None = None
    with suppress(RefusedError):  # There is no such race, or nobody may watch it.
        room = await player.client.watch(code.partition("-")[0])
    return lobby.instead(why, room, bot.browser_page, answer.say)


def _check_daily(bot: Chat, answer: Answer, code: str) -> None:
    """Raises Sorry for ``daily.NAME`` where nothing is called so: it lists the games by name."""
    _, *rest = code.split(".")
    if len(rest) != 1 or not bot.games or rest[0] in bot.games:
        return
    if not has_rules(bot.games[MAIN], rest[0]):
        names = ", ".join(game_name(game.name, answer.say) for game in bot.games)
        raise Sorry(answer.say("wrong.game", games=names))
