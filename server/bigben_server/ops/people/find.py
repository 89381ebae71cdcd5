"""Finds players by a part of their name, or by their id. It changes nothing; servers may run."""

import unicodedata
from datetime import date
from typing import Final, NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.accounts.bans import Bans
from bigben_server.ops.command import now_ms
from bigben_server.ops.long_work import Progress
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.appending import read_room
from bigben_server.storage.admin.directives import DirectiveStore
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Damaged
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.race_log import Store

MOST_FOUND: Final = 50


class Found(NamedTuple):
    player: PlayerId
    name: str
    results: int
    last_race: RaceId | None
    """Of those with a result."""
    last_at: int
    """When their game ended, ms since 1970."""
    open_races: list[RaceId]
    """The races that are not closed in which they have a seat."""
    bot: bool
    banned: bool
    account: str
    """The account that they are tied to; empty for others."""
    guests: tuple[PlayerId, ...]
    """Who is tied to this account, most of them guests; their results are counted here."""


def folded(name: str) -> str:
    """The name without what readers overlook: case, and the ways of writing the same letter.

    >>> folded("ＺOË") == folded("Zoe\\u0308".upper()), folded("Straße") == folded("STRASSE")
    (True, True)
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


async def find(store: Store, name: str, progress: Progress) -> tuple[list[Found], bool]:
    """The players with this id or this part of a name, and whether there are more.

    Raises StoreLost, and Damaged if what is stored of one of them can't be read.
    """
    wanted, names = folded(name), dict[PlayerId, str]()
    seats: dict[PlayerId, list[RaceId]] = {}
    for race in progress.each("Open races", await store.due()):
        for player, called in (await _seats(store, race)).items():
            if player == name or wanted in folded(called):
                seats.setdefault(player, []).append(race)
                names[player] = called
    done = 0
    async for some, of in maintenance.all_names(store):
        progress.show("Names", min(done := done + len(some), of), of or 1)
        # A name on boards is newer than one in a race that began before.
        names |= {p: n for p, n in some.items() if p == name or wanted in folded(n)}
        if len(names) > MOST_FOUND:
            break
    if not names and await maintenance.is_known(store, PlayerId(name)):
        names[PlayerId(name)] = ""
    return await _about(store, names, seats), len(names) > MOST_FOUND


async def _seats(store: Store, race: RaceId) -> dict[PlayerId, str]:
    """The names of the seats of a race that has not ended; none if it can't be read."""
    try:
        read = await read_room(store, race)
    except Damaged as damaged:
        store.report(damaged)
        return {}
    if read is None or read.ended:
        return {}
    return {player: seat.name for player, seat in read.seats.items()}


async def _about(
    store: Store, names: dict[PlayerId, str], seats: dict[PlayerId, list[RaceId]]
) -> list[Found]:
    players = sorted(names, key=lambda player: (folded(names[player]), player))[:MOST_FOUND]
    if not players:
        return []
    now = now_ms()
    bans = Bans((await DirectiveStore(store).read(now)).players)
    histories = await Boards(store).histories(*players)
    bots = await maintenance.bots(store, players)
    aliases, found = Aliases(store), list[Found]()
    for player, history in zip(players, histories, strict=True):
        days = [entry.played_on or date.min for entry in history]
        of_day = [one.race for one, day in zip(history, days, strict=True) if day == max(days)]
        (alias,), guests = await aliases.of([player]), await aliases.tied_to(player)
        ends = [
            (one.at, race)
            for who in (player, *guests)
            for race, one in (await maintenance.results_of_player(store, who, of_day)).items()
        ]
        last_at, race = max(ends, key=lambda end: end[0], default=(0, None))
        what = names[player], len(history), race, last_at
        banned = bans.of_player(player, now) is not None
        same = alias.account if alias else "", guests
        found.append(Found(player, *what, seats.get(player, []), player in bots, banned, *same))
    return found
