"""Checks that clients received no contradictions, and that everything holds at the end."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import UNSET

from benchmarks.servers import PATIENCE_S
from bigben_client import Client, ask_receipt
from bigben_client.session.event_queue import Event
from bigben_protocol import Diff, Reveal, Room, Snapshot
from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import Altered, Unreadable, read

Acknowledged = list[tuple[int, str]]
"""The numbers and moves of one game, in the order in which their diffs came."""


class Witness:
    """Compares each message of a client with earlier ones."""

    def __init__(self, client: Client) -> None:
        self.faults: list[str] = []
        self._client = client
        self._reached: dict[str, int] = {}
        """The last known move of each game."""
        self._digests: dict[tuple[str, int], int] = {}
        """The digest of the cards after each known move."""

    def hear(self, event: Event) -> None:
        """Check the next event."""
        match event:
            case Diff(race, n, digest=digest) | Snapshot(race, n, digest=digest):
                if n < self._reached.get(race, 0):
                    self._fault(event, f"after move {self._reached[race]}")
                if digest is not UNSET and self._digests.setdefault((race, n), digest) != digest:
                    self._fault(event, "other cards than before")
                self._reached[race] = n
            case Room(race, seats=seats):
                own = (seat for seat in seats if seat.player == self._client.player)
                if any(seat.moves < self._reached.get(race, 0) for seat in own):
                    self._fault(event, f"after move {self._reached[race]}")
            case _:
                pass

    def _fault(self, event: Event, what: str) -> None:
        self.faults.append(f"untrue, {what}: {event}")


class Plays(Protocol):
    """The checks of one player at the end."""

    client: Client
    games: dict[str, Acknowledged]
    witness: Witness
    reveals: dict[str, Reveal]
    daily: str


async def faults_of(players: Sequence[Plays], races: Sequence[str]) -> list[str]:
    """Every contradiction; ``races`` are the closed live races."""
    found = [fault for player in players for fault in player.witness.faults]
    for player in players:
        found += await forgotten(player.client, player.games)
    table = {race: player for player in players for race in player.games}
    for race in races:
        found += await _receipt(table[race], race)
    found += await _boards(players)
    played = Counter(race for player in players for race in player.games)
    for player in players:
        rated = [race for race in races if race in player.games and played[race] > 1]
        found += await _profile(player, rated)
    return found


async def forgotten(client: Client, games: Mapping[str, Acknowledged]) -> list[str]:
    """Differences between the acknowledged moves of a player and the server's records."""
    found: list[str] = []
    for race, acknowledged in games.items():
        record = await client.record(race)
        logged = [(n, move) for n, (_, move) in enumerate(record.moves, start=1)]
        # One move may be durable while its acknowledgement is under way at the end, and a timeout
        # may follow.
        known, more = logged[: len(acknowledged)], logged[len(acknowledged) :]
        if known != acknowledged or len([move for _, move in more if move != "timeout"]) > 1:
            found.append(f"{race}: acknowledged {acknowledged}, logged {logged}")
    return found


async def _receipt(player: Plays, race: str) -> list[str]:
    """What is wrong with the receipt of a closed race."""
    room = await player.client.watch(race)
    try:
        for _ in check(read(await ask_receipt(player.client, room, player.reveals[race]))):
            pass
    except (Altered, Unreadable) as error:
        return [f"the receipt of {race} does not hold: {error}"]
    finally:
        await player.client.leave(race)
    return []


async def _boards(players: Iterable[Plays]) -> list[str]:
    """Whether the daily's board has each result of these players once, and no other."""
    some = list(players)
    expected: dict[str, object] = {}
    for player in some:
        standing = (await player.client.record(player.daily)).standing
        if standing.state != "playing":
            expected[standing.player] = (standing.state, standing.moves, standing.home)
    # Each server waits with its answer for the results that it has to write itself.
    boards = [await player.client.leaderboard(count=100) for player in some]
    board = boards[-1]
    rows = [(row.player, (row.state, row.moves, row.home)) for row in board.rows]
    if len(rows) != len(expected) or dict(rows) != expected:
        return [f"the board has {rows} and not {expected}"]
    return []


async def _profile(player: Plays, rated: Sequence[str]) -> list[str]:
    """Whether each race of a player counts once."""
    daily = (await player.client.record(player.daily)).standing.state != "playing"
    expected = (len(rated) + daily, len(rated))
    found = (0, 0)
    try:
        async with asyncio.timeout(PATIENCE_S):  # races are rated after they are closed
            while found < expected:
                tallies = (await player.client.profile()).tallies
                standard = [tally for tally in tallies if tally.rules == "standard"]
                found = next(((tally.played, tally.rated) for tally in standard), (0, 0))
    except TimeoutError:
        pass
    if found != expected:
        return [f"{player.client.player} has {found} results and ratings, and not {expected}"]
    return []
