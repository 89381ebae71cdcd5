"""The card of a finished game to share: one line of public progress, and twelve signs under it.

Everything in it is in a Standing, so it shows nothing of the cards that rivals do not see during
the race. ``web/bigben_web/files/share/share.js`` says the same; both have the same table of tests.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from msgspec.structs import astuple

from bigben_protocol import texts
from bigben_protocol.games import GameInfo, Slot
from bigben_protocol.result_time import result_time
from bigben_protocol.server_messages import Record, Room
from bigben_protocol.types import Card, RaceInfo, Standing

SIGNS: Final = 12
NONE: Final = "□"
PARTS: Final = "◔◑◕"
WHOLE: Final = "■"
_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SUITS: Final = 4
_PLAYING: Final = ("joined", "ready", "playing")

Hours = Sequence[tuple[int, int]]
"""From twelve on, clockwise: how many cards a foundation has, and has when it is complete. Where
piles collect ranks the kings are the thirteenth."""


def share_text(
    room: Room | RaceInfo,
    seat: Standing,
    *,
    game: GameInfo,
    players: int = 0,
    streak: int = 0,
    hours: Hours = (),
    language: str = texts.DEFAULT,
) -> str:
    """The card of a seat as text; its two lines are the same on all front ends.

    ``players`` is the number of players with a place, and ``streak`` the player's days in a row;
    the text shows both only where they mean something. Until the race is closed the place is one
    so far. ``hours`` come from the record of a closed race (see ``hours_of``); without them the
    signs are squares that the cards home fill. Raises ValueError for hours of a race that is not
    closed: they would tell more than the progress.

    >>> from bigben_protocol import PlayerId, RaceId, Rules
    >>> race = RaceId("daily.2026-11-21.bigben.standard")
    >>> room = RaceInfo(race, "daily", "closed", Rules(), host="", players=9)
    >>> ada = Standing(PlayerId("guest:a"), "Ada", "blocked", home=87, home_ms=372_400, place=2)
    >>> big_ben = GameInfo("bigben", 104, True, (), ("standard",), (), ())
    >>> print(share_text(room, ada, game=big_ben, players=9, streak=5))
    Big Ben 2026-11-21 · 87/104 · 6:12.4 · 2nd of 9 · streak 5
    ■■■■■■■■■■◔□
    """
    if hours and room.phase != "closed":
        raise ValueError("the hours are shown only when the race is closed")
    parts = share_line(room, seat, game=game, players=players, streak=streak, language=language)
    return " · ".join(filter(None, parts)) + "\n" + signs(seat.home, game.total, hours)


class ShareLine(NamedTuple):
    """The first line in its parts; what means nothing is empty."""

    title: str
    home: str
    time: str
    ended: str
    place: str
    streak: str


def share_line(
    room: Room | RaceInfo,
    seat: Standing,
    *,
    game: GameInfo,
    players: int = 0,
    streak: int = 0,
    language: str = texts.DEFAULT,
) -> ShareLine:
    """The first line of ``share_text``."""
    say = _Say(language)
    return ShareLine(
        _title(say, room),
        f"{seat.home}/{game.total}",
        result_time(seat.home_ms),
        say(f"share.{seat.state}") if seat.state in ("resigned", "timed out") else "",
        _place(say, room, seat, players),
        say("share.streak", days=streak) if room.kind == "daily" and streak > 1 else "",
    )


def signs(home: int, total: int, hours: Hours = ()) -> str:
    """Twelve signs: of the hours if they are known, else squares that the cards home fill."""
    if len(hours) != SIGNS:
        hours = [(home * SIGNS - total * square, total) for square in range(SIGNS)]
    return "".join(_sign(have, whole) for have, whole in hours)


def _sign(have: int, whole: int) -> str:
    if have <= 0:
        return NONE
    return WHOLE if have >= whole else PARTS[have * len(PARTS) // whole]


def hours_of(record: Record, game: GameInfo) -> Hours:
    """How far each foundation came, from the record of a closed race.

    Where piles collect ranks the kings come last, behind the twelve hours. Empty in a game whose
    foundations are not the hours of a dial.
    """
    first = dict(game.deal.laid) if game.deal else {}
    slots = [slot for slot in game.slots if slot.goal and slot.kind in ("foundation", "reserve")]
    ranks = all(slot.goal in _RANKS for slot in slots)
    if len(slots) != (len(_RANKS) if ranks else SIGNS):
        return ()
    if any(slot.pile not in record.piles or not (ranks or slot.pile in first) for slot in slots):
        return ()
    have = Counter({slot.pile: len(record.piles[slot.pile].up) for slot in slots})
    for source, target, _, how in (astuple(one) for one in chain(*record.steps)):
        have[source] -= how != "turned"
        have[target] += how != "down"
    packs = game.deal.packs if game.deal else 1
    if ranks:
        by_rank = {slot.goal: have[slot.pile] for slot in slots}
        return [(by_rank[rank], _SUITS * packs) for rank in ("Q", *_RANKS[:-2], "K")]
    slots.sort(key=lambda slot: slot.at % SIGNS)
    return [(have[slot.pile], _size(first, slot)) for slot in slots]


def _size(first: Mapping[str, Card], slot: Slot) -> int:
    """A foundation builds up in suit from the card that lies there first to its goal."""
    start, goal = (_RANKS.index(card[:-1]) for card in (first[slot.pile], slot.goal))
    return (goal - start) % len(_RANKS) + 1


def _title(say: "_Say", room: Room | RaceInfo) -> str:
    rules = room.rules
    game = say(f"game.{rules.game}")
    if rules.rules != "standard":
        # The name of rules without what may explain them: "Open rules: turn at any time".
        short = say(f"rules.{rules.game}.{rules.rules}").partition(":")[0]
        game = say("share.rules", game=game, rules=short)
    if room.kind == "practice" and not rules.daily:
        return say("share.practice", game=game)
    daily = rules.daily or (room.race if room.kind == "daily" else "")
    name = daily.split(".")[1] if daily else room.race
    if room.race.startswith("week."):
        name = say("share.week", week=room.race.split(".")[2])
    return say("share.unranked" if rules.daily else "share.title", game=game, race=name)


def _place(say: "_Say", room: Room | RaceInfo, seat: Standing, players: int) -> str:
    final = room.phase == "closed"
    if room.kind == "practice":
        return ""
    if not final and seat.state in _PLAYING:
        return say("share.playing")
    if not seat.place or players < 2:
        return ""
    place = ordinal(seat.place, say("share.ordinals"))
    return say("share.place" if final else "share.so_far", place=place, players=players)


def ordinal(number: int, endings: str) -> str:
    """A number with the first of these endings whose digits it ends with.

    >>> [ordinal(n, "11th 12th 13th 1st 2nd 3rd th") for n in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    for ending in endings.split():
        found = re.fullmatch(r"(\d*)(\D*)", ending)
        if found and str(number).endswith(found[1]):
            return f"{number}{found[2]}"
    return str(number)


class _Say:
    def __init__(self, language: str) -> None:
        self.language = language
        self.of_sharing = texts.of("share", language)

    def __call__(self, key: str, **values: object) -> str:
        if key in self.of_sharing:
            return texts.fill(self.of_sharing[key], **values)
        return texts.text(key, self.language)
