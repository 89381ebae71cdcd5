"""Standings with their places, as a race would show them. No tests."""

from collections.abc import Iterable

from msgspec.structs import replace

from bigben_protocol import Standing
from bigben_server.race.ranking import Ranking, key


def ranked(total: int, standings: Iterable[Standing]) -> list[Standing]:
    """The standings, the best first."""
    by_player = {row.player: row for row in standings}
    ranking = Ranking()
    ranking.put({player: key(total, row) for player, row in by_player.items()})
    page = ranking.page(0, len(ranking))
    return [replace(by_player[player], place=ranking.place(player)) for player in page]
