"""Messages that will become a board: their texts, and the ones left after a restart.

A platform may allow edits of a message that one user sees for a while only. The board of a race
that begins later can't appear there by itself, and the message says so from the beginning.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from bigben_chat.boards import current_race
from bigben_chat.connections.identity import ChatUser
from bigben_chat.connections.player import Player
from bigben_chat.evidence import promise
from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.formatting import race_name
from bigben_chat.platform import Platform, Sent
from bigben_chat.records import PendingBoard
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say
from bigben_chat.tree import Text, Time, lines, text
from bigben_protocol.lesson import LESSON

PendingState = Literal["ready", "joined", "gone", "cancelled"]
"""The state of a seat before its cards are dealt, or why they never will be."""


def state_of(player: Player, race: str) -> PendingState | None:
    """The state of the player's seat; None if the cards are dealt or on their way."""
    room = player.client.rooms.get(race)
    if room is None:
        return "gone"
    if room.phase == "cancelled":
        return "cancelled"
    seat = next((seat for seat in room.seats if seat.player == player.id), None)
    match seat.state if seat else "gone":
        case ("ready" | "joined" | "gone") as state:
            return state
        case _:
            return None


def message(
    race: str, state: PendingState, until: datetime | None, say: Say, line: Text = ()
) -> Content:
    """Such a message, which can be edited ``until`` then. ``line`` is the promise to keep."""
    said = say(f"waiting.{state}")
    if until and state == "ready":
        at = Time(round(until.timestamp() * 1000), "clock")
        said = text(said, " ", say("waiting.until", at=at))
    told = lines(say("public.title", race=race_name(race, say)), said)
    mine = Button(say.label("button.board"), id_of("refresh", race), "primary")
    if state != "ready":
        return Content(told, [])
    return Content(lines(*filter(None, [told, line])), [[mine]])


def intro(store: Store, player: Player, race: str, say: Say) -> Content:
    """What a player sees before their clock starts; a new one may learn the game first."""
    begin = Button(say.label("button.begin"), id_of("begin", race), "success")
    told = [say("board.intro", race=race_name(race, say))]
    buttons = [begin]
    if player.game(race).name == LESSON.game and current_race.is_new(store, player, race):
        told.append(say("learn.offer"))
        buttons = [Button(say.label("button.learn"), id_of("learn"), "primary"), begin]
    told.append(promise(player.client.kept.get(race), say))
    return Content(lines(*filter(None, told)), [buttons])


def put(store: Store, user: ChatUser, race: str, sent: Sent, language: str) -> None:
    """Keep this message, so that it becomes a board after a restart too."""
    token, request = sent.token
    pending = PendingBoard(user.id, user.name, user.group, race, token, request, sent.id, language)
    store.put("wait", _key(user.id, race), pending)


def drop(store: Store, user: ChatId, race: str) -> None:
    """The message has become a board, or never will."""
    store.drop("wait", _key(user, race))


def drop_all(store: Store, user: ChatId) -> None:
    """None of this user's messages becomes a board any more."""
    store.drop_under("wait", _key(user, ""))


def all_pending(store: Store, platform: Platform) -> Iterator[tuple[PendingBoard, Sent]]:
    """The messages that were pending when the bot stopped and can still be edited."""
    for key, pending in list(store.all("wait", PendingBoard)):
        sent = platform.reopened(pending)
        if sent.editable:
            yield pending, sent
        else:
            store.drop("wait", key)


def _key(user: ChatId, race: str) -> str:
    return f"{user}:{race}"
