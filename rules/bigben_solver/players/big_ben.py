"""How the house plays Big Ben: five strengths, which use only what a player sees.

Each plans up to the next card of the stock. The same position and chance give the same plan.
"""

from collections.abc import Callable, Sequence
from functools import partial
from heapq import nlargest
from random import Random
from typing import Final

from bigben_rules.bigben import Position
from bigben_rules.bigben.layout import FAN_SIZE
from bigben_rules.cards import Card
from bigben_solver.big_ben import playout
from bigben_solver.big_ben.judging import WANTED
from bigben_solver.big_ben.reach import Reached, deal_of, reachable
from bigben_solver.big_ben.table import (
    BELOW_OF,
    NO_CARD,
    NUMBER,
    REFILL,
    TARGETS,
    TOTAL,
    WASTE,
    Table,
    move_of,
)
from bigben_solver.players.player import HousePlayer, Plan, house_player

_FAR: Final = 99
"""More cards than any card waits for."""

_WIN: Final = 20
"""How many cards home a win counts for, beside its own cards."""


def hasty(position: Position, rng: Random) -> Plan:
    """Plays whatever fits and deals when nothing does; builds only where the rules insist."""
    table = Table.of(position)
    for move in table.legal():
        if move < REFILL and move % TARGETS < WASTE:
            return (move_of(move),)
    reached = reachable(table, 100 if position.stock else 0)
    nearest = _ends(reached)[:1]
    return _plan(nearest[0], reached) if nearest else ()


def looking(
    position: Position, rng: Random, *, limit: int, worth: Callable[[Table], float]
) -> Plan:
    """Looks through what can be played and built before a card is dealt, and takes the best."""
    reached = reachable(Table.of(position), limit)
    ends = _ends(reached)
    return _plan(max(ends, key=lambda end: worth(reached.tables[end])), reached) if ends else ()


def guessing(
    position: Position,
    rng: Random,
    *,
    limit: int,
    lines: int,
    guesses: int,
    known: Sequence[Card] = (),
) -> Plan:
    """Guesses what the stock may hold, again and again, and takes the line that does best.

    The better half of the lines go on to the next playouts. ``known`` are the next cards of the
    stock, if somebody has told them; house players are never told.
    """
    table, told = Table.of(position), bytes(NUMBER[card] for card in known)
    reached = reachable(table, limit)
    ends = nlargest(lines, _ends(reached), key=lambda end: _worth(reached.tables[end]))
    if table.at == len(table.stock):  # no card is unknown
        return _plan(ends[0], reached) if ends else ()
    sums = dict.fromkeys(ends, 0)
    while len(ends) > 1:
        stocks = playout.stocks(table, rng, guesses, told)
        for end in ends:
            sums[end] += sum(_dealt_and_played(reached.tables[end], stock) for stock in stocks)
        ends = nlargest((len(ends) + 1) // 2, ends, key=sums.__getitem__)
        guesses *= 2
    return _plan(ends[0], reached) if ends else ()


def _dealt_and_played(table: Table, stock: bytes) -> int:
    """What a playout that begins with the deal is worth."""
    deal = deal_of(table)
    assert deal is not None, "a line with cards in the stock ends where one can be dealt"
    after = table.copy()
    after.stock, after.at = stock, 0
    after.play(deal)
    home = playout.played_out(after, stock[after.at :])
    return home + _WIN * (home == TOTAL)


def _ends(reached: Reached) -> list[int]:
    """Where a plan may end: a card can be dealt there, or more are home and none are left."""
    tables, home = reached.tables, reached.tables[0].cards_home()
    if dealing := [end for end, table in enumerate(tables) if deal_of(table)]:
        return dealing
    return [end for end, table in enumerate(tables) if table.cards_home() > home]


def _plan(end: int, reached: Reached) -> Plan:
    deal = deal_of(reached.tables[end])
    line = reached.line(end)
    return tuple(map(move_of, [*line, deal] if deal else line))


def _worth(table: Table) -> float:
    """Cards home, and a little for what helps the next ones: gaps to refill, nothing buried."""
    wait = _waits(table)
    gaps = sum(max(0, FAN_SIZE - len(fan)) for fan in table.fans)
    buried = sum(_buried(pile, wait) for pile in (*table.fans, table.waste))
    return table.cards_home() + 0.2 * gaps - 0.1 * buried


def _hoard(table: Table) -> float:
    """How many cards are in sequence on the fans; cards home count a little less."""
    sequences = sum(
        BELOW_OF[fan[at]] == fan[at + 1] for fan in table.fans for at in range(len(fan) - 1)
    )
    return sequences + 0.8 * table.cards_home()


def _waits(table: Table) -> list[int]:
    """How many cards must go home before each card can; the nearer of its two places."""
    waits = [_FAR] * NO_CARD
    for wants, count in zip(WANTED, table.home, strict=True):
        for ahead, card in enumerate(wants[count:-1]):
            waits[card] = min(ahead, waits[card])
    return waits


def _buried(pile: bytes, wait: list[int]) -> int:
    """How many cards cover one that is needed sooner, without cards in sequence."""
    count, soonest, below = 0, _FAR, NO_CARD
    for card in pile:
        due = wait[card]
        if due > soonest and BELOW_OF[below] != card:
            count += 1
        soonest, below = min(soonest, due), card
    return count


foreknowing: Final = partial(guessing, limit=400, lines=6, guesses=2)
"""With the next cards ``known``: what somebody may play who has seen them before."""

PLAYERS: Final[tuple[HousePlayer, ...]] = (
    house_player("beginner", hasty),
    house_player("casual", partial(looking, limit=400, worth=_hoard)),
    house_player("steady", partial(looking, limit=2000, worth=_worth)),
    house_player("sharp", partial(guessing, limit=2000, lines=6, guesses=4)),
    house_player("master", partial(guessing, limit=3000, lines=16, guesses=16)),
)
"""Weakest first."""
