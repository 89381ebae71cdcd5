"""What the server says of its games and of the lesson, from what the rules say."""

from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec.structs import replace

from bigben_protocol import GameInfo, Games, Pile, Step
from bigben_protocol.lesson import LESSON, LessonStep
from bigben_rules import GAMES, Game, seed_from_hex, shuffle
from bigben_solver.games import CERTIFIED, GRADED


class Seen(msgspec.Struct, frozen=True):
    """What a player sees at a step of the lesson, before its move."""

    piles: dict[str, Pile]
    legal: tuple[str, ...]
    home: int
    steps: tuple[Step, ...]
    """The cards that the move before has moved."""


class PlayedLesson(msgspec.Struct, frozen=True):
    """The lesson as the page plays it, which knows no rules and needs no seat for it."""

    game: str
    rules: str
    seed: str
    steps: tuple[LessonStep, ...]
    seen: tuple[Seen, ...]
    """Before each step, and at the end."""


@cache
def games() -> Games:
    """Every game, as its players meet it."""
    return Games(tuple(map(_described, GAMES.values())))


def _described(game: Game) -> GameInfo:
    info = msgspec.convert(game.description, GameInfo, from_attributes=True)
    return replace(info, certifies=game.name in CERTIFIED, grades=game.name in GRADED)


@cache
def lesson() -> PlayedLesson:
    """The lesson, with every position in it."""
    return PlayedLesson(LESSON.game, LESSON.rules, LESSON.seed, LESSON.steps, tuple(_positions()))


def _positions() -> Iterator[Seen]:
    game = GAMES[LESSON.game]
    positions = [game.deal(shuffle(game.pack, seed_from_hex(LESSON.seed)), LESSON.rules)]
    moved: list[tuple[Step, ...]] = [()]
    for move in ("", *(step.move for step in LESSON.steps)):
        steps: tuple[Step, ...] = ()
        if move == "undo":
            positions.pop()
            steps = tuple(Step(step.target, step.source, step.card) for step in moved.pop())
        elif move:
            position, transfers = positions[-1].apply(positions[-1].parse(move))
            steps = tuple(Step(*transfer) for transfer in transfers)
            positions.append(position)
            moved.append(steps)
        piles = {str(name): Pile(*cards) for name, cards in positions[-1].piles().items()}
        yield Seen(piles, positions[-1].reading().legal, positions[-1].progress, steps)
