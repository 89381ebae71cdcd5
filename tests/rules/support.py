"""Positions to test the rules with: written ones, and ones reached by random play."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Final, TypeVar

import pytest
from hypothesis import strategies as st
from tests.support.torture import examples

from bigben_protocol import texts
from bigben_rules import GAMES, IllegalMove, Move, NotationError, Pile, Step, shuffle
from bigben_rules import Position as AnyPosition
from bigben_rules.bigben import Position, read
from bigben_rules.bigben.layout import CLOCKWISE, FOUNDATION, HOURS
from bigben_rules.bigben.moves import BUILD, PLAY, REFILL, TURN
from bigben_rules.bigben.variants import RULES
from bigben_rules.cards import PACK, Card, card

Played = TypeVar("Played", bound=AnyPosition)

BIG_BEN: Final = GAMES["bigben"]

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
"""Asks a test of every registered game."""

EVERY_MOVE: Final[tuple[Move, ...]] = (
    *(move for plays in PLAY.values() for move in plays.values()),
    *(move for builds in BUILD.values() for move in builds.values()),
    REFILL,
    TURN,
)
"""Every move that Big Ben has, legal or not: 13 piles to 12 foundations, and so on."""

RANDOM_PLAY: Final = examples(12)
"""How many examples a property tries; each plays whole games."""


def board(
    *,
    rules: str = "standard",
    home: Mapping[int, str] | None = None,
    fans: Mapping[int, str] | None = None,
    waste: str = "",
    stock: str = "",
    rest: str = "stock",
) -> Position:
    """A position in which the named piles are so, read from its text.

    ``home`` names foundations by their top card; the others are as dealt. Fans that are not named
    get three of the other cards each, in sorted order. The remaining cards go behind the ``stock``,
    or to the bottom of the ``waste`` or of a fan if ``rest`` names it.
    """
    tops = {hour: FOUNDATION[hour][0] for hour in HOURS}
    tops.update({HOURS[hour - 1]: card(top) for hour, top in (home or {}).items()})
    piles = {hour: cards(names) for hour, names in (fans or {}).items()}
    wastes, stocks = cards(waste), cards(stock)
    left = Counter(PACK + PACK)
    left.subtract(
        name
        for hour in HOURS
        for name in FOUNDATION[hour][: FOUNDATION[hour].index(tops[hour]) + 1]
    )
    left.subtract(name for pile in (*piles.values(), wastes, stocks) for name in pile)
    assert min(left.values()) >= 0, f"too many of {[n for n, c in left.items() if c < 0]}"
    over = sorted(left.elements(), key=PACK.index)
    for hour in CLOCKWISE:
        if hour not in piles:
            piles[hour], over = [*over[:3]], over[3:]
    match rest:
        case "stock":
            stocks = stocks + over
        case "waste":
            wastes = over + wastes
        case fan:
            piles[int(fan)] = over + piles[int(fan)]
    return read(
        f"bigben {rules} {','.join(tops[hour] for hour in HOURS)} "
        f"{'/'.join(','.join(piles[hour]) or '-' for hour in HOURS)} "
        f"{','.join(wastes) or '-'} {','.join(stocks) or '-'}"
    )


def cards(names: str) -> list[Card]:
    """The cards of ``3D 4H KC``."""
    return [card(name) for name in names.split()]


def legal(position: AnyPosition) -> set[str]:
    """The legal moves in the notation."""
    return {position.format(move) for move in position.legal_moves()}


def play(position: Played, *moves: str) -> Played:
    """The position after these moves, as typed. Raises IllegalMove."""
    for text in moves:
        position, _ = position.apply(position.parse(text))
    return position


@contextmanager
def refused(error: type[IllegalMove | NotationError], match: str) -> Iterator[None]:
    """Something is refused so that its player reads this."""
    with pytest.raises(error) as caught:
        yield
    assert isinstance(caught.value, IllegalMove | NotationError)
    assert re.search(match, texts.said(caught.value.said))


def why_illegal(position: AnyPosition, move: str) -> str:
    """The reason why ``move`` is illegal here. The test fails if it is legal."""
    with pytest.raises(IllegalMove) as caught:
        position.apply(position.parse(move))
    return texts.said(caught.value.said)


def up(position: AnyPosition, pile: str) -> str:
    """The face-up cards of a pile, bottom first: ``3D 4H KC``."""
    return " ".join(position.pile(Pile(pile)).up)


def fan(position: Position, hour: int) -> str:
    """The fan's cards, bottom first: ``3D 4H KC``."""
    return " ".join(position.fans[hour - 1])


def top_home(position: Position, hour: int) -> Card:
    """The top of the foundation at that hour."""
    return FOUNDATION[HOURS[hour - 1]][position.foundations[hour - 1] - 1]


def choose(position: Position, random: Random) -> Move | None:
    """A legal move: mostly home, as players do, seldom a build; None at the end.

    Without this preference a random game builds back and forth forever.
    """
    moves = position.legal_moves()
    home = [move for move in moves if move.target in _HOMES]
    deals = [move for move in moves if move in (REFILL, TURN)]
    likely = (home or deals or moves) if random.random() < 0.8 else moves
    return random.choice(likely) if likely else None


_HOMES: Final = {move.target for plays in PLAY.values() for move in plays.values()}


def random_game(
    position: Position, random: Random, *, most: int = 300
) -> Iterator[tuple[Position, Move, Position, tuple[Step, ...]]]:
    """Every move of a random game: the position before, the move, the position after, its steps."""
    for _ in range(most):
        move = choose(position, random)
        if move is None:
            return
        after, steps = position.apply(move)
        yield position, move, after, steps
        position = after


def deal_from(seed: bytes, rules: str = "standard") -> Position:
    """The first position of the seed's deal."""
    position = BIG_BEN.deal(shuffle(BIG_BEN.pack, seed), rules)
    assert isinstance(position, Position)
    return position


seeds = st.binary(min_size=32, max_size=32)
variants = st.sampled_from(list(RULES))
randoms = st.integers(0, 2**32 - 1).map(Random)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position somewhere in a random game, under any of the variants."""
    position = deal_from(draw(seeds), draw(variants))
    most = draw(st.integers(0, 200))
    for _, _, after, _ in random_game(position, draw(randoms), most=most):
        position = after
    return position


def reason(position: AnyPosition, move: Move) -> str | None:
    """Why the move is illegal here; None when it is legal."""
    try:
        position.apply(move)
    except IllegalMove as error:
        return texts.said(error.said)
    return None
