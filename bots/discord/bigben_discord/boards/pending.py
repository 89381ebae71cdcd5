"""Messages that wait to become a board: their texts, and the ones left after a restart.

Discord allows changes to a message that one user sees for a quarter of an hour. The board of a race
that begins later can't appear there by itself, and the message says so from the beginning.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, Literal

import discord

from bigben_chat.connections.identity import Visitor
from bigben_chat.connections.player_pool import Player
from bigben_chat.store import Memory, Wait
from bigben_chat.texts import Say
from bigben_discord.controls import Content, Tap, id_of
from bigben_discord.interactions.editable_message import Restored, Sent
from bigben_discord.telling import moment, race_name

TOKEN_S: Final = 14.5 * 60
"""How long a board can be changed without its player doing anything."""

Waits = Literal["ready", "joined", "gone", "cancelled"]
"""The state of a seat before its cards, or why it does not wait for them."""


def how(player: Player, race: str) -> Waits | None:
    """The state of the player's seat; None if the cards are out or on their way."""
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


def message(race: str, state: Waits, made: datetime, say: Say, promise: str = "") -> Content:
    """Such a message, of an interaction that was ``made`` then. ``promise`` binds the server."""
    until = made + timedelta(seconds=TOKEN_S)
    said = say(f"waiting.{state}", at=moment(round(until.timestamp() * 1000), "t"))
    text = f"{say('public.title', race=race_name(race, say))}\n{said}"
    mine = Tap(say("button.board"), id_of("refresh", race), "primary")
    if state != "ready":
        return Content(text, [])
    return Content(f"{text}\n{promise}".strip(), [[mine]])


def keep(kept: Memory, who: Visitor, race: str, sent: Sent, language: str) -> None:
    """Go on with this message after a restart."""
    interaction = sent.interaction
    wait = Wait(
        who.user, who.name, who.guild, race, interaction.token, interaction.id, sent.id, language
    )
    kept.put("wait", _key(who.user, race), wait)


def drop(kept: Memory, user: int, race: str) -> None:
    """The message no longer waits."""
    kept.drop("wait", _key(user, race))


def all_kept(kept: Memory, client: discord.Client) -> Iterator[tuple[Wait, Restored]]:
    """The messages that waited when the bot stopped and can still be changed."""
    assert client.application_id is not None, "login has asked for it"
    for key, wait in list(kept.all("wait", Wait)):
        webhook = discord.Webhook.partial(client.application_id, wait.token, client=client)
        sent = Restored(webhook, wait.message, wait.interaction)
        if sent.age < TOKEN_S:
            yield wait, sent
        else:
            kept.drop("wait", key)


def _key(user: int, race: str) -> str:
    return f"{user}:{race}"
