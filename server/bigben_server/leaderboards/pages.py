"""Makes messages from pages of boards, with unambiguous names."""

from collections import Counter

from bigben_protocol import Leaderboard, PlayerId, Ranked, Standing
from bigben_server.scoring.boards import Board
from bigben_server.scoring.divisions import DELETED_PREFIX
from bigben_server.storage.leaderboards import Page, Row

DELETED = "deleted player"
_TAIL = 4


def leaderboard(board: Board, page: Page, ref: int) -> Leaderboard:
    """The message with this page."""
    shown = {row.player: called(row.player, row.name) for row in page.rows}
    if page.mine:
        shown[page.mine.player] = called(page.mine.player, page.mine.name)
    names = disambiguated(shown)
    if board.order == "key":
        rows = tuple(_standing(row, names) for row in page.rows)
        mine = _standing(page.mine, names) if page.mine else None
        return Leaderboard(board.name, page.total, rows, page.start, mine, ref)
    ranked = tuple(_ranked(board, row, names) for row in page.rows)
    my_rank = _ranked(board, page.mine, names) if page.mine else None
    return Leaderboard(
        board.name, page.total, start=page.start, ref=ref, ranked=ranked, my_rank=my_rank
    )


def called(player: PlayerId, name: str) -> str:
    """The name to show for a player."""
    return DELETED if player.startswith(DELETED_PREFIX) else name or player


def disambiguated(names: dict[PlayerId, str]) -> dict[PlayerId, str]:
    """The names on one page. Players with the same name get the ends of their ids.

    >>> disambiguated({PlayerId("guest:9f3a"): "Ada", PlayerId("guest:04bb"): "Ada"})
    {'guest:9f3a': 'Ada (9f3a)', 'guest:04bb': 'Ada (04bb)'}
    """
    alike = Counter(name.casefold() for name in names.values())
    return {
        player: f"{name} ({player[-_TAIL:]})" if alike[name.casefold()] > 1 else name
        for player, name in names.items()
    }


def _standing(row: Row, names: dict[PlayerId, str]) -> Standing:
    assert row.result is not None, "a page leaves out who has no result"
    return row.result.standing(row.player, names[row.player], row.place)


def _ranked(board: Board, row: Row, names: dict[PlayerId, str]) -> Ranked:
    name = names[row.player]
    if board.order == "points":
        return Ranked(row.player, name, row.place, points=-row.score)
    unsure = row.rating is not None and row.rating.provisional
    return Ranked(row.player, name, row.place, rating=-row.score, provisional=unsure)
