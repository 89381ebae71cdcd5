"""What a hint follows in games with many ways: a plan up to the next new card.

While cards are hidden, or if the game has no solver, it is the plan of the strongest house player.
Once all are known it is a line that wins; if none is found, the way to most cards home. The plan is
made for the position in which a card was last shown. A player who has left it gets a plan for the
position now, see ``circles``.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple, TypeVar

from bigben_rules import Move, Position, bigben, game_named
from bigben_rules.position import STOCK
from bigben_solver.big_ben.reach import reachable
from bigben_solver.big_ben.table import Table, move_of
from bigben_solver.games import CERTIFIED
from bigben_solver.hints.circles import Way, way_out
from bigben_solver.players import PLAYERS
from bigben_solver.solution import Result
from bigben_solver.solving import solve

P = TypeVar("P", bound=Position)

NODES: Final = 20_000
"""How many positions are looked at for a line that wins."""
FEW_NODES: Final = 500
"""The same where many positions are looked at."""
REACHED: Final = 4_000
"""How many positions are looked at for more cards home when no line wins."""


class Plan(NamedTuple):
    """It ends with a new card, or with a card that goes home."""

    moves: Sequence[Move]
    result: Result = "unknown"
    """What is known about the end of the game."""


def chance_of(position: Position) -> Random:
    """The chance by which a plan is made: the same for positions that look the same."""
    return Random(int.from_bytes(sha256(position.text().encode()).digest()))


def next_of(position: Position, dealt: Position | None) -> tuple[Way | None, Result]:
    """The next move, None if no plan brings a card home or deals one; and what is known.

    ``dealt`` is the position in which a card was last shown, if it is remembered.
    """
    if dealt and (way := _on_plan(position, dealt)):
        return way, plan_of(dealt).result
    result: Result = "unknown"

    def planned(start: Position) -> Sequence[Move]:
        nonlocal result
        moves, result = plan_of(start)
        return moves

    good = can_win if _is_solved(position) else None
    return way_out(position, planned, good), result


def _on_plan(position: Position, dealt: Position) -> Way | None:
    """The move that follows in the plan for ``dealt``, if it leads to this position."""
    moves, here = plan_of(dealt).moves, dealt
    for done, move in enumerate(moves):
        if here == position:
            return Way(move, len(moves) - done)
        if STOCK in move[:2]:
            break
        here, _ = here.apply(move)
    return None


def plan_of(position: Position) -> Plan:
    """The plan for a position, whose hidden cards are unknown."""
    return planned_for(position.text())


@lru_cache(maxsize=200)  # one hint after another asks for the same
def planned_for(text: str) -> Plan:
    game = text.split(" ", 1)[0]
    position: Position = game_named(game).read(text)
    if not _is_solved(position):
        return Plan(PLAYERS[game][-1].plan(position, chance_of(position)))
    result, line, _ = solve(position, nodes=NODES)
    return Plan(line or _most_home(position), result)


def _is_solved(position: Position) -> bool:
    """Whether a solver can take the position: its game has one, and all cards are seen."""
    hides = any(cards.down for cards in position.piles().values())
    return not hides and position.text().split(" ", 1)[0] in CERTIFIED


def can_win(position: Position) -> bool:
    return position.won or solve(position, nodes=FEW_NODES).result == "won"


def _most_home(position: Position) -> Sequence[Move]:
    """The way to most cards home. If not every way can be looked at, it is the better of two: to
    look as far as possible again and again, and to play like the strongest house player."""
    if isinstance(position, bigben.Position):
        moves, is_all = _far(position)
        ways = [moves] if is_all else [_to_the_end(position, lambda one: _far(one)[0])]
    else:
        is_all, ways = False, []
    if not is_all:
        house = PLAYERS[position.text().split(" ", 1)[0]][-1]
        ways.append(_to_the_end(position, lambda one: house.plan(one, chance_of(one))))
    return max(ways, key=lambda moves: _after(position, moves).progress)


def _far(position: bigben.Position) -> tuple[Sequence[Move], bool]:
    """The shortest way to most cards home that was found, and whether every way was looked at."""
    reached = reachable(Table.of(position), REACHED)
    homes = [table.cards_home() for table in reached.tables]
    return tuple(map(move_of, reached.line(homes.index(max(homes))))), len(homes) < REACHED


def _to_the_end(position: P, plan: Callable[[P], Sequence[Move]]) -> Sequence[Move]:
    """All moves, plan after plan; each brings more cards home."""
    whole: list[Move] = []
    while moves := plan(position):
        whole += moves
        position = _after(position, moves)
    return tuple(whole)


def _after(position: P, moves: Sequence[Move]) -> P:
    for move in moves:
        position, _ = position.apply(move)
    return position
