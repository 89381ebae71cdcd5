"""German Clock: a stock, a waste, and thirteen foundations of equal ranks in one order of suits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bigben_rules import line, position
from bigben_rules.cards import PACK, RANK, RANKS, SUITS, UNKNOWN, Card
from bigben_rules.description import Deal, Description, Slot, Typed, choices
from bigben_rules.game import PlainReader, Reader
from bigben_rules.notation import ANY_HOME, TO_ANY_HOME, Notation
from bigben_rules.packs import check_cards, check_order
from bigben_rules.position import STOCK, WASTE, Cards, IllegalMove, Move, Pile, Reason, Step
from bigben_rules.sentence import Sentence, sentence
from bigben_rules.variants import Variants

NAME: Final = "germanclock"

# How often the waste may be turned over: three times through the stock (the survey), or two
# (PySolFC).
VARIANTS: Final = Variants({"redeals": ("2", "1")}, {"standard": ("2",)})
REDEALS: Final = {rules: int(VARIANTS.values(rules)["redeals"]) for rules in VARIANTS.names}

HOMES: Final = tuple(Pile(f"f{rank}") for rank in range(1, len(RANKS) + 1))
TURN: Final = Move(STOCK, WASTE)
REDEAL: Final = Move(WASTE, STOCK)

_RED: Final = "DH"

_NOTATION: Final = Notation(
    commands={"turn": TURN, "redeal": REDEAL},
    sources=dict.fromkeys((WASTE, "waste"), WASTE),
    targets={**{pile: pile for pile in HOMES}, **TO_ANY_HOME},
    unfinished=dict.fromkeys((WASTE, "waste"), sentence("unclear.waste")),
    itself="build.pile_itself",
    help="unclear.germanclock",
)

DESCRIPTION: Final = Description(
    NAME,
    len(PACK),
    decides=True,
    choices=choices(VARIANTS.choices),
    presets=VARIANTS.names,
    slots=(
        *(
            Slot(pile, "foundation", "outer", hour, label=rank, goal=rank)
            for hour, (pile, rank) in enumerate(zip(HOMES[:12], RANKS, strict=False), 1)
        ),
        Slot(HOMES[-1], "foundation", "centre", 2, label=RANKS[-1], goal=RANKS[-1]),
        Slot(WASTE, "waste", "centre", 3, label=WASTE),
        Slot(STOCK, "stock", "centre", 1),
    ),
    moves=(
        Typed("w fdn", "move.waste"),
        Typed("turn", "move.turn", tap=STOCK),
        Typed("redeal", "move.redeal", tap=STOCK),
    ),
    deal=Deal(packs=1, laid=(), dealt=(STOCK,) * len(PACK), down=(STOCK,)),
)


@dataclass(frozen=True, slots=True)
class Position(position.Position):
    """Foundations by rank, waste, stock (next card first), and how many redeals are left."""

    rules: str
    suits: str
    """The suits of the highest foundation, from its first card; the others have the same."""
    foundations: tuple[int, ...]
    """The number of cards on each."""
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    redeals: int

    @property
    def won(self) -> bool:
        return self.progress == len(PACK)

    @property
    def progress(self) -> int:
        return sum(self.foundations)

    @property
    def redealt(self) -> bool:
        """Whether the waste was turned over: then its player has seen the whole stock."""
        return self.redeals < REDEALS[self.rules]

    def legal_moves(self) -> list[Move]:
        """The waste's top, then the turn, then the redeal."""
        moves = []
        if self.waste and self._why_not(self.waste[-1]) is None:
            moves.append(_play(self.waste[-1]))
        if self.stock:
            moves.append(TURN)
        elif self.waste and self.redeals:
            moves.append(REDEAL)
        return moves

    def apply(self, move: Move) -> tuple[Self, tuple[Step, ...]]:
        if move == TURN:
            return self._turned()
        if move == REDEAL:
            return self._redealt()
        if move.source != WASTE or move.target not in HOMES:
            raise ValueError(f"{move} is not a move of German Clock; parse() makes one from text")
        return self._played(move)

    def _turned(self) -> tuple[Self, tuple[Step, ...]]:
        if not self.stock:
            raise self._illegal(sentence("empty.stock"))
        card = self.stock[0]
        if card == UNKNOWN:
            raise self._illegal(sentence("stock.unknown"))
        after = replace(self, waste=(*self.waste, card), stock=self.stock[1:])
        return after, (Step(STOCK, WASTE, card),)

    def _redealt(self) -> tuple[Self, tuple[Step, ...]]:
        """The waste turned over unshuffled: its bottom card is the next one again."""
        if self.stock:
            raise self._illegal(sentence("stock.left"))
        if not self.waste:
            raise self._illegal(sentence("empty.waste"))
        if not self.redeals:
            raise self._illegal(sentence("stock.no_redeal"))
        after = replace(self, waste=(), stock=self.waste, redeals=self.redeals - 1)
        return after, tuple(Step(WASTE, STOCK, card, "down") for card in reversed(self.waste))

    def _played(self, move: Move) -> tuple[Self, tuple[Step, ...]]:
        card = self._top()
        if _play(card) != move:
            home = _play(card).target
            raise self._illegal(sentence("home.belongs", card=card, home=home, pile=move.target))
        if why := self._why_not(card):
            raise self._illegal(why)
        index = RANK[card] - 1
        foundations = list(self.foundations)
        foundations[index] += 1
        suits = self.suits if card[-1] in self.suits else self.suits + card[-1]
        after = replace(self, suits=suits, foundations=tuple(foundations), waste=self.waste[:-1])
        return after, (Step(move.source, move.target, card),)

    def _why_not(self, card: Card) -> Sentence | None:
        """Why the card does not go on its foundation; None if it does.

        A foundation's next card has the suit that is next on every other. The first that goes so
        far decides this suit: a new one, in the other colour than the last.
        """
        count, suit = self.foundations[RANK[card] - 1], card[-1]
        if count < len(self.suits):
            wanted = card[:-1] + self.suits[count]
            return None if card == wanted else sentence("home.suit", wanted=wanted, card=card)
        if follows(self.suits, suit):
            return None
        return sentence("home.colours", card=card, top=card[:-1] + self.suits[-1])

    def parse(self, text: str) -> Move:
        """The move that the text means; ``fdn`` is the foundation of the card's rank."""
        move = _NOTATION.parse(text)
        return _play(self._top()) if move.target == ANY_HOME else move

    def format(self, move: Move) -> str:
        return {TURN: "turn", REDEAL: "redeal"}.get(move, f"{move.source} {move.target}")

    def piles(self) -> dict[Pile, Cards]:
        homes = zip(HOMES, RANKS, self.foundations, strict=True)
        return {
            **{pile: Cards(_cards(rank, self.suits[:count])) for pile, rank, count in homes},
            WASTE: Cards(self.waste),
            STOCK: Cards((), len(self.stock)),
        }

    def explain(self, source: Pile, target: str = "") -> Reason:
        """It waits for the card that comes before it on its foundation, if that is known."""
        if not self.waste or (why := self._why_not(card := self.waste[-1])) is None:
            return position.plain_reason(self, source, target)
        suits = self.suits[self.foundations[RANK[card] - 1] :].partition(card[-1])[0]
        may_go = Reason(() if target else (why,), _cards(card[:-1], suits[-1:]))
        return position.plain_reason(self, source, target, may_go)

    def with_hidden(self, cards: Sequence[Card]) -> Self:
        """The position with these cards as its stock."""
        return replace(self, stock=tuple(cards))

    def text(self) -> str:
        """``germanclock standard HC AC,2H,-,… 5D,7S 9H,… 2``.

        The suits from the foundations' first card, their tops from the ace's, the waste, the stock
        with the next card first, and the redeals that are left.
        """
        tops = ",".join(
            rank + self.suits[count - 1] if count else "-"
            for rank, count in zip(RANKS, self.foundations, strict=True)
        )
        piles = f"{line.pile(self.waste)} {line.hidden_pile(self.stock)}"
        return f"{NAME} {self.rules} {self.suits or '-'} {tops} {piles} {self.redeals}"

    def _top(self) -> Card:
        if not self.waste:
            raise self._illegal(sentence("empty.waste"))
        return self.waste[-1]

    def _illegal(self, said: Sentence) -> IllegalMove:
        return IllegalMove(said, self.text())


