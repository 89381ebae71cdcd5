"""Standings with their places, as a race would show them. No tests."""

from collections.abc import Iterable

from msgspec.structs import replace

from bigben_protocol import PlayerId, Standing
from bigben_server.race.ranking import Key, Ranking


def ranked(total: int, standings: Iterable[Standing]) -> list[Standing]:
    """The standings, the best first."""
    by_player = {row.player: row for row in standings}
    ranking = Ranking()
    ranking.put({p: Key(total - row.home, row.home_ms) for p, row in by_player.items()})
    page = ranking.page(0, len(ranking))
    return [replace(by_player[player], place=ranking.place(player)) for player in page]


def places(keys: Iterable[Key]) -> list[int]:
    """The places of players with these keys in a ranking."""
    by_player = {PlayerId(f"guest:{i}"): key for i, key in enumerate(keys)}
    ranking = Ranking()
    ranking.put(by_player)
    return [ranking.place(player) for player in by_player]
