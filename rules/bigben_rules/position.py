"""The interface of every position: its piles, its moves, and the steps of a move.

Code outside this package uses only this interface and that of ``Game``, so it works with every
game.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Literal, NamedTuple, NewType, Protocol, Self

from bigben_rules.cards import Card
from bigben_rules.sentence import Sentence, sentence

Pile = NewType("Pile", str)
"""A pile's name in the notation: ``3`` fan 3, ``f9`` the foundation at nine, ``w`` and ``s``."""

STOCK = Pile("s")
WASTE = Pile("w")
HAND = Pile("h")
"""The exposed card of a game that turns one card at a time."""


class Move(NamedTuple):
    """From one pile to another. Moves that deal or turn a card are constants of their game."""

    source: Pile
    target: Pile
    depth: int = 1
    """Of an exchange: which face-down card of ``target`` is taken, 1 being the top."""


How = Literal["", "turned", "under", "down"]
"""How a card moves: ``""`` from the top of a pile to the top of another, where it is face up;
``turned`` the same, from the face-down cards of a pile that has face-up cards too; ``under`` face
up under the cards of its new pile; ``down`` face down on its new pile."""


class Step(NamedTuple):
    """One card that moves from one pile to another."""

    source: Pile
    target: Pile
    card: Card
    how: How = ""


def shows(steps: Sequence[Step]) -> bool:
    """Whether a move has shown its player a card that was face down."""
    return any(step.source == STOCK or step.how == "turned" for step in steps)


class Cards(NamedTuple):
    """A pile as its player sees it: face-up cards from the bottom, and ``down`` face-down cards.

    The face-down cards lie under the face-up cards, but in a ``reserve`` above them.
    """

    up: tuple[Card, ...]
    down: int = 0


class NotationError(ValueError):
    """The text is not a move in any position. What it says is safe to show to the player."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)
        self.said = said


class IllegalMove(ValueError):
    """The rules forbid the move here; the position is unchanged.

    ``said`` is for the player and reveals no face-down card. The exception's text also has the
    position with the stock: use it in a bug report, and never send it.
    """

    def __init__(self, said: Sentence, position: str) -> None:
        super().__init__(said, position)
        self.said = said
        self.position = position

    def __str__(self) -> str:
        return f"{self.said} in: {self.position}"


class Reading(NamedTuple):
    """What a player is told of a position."""

    legal: tuple[str, ...]
    """The legal moves in the notation, in the order of ``Position.legal_moves``."""
    piles: str
    """Every pile as the player sees it: ``f1:6C f2:7H … 3:7H,KD … s:56?``."""


class Reason(NamedTuple):
    """Why the top card of a pile can't move, or where it can, with what its player sees."""

    said: tuple[Sentence, ...] = ()
    """For the player, one after the other."""
    cards: tuple[Card, ...] = ()
    """The cards that it waits for: it goes on them."""


_NO_REASON: Final = Reason((sentence("why.none"),))


class Position(Protocol):
    """One state of one player's game: an immutable, hashable value."""

    __slots__ = ()  # so that the positions of a game may have slots alone

    @property
    def won(self) -> bool:
        """Whether every card is home."""
        ...

    @property
    def blocked(self) -> bool:
        """Whether the game is not won and no move is legal."""
        return not (self.won or self.legal_moves())

    @property
    def progress(self) -> int:
        """The number of cards home: on foundations, or tucked under the pile of their rank."""
        ...

    def legal_moves(self) -> list[Move]:
        """Exactly the moves that ``apply`` accepts."""
        ...

    def apply(self, move: Move) -> tuple[Self, tuple[Step, ...]]:
        """The position after the move, and the cards that moved, in order. Raises IllegalMove."""
        ...

    def reading(self) -> Reading:
        """The legal moves and the piles. A ``Reader`` has them faster in a game in play."""
        return plain_reading(self)

    def parse(self, text: str) -> Move:
        """The move that a player means by ``text`` in this position; it may be illegal.

        Raises NotationError, and IllegalMove if the text leaves a choice that has no solution.
        """
        ...

    def format(self, move: Move) -> str:
        """The move in the notation of the log; ``parse`` reads it back in this position."""
        ...

    def piles(self) -> dict[Pile, Cards]:
        """What the player sees: all piles, always in the same order."""
        ...

    def pile(self, name: Pile) -> Cards:
        """One pile as the player sees it. Raises KeyError."""
        return self.piles()[name]

    def explain(self, source: Pile, target: str = "") -> Reason:
        """Why the top card of ``source`` can't move, or not to ``target`` as a player names it.

        If it can move, it is said where. It tells only what ``piles`` shows. Raises KeyError if
        the game has no pile ``source``.
        """
        return plain_reason(self, source, target)

    def with_hidden(self, cards: Sequence[Card]) -> Self:
        """The position with these cards face down, which looks the same to the player.

        There are as many as lie face down. A game that hides cards says how they lie.
        """
        assert not cards, "this game hides no card"
        return self

    def text(self) -> str:
        """The whole position in one line, face-down cards included; ``Game.read`` reads it."""
        ...


def plain_reading(position: Position) -> Reading:
    """The reading of a position, made from nothing but its own methods."""
    legal = tuple(map(position.format, position.legal_moves()))
    piles = (pile_text(name, *cards) for name, cards in position.piles().items())
    return Reading(legal, " ".join(piles))


def plain_reason(
    position: Position, source: Pile, target: str = "", may_go: Reason = _NO_REASON
) -> Reason:
    """The reason from the moves of a position; ``may_go`` says where a card that can't move may go.

    Raises KeyError if the game has no pile ``source``.
    """
    up, down = position.pile(source)
    legal = position.legal_moves()
    if source.startswith("f"):
        return Reason((sentence("why.home"),))
    if source == STOCK:
        deals = _written(position, [one for one in legal if STOCK in (one.source, one.target)])
        told = sentence("why.write", moves=deals) if deals else _refused(position, "turn")
        return Reason((told,))
    if not up:
        return _NO_REASON if down else Reason((sentence("why.no_card"),))
    why: tuple[Sentence, ...] = ()
    if target not in ("", source):
        wanted = f"{source} {target}"
        with suppress(IllegalMove, NotationError):  # which `_refused` puts in words
            if (move := position.parse(wanted)) in legal:
                there = sentence("why.there", card=up[-1], move=position.format(move))
                return Reason((there,))
        why = (_refused(position, wanted),)
    # A move to the stock turns the whole pile over.
    can = [move for move in legal if move.source == source and move.target != STOCK]
    if can:
        moves = _written(position, can)
        return Reason((*why, sentence("why.move", card=up[-1], moves=moves)))
    return Reason((*why, *may_go.said), may_go.cards)


def _written(position: Position, moves: Sequence[Move]) -> tuple[str, ...]:
    return tuple(map(position.format, moves))


def _refused(position: Position, text: str) -> Sentence:
    """Why a move that is not legal is refused."""
    try:
        position.apply(position.parse(text))
    except IllegalMove as illegal:
        return illegal.said
    except NotationError:
        return sentence("why.no_move", text=ascii(text[:20]))
    raise AssertionError("the move is legal")


def pile_text(name: Pile, up: Sequence[Card], down: int = 0) -> str:
    """A pile as its player sees it: ``3:7H,KD``, with face-down cards ``s:56?``."""
    return f"{name}:{f'{down}?' if down else ''}{','.join(up)}"
