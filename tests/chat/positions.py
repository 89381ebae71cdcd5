"""Positions of Big Ben as a player sees them, from seeded games."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from tests.terminal.support import view_of

from bigben_protocol import Step, View
from bigben_rules import GAMES, shuffle


class Seen(NamedTuple):
    """A view, and the move that led to it."""

    view: View
    last: Sequence[Step]


def after(moves: int, *, seed: int = 1, rules: str = "standard") -> Seen:
    """After so many moves of a hasty player: home if possible, else anything."""
    random = Random(seed)
    game = GAMES["bigben"]
    position = game.deal(shuffle(game.pack, random.randbytes(32)), rules)
    last: tuple[Step, ...] = ()
    played = 0
    while played < moves and (legal := position.legal_moves()):
        home = [move for move in legal if move.target.startswith("f") and move.target != "fans"]
        position, steps = position.apply(random.choice(home or legal))
        last = tuple(Step(*step) for step in steps)
        played += 1
    return Seen(view_of(position, played), last)
