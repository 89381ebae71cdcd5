"""A player's game as the server sends it: the real rules, and the messages for each move."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hypothesis import strategies as st

from bigben_protocol import Diff, Pile, RaceId, Snapshot, State, Step, digest
from bigben_rules import GAMES, Position, shuffle

RACE = RaceId("K7QPXM")

Piles = dict[str, tuple[tuple[str, ...], int]]
"""Each pile's face-up cards and the number of face-down cards under them."""


class Told(NamedTuple):
    """The server's position after a move, and the messages about it."""

    piles: Piles
    snapshot: Snapshot
    diff: Diff | None
    """None before the first move."""


@st.composite
def games(draw: st.DrawFn, *, name: str = "bigben", most_moves: int = 60) -> list[Told]:
    """A game of random play with undo, from the deal on."""
    seed = draw(st.binary(min_size=32, max_size=32))
    game = GAMES[name]
    rules = draw(st.sampled_from(game.description.presets))
    count = draw(st.integers(0, most_moves))
    luck = draw(st.randoms(use_true_random=False))
    position: Position = game.deal(shuffle(game.pack, seed), rules)
    told = [_told(position, 0, None)]
    undo: list[tuple[Position, tuple[Step, ...]]] = []
    for n in range(1, count + 1):
        moves = position.legal_moves()
        if undo and luck.random() < 0.2:
            text, (position, steps) = "undo", undo.pop()
        elif moves:
            move = luck.choice(moves)
            text, before = position.format(move), position
            position, transfers = position.apply(move)
            steps = tuple(Step(*transfer) for transfer in transfers)
            back = tuple(Step(step.target, step.source, step.card) for step in reversed(steps))
            shows = any(step.source == "s" or step.how for step in steps)
            undo = [] if shows else [*undo, (before, back)]
        else:
            break
        told.append(_told(position, n, (text, steps)))
    return told


def diffs(game: list[Told]) -> Iterator[Diff]:
    """Every move of a game."""
    return (told.diff for told in game if told.diff is not None)


def as_cards(piles: Mapping[str, Pile]) -> Piles:
    """The piles of a view in the types of the rules."""
    return {name: (pile.up, pile.down) for name, pile in piles.items()}


def _told(position: Position, n: int, move: tuple[str, tuple[Step, ...]] | None) -> Told:
    piles: Piles = {name: (up, down) for name, (up, down) in position.piles().items()}
    legal = tuple(map(position.format, position.legal_moves()))
    state: State = "won" if position.won else "playing"
    diff = None
    if move is not None:
        text, steps = move
        diff = Diff(
            RACE,
            n,
            text,
            steps,
            state,
            position.progress,
            100 * n,
            legal,
            digest(piles),
            n % 2 == 0,
        )
    snapshot = Snapshot(
        RACE,
        n,
        state,
        position.progress,
        100 * n,
        {name: Pile(up, down) for name, (up, down) in piles.items()},
        legal,
        digest(piles),
        begun_at=1_700_000_000_000,
        can_undo=n % 2 == 0 and n > 0,
    )
    return Told(piles, snapshot, diff)
