"""What a player learns after their own game, and all learn after the race."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bigben_client import Client, RefusedError
from bigben_protocol import Diff, GameInfo, Pile, Record, Room, Standing, Standings, View
from bigben_protocol.share import hours_of, share_text
from bigben_terminal.display import race_text
from bigben_terminal.display.tables import clock
from bigben_terminal.language import language, say

_GAMES = 12
"""How many games are shown at most."""


async def finished(client: Client, room: Room) -> list[str]:
    """The sentences for a player whose own game has ended: the place so far, and what to do."""
    if room.kind == "practice":
        return []
    try:
        standings = await client.standings_and_own(room.race)
    except RefusedError:
        return []
    lines = [] if standings.final else race_text.place_so_far(standings, room, client.player)
    if room.kind == "live" and lines:
        lines.append(say("end.rematch_now"))
    if room.kind == "daily":
        lines.append(say("next_daily", time=clock(until_next_daily(client.now_at()))))
    if room.race.startswith("week."):
        lines.append(say("season.table", season=room.race.split(".")[1]))
    return [*lines, say("end.share")]


async def share_card(client: Client, room: Room, game: GameInfo) -> str:
    """The text to share of the player's own seat; empty if they have not played."""
    standings = await client.standings_and_own(room.race)
    seat = next((row for row in standings.rows if row.player == client.player), None)
    if seat is None or seat.state in ("joined", "ready"):
        return ""
    streak, hours = 0, list[tuple[int, int]]()
    if room.kind == "daily":
        rules = (room.rules.game, room.rules.rules)
        tallies = (await client.profile()).tallies
        streak = sum(t.days_played.now for t in tallies if (t.game, t.rules) == rules)
    if room.phase == "closed":
        hours = [*hours_of(await client.record(room.race), game)]
    return share_text(
        room,
        seat,
        game=game,
        players=standings.players,
        streak=streak,
        hours=hours,
        language=language(),
    )


def until_next_daily(now_at: int) -> int:
    """The ms until the next daily race opens, at 00:00 UTC.

    >>> until_next_daily(1_795_305_600_000 - 61_000)
    61000
    """
    now = datetime.fromtimestamp(now_at / 1000, UTC)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return round((midnight - now).total_seconds() * 1000)


async def played_games(
    client: Client, standings: Standings, game: GameInfo
) -> list[tuple[Standing, list[View]]]:
    """The games of the best players of a closed race, board by board."""
    begun = [row for row in standings.rows if row.state in race_text.OVER][:_GAMES]
    return [(row, views_of(await client.record(standings.race, row.player), game)) for row in begun]


def views_of(record: Record, game: GameInfo) -> list[View]:
    """The board at the start of a record and after each of its moves."""
    views = [View(record.race, 0, "playing", _home(record.piles, game), 0, record.piles, ())]
    for n, ((ms, move), steps) in enumerate(zip(record.moves, record.steps, strict=True), 1):
        view = views[-1].after(Diff(record.race, n, move, steps, "playing", 0, ms))
        views.append(replace(view, home=_home(view.piles, game)))
    return views


def _home(piles: Mapping[str, Pile], game: GameInfo) -> int:
    """Cards on foundations; where there are none, those that lie face up under their pile."""
    kinds = {slot.kind for slot in game.slots}
    homes = "foundation" if "foundation" in kinds else "reserve"
    return sum(len(piles[slot.pile].up) for slot in game.slots if slot.kind == homes)
