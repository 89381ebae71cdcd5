"""What a typed line or a reaction does, and what its user is told if that goes wrong.

For platforms of rooms; where there are buttons, they know their verb themselves.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

from bigben_chat.actions import rooms
from bigben_chat.actions.buttons import VERBS, Pressed
from bigben_chat.chat import Chat
from bigben_chat.in_rooms import RoomAnswer
from bigben_chat.messages.signs import Used
from bigben_chat.metrics import counted
from bigben_chat.platform import Answer, Kind, PlatformError, Sorry
from bigben_chat.refusals import sentence
from bigben_chat.tree import Quoted
from bigben_chat.typed.reading import understood

Do: TypeAlias = Callable[[Chat, Answer], Awaitable[None]]


async def obey(chat: Chat, answer: RoomAnswer, do: Do, limit: asyncio.Timeout) -> None:
    """Do it within the limit, or say why not. Raises PlatformError."""
    try:
        with counted(answer):
            async with limit:
                await do(chat, answer)
        if text := chat.announcements.unread(answer.user.id):
            await answer.tell(answer.say("announced", text=Quoted(text)))
    except PlatformError:
        raise
    except Exception as error:
        await answer.say_sorry(sentence(error, answer.say))
    answer.done()


def typing(line: str) -> tuple[Kind, Do]:
    """A typed line. What can't be read is said where it was typed.

    Until it is read, nobody knows whether its answer is for its user alone.
    """

    async def do(chat: Chat, answer: Answer) -> None:
        asked = await understood(chat, answer.user, line, answer.say)
        answer.kind = "public" if asked.command.where == "here" else "private"
        await asked.do(chat, answer)

    return "public", do


def pressing(used: Used, *, there: bool, stays: bool) -> tuple[Kind, Do] | None:
    """A reaction to a message of the bot, or its taking back if it is not ``there`` any more.

    ``stays``: the bot does not take it away. Then its user is ready as long as the mark for that
    is there. None if nothing is to be done.
    """
    verb = VERBS.get(used.verb)
    if verb is None or len(used.details) != verb.details:
        return "private", refusing("wrong.old_button")
    if used.verb == "ready" and stays:
        return verb.kind, partial(rooms.mark_ready, race=used.details[0], wanted=there)
    if not there:
        return None
    return verb.kind, lambda chat, answer: verb.do(Pressed(chat, answer, used.details, used.value))


def refusing(key: str) -> Do:
    """Say only this sentence."""

    async def do(_: Chat, answer: Answer) -> None:
        raise Sorry(answer.say(key))

    return do
