"""Finds the player whom somebody names."""

from bigben_client import Client
from bigben_protocol import By, Period, Ranked, Standing
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import printable
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import games_of


async def player_named(client: Client, name: str, game: str) -> str:
    """The id of the player with this name on a board of the game; ids are taken as they are.

    Raises Complaint.
    """
    if not name or ":" in name:
        return name
    boards: list[tuple[Period, By]] = [("all-time", "points"), ("daily", "points")]
    if (info := (await games_of(client)).get(game)) and info.decides:
        # Players who have only raced in rooms are on no other board.
        boards.append(("all-time", "rating"))
    for period, by in boards:
        page = await client.leaderboard(game=game, period=period, by=by, count=100)
        rows: list[Ranked | Standing] = [*page.ranked, *page.rows]
        for row in rows:
            if row.name.casefold() == name.casefold():
                return row.player
    raise Complaint(say("stats.unknown", name=printable(name[:40])))
