"""Big Ben as small numbers, for programs that play very many moves.

Cards are 0 … 51 in the order of ``PACK``. Foundations and fans are 0 … 11, index 0 being one
o'clock, as in ``Position``. A move is ``source * 24 + target``: sources are the fans and then the
waste (12), targets the foundations and then the fans (12 … 23); ``REFILL`` and ``TURN`` follow.
A property test holds the table equal to the rules.
"""

from typing import Final

from bigben_rules.bigben import Position
from bigben_rules.bigben.layout import CLOCKWISE, FAN_SIZE, FOUNDATION, PLACES
from bigben_rules.bigben.moves import FAN, HOME, SOURCES
from bigben_rules.bigben.moves import REFILL as REFILL_MOVE
from bigben_rules.bigben.moves import TURN as TURN_MOVE
from bigben_rules.bigben.variants import RULES
from bigben_rules.cards import BELOW, PACK, UNKNOWN
from bigben_rules.position import Move

WASTE: Final = 12
"""As a source of moves; the fans are 0 … 11."""
TARGETS: Final = 24
REFILL: Final = 312
TURN: Final = 313
NO_CARD: Final = 52
"""What a fan wants on which nothing can be built; also an unknown card of the stock."""
NO_GAPS: Final = 0
STUCK: Final = 1
ALWAYS: Final = 2
"""When a card may be turned, as the rules' ``turn`` says."""
TOTAL: Final = 104

NUMBER: Final = {**{card: number for number, card in enumerate(PACK)}, UNKNOWN: NO_CARD}
"""The number of each card; ``PACK`` has the card of each number."""
BELOW_OF: Final = bytes(NUMBER[BELOW[card]] for card in PACK)
"""The card that can be built on a card."""

_PLACES: Final = [[(hour - 1, before) for hour, before in PLACES[card]] for card in PACK]
_NOWHERE: Final = (0, 255)
HOUR_1: Final = bytes((*places, _NOWHERE)[0][0] for places in _PLACES)
COUNT_1: Final = bytes((*places, _NOWHERE)[0][1] for places in _PLACES)
HOUR_2: Final = bytes((*places, _NOWHERE, _NOWHERE)[1][0] for places in _PLACES)
COUNT_2: Final = bytes((*places, _NOWHERE, _NOWHERE)[1][1] for places in _PLACES)
"""By card: the index of the foundation that takes it when it has this many cards; there are one or
two. Where there is no second one its count is 255, which no foundation ever has."""

COMPLETE: Final = bytes(len(cards) for cards in FOUNDATION.values())
"""How many cards each foundation has at the end."""
CLOCK: Final = bytes(hour - 1 for hour in CLOCKWISE)
"""The fans in the order in which they are refilled."""

_TURNS: Final = {"no_gaps": NO_GAPS, "stuck": STUCK, "always": ALWAYS}

_MOVES: Final = (
    *(Move(source, target) for source in SOURCES for target in (*HOME.values(), *FAN.values())),
    REFILL_MOVE,
    TURN_MOVE,
)
_NUMBERS: Final = {move: number for number, move in enumerate(_MOVES)}


def move_of(number: int) -> Move:
    """The move of the rules."""
    return _MOVES[number]


def number_of(move: Move) -> int:
    """The number of a move of the rules. Raises KeyError for one from a foundation."""
    return _NUMBERS[move]


