"""Views of written positions, as the server would send them."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from bigben_protocol import GameInfo, Pile, View
from bigben_protocol.types import State
from bigben_rules import GAMES, Position

INFO = {
    name: msgspec.convert(game.description, GameInfo, from_attributes=True)
    for name, game in GAMES.items()
}
"""Every game as a server describes it."""
BIG_BEN = INFO["bigben"]

BOARDS = Path(__file__).parent / "boards"


def view_of(position: Position, n: int = 0) -> View:
    """What a player sees of the position after move ``n``."""
    state: State = "won" if position.won else "blocked" if position.blocked else "playing"
    return View(
        race="daily.2026-11-21.bigben.standard",
        n=n,
        state=state,
        home=position.progress,
        ms=0,
        piles={name: Pile(cards.up, cards.down) for name, cards in position.piles().items()},
        legal=tuple(position.format(move) for move in position.legal_moves()),
    )


def read(text: str) -> Position:
    """The position of any game in this text."""
    return GAMES[text.split()[0]].read(text)


def played(position: Position, moves: Sequence[str]) -> Position:
    """The position after these moves."""
    for move in moves:
        position, _ = position.apply(position.parse(move))
    return position
