"""Results and boards: what is recorded of a seat that is over, and a page as a message."""

from collections.abc import Iterable

import msgspec

from bigben_protocol import Leaderboard, Standing
from bigben_server.play import OVER
from bigben_server.race import Race
from bigben_server.ranking import key
from bigben_server.redis_store import Page, Result, Row
from bigben_server.seat import Seat


def results_of(race: Race, seats: Iterable[Seat]) -> list[Result]:
    """The results of those seats that are over. Practice leaves none."""
    if race.opened.kind == "practice":
        return []
    board = race.id if race.opened.kind == "daily" else ""
    return [
        Result(race.id, seat.standing, board, key(race.game.total, seat.standing))
        for seat in seats
        if seat.mark.state in OVER
    ]


def leaderboard(board: str, page: Page, start: int, ref: int) -> Leaderboard:
    """The page as it is sent."""
    mine = _standing(page.mine) if page.mine else None
    return Leaderboard(board, page.total, tuple(map(_standing, page.rows)), start, mine, ref)


def _standing(row: Row) -> Standing:
    return msgspec.structs.replace(row.result, name=row.name, place=row.place)
