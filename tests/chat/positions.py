"""Positions of every game as a player sees them, from seeded games."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from tests.terminal.support import INFO, view_of

from bigben_protocol import GameInfo, Pile, Step, View
from bigben_rules import GAMES, shuffle

BIG_BEN: Final = INFO["bigben"]
GAME_NAMES: Final = tuple(INFO)


class Seen(NamedTuple):
    """A view, and the move that led to it."""

    view: View
    last: Sequence[Step]
    game: GameInfo = BIG_BEN


def after(moves: int, *, seed: int = 1, rules: str = "standard", game: str = "bigben") -> Seen:
    """After so many moves of a hasty player: home if possible, else anything."""
    random = Random(seed)
    played = GAMES[game]
    position = played.deal(shuffle(played.pack, random.randbytes(32)), rules)
    homes = {slot.pile for slot in INFO[game].slots if slot.kind == "foundation"}
    last: tuple[Step, ...] = ()
    count = 0
    while count < moves and (legal := position.legal_moves()):
        home = [move for move in legal if move.target in homes]
        position, steps = position.apply(random.choice(home or legal))
        last = tuple(Step(*step) for step in steps)
        count += 1
    return Seen(view_of(position, count), last, INFO[game])


def crowded(game: str, cards: int) -> Seen:
    """The deal of a game with ``cards`` more cards on every pile that fans."""
    seen = after(0, game=game)
    ranks = ("10H", "QD", "AS", "7C")
    more = tuple(ranks[number % 4] for number in range(cards))
    piles = dict(seen.view.piles)
    for slot in seen.game.slots:
        if slot.fans:
            there = piles[slot.pile]
            piles[slot.pile] = Pile((*there.up, *more), there.down)
    return Seen(replace(seen.view, piles=piles), (), seen.game)
