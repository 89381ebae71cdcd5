"""The lesson: a practice deal of Big Ben and the moves that teach it, for every front end.

Its texts are in the table ``learn`` of each language: for step 3 ``learn.3.why``, ``learn.3.do``
and, if it has a move, ``learn.3.done``, which is told after the move. ``learn.title`` is its name,
and ``learn.KIND`` the title of the part that begins with the first step that teaches ``KIND``.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from bigben_protocol import texts
from bigben_protocol.types import Card

Teaches = Literal[
    "clock", "goal", "home", "build", "gap", "refill", "turn", "waste_home", "waste_build", "undo",
]  # fmt: skip


class LessonStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to learn."""

    move: str
    """The one move to play now, as it is in the log; empty if there is only something to see."""
    teaches: Teaches
    piles: tuple[str, ...]
    """The piles to point at: where the card lies, then where it goes."""
    card: Card = ""
    """The card that the step is about, for ``{card}`` in its texts."""
    on: Card = ""
    """The card on which it goes, for ``{on}``."""


class Lesson(msgspec.Struct, frozen=True):
    """A practice game with this seed, and its steps in order."""

    game: str
    rules: str
    seed: str
    steps: tuple[LessonStep, ...]


LESSON: Final = Lesson(
    "bigben",
    "standard",
    f"{0x27611:064x}",
    (
        LessonStep("", "clock", ()),
        LessonStep("", "goal", ("f1",), "6C"),
        LessonStep("4 f1", "home", ("4", "f1"), "7C", "6C"),
        LessonStep("8 f1", "home", ("8", "f1"), "8C", "7C"),
        LessonStep("10 2", "build", ("10", "2"), "6H", "7H"),
        LessonStep("10 f6", "home", ("10", "f6"), "QH", "JH"),
        LessonStep("", "gap", ("4", "8", "10")),
        LessonStep("refill", "refill", ("s", "4", "8", "10")),
        LessonStep("turn", "turn", ("s", "w"), "9C"),
        LessonStep("w f1", "waste_home", ("w", "f1"), "9C", "8C"),
        LessonStep("turn", "turn", ("s", "w"), "2D"),
        LessonStep("w 3", "waste_build", ("w", "3"), "2D", "3D"),
        LessonStep("undo", "undo", ("3", "w"), "2D", "3D"),
    ),
)
"""``tools/find_lesson.py`` found the seed: at each step only the right card can go home."""


def said(number: int, part: Literal["why", "do", "done"], language: str, **cards: str) -> str:
    """A text of step ``number``, from 1; empty if it has no such part.

    ``cards`` are ``card`` and ``on``, as this front end writes them.
    """
    return texts.fill(texts.of("learn", language).get(f"learn.{number}.{part}", ""), **cards)


def parts() -> Mapping[Teaches, int]:
    """The parts of the lesson with a title, each with the number of its first step."""
    titled = texts.of("learn", texts.DEFAULT)
    first: dict[Teaches, int] = {}
    for number, step in enumerate(LESSON.steps, 1):
        if f"learn.{step.teaches}" in titled:
            first.setdefault(step.teaches, number)
    return first
