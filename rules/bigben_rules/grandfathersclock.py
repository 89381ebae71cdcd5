"""Grandfather's Clock: a dial of twelve foundations and eight columns, all cards face up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bigben_rules import line, position
from bigben_rules.cards import ABOVE, PACK, RANK, RANKS, Card
from bigben_rules.description import Deal, Description, Slot, Typed, choices, foundation
from bigben_rules.game import PlainReader, Reader
from bigben_rules.notation import ANY_HOME, TO_ANY_HOME, Notation
from bigben_rules.packs import check_cards, check_order
from bigben_rules.position import Cards, IllegalMove, Move, Pile, Reason, Step
from bigben_rules.sentence import Sentence, sentence
from bigben_rules.variants import Variants

NAME: Final = "grandfathersclock"

# Whether a King may be put on an Ace: ``yes`` (the survey), ``no`` (PySolFC).
VARIANTS: Final = Variants({"wrap": ("yes", "no")}, {"standard": ("yes",)})
WRAPS: Final = {rules: VARIANTS.values(rules)["wrap"] == "yes" for rules in VARIANTS.names}

STARTS: Final = line.cards("10H,JS,QD,KC,2H,3S,4D,5C,6H,7S,8D,9C", "foundations")
"""The first card of each foundation, from one o'clock."""


def _foundation(hour: int, start: Card) -> tuple[Card, ...]:
    """Up in suit, A after K, until the rank is the hour."""
    cards = [start]
    while RANK[cards[-1]] != hour:
        cards.append(ABOVE[cards[-1]])
    return tuple(cards)


FOUNDATION: Final[Mapping[Pile, tuple[Card, ...]]] = {
    Pile(f"f{hour}"): _foundation(hour, start) for hour, start in enumerate(STARTS, 1)
}
"""Every foundation when it is complete, first card first."""

HOME: Final = {name: pile for pile, cards in FOUNDATION.items() for name in cards}
"""The foundation of each card. There is only one, so ``fdn`` leaves no choice."""

COLUMNS: Final = tuple(Pile(str(column)) for column in range(1, 9))
SHUFFLED: Final = tuple(name for name in PACK if name not in STARTS)

_HOURS: Final = {pile: index for index, pile in enumerate(FOUNDATION)}
_COLUMNS: Final = {pile: index for index, pile in enumerate(COLUMNS)}
_TARGETS: Final = {*_COLUMNS, *_HOURS}

_NOTATION: Final = Notation(
    commands={},
    sources={pile: pile for pile in COLUMNS},
    targets={**{pile: pile for pile in (*COLUMNS, *FOUNDATION)}, **TO_ANY_HOME},
    unfinished={pile: sentence("unclear.column", column=pile) for pile in COLUMNS},
    itself="build.column_itself",
    help="unclear.grandfathersclock",
)

DESCRIPTION: Final = Description(
    NAME,
    len(PACK),
    decides=True,
    choices=choices(VARIANTS.choices),
    presets=VARIANTS.names,
    slots=(
        *(foundation(pile, "outer", at + 1, FOUNDATION[pile][-1]) for pile, at in _HOURS.items()),
        *(
            Slot(pile, "tableau", "column", at + 1, fans="down", label=pile)
            for pile, at in _COLUMNS.items()
        ),
    ),
    moves=(
        Typed("3 fdn", "move.fdn"),
        Typed("3 f9", "move.foundation"),
        Typed("3 5", "move.build"),
    ),
    deal=Deal(
        packs=1,
        laid=tuple(zip(FOUNDATION, STARTS, strict=True)),
        dealt=COLUMNS * 5,
        down=(),
    ),
)


