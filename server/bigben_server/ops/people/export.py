"""Everything that is stored about one player, for them. It changes nothing; servers may run.

It has no other player's id or name, and of an open race nothing that the player may not know.
"""

from collections.abc import AsyncIterator
from typing import Any, Final

from msgspec import to_builtins
from msgspec.structs import asdict

from bigben_protocol import PlayerId
from bigben_server.ops.command import now_ms
from bigben_server.ops.long_work import Progress
from bigben_server.race.events import (
    Joined,
    Left,
    Opened,
    Readied,
    Renamed,
    RoomEvent,
    Unreadied,
)
from bigben_server.scoring.ratings import Rating
from bigben_server.scoring.results import Ranked
from bigben_server.seasons.season import Made
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.audit import Audit
from bigben_server.storage.admin.directives import DirectiveStore
from bigben_server.storage.admin.maintenance import NotThere
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.challenges import ChallengeStore
from bigben_server.storage.client import Damaged
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.storage.seasons.stored import StoredSeasons, players_in

FORMAT: Final = "bigben-player-1"
_AT_ONCE: Final = 200
"""Races that are read at once."""

Data = dict[str, Any]
"""``Any``: whatever JSON can hold."""


async def player_data(
    store: Store, player: PlayerId, progress: Progress, *, ranked: Ranked
) -> Data:
    """Raises NotThere, StoreLost, and Damaged if what is stored of the player can't be read."""
    races = [one async for one in _races(store, player, progress)]
    if not (races or await maintenance.is_known(store, player)):
        raise NotThere(f"there is no player {player}")
    people, boards = People(store), Boards(store, ranked)
    (name,), (history,) = await people.names([player]), await boards.histories(player)
    about = await maintenance.about(store, player)
    pools = sorted({(one.game, one.rules) for one in history})
    ratings = await boards.ratings(player, pools)
    orders, aliases = await DirectiveStore(store).read(now_ms()), Aliases(store)
    challenges = ChallengeStore(store)
    (alias,), guests = await aliases.of([player]), await aliases.tied_to(player)
    return {
        "format": FORMAT,
        "at": now_ms(),
        "player": player,
        "name": name,
        "name_of_the_operator": orders.names.get(player, ""),
        "bot": "bot" in about,
        "groups": [
            {"group": one.group, "name": one.name, "since": int(about.get(f"in:{one.group}", 0))}
            for one in await people.groups(player)
        ],
        "ratings": [_rating(*pool, ratings[pool]) for pool in pools if pool in ratings],
        "races": races,
        "seasons": await _seasons(store, player),
        "challenges": [
            {"received": received, "game": one.game, "rules": one.rules, "at": one.at}
            | {"state": one.state(now_ms()), "race": one.race}
            for received, found in (
                (False, await challenges.sent([player], now_ms())),
                (True, await challenges.received([player], now_ms())),
            )
            for one in found
        ],
        "account": alias.account if alias else "",
        "guests": [await player_data(store, one, progress, ranked=ranked) for one in guests],
        "bans": [to_builtins(ban) for ban in orders.players if ban.who == player],
        "audit": [
            asdict(one)
            for one in await Audit(store).entries()
            if player in (*one.arguments.values(), *one.outcome.split())
        ],
    }


async def _seasons(store: Store, player: PlayerId) -> list[Data]:
    """What the player has done in seasons, and what concerned them there."""
    stored, found = StoredSeasons(store), list[Data]()
    seasons = await stored.logs.all()
    for season, events in zip(seasons, await stored.events(seasons), strict=True):
        if isinstance(events, Damaged):
            store.report(events)
            continue
        for event in events:
            if player in players_in([event]):
                tag = "made" if isinstance(event, Made) else event.change.__struct_config__.tag
                by = event.by == player
                found.append({"season": season, "at": event.at, "change": tag, "by": by})
    return found


def _rating(game: str, rules: str, rating: Rating) -> Data:
    return {"game": game, "rules": rules, "rating": rating.shown, "races": rating.races}


async def _races(store: Store, player: PlayerId, progress: Progress) -> AsyncIterator[Data]:
    """The races that name the player, each with what they did there."""
    (alias,) = await Aliases(store).of([player])
    (history,) = await Boards(store).histories(alias.account if alias else player)
    rooms = (await maintenance.names(store)).rooms
    # A result may be there without its race, if that was deleted.
    all_races = dict.fromkeys([*rooms, *(entry.race for entry in history)])
    void = await Ledger(store).voided()
    for some in progress.over("All races", list(all_races), _AT_ONCE):
        results = await maintenance.results_of_player(store, player, some)
        for race, events in zip(some, await store.events_of(some), strict=True):
            if isinstance(events, Damaged):
                if race in results or await maintenance.is_named_in(store, race, player):
                    yield {"race": race, "unread": str(events)}
                continue
            mine = [event for event in events if _is_of(event, player)]
            if not (mine or race in results):
                continue
            found: Data = {"race": race}
            if events and isinstance(first := events[0], Opened):
                found |= {"kind": first.kind, "rules": to_builtins(first.rules), "at": first.at}
                found |= {"host": first.host == player, "invited": player in first.invited}
            found["events"] = [to_builtins(e) for e in mine if not isinstance(e, Opened)]
            entries = await store.entries(race, player)
            found["moves"] = [[entry.n, entry.ms, entry.move] for entry in entries]
            found["result"] = to_builtins(asdict(results[race])) if race in results else None
            found["void"] = void.get(race, "")
            yield found


def _is_of(event: RoomEvent, player: PlayerId) -> bool:
    match event:
        case Opened(host=host, invited=invited):
            return player == host or player in invited
        case Joined() | Left() | Readied() | Unreadied() | Renamed():
            return event.player == player
        case _:
            return False
