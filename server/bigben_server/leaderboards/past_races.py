"""A player's last races, each with the place in it."""

from collections.abc import Iterable
from typing import Final

from bigben_protocol import PastRace, PlayerId
from bigben_rules import GAMES
from bigben_server.scoring.boards import Board
from bigben_server.scoring.profiles import HistoryEntry
from bigben_server.scoring.results import Finish, division_of, is_bot
from bigben_server.storage.client import Damaged
from bigben_server.storage.forms import places_on
from bigben_server.storage.leaderboards import Boards

COUNT: Final = 5


async def latest(
    boards: Boards, player: PlayerId, history: Iterable[HistoryEntry], *, rooms_too: bool
) -> tuple[PastRace, ...]:
    """The last races of a history, the latest first. Raises StoreLost.

    The place in a room is that among all who played there, and in a daily the one on its board.
    Without ``rooms_too`` only dailies: a room may still run, and its code lets others in.
    """
    known = [
        entry
        for entry in history
        if entry.played_on and entry.game in GAMES and (entry.day or rooms_too)
    ]
    last = sorted(known, key=lambda entry: (entry.played_on, entry.race))[: -COUNT - 1 : -1]
    division = division_of(player, boards.ranked, bot=is_bot(player))
    dailies = [entry for entry in last if entry.day]
    rooms = [entry for entry in last if not entry.day]
    on_boards = await places_on(
        boards.store,
        player,
        [
            (Board("daily", f"{one.day}", one.game, one.rules, "key", division), one.key)
            for one in dailies
        ],
    )
    in_rooms = [
        (0, 0) if isinstance(found, Damaged) else _place(player, found)
        for found in await boards.results_of([entry.race for entry in rooms])
    ]
    ordered = zip([*dailies, *rooms], [*on_boards, *in_rooms], strict=True)
    places = {entry.race: place for entry, place in ordered}
    return tuple(_past_race(entry, *places[entry.race]) for entry in last)


def _place(player: PlayerId, finishes: list[Finish]) -> tuple[int, int]:
    """The player's place among these, and how many they are."""
    own = next((one.key for one in finishes if one.counts_for == player), None)
    return (1 + sum(one.key < own for one in finishes) if own else 0), len(finishes)


def _past_race(entry: HistoryEntry, place: int, players: int) -> PastRace:
    return PastRace(
        *(entry.race, entry.game, entry.rules, f"{entry.played_on}", entry.state),
        home=GAMES[entry.game].total - entry.key.missing,
        home_ms=entry.key.home_ms,
        place=place,
        players=players,
    )