def _play(card: Card) -> Move:
    return Move(WASTE, HOMES[RANK[card] - 1])


def _cards(rank: str, suits: str) -> tuple[Card, ...]:
    return tuple(Card(rank + suit) for suit in suits)


def follows(suits: str, suit: str) -> bool:
    """Whether foundations with these suits go on with this one, which is then new to all."""
    return not suits or (suit not in suits and (suits[-1] in _RED) != (suit in _RED))


def deal(order: Sequence[Card], rules: str = "standard") -> Position:
    """All cards in the stock. ``order`` is the shuffled pack, first turned first.

    Raises ValueError for other cards.
    """
    check_order(order, PACK, "a deal of German Clock has 52 cards: one pack")
    name = VARIANTS.name(rules)
    return Position(name, "", (0,) * len(HOMES), (), tuple(order), REDEALS[name])


def read(text: str) -> Position:
    """The position written by ``Position.text``. Raises ValueError with a sentence."""
    parts = text.split()
    if len(parts) != 7 or parts[0] != NAME:
        raise ValueError(
            f"a position is seven words: {NAME}, rules, suits, foundations, waste, stock, redeals"
        )
    _, rules, suits, homes, waste, stock, redeals = parts
    suits = "" if suits == "-" else suits.upper()
    tops = homes.upper().split(",")
    if len(tops) != len(HOMES):
        raise ValueError(f"a position has {len(HOMES)} foundations, not {len(tops)}")
    counts = tuple(_count(rank, suits, top) for rank, top in zip(RANKS, tops, strict=True))
    if not (redeals.isascii() and redeals.isdigit() and len(redeals) == 1):
        raise ValueError("the redeals in a position are a number, like 2")
    return _checked(
        Position(
            VARIANTS.name(rules),
            suits,
            counts,
            line.cards(waste, "waste"),
            line.hidden_cards(stock, "stock"),
            int(redeals),
        )
    )


