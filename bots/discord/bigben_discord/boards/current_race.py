"""Which race a typed command is about. Plays nothing.

Moves go to the race whose board the player saw last, and to no other unless the player names it:
a daily has one try, and a card turned there by mistake can't be taken back.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import msgspec

from bigben_chat import layout
from bigben_chat.connections.player_pool import Player as Connected
from bigben_chat.messages.moves import Choice
from bigben_chat.store import Memory, Player
from bigben_chat.texts import Say
from bigben_client import RefusedError
from bigben_discord import telling
from bigben_discord.controls import Content, Tap, id_of
from bigben_discord.interactions.answers import Answer, Sorry
from bigben_discord.interactions.editable_message import Interaction
from bigben_protocol import Room, Standing

MOST: Final = 8
"""Races that are kept of a player; one connection follows no more than 20."""
_WAITING: Final = ("joined", "ready")


class Seated(NamedTuple):
    """A race that the player has a seat in."""

    room: Room
    seat: Standing

    @property
    def over(self) -> bool:
        """The race is over for this player; others may still race."""
        return self.room.phase == "closed" or self.seat.state not in (*_WAITING, "playing")

    @property
    def playing(self) -> bool:
        """The cards are out, and there is a move to be made."""
        return not self.over and self.seat.state == "playing"


def entered(kept: Memory, user: int, race: str) -> None:
    """The user has joined this race: ``/bigben board`` shows it from now on."""
    _put(kept, user, _entered(_get(kept, user), race))


def saw(kept: Memory, user: int, race: str) -> None:
    """The user sees their board of this race: typed moves go there from now on."""
    _put(kept, user, msgspec.structs.replace(_entered(_get(kept, user), race), seen=race))


@contextmanager
def seeing(kept: Memory, user: int, race: str) -> Iterator[None]:
    """Use this while a board is being sent: moves typed as soon as it appears go to it too."""
    before = _get(kept, user).seen
    saw(kept, user, race)
    try:
        yield
    except BaseException:
        now = _get(kept, user)
        if now.seen == race:  # It was not seen after all.
            kept.put("player", user, msgspec.structs.replace(now, seen=before))
        raise


def last(interaction: Interaction) -> str:
    """The race that the user entered or saw last. Raises Sorry where there is none."""
    race = _get(interaction.client.memory, interaction.user.id).race
    if not race:
        raise Sorry(interaction.client.say(interaction)("wrong.no_race"))
    return race


def seen(interaction: Interaction) -> str:
    """The race whose board the user saw last; empty where they have seen none."""
    return _get(interaction.client.memory, interaction.user.id).seen


async def named(answer: Answer, player: Connected, typed: str) -> str:
    """The id of the race that was typed, or of the last one. Raises RefusedError."""
    room = await player.room(typed.strip() or last(answer.interaction))
    answer.about = room.race
    return room.race


async def to_play(answer: Answer, player: Connected, typed: str) -> str | None:
    """The race that a typed move is for; None if the player was asked which race instead."""
    if typed.strip():
        return await named(answer, player, typed)
    async with player.lock:  # A board that is on its way may be on the player's screen already.
        race = seen(answer.interaction)
    try:
        view = await player.view(race) if race else None
    except RefusedError as error:
        if error.code != "unknown":
            raise
        view = None
    if view is None or player.ended(view).state != "playing":
        await _ask_which(answer, player, race)
        return None
    answer.about = race
    return race


async def races(kept: Memory, player: Connected) -> list[Seated]:
    """The races that the player has a seat in, the last one first, as far as the bot knows."""
    mine = _get(kept, player.user)
    found = []
    for race in dict.fromkeys((*mine.races, mine.race, *player.client.rooms)):
        try:
            seat = await player.seat(race)
        except RefusedError:
            continue  # The server has forgotten it, or there was none.
        room = player.client.rooms.get(race)
        if seat is not None and room is not None and room.phase != "cancelled":
            found.append(Seated(room, seat))
    return found


def choices(seated: list[Seated], typed: str, say: Say) -> list[Choice]:
    """The suggestions for a partly typed race."""
    wanted = typed.strip().casefold()
    found = [Choice(_label(one, say)[:100], one.room.race) for one in seated]
    return [one for one in found if wanted in f"{one.value} {one.label}".casefold()]


async def _ask_which(answer: Answer, player: Connected, before: str) -> None:
    """Say why no card was played, and offer the boards that can be played."""
    say = answer.say
    others = await races(answer.interaction.client.memory, player)
    playing = [one for one in others if one.playing and one.room.race != before]
    if not (before or playing):
        last(answer.interaction)  # Raises Sorry if the user is in no race at all.
    why = say("which.over", race=telling.race_name(before, say)) if before else say("which.unseen")
    lines = [why, say("which.ask" if playing else "which.none")]
    taps = [Tap(_label(one, say), id_of("refresh", one.room.race), "primary") for one in playing]
    await answer.show(Content("\n".join(lines), [[tap] for tap in taps[:5]]))


def _label(one: Seated, say: Say) -> str:
    """``Race K7QPXM · 57/104 home``."""
    race, seat = telling.race_name(one.room.race, say), one.seat
    if one.over:
        return f"{race} · {say('which.ended')}"
    if seat.state in _WAITING:
        return f"{race} · {say('which.waiting')}"
    return f"{race} · {say('which.playing', home=seat.home, total=layout.TOTAL)}"


def _entered(before: Player, race: str) -> Player:
    others = (other for other in before.races if other != race)
    return msgspec.structs.replace(before, race=race, races=(race, *others)[:MOST])


def _get(kept: Memory, user: int) -> Player:
    return kept.get("player", user, Player) or Player()


def _put(kept: Memory, user: int, after: Player) -> None:
    if after != _get(kept, user):
        kept.put("player", user, after)
