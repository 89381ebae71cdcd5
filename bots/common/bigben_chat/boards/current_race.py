"""Which race a typed command is about.

Moves go to the race whose board the player saw last, and to no other unless the player names it:
a daily has one try, and a card turned there by mistake can't be taken back.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

import msgspec

from bigben_chat.connections.player import Player
from bigben_chat.messages import formatting
from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.moves import Choice
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import PlayerRecord, player_record
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say
from bigben_chat.tree import lines
from bigben_client import RefusedError
from bigben_protocol import Room, Standing

MOST: Final = 8
"""The most races stored of a player; one connection follows at most 20."""
_WAITING: Final = ("joined", "ready")


class Seated(NamedTuple):
    """A race that the player has a seat in."""

    room: Room
    seat: Standing
    total: int
    """Cards home when the game is won."""

    @property
    def over(self) -> bool:
        """The race is over for this player; others may still race."""
        return self.room.phase == "closed" or self.seat.state not in (*_WAITING, "playing")

    @property
    def waiting(self) -> bool:
        """The cards are not dealt yet."""
        return not self.over and self.seat.state in _WAITING

    @property
    def playing(self) -> bool:
        """The cards are dealt, and the game is not over."""
        return not self.over and self.seat.state == "playing"


def joined(store: Store, user: ChatId, race: str) -> None:
    """The user has joined this race: their board is that of it from now on."""
    _put(store, user, _joined(player_record(store, user), race))


def saw(store: Store, user: ChatId, race: str) -> None:
    """The user sees their board of this race: typed moves go there from now on."""
    _put(store, user, msgspec.structs.replace(_joined(player_record(store, user), race), seen=race))


@contextmanager
def seeing(store: Store, user: ChatId, race: str) -> Iterator[None]:
    """Use this while a board is being sent: moves typed as soon as it appears go to it too."""
    before = player_record(store, user).seen
    saw(store, user, race)
    try:
        yield
    except BaseException:
        now = player_record(store, user)
        if now.seen == race:  # It was not seen after all.
            store.put("player", user, msgspec.structs.replace(now, seen=before))
        raise


def last(store: Store, user: ChatId, say: Say) -> str:
    """The race that the user joined or saw last. Raises Sorry where there is none."""
    race = player_record(store, user).race
    if not race:
        raise Sorry(say("wrong.no_race"))
    return race


def seen(store: Store, user: ChatId) -> str:
    """The race whose board the user saw last; empty where they have seen none."""
    return player_record(store, user).seen


def shown(store: Store, user: ChatId, race: str) -> int | None:
    """After how many moves an earlier run of the bot showed this race; None if it did not."""
    return player_record(store, user).shown.get(race)


def note_shown(store: Store, user: ChatId, shown: Mapping[str, int]) -> None:
    """Store after how many moves these races were shown, for the next run of the bot."""
    before = player_record(store, user)
    kept = {race: n for race, n in {**before.shown, **shown}.items() if race in before.races}
    _put(store, user, msgspec.structs.replace(before, shown=kept))


def is_new(store: Store, player: Player, race: str) -> bool:
    """Whether the user has joined or seen no other race than this one."""
    return set(player_record(store, player.user).races) <= {race}


async def named(store: Store, answer: Answer, player: Player, typed: str) -> str:
    """The id of the race that was typed, or of the last one. Raises RefusedError."""
    room = await player.room(typed.strip() or last(store, player.user, answer.say))
    answer.about = room.race
    return room.race


async def to_play(store: Store, answer: Answer, player: Player, typed: str) -> str | None:
    """The race that a typed move is for; None if the player was asked which race instead."""
    if typed.strip():
        return await named(store, answer, player, typed)
    async with player.lock:  # A board may be on the player's screen before it is noted here.
        race = seen(store, player.user)
    try:
        view = await player.view(race) if race else None
    except RefusedError as error:
        if error.code != "unknown":
            raise
        view = None
    if view is None or player.ended(view).state != "playing":
        await _ask_which(store, answer, player, race)
        return None
    answer.about = race
    return race


async def races(store: Store, player: Player) -> list[Seated]:
    """The races that the player has a seat in, the last one first, as far as the bot knows."""
    mine = player_record(store, player.user)
    found = []
    for race in dict.fromkeys((*mine.races, mine.race, *player.client.rooms)):
        try:
            seat = await player.seat(race)
        except RefusedError:
            continue  # The server has forgotten it, or there was none.
        room = player.client.rooms.get(race)
        if seat is not None and room is not None and room.phase != "cancelled":
            found.append(Seated(room, seat, player.game(room.race).total))
    return found


def choices(seated: list[Seated], typed: str, say: Say) -> list[Choice]:
    """The suggestions for a partly typed race."""
    wanted = typed.strip().casefold()
    found = [Choice(_label(one, say), one.room.race) for one in seated]
    return [one for one in found if wanted in f"{one.value} {one.label}".casefold()]


async def _ask_which(store: Store, answer: Answer, player: Player, before: str) -> None:
    """Say why no card was played, and offer the boards that can be played."""
    say = answer.say
    others = await races(store, player)
    playing = [one for one in others if one.playing and one.room.race != before]
    if not (before or playing):
        last(store, player.user, say)  # Raises Sorry if the user is in no race at all.
    why = (
        say("which.over", race=formatting.race_name(before, say)) if before else say("which.unseen")
    )
    told = lines(why, say("which.ask" if playing else "which.none"))
    buttons = [
        Button(_label(one, say), id_of("refresh", one.room.race), "primary") for one in playing[:5]
    ]
    await answer.show(Content(told, [[button] for button in buttons]))


def _label(one: Seated, say: Say) -> str:
    """``Race K7QPXM · 57/104 home``."""
    race, seat = formatting.race_name(one.room.race, say), one.seat
    if one.over:
        return f"{race} · {say.label('race.ended')}"
    if seat.state in _WAITING:
        return f"{race} · {say.label('which.waiting')}"
    return f"{race} · {say.label('which.playing', home=seat.home, total=one.total)}"


def _joined(before: PlayerRecord, race: str) -> PlayerRecord:
    others = (other for other in before.races if other != race)
    return msgspec.structs.replace(before, race=race, races=(race, *others)[:MOST])


def _put(store: Store, user: ChatId, after: PlayerRecord) -> None:
    if after != player_record(store, user):
        store.put("player", user, after)