def _count(rank: str, suits: str, top: str) -> int:
    """How many cards a foundation with this top has. Raises ValueError."""
    tops = ["-", *_cards(rank, suits)]
    if top not in tops:
        raise ValueError(f"{top[:20]} is not on the foundation of {rank} if the suits are {suits}")
    return tops.index(top)


def seen(piles: Mapping[Pile, Cards], rules: str = "standard") -> Position:
    """The position with these piles and an unknown stock. Raises ValueError.

    No pile shows how often the waste was turned over; here all redeals are still left.
    """
    name = VARIANTS.name(rules)
    try:
        homes = [tuple(piles[pile].up) for pile in HOMES]
        waste, stock = tuple(piles[WASTE].up), (UNKNOWN,) * piles[STOCK].down
    except KeyError as error:
        raise ValueError(f"pile {error} is missing") from None
    suits = "".join(card[-1:] for card in max(homes, key=len))
    for rank, cards in zip(RANKS, homes, strict=True):
        if cards != _cards(rank, suits[: len(cards)]):
            raise ValueError(f"these cards never lie on the foundation of {rank}")
    return _checked(Position(name, suits, tuple(map(len, homes)), waste, stock, REDEALS[name]))


def _checked(position: Position) -> Position:
    """The position. Raises ValueError unless it can come from a deal of one pack."""
    suits = position.suits
    if any(
        suit not in SUITS or not follows(suits[:at], suit) for at, suit in enumerate(suits)
    ) or len(suits) != max(position.foundations):
        raise ValueError(f"the foundations never have the suits {suits[:20] or '-'}")
    if position.redeals > REDEALS[position.rules]:
        raise ValueError(f"{NAME} {position.rules} has fewer than {position.redeals} redeals")
    home = [card for cards in position.piles().values() for card in cards.up]
    check_cards(home, position.stock, game="German Clock")
    return position


class GermanClock:
    """One pack: everything comes from the stock, three times through it."""

    name = NAME
    pack = PACK
    total = len(PACK)
    variants = VARIANTS.names
    description = DESCRIPTION
    rules = staticmethod(VARIANTS.name)
    deal = staticmethod(deal)
    read = staticmethod(read)
    seen = staticmethod(seen)

    def reader(self, rules: str) -> Reader:
        return PlainReader()
