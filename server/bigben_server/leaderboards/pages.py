"""Pages of boards and profiles as messages, and the names on them. No Redis, no clock."""

from collections import Counter

import msgspec

from bigben_protocol import Leaderboard, PlayerId, Ranked, Standing
from bigben_server.scoring.boards import Board
from bigben_server.scoring.divisions import DELETED_PREFIX
from bigben_server.storage.leaderboards import Page, Row

DELETED = "deleted player"
_TAIL = 4


def leaderboard(board: Board, page: Page, ref: int) -> Leaderboard:
    """The page as it is sent."""
    everyone = [*page.rows, *([page.mine] if page.mine else [])]
    names = disambiguated({row.player: called(row.player, row.name) for row in everyone})
    rows = [row._replace(name=names[row.player]) for row in page.rows]
    mine = page.mine and page.mine._replace(name=names[page.mine.player])
    answer = Leaderboard(board.name, page.total, start=page.start, ref=ref)
    if board.order == "key":
        return msgspec.structs.replace(
            answer, rows=tuple(map(_standing, rows)), mine=_standing(mine) if mine else None
        )
    return msgspec.structs.replace(
        answer,
        ranked=tuple(_ranked(board, row) for row in rows),
        my_rank=_ranked(board, mine) if mine else None,
    )


def called(player: PlayerId, name: str) -> str:
    """The name to show for a player."""
    return DELETED if player.startswith(DELETED_PREFIX) else name or player


def disambiguated(names: dict[PlayerId, str]) -> dict[PlayerId, str]:
    """The names of one page; where two players have the same, the ends of their ids tell which.

    >>> disambiguated({PlayerId("guest:9f3a"): "Ada", PlayerId("guest:04bb"): "Ada"})
    {'guest:9f3a': 'Ada (9f3a)', 'guest:04bb': 'Ada (04bb)'}
    """
    alike = Counter(name.casefold() for name in names.values())
    return {
        player: f"{name} ({player[-_TAIL:]})" if alike[name.casefold()] > 1 else name
        for player, name in names.items()
    }


def _standing(row: Row) -> Standing:
    assert row.result is not None, "who has no result is left out of a page"
    return row.result.standing(row.player, row.name, row.place)


def _ranked(board: Board, row: Row) -> Ranked:
    if board.order == "points":
        return Ranked(row.player, row.name, row.place, points=-row.score)
    unsure = row.rating is not None and row.rating.provisional
    return Ranked(row.player, row.name, row.place, rating=-row.score, provisional=unsure)
