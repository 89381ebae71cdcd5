"""One position of a game of the Clock kind: the exposed card goes under the pile of its rank, and
the top of that pile is exposed next.

The rules go on: "If the last card of a pile belongs to that same pile, go on with the next pile
counterclockwise that still has face-down cards." That never happens. A pile but the first has as
many face-down cards as cards of its rank are still to be tucked, and the exposed card is one of
them. An exchange changes neither number. The first pile has one card fewer, so the fourth card of
its rank finds it empty, and that card ends the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple, Self

from bigben_rules import position
from bigben_rules.cards import RANK, UNKNOWN, Card
from bigben_rules.clock_kind import text as written
from bigben_rules.clock_kind.moves import PILES, SWAPS, TURN, format_move, parse_move
from bigben_rules.position import HAND, Cards, IllegalMove, Move, Pile, Reason, Step
from bigben_rules.sentence import Sentence, sentence

Piles = tuple[tuple[Card, ...], ...]
"""The cards of each pile, aces first."""

INDEX: Final = {pile: index for index, pile in enumerate(PILES)}
OF_CARD: Final = {card: rank - 1 for card, rank in RANK.items()}
"""The index of the pile under which a card is tucked."""


class Setup(NamedTuple):
    """What one game of the kind has of its own."""

    name: str
    deals: tuple[Pile, ...]
    """The pile that gets each card, in the order of dealing."""
    first: Pile
    """The pile that is turned first. The fourth card of its rank decides the game."""
    swaps: int = 0
    """How often the deciding card may be exchanged for a face-down card."""


@dataclass(frozen=True, slots=True)
class Position(position.Position):
    """The tucked and the face-down cards of each pile, the exposed card, and the exchanges left."""

    setup: Setup
    tucked: Piles
    """Face up under the pile; the card that was tucked last lies lowest and is the first here."""
    down: Piles
    """Face down; the last card is the top."""
    hand: Card | None
    """The exposed card; None before the first turn."""
    swaps: int

    @property
    def decided(self) -> bool:
        """Whether the deciding card is exposed: the fourth of the first pile's rank."""
        return self.hand is not None and not self.down[OF_CARD[self.hand]]

    @property
    def can_swap(self) -> bool:
        """Whether the player has to exchange the deciding card before anything else."""
        return self.decided and self.swaps > 0 and any(self.down)

    @property
    def won(self) -> bool:
        """Whether the last card is exposed; it is the deciding one."""
        return self.hand is not None and not any(self.down)

    @property
    def blocked(self) -> bool:
        """Whether the deciding card is exposed for good while cards are face down."""
        return self.decided and not self.won and not self.can_swap

    @property
    def progress(self) -> int:
        """The cards tucked under their pile, and the deciding card when it ends the game."""
        return sum(map(len, self.tucked)) + (self.decided and not self.can_swap)

    def legal_moves(self) -> list[Move]:
        """Exactly the moves that ``apply`` accepts.

        The exception is a move that would expose an unknown card, which ``apply`` refuses.
        """
        if not self.decided:
            return [TURN]
        if not self.can_swap:
            return []
        piles = zip(PILES, self.down, strict=True)
        return [move for pile, cards in piles for move in SWAPS[pile][: len(cards)]]

    def apply(self, move: Move) -> tuple["Position", tuple[Step, ...]]:
        """The position after ``move`` and the cards that moved. Raises IllegalMove.

        Raises ValueError for a move that ``parse`` never returns.
        """
        if move == TURN:
            return self._turned()
        if move in SWAPS.get(move.target, ()):
            return self._swapped(move)
        raise ValueError(f"{move} is not a move of the Clock kind; parse() makes one from text")

    def parse(self, text: str) -> Move:
        """The move as typed, legal or not. Raises NotationError."""
        return parse_move(text, swaps=self.setup.swaps > 0)

    def format(self, move: Move) -> str:
        """The move in the notation of the log."""
        return format_move(move)

    def piles(self) -> dict[Pile, Cards]:
        """All piles as the player sees them; of face-down cards only the number."""
        return {pile: self.pile(pile) for pile in (*PILES, HAND)}

    def pile(self, name: Pile) -> Cards:
        """One pile as the player sees it."""
        if name == HAND:
            return Cards((self.hand,) if self.hand else ())
        index = INDEX[name]
        return Cards(self.tucked[index], len(self.down[index]))

    def explain(self, source: Pile, target: str = "") -> Reason:
        """Only the exposed card moves, and only where its rank says."""
        self.pile(source)  # raises KeyError
        if self.decided:
            return Reason((self._why_no_turn(),))
        if self.hand is None:
            return Reason((sentence("turn.first", pile=self.setup.first),))
        under = PILES[OF_CARD[self.hand]]
        exposed = sentence("turn.under", card=self.hand, pile=under)
        if source == HAND and target in ("", under):
            return Reason((exposed,))
        return Reason((sentence("turn.only"), exposed), (self.hand,))

    def with_hidden(self, cards: Sequence[Card]) -> Self:
        """The position with these cards face down, pile by pile."""
        rest = iter(cards)
        return replace(self, down=tuple(tuple(islice(rest, len(p))) for p in self.down))

    def text(self) -> str:
        """The whole position in one line, with the face-down cards; see ``text.py``."""
        return written.write(self.setup.name, self.hand, self.tucked, self.down, self.swaps)

    def _turned(self) -> tuple["Position", tuple[Step, ...]]:
        """Tuck the exposed card under the pile of its rank, and expose the top of that pile."""
        if self.decided:
            raise self._illegal(self._why_no_turn())
        index, tucked = INDEX[self.setup.first], self.tucked
        steps: tuple[Step, ...] = ()
        if self.hand:
            index = OF_CARD[self.hand]
            tucked = _put(tucked, index, (self.hand, *tucked[index]))
            steps = (Step(HAND, PILES[index], self.hand, "under"),)
        *left, card = self.down[index]
        self._check_known(PILES[index], card)
        after = Position(self.setup, tucked, _put(self.down, index, tuple(left)), card, self.swaps)
        return after, (*steps, Step(PILES[index], HAND, card, "turned"))

    def _swapped(self, move: Move) -> tuple["Position", tuple[Step, ...]]:
        """Watch: the deciding card takes the place of a face-down card, which is exposed."""
        pile, depth = move.target, move.depth
        cards = self.down[INDEX[pile]]
        if self.hand is None or not self.can_swap:
            raise self._illegal(self._why_no_swap())
        if len(cards) < depth:
            few = "swap.fewer" if cards else "swap.none"
            swap = self.format(self.legal_moves()[0])
            raise self._illegal(sentence(few, pile=pile, depth=depth, move=swap))
        place = len(cards) - depth
        self._check_known(pile, cards[place])
        down = _put(self.down, INDEX[pile], (*cards[:place], self.hand, *cards[place + 1 :]))
        after = Position(self.setup, self.tucked, down, cards[place], self.swaps - 1)
        steps = (Step(HAND, pile, self.hand, "down"), Step(pile, HAND, cards[place], "turned"))
        return after, steps

    def _why_no_turn(self) -> Sentence:
        """Why the deciding card is not tucked."""
        if not self.can_swap:
            return sentence("turn.over", card=self.hand or "")
        swap = self.format(self.legal_moves()[0])
        return sentence("swap.first", card=self.hand or "", move=swap)

    def _why_no_swap(self) -> Sentence:
        if not self.setup.swaps:
            return sentence("swap.never")
        if self.decided:
            return self._why_no_turn()
        return sentence("swap.fourth")

    def _check_known(self, pile: Pile, card: Card) -> None:
        if card == UNKNOWN:
            raise self._illegal(sentence("turn.unknown", pile=pile))

    def _illegal(self, said: Sentence) -> IllegalMove:
        return IllegalMove(said, self.text())


def _put(piles: Piles, index: int, cards: tuple[Card, ...]) -> Piles:
    return (*piles[:index], cards, *piles[index + 1 :])
