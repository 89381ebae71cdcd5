"""How hard a deal is for people: what a simple player makes of it, whatever the stock may hold.

Only what a player sees counts, so a grade tells nothing of the stock. A deal's certificate, which
says that it can be won, is another matter: almost every deal can.
"""

from bisect import bisect_left
from hashlib import sha256
from random import Random
from typing import Final

from bigben_rules import Position, bigben
from bigben_solver.big_ben import playout
from bigben_solver.big_ben.table import Table
from bigben_solver.thresholds import THRESHOLDS

GRADES: Final = ("easy", "medium", "hard", "fiendish")

PLAYOUTS: Final = 400


def score(position: Position) -> float:
    """The mean cards home of 400 playouts, each with the unseen cards shuffled anew.

    Two positions that look the same have the same score, on every machine. It takes about 0.15 s.
    Raises ValueError if the game has no grades.
    """
    if not isinstance(position, bigben.Position):
        raise ValueError(f"{position.text().split()[0]} has no grades")
    table = Table.of(position)
    looks = f"{position.rules} {position.reading().piles}"
    rng = Random(int.from_bytes(sha256(looks.encode()).digest(), "big"))
    stocks = playout.stocks(table, rng, PLAYOUTS)
    return sum(playout.played_out(table, stock) for stock in stocks) / PLAYOUTS


def grade(position: Position) -> str:
    """One of ``GRADES`` for a deal, "" if its game has no grades."""
    if not isinstance(position, bigben.Position):
        return ""
    # The thresholds rise from the fiendish deals to the easy ones.
    return GRADES[::-1][bisect_left(THRESHOLDS[position.rules], score(position))]
