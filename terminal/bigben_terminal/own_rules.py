"""What this machine's own rules say of a player's view: its position and its legal moves."""

from dataclasses import replace

from bigben_protocol import View
from bigben_rules import Card, Cards, Pile
from bigben_rules.bigben import BigBen, Position
from bigben_terminal.complaint import Complaint


def position_of(view: View, rules: str) -> Position:
    """The position behind a view, its stock unknown. Raises ValueError for cards of no game."""
    piles = {
        Pile(name): Cards(tuple(map(Card, pile.up)), pile.down) for name, pile in view.piles.items()
    }
    return BigBen.seen(piles, rules)


def with_legal_moves(view: View, rules: str) -> View:
    """The view with its legal moves: clients that say ``keeps_rules`` find them themselves.

    Raises Complaint for rules that only a newer version knows.
    """
    if view.state != "playing":
        return view
    try:
        position = position_of(view, rules)
    except ValueError as error:
        raise Complaint(f"this version can't follow the game: {error}; update it") from None
    return replace(view, legal=tuple(map(position.format, position.legal_moves())))
