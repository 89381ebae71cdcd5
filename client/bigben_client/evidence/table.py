"""The cards of one game on the table, face-down cards included, from the deal on."""

from collections.abc import Mapping, Sequence

from bigben_protocol import Deal, Pile, Step
from bigben_protocol.types import Card

_STOCK = "s"


class Table:
    """Every pile with all its cards."""

    def __init__(self, deal: Deal, order: Sequence[Card]) -> None:
        """``order`` is the shuffled cards, and as many as ``deal`` deals."""
        self._up: dict[str, list[Card]] = {}
        """Face-up cards of each pile, the top last."""
        self._down: dict[str, list[Card]] = {}
        """Face-down cards of each pile, the one that is turned next last."""
        for pile, card in deal.laid:
            self._cards(self._up, pile).append(card)
        for pile, card in zip(deal.dealt, order, strict=True):
            self._cards(self._down if pile in deal.down else self._up, pile).append(card)
        self._cards(self._down, _STOCK).reverse()

    def carry_out(self, steps: Sequence[Step]) -> Step | None:
        """Carry the steps of one move out. Return the first that is impossible, or None."""
        laid: str | None = None
        """The pile on which the step before laid a card face down."""
        for step in steps:
            if not self._take(step, exchanged=laid == step.source):
                return step
            laid = step.target if step.how == "down" else None
            if step.how == "under":
                self._cards(self._up, step.target).insert(0, step.card)
            else:
                cards = self._down if step.how == "down" else self._up
                self._cards(cards, step.target).append(step.card)
        return None

    def shows(self, piles: Mapping[str, Pile]) -> bool:
        """Whether ``piles`` is what the player sees of this table."""
        own = {name for cards in (self._up, self._down) for name, pile in cards.items() if pile}
        return own <= piles.keys() and all(
            pile.up == tuple(self._cards(self._up, name))
            and pile.down == len(self._cards(self._down, name))
            for name, pile in piles.items()
        )

    def _take(self, step: Step, *, exchanged: bool) -> bool:
        """Take the step's card off its pile; False if it is not the one that can be taken."""
        up, down = self._cards(self._up, step.source), self._cards(self._down, step.source)
        if up and step.how != "turned":
            return up.pop() == step.card
        if exchanged and step.card in down[:-1]:
            # The card that was just laid on the pile takes the place of this one.
            down[down.index(step.card)] = down.pop()
            return True
        return bool(down) and down.pop() == step.card

    @staticmethod
    def _cards(piles: dict[str, list[Card]], name: str) -> list[Card]:
        return piles.setdefault(name, [])
