"""One position of Big Ben: its legal moves, and the position after a move."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bigben_rules import position
from bigben_rules.bigben.layout import FAN_SIZE, FOUNDATION, HOURS, PLACES
from bigben_rules.bigben.moves import (
    DEAL,
    MOVES,
    PILES,
    PLAY,
    REFILL,
    SOURCES,
    TURN,
    format_move,
    parse_move,
    stock_moves,
)
from bigben_rules.bigben.reasons import may_go
from bigben_rules.bigben.refill import gaps_of, refill_order
from bigben_rules.bigben.tables import (
    BUILDS,
    COMPLETE,
    DEALT,
    HOUR_OF_FAN,
    HOUR_OF_HOME,
    PLAYS,
    TURNED,
    WANTED,
    WAYS,
    Steps,
)
from bigben_rules.bigben.text import write
from bigben_rules.bigben.variants import RULES
from bigben_rules.cards import BELOW, UNKNOWN, Card
from bigben_rules.notation import ANY_HOME
from bigben_rules.position import (
    STOCK,
    WASTE,
    Cards,
    IllegalMove,
    Move,
    Pile,
    Reason,
    Step,
    plain_reason,
)
from bigben_rules.sentence import Sentence, sentence

_FANS: Final = len(HOURS)
_WASTE: Final = SOURCES.index(WASTE)

Fan = tuple[Card, ...]
"""One pile of the outer circle, all face up; the last card is the top."""


# Its fields are Final and never change; frozen=True would make each position dearer.
@dataclass(slots=True, unsafe_hash=True)
class Position(position.Position):
    """Foundations and fans by hour (index 0 is one o'clock), waste, stock (next card first)."""

    rules: Final[str]
    foundations: Final[tuple[int, ...]]
    """The number of cards on each; the layout says which cards these are."""
    fans: Final[tuple[Fan, ...]]
    waste: Final[tuple[Card, ...]]
    stock: Final[tuple[Card, ...]]

    @property
    def won(self) -> bool:
        """Whether all 104 cards are on the foundations."""
        return self.foundations == COMPLETE

    @property
    def blocked(self) -> bool:
        """Whether the game is not won and no move of the four kinds is legal."""
        # While the stock has cards, some move is legal: a refill, a turn, or a play or build.
        if self.stock or self.won:
            return False
        return not self.legal_moves()

    @property
    def progress(self) -> int:
        """Cards home, 12 at the start and 104 at the end."""
        return sum(self.foundations)

    @property
    def short(self) -> bool:
        """Whether some fan has a gap."""
        return min(map(len, self.fans)) < FAN_SIZE

    def legal_moves(self) -> list[Move]:
        """Exactly the moves that ``apply`` accepts: fan by fan, the waste, refill, turn.

        The exception is a refill or turn from an unknown stock, which ``apply`` refuses.
        """
        # The inner loop of the referee, the bots and any search: tables, and no calls.
        rules, fans, foundations = RULES[self.rules], self.fans, self.foundations
        wants = [BELOW[fan[-1]] if len(fan) >= FAN_SIZE else None for fan in fans]
        wanted = set(wants)
        moves: list[Move] = []
        sources = zip(PLAYS, BUILDS[rules.waste], (*fans, self.waste), strict=True)
        for plays, builds, cards in sources:
            if cards:
                card = cards[-1]
                for move, index, before in plays[card]:
                    if foundations[index] == before:
                        moves.append(move)
                if card in wanted:
                    for move, want in zip(builds, wants, strict=False):
                        if want == card:
                            moves.append(move)
        if self.stock:
            moves += stock_moves(rules.turn, short=None in wanted, stuck=not moves)
        return moves

    def apply(self, move: Move) -> tuple["Position", tuple[Step, ...]]:
        """The position after ``move`` and the cards that moved. Raises IllegalMove.

        Raises ValueError for a move that ``parse`` never returns, such as one from a foundation.
        """
        if way := WAYS.get(move):
            return self._played(*way) if way[1] < _FANS else self._built(*way)
        if move == REFILL:
            return self._refilled()
        if move == TURN:
            return self._turned()
        raise ValueError(f"{move} is not a move of Big Ben; parse() makes one from text")

    def parse(self, text: str) -> Move:
        """The move that the text means in this position.

        Raises NotationError, and IllegalMove if no foundation takes the card. ``fdn`` means the
        foundation that still needs more cards. That is never the worse choice: take any win after
        the other choice, and exchange the two piles in it until their tops meet; the longer one can
        take whatever the shorter one took. (If the shorter one is complete, the longer one takes
        one more card, and under ``stuck`` that card must be played before a turn. A player who does
        not want that writes ``f9``.)
        """
        if move := MOVES.get(text):  # clients write it as the log does
            return move
        move = parse_move(text)
        if move == DEAL:
            return REFILL if self.short else TURN
        if move.target != ANY_HOME:
            return move
        card, _, _ = self._take(SOURCES.index(move.source))
        hours = [hour for hour, before in PLACES[card] if self.foundations[hour - 1] == before]
        if not hours:
            raise self._illegal(sentence("home.none", card=card))
        # The one that still needs most cards.
        hour = max(hours, key=lambda hour: len(FOUNDATION[hour]) - self.foundations[hour - 1])
        return PLAY[move.source][hour]

    def format(self, move: Move) -> str:
        """The move in the notation of the log."""
        return format_move(move)

    def piles(self) -> dict[Pile, Cards]:
        """All piles as the player sees them; the stock is only a number of cards."""
        return {pile: self.pile(pile) for pile in PILES}

    def pile(self, name: Pile) -> Cards:
        """One pile as the player sees it."""
        if name == STOCK:
            return Cards((), len(self.stock))
        if name == WASTE:
            return Cards(self.waste)
        if name in HOUR_OF_FAN:
            return Cards(self.fans[HOUR_OF_FAN[name] - 1])
        hour = HOUR_OF_HOME[name]
        return Cards(FOUNDATION[hour][: self.foundations[hour - 1]])

    def explain(self, source: Pile, target: str = "") -> Reason:
        """Why the top of a pile can't move, or not to ``target``."""
        cards = self.fans[HOUR_OF_FAN[source] - 1] if source in HOUR_OF_FAN else self.waste
        builds = source != WASTE or RULES[self.rules].waste == "playable"
        told = Reason()
        if cards:
            told = may_go(cards[-1], self.foundations, self.fans, builds=builds)
        return plain_reason(self, source, target, told)  # pyright: ignore[reportArgumentType] # a Self

    def with_hidden(self, cards: Sequence[Card]) -> Self:
        """The position with these cards as its stock."""
        return replace(self, stock=tuple(cards))

    def text(self) -> str:
        """The whole position in one line, including the stock; see ``text.py``."""
        return write(self.rules, self.foundations, self.fans, self.waste, self.stock)

    def _take(self, source: int) -> tuple[Card, list[Fan], tuple[Card, ...]]:
        """The top of a source, and the fans and the waste without it."""
        fans, waste = list(self.fans), self.waste
        cards = waste if source == _WASTE else fans[source]
        if not cards:
            fan = SOURCES[source]
            raise self._illegal(
                sentence("empty.waste") if fan == WASTE else sentence("empty.fan", fan=fan)
            )
        if source == _WASTE:
            return cards[-1], fans, waste[:-1]
        fans[source] = cards[:-1]
        return cards[-1], fans, waste

    def _played(self, source: int, home: int, steps: Steps) -> tuple["Position", tuple[Step, ...]]:
        """Move 1: same suit, one rank higher, A following K, never past the rank of the hour."""
        card, fans, waste = self._take(source)
        foundations = list(self.foundations)
        wanted = WANTED[home][foundations[home]]
        if not wanted:
            raise self._illegal(sentence("home.complete", hour=HOURS[home]))
        if wanted != card:
            hour = HOURS[home]
            raise self._illegal(sentence("home.wants", hour=hour, wanted=wanted, card=card))
        foundations[home] += 1
        return Position(self.rules, tuple(foundations), tuple(fans), waste, self.stock), steps[card]

    def _built(self, source: int, on: int, steps: Steps) -> tuple["Position", tuple[Step, ...]]:
        """Move 2: same suit, one rank lower, K following A, on a fan of three or more."""
        card, fans, waste = self._take(source)
        fan = on - _FANS
        target, hour = self.fans[fan], HOURS[fan]
        if source == fan:
            raise self._illegal(sentence("build.fan_itself", pile=hour))
        if source == _WASTE and RULES[self.rules].waste == "foundations":
            raise self._illegal(sentence("build.no_waste"))
        if len(target) < FAN_SIZE:
            raise self._illegal(sentence("build.short", fan=hour))
        if (wanted := BELOW[target[-1]]) != card:
            on_fan = sentence("build.fan", card=card, top=target[-1], fan=hour, wanted=wanted)
            raise self._illegal(on_fan)
        fans[fan] = (*target, card)
        return Position(self.rules, self.foundations, tuple(fans), waste, self.stock), steps[card]

    def _refilled(self) -> tuple["Position", tuple[Step, ...]]:
        """Move 3: cards to every short fan, clockwise from 12, until none is short or no stock."""
        self._check_stock()
        order = refill_order(gaps_of(self.fans), RULES[self.rules].refill)
        if not order:
            raise self._illegal(sentence("stock.no_gap"))
        fans = list(self.fans)
        steps: list[Step] = []
        for hour, card in zip(order, self.stock, strict=False):
            fans[hour - 1] = (*fans[hour - 1], card)
            steps += DEALT[hour][card]
        left = self.stock[len(steps) :]
        return Position(self.rules, self.foundations, tuple(fans), self.waste, left), tuple(steps)

    def _turned(self) -> tuple["Position", tuple[Step, ...]]:
        """Move 4: one card from the stock to the waste; the waste never goes back."""
        self._check_stock()
        turn = RULES[self.rules].turn
        if turn != "always" and self.short:
            raise self._illegal(sentence("stock.gap"))
        if turn == "stuck" and TURN not in self.legal_moves():
            raise self._illegal(sentence("stock.not_stuck"))
        card = self.stock[0]
        waste, left = (*self.waste, card), self.stock[1:]
        return Position(self.rules, self.foundations, self.fans, waste, left), TURNED[card]

    def _check_stock(self) -> None:
        if not self.stock:
            raise self._illegal(sentence("empty.stock"))
        if self.stock[0] == UNKNOWN:
            raise self._illegal(sentence("stock.unknown"))

    def _illegal(self, said: Sentence) -> IllegalMove:
        return IllegalMove(said, self.text())
