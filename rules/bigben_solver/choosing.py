"""Which deal of a seed a race plays: the first that is certified, and of the wanted grade.

It follows from the cards, the number of nodes and nothing else, so every machine chooses the same.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from bigben_rules import IllegalMove, Move, Position, counted, game_named, shuffle
from bigben_solver.games import DEALS
from bigben_solver.grades import grade as grade_of
from bigben_solver.solving import solve

VERSION: Final = 1
"""Raise it with any change that passes, refuses or grades a deal otherwise: what one version has
chosen or graded, another can't check."""
ANY: Final = "any"
"""Grade the deal, and take whatever grade it has."""
NONE: Final = "none"
"""Of a weekday: choose no deal."""
NODES: Final = 50_000
"""How far a race looks for a winning line of each deal; a change chooses other deals."""


class Chosen(NamedTuple):
    """A deal that passes."""

    counter: int
    """The number of the deal; see ``bigben_rules.counted``."""
    grade: str
    """Empty if it was not graded."""
    line: tuple[str, ...]
    """Moves that win it, as they are in a log."""


def choose(
    seed: bytes, game: str, rules: str, *, grade: str = "", nodes: int = NODES, deals: int = DEALS
) -> Chosen | None:
    """The first deal of a seed that passes; None if none of ``deals`` does.

    It passes if a search of ``nodes`` positions finds a winning line, and if it has the ``grade``:
    empty for deals that are not graded, or ``ANY``. It takes a fraction of a second for most
    deals.
    """
    tries = (tried(seed, n, game, rules, grade=grade, nodes=nodes) for n in range(deals))
    return next((chosen for chosen in tries if chosen), None)


def tried(
    seed: bytes, counter: int, game: str, rules: str, *, grade: str = "", nodes: int = NODES
) -> Chosen | None:
    """One deal of a seed, if it passes as ``choose`` says."""
    position = deal_of(seed, counter, game, rules)
    # First, since it takes the same short time for every deal, and a search may take far longer.
    found = grade_of(position) if grade else ""
    if grade not in (found, ANY):
        return None
    solution = solve(position, nodes=nodes)
    if solution.result != "won":
        return None
    return Chosen(counter, found, written(position, solution.moves))


def deal_of(seed: bytes, counter: int, game: str, rules: str) -> Position:
    """The first position of a deal of a seed."""
    named = game_named(game)
    return named.deal(shuffle(named.pack, counted(seed, counter)), rules)


def shorter(
    seed: bytes, counter: int, game: str, rules: str, line: Sequence[str], attempt: int
) -> tuple[str, ...]:
    """A winning line of a deal that is at most as long as ``line``, which wins it.

    ``attempt`` is the seed of the search: another number may find a shorter line.
    """
    position = deal_of(seed, counter, game, rules)
    known = _without_detours(position, _read(position, line))
    solution = solve(position, nodes=NODES, seed=attempt)
    if solution.result == "won":
        known = min(known, _without_detours(position, solution.moves), key=len)
    return written(position, known)


def written(position: Position, moves: Sequence[Move]) -> tuple[str, ...]:
    """The moves as they are in a log. They must win the position."""
    texts = []
    for move in moves:
        texts.append(position.format(move))
        position, _ = position.apply(move)
    assert position.won, "a winning line wins"
    return tuple(texts)


def _read(position: Position, line: Sequence[str]) -> tuple[Move, ...]:
    moves = []
    for text in line:
        moves.append(position.parse(text))
        position, _ = position.apply(moves[-1])
    return tuple(moves)


def _without_detours(position: Position, moves: Sequence[Move]) -> tuple[Move, ...]:
    """The same line without the moves that it does not need."""
    needed: list[Move] = []
    for done, move in enumerate(moves, 1):
        if not _wins(position, moves[done:]):
            needed.append(move)
            position, _ = position.apply(move)
    return tuple(needed)


def _wins(position: Position, moves: Sequence[Move]) -> bool:
    with suppress(IllegalMove):
        for move in moves:
            position, _ = position.apply(move)
        return position.won
    return False
