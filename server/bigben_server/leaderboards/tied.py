"""Counts what tied players, most of them guests, have done under their accounts.

A rebuild does the same at the same place among the races, so the outcome is the same.
"""

import asyncio
from collections.abc import Collection, Iterable
from itertools import chain

from bigben_protocol import PlayerId
from bigben_server.scoring.boards import Board, Order, boards_of
from bigben_server.scoring.ratings import together, write_rating
from bigben_server.scoring.results import PEOPLE, Alias, Finish, Ranked, is_division
from bigben_server.storage.admin.audit import Audit, AuditEntry
from bigben_server.storage.aliases import OWN, SUM, Aliases
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger


async def count(boards: Boards, ledger: Ledger, player: PlayerId, alias: Alias) -> None:
    """Count all that a player has done under the account that they are tied to. Idempotent.

    That includes what counts for them of others. Hold the lease to settle, and call it before
    another race is settled. Raises StoreLost and Damaged.
    """
    aliases = Aliases(boards.store)
    finishes = await boards.results_of_player(player, await aliases.tied_to(player))
    days = {board for one in finishes for board in boards_of(one, boards.ranked, "key")}
    keys = {boards.keys.board(board.name): OWN for board in days}
    await aliases.fold(player, alias.to, keys)
    # In a thread: of many results it takes longer than a move may wait.
    settled = await asyncio.to_thread(settled_boards, finishes, boards.ranked)
    await fold(ledger, player, alias, settled, boards.ranked)
    await aliases.move(player, alias.to)
    boards.forget_pages()


async def note(audit: Audit, player: PlayerId, alias: Alias) -> None:
    """Let the operator see in the audit log who was tied. Raises StoreLost."""
    who = {"guest": player, "account": alias.to}
    said = f"{player} is tied to {alias.to}: the results of both count as those of one."
    await audit.add(AuditEntry(alias.at, alias.to, "tie", who, said, done=True))


def settled_boards(finishes: Iterable[Finish], ranked: Ranked) -> set[Board]:
    """The boards that settling these results changes."""
    orders: tuple[Order, ...] = "points", "rating"
    each = (boards_of(one, ranked, order) for one in finishes for order in orders)
    return {*chain.from_iterable(each)}


async def fold(
    ledger: Ledger, player: PlayerId, alias: Alias, boards: Collection[Board], ranked: Ranked
) -> None:
    """Count the player's points and ratings on these boards under the account. Idempotent.

    On boards of past weeks and months the account keeps the rating that it has there.
    """
    aliases, account = Aliases(ledger.store), alias.to
    keys = {ledger.board(board): SUM for board in boards if board.order == "points"}
    await aliases.fold(player, account, keys)
    rated: dict[tuple[str, str, str], list[Board]] = {}
    for board in boards:
        if board.order == "rating":
            division = board.scope if is_division(board.scope, ranked) else PEOPLE
            rated.setdefault((board.game, board.rules, division), []).append(board)
    for about, of_pool in rated.items():
        pool = ledger.pool(*about)
        mine, theirs = await ledger.stored_ratings(pool, [player, account])
        if mine is None:  # it was done before
            continue
        rating = together(mine, theirs) if theirs else mine
        scores = {
            ledger.board(board): -rating.shown if board.period == "all-time" else OWN
            for board in of_pool
        }
        await aliases.fold(player, account, scores)
        # Last, because the boards follow from both ratings.
        await aliases.fold(player, account, {pool: write_rating(rating)})