@dataclass(frozen=True, slots=True)
class Position(position.Position):
    """How many cards the foundations have, from one o'clock, and the columns' cards."""

    rules: str
    foundations: tuple[int, ...]
    columns: tuple[tuple[Card, ...], ...]

    @property
    def won(self) -> bool:
        return self.progress == len(PACK)

    @property
    def progress(self) -> int:
        return sum(self.foundations)

    def legal_moves(self) -> list[Move]:
        """Column by column: to the foundation, then to the other columns."""
        wants = [self._wants(column) for column in self.columns]
        moves = []
        for source, column in zip(COLUMNS, self.columns, strict=True):
            if column:
                top = column[-1]
                if self._fits_home(top):
                    moves.append(Move(source, HOME[top]))
                moves += [
                    Move(source, target)
                    for target, rank in zip(COLUMNS, wants, strict=True)
                    if rank in (RANK[top], None) and target != source
                ]
        return moves

    def _wants(self, column: Sequence[Card]) -> int | None:
        """The rank that may be put on a column; 0 for none, and None for any."""
        if not column:
            return None
        below = RANK[column[-1]] - 1
        return 13 if not below and WRAPS[self.rules] else below

    def apply(self, move: Move) -> tuple[Self, tuple[Step, ...]]:
        source, target = move.source, move.target
        if source not in _COLUMNS or target not in _TARGETS or source == target:
            raise ValueError(f"{move} is not a move of this game; parse() makes one from text")
        top = self._top(source)
        columns, foundations = list(self.columns), list(self.foundations)
        columns[_COLUMNS[source]] = columns[_COLUMNS[source]][:-1]
        if target in _HOURS:
            self._check_play(top, target)
            foundations[_HOURS[target]] += 1
        else:
            self._check_build(top, target)
            columns[_COLUMNS[target]] += (top,)
        after = replace(self, foundations=tuple(foundations), columns=tuple(columns))
        return after, (Step(source, target, top),)

    def _check_play(self, top: Card, target: Pile) -> None:
        wanted = FOUNDATION[target][self.foundations[_HOURS[target]] :]
        if not wanted:
            raise self._illegal(sentence("home.complete", hour=target[1:]))
        if wanted[0] != top:
            hour, following = target[1:], wanted[0]
            raise self._illegal(sentence("home.wants", hour=hour, wanted=following, card=top))

    def _check_build(self, top: Card, target: Pile) -> None:
        column = self.columns[_COLUMNS[target]]
        wanted = self._wants(column)
        if wanted == 0:
            raise self._illegal(sentence("build.ace", top=column[-1]))
        if wanted not in (RANK[top], None):
            rank = RANKS[wanted - 1]
            raise self._illegal(sentence("build.rank", card=top, top=column[-1], rank=rank))

    def parse(self, text: str) -> Move:
        """The move that the text means; ``fdn`` is the only foundation of its suit and rank."""
        move = _NOTATION.parse(text)
        if move.target != ANY_HOME:
            return move
        top = self._top(move.source)
        if not self._fits_home(top):
            raise self._illegal(sentence("home.none", card=top))
        return Move(move.source, HOME[top])

    def format(self, move: Move) -> str:
        return f"{move.source} {move.target}"

    def piles(self) -> dict[Pile, Cards]:
        homes = zip(FOUNDATION.items(), self.foundations, strict=True)
        return {
            **{pile: Cards(cards[:count]) for (pile, cards), count in homes},
            **{pile: Cards(column) for pile, column in zip(COLUMNS, self.columns, strict=True)},
        }

    def explain(self, source: Pile, target: str = "") -> Reason:
        column = self.columns[_COLUMNS[source]] if source in _COLUMNS else ()
        may_go = self._may_go(column[-1]) if column else Reason()
        return position.plain_reason(self, source, target, may_go)

    def _may_go(self, top: Card) -> Reason:
        """Where a card goes that can't move now."""
        home, rank = HOME[top], RANK[top]
        before = FOUNDATION[home][FOUNDATION[home].index(top) - 1]
        builds = rank < len(RANKS) or WRAPS[self.rules]
        on = RANKS[rank % len(RANKS)]
        cards = [card for column in self.columns for card in column if card[:-1] == on and builds]
        to_home = {"card": top, "below": before, "hour": home[1:]}
        said = sentence("goes.home_or_column", **to_home)
        if builds:
            said = sentence("goes.home_rank_or_column", rank=on, **to_home)
        return Reason((said,), (before, *cards))

    def text(self) -> str:
        """``grandfathersclock standard 10H,JS,… 5C,4D/-/…``: the foundations' tops, the columns."""
        homes = zip(FOUNDATION.values(), self.foundations, strict=True)
        tops = ",".join(cards[count - 1] for cards, count in homes)
        return f"{NAME} {self.rules} {tops} {'/'.join(map(line.pile, self.columns))}"

    def _top(self, source: Pile) -> Card:
        column = self.columns[_COLUMNS[source]]
        if not column:
            raise self._illegal(sentence("empty.column", column=source))
        return column[-1]

    def _fits_home(self, top: Card) -> bool:
        home = HOME[top]
        return FOUNDATION[home].index(top) == self.foundations[_HOURS[home]]

    def _illegal(self, said: Sentence) -> IllegalMove:
        return IllegalMove(said, self.text())