class Table:
    """A position that ``play`` changes. All fields may be read; ``stock`` may be replaced."""

    __slots__ = ("at", "fans", "home", "laps", "stock", "turn", "waste", "waste_builds")

    def __init__(
        self,
        home: list[int],
        fans: list[bytes],
        waste: bytes,
        stock: bytes,
        at: int,
        laps: bool,
        turn: int,
        waste_builds: bool,
    ) -> None:
        self.home = home
        """How many cards each foundation has."""
        self.fans = fans
        """The cards of each, bottom first."""
        self.waste = waste
        self.stock = stock
        """All cards of the stock, also those that were dealt from it."""
        self.at = at
        """The index of the stock's next card; its length when it is empty."""
        self.laps = laps
        self.turn = turn
        self.waste_builds = waste_builds

    @staticmethod
    def of(position: Position) -> "Table":
        """The table of a position. If its stock is unknown, set ``stock`` before you deal."""
        rules = RULES[position.rules]
        return Table(
            list(position.foundations),
            [bytes([NUMBER[card] for card in fan]) for fan in position.fans],
            bytes([NUMBER[card] for card in position.waste]),
            bytes([NUMBER[card] for card in position.stock]),
            0,
            rules.refill == "laps",
            _TURNS[rules.turn],
            rules.waste == "playable",
        )

    def copy(self) -> "Table":
        """A table of its own with the same position."""
        return Table(
            self.home[:],
            self.fans[:],
            self.waste,
            self.stock,
            self.at,
            self.laps,
            self.turn,
            self.waste_builds,
        )

    def key(self) -> tuple[object, ...]:
        """Equal for equal positions of one deal, and only for these."""
        # The fans, the waste and the number of dealt cards fix what is home, except which of two
        # foundations has a card.
        return (bytes(self.home), self.waste, self.at, *self.fans)

    def cards_home(self) -> int:
        """12 at the start and 104 at the end, when the game is won."""
        return sum(self.home)

    def short(self) -> bool:
        """Whether some fan has a gap."""
        return min(map(len, self.fans)) < FAN_SIZE

    def legal(self) -> list[int]:
        """The legal moves in the order of ``Position.legal_moves``."""
        home, fans = self.home, self.fans
        wants: list[int] = []
        wanted = 0
        short = False
        for fan in fans:
            if len(fan) >= FAN_SIZE:
                want = BELOW_OF[fan[-1]]
                wanted |= 1 << want
                wants.append(want)
            else:
                short = True
                wants.append(NO_CARD)
        moves: list[int] = []
        for source in range(WASTE + 1):
            pile = fans[source] if source < WASTE else self.waste
            if not pile:
                continue
            card = pile[-1]
            if home[HOUR_1[card]] == COUNT_1[card]:
                moves.append(source * TARGETS + HOUR_1[card])
            if home[HOUR_2[card]] == COUNT_2[card]:
                moves.append(source * TARGETS + HOUR_2[card])
            if wanted >> card & 1 and (source < WASTE or self.waste_builds):
                base = source * TARGETS + WASTE
                for target in range(12):
                    if wants[target] == card:
                        moves.append(base + target)
        if self.at < len(self.stock):
            turns = self.turn == ALWAYS or (not short and (self.turn == NO_GAPS or not moves))
            if short:
                moves.append(REFILL)
            if turns:
                moves.append(TURN)
        return moves

    def play(self, move: int) -> None:
        """Make a move. It must be legal; that is not checked."""
        if move == REFILL:
            self.at = refill(self.fans, self.stock, self.at, laps=self.laps)
            return
        if move == TURN:
            self.waste += self.stock[self.at : self.at + 1]
            self.at += 1
            return
        source = move // TARGETS
        target = move % TARGETS
        if source == WASTE:
            top = self.waste[-1:]
            self.waste = self.waste[:-1]
        else:
            fan = self.fans[source]
            top = fan[-1:]
            self.fans[source] = fan[:-1]
        if target < WASTE:
            self.home[target] += 1
        else:
            self.fans[target - WASTE] += top


def refill(fans: list[bytes], stock: bytes, at: int, *, laps: bool) -> int:
    """Deal from index ``at`` of the stock to the fans that are short; returns the next index.

    One card to every short fan, lap after lap; or fan by fan as many as it needs.
    """
    short = [i for i in CLOCK if len(fans[i]) < FAN_SIZE]
    while short and at < len(stock):
        for i in short:
            count = 1 if laps else FAN_SIZE - len(fans[i])
            cards = stock[at : at + count]
            fans[i] += cards
            at += len(cards)
        short = [i for i in short if len(fans[i]) < FAN_SIZE]
    return at
