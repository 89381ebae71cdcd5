"""The rules of the patience games: deals, positions and moves, without I/O, clock or randomness."""

from collections.abc import Mapping
from typing import Final

from bigben_rules.bigben import BigBen
from bigben_rules.cards import Card
from bigben_rules.clock import CLOCK
from bigben_rules.game import Game
from bigben_rules.germanclock import GermanClock
from bigben_rules.grandfathersclock import GrandfathersClock
from bigben_rules.hideandseek import HIDE_AND_SEEK
from bigben_rules.position import (
    Cards,
    IllegalMove,
    Move,
    NotationError,
    Pile,
    Position,
    Step,
)
from bigben_rules.positions import Positions
from bigben_rules.seeds import commitment, counted, nonce_hash, seed_from_hex, shuffle
from bigben_rules.sentence import Sentence
from bigben_rules.travellers import TRAVELLERS
from bigben_rules.watch import WATCH

GAMES: Final[Mapping[str, Game]] = {
    game.name: game
    for game in (
        BigBen(),
        GrandfathersClock(),
        CLOCK,
        WATCH,
        TRAVELLERS,
        HIDE_AND_SEEK,
        GermanClock(),
    )
}
"""Every game by its name in commands."""

__all__ = [
    "GAMES",
    "Card",
    "Cards",
    "Game",
    "IllegalMove",
    "Move",
    "NotationError",
    "Pile",
    "Position",
    "Positions",
    "Sentence",
    "Step",
    "commitment",
    "counted",
    "game_named",
    "nonce_hash",
    "seed_from_hex",
    "shuffle",
]


def game_named(name: str) -> Game:
    """The game with that name. Raises ValueError with a sentence that lists the games."""
    if name not in GAMES:
        raise ValueError(f"no game is called {name[:40]!r}; there are {', '.join(GAMES)}")
    return GAMES[name]