def deal(order: Sequence[Card], rules: str = "standard") -> Position:
    """Five laps of one card to each column. ``order`` is the 40 shuffled cards, first dealt first.

    Raises ValueError for other cards.
    """
    check_order(
        order,
        SHUFFLED,
        "a deal of Grandfather's Clock has 40 cards: one pack without the twelve foundation cards",
    )
    piles = DESCRIPTION.deal.piles(order)
    columns = tuple(piles[column] for column in COLUMNS)
    return Position(VARIANTS.name(rules), (1,) * len(FOUNDATION), columns)


def read(text: str) -> Position:
    """The position written by ``Position.text``. Raises ValueError with a sentence."""
    parts = text.split()
    if len(parts) != 4 or parts[0] != NAME:
        raise ValueError(f"a position is four words: {NAME}, rules, foundations and columns")
    _, rules, homes, columns = parts
    tops = line.cards(homes, "foundations")
    if len(tops) != len(FOUNDATION):
        raise ValueError(f"a position has {len(FOUNDATION)} foundations, not {len(tops)}")
    complete = FOUNDATION.values()
    return _checked(
        rules,
        [
            cards[: cards.index(top) + 1] if top in cards else (top,)
            for cards, top in zip(complete, tops, strict=True)
        ],
        [line.cards(column, "column") for column in columns.split("/")],
    )


def seen(piles: Mapping[Pile, Cards], rules: str = "standard") -> Position:
    """The position with these piles, all face up. Raises ValueError."""
    try:
        homes = [tuple(piles[pile].up) for pile in FOUNDATION]
        return _checked(rules, homes, [tuple(piles[pile].up) for pile in COLUMNS])
    except KeyError as error:
        raise ValueError(f"pile {error} is missing") from None


def _checked(
    rules: str, homes: Sequence[tuple[Card, ...]], columns: Sequence[tuple[Card, ...]]
) -> Position:
    """The position with these cards. Raises ValueError unless they are one pack, as dealt."""
    if len(columns) != len(COLUMNS):
        raise ValueError(f"a position has {len(COLUMNS)} columns, not {len(columns)}")
    for name, home in zip(FOUNDATION, homes, strict=True):
        if not home or home != FOUNDATION[name][: len(home)]:
            raise ValueError(f"these cards never lie on the foundation at {name[1:]}")
    cards = [card for cards in (*homes, *columns) for card in cards]
    check_cards(cards, (), game="Grandfather's Clock")
    return Position(VARIANTS.name(rules), tuple(map(len, homes)), tuple(columns))


class GrandfathersClock:
    """One pack: a dial of foundations, and eight columns of five."""

    name = NAME
    pack = SHUFFLED
    total = len(PACK)
    variants = VARIANTS.names
    description = DESCRIPTION
    rules = staticmethod(VARIANTS.name)
    deal = staticmethod(deal)
    read = staticmethod(read)
    seen = staticmethod(seen)

    def reader(self, rules: str) -> Reader:
        return PlainReader()
