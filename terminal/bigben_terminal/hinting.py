"""Hints in the terminal: what the player sees for the solver, and what is best in words."""

from typing import Protocol

from bigben_protocol import Rules, View
from bigben_rules import Card, Pile
from bigben_solver.hints.asked import Asked
from bigben_terminal.display.faces import with_spoken
from bigben_terminal.language import from_server, say


def seen_by_player(rules: Rules, view: View) -> Asked:
    """What the player of this view sees."""
    piles = tuple(
        (Pile(name), tuple(Card(card) for card in pile.up), pile.down)
        for name, pile in view.piles.items()
    )
    return Asked(rules.game, rules.rules, piles, view.legal, view.can_undo)


class Advice(Protocol):
    """What to do, and why: the server's hint, or the solver's."""

    @property
    def move(self) -> str: ...

    @property
    def why(self) -> str: ...


def advice(best: Advice) -> str:
    """The move to type, and why."""
    why = with_spoken(from_server(best.why))
    return say("hints.best", move=best.move, why=why) if best.move else why
