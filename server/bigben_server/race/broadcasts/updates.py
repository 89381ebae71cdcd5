"""What appends change for others: updates for peers, and who takes or leaves a seat."""

from collections.abc import Iterable, Iterator

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import Append, Joined, Left, PeerUpdate, RoomAppend, SeatAppend


def seat_changes(appends: Iterable[RoomAppend]) -> Iterator[tuple[RaceId, PlayerId, int]]:
    """Who takes a seat, and when, ms since 1970; 0 for a player who leaves theirs."""
    for append in appends:
        match append.event:
            case Joined(player=player, at=at):
                yield append.race, player, at
            case Left(player=player):
                yield append.race, player, 0
            case _:
                pass


def updates_of(appends: Iterable[Append]) -> list[PeerUpdate]:
    """The updates for peers, one for each race."""
    updates: dict[RaceId, PeerUpdate] = {}
    for append in appends:
        race = append.race
        update = updates.get(race) or updates.setdefault(race, PeerUpdate(race, {}, {}))
        match append:
            case SeatAppend():
                update.statuses[append.player] = append.status
            case RoomAppend():
                update.events[append.number] = append.event
    return list(updates.values())
