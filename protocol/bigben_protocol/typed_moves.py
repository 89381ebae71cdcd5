"""Whether a typed word begins a move of a game, as the game describes its moves."""

import re
from collections.abc import Mapping

from bigben_protocol.games import GameInfo

ALWAYS = ("undo", "resign")
"""Moves in every game."""


def begins_at_pile(word: str, game: GameInfo) -> bool:
    """Whether a move of the game can begin so: with a pile, perhaps without a space after it."""
    # Cards of the stock and of the hand are moved by commands.
    slots = [slot for slot in game.slots if slot.kind not in ("stock", "hand")]
    names = {slot.pile for slot in slots} | {slot.kind for slot in slots if slot.kind == "waste"}
    piles = "|".join(map(re.escape, names))
    return bool(re.match(rf"\d|({piles})([\df]|$)", word))


def words_after(game: GameInfo) -> Mapping[str, int]:
    """The commands that are moves, each with the most words after it."""
    piles = {slot.pile for slot in game.slots}
    most: dict[str, int] = dict.fromkeys(ALWAYS, 0)
    for typed in game.moves:
        first, *rest = typed.example.split()
        if first not in piles:
            most[first] = max(most.get(first, 0), len(rest))
    return most
