"""The guided practice game: the board after some of its moves, with the one thing to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bigben_chat.cards import signed
from bigben_chat.messages import text_board
from bigben_chat.messages.content import Attachment, Button, Content, id_of
from bigben_chat.picture import drawing
from bigben_chat.picture.drawing import Look
from bigben_chat.texts import Say
from bigben_chat.tree import Heading, Strong, Text, lines
from bigben_protocol import GameInfo, Step, View, texts
from bigben_protocol.lesson import LESSON, parts, said

_STEPS: Final = LESSON.steps


def moves_before(number: int) -> int:
    """How many moves are played before step ``number``; steps are counted from 1."""
    return sum(bool(step.move) for step in _STEPS[: number - 1])


def move_of(number: int) -> str:
    """The move of a step; empty if there is only something to see."""
    return _STEPS[number - 1].move


@dataclass(frozen=True)
class LessonPage:
    """The lesson before step ``number``; after the last step, its end."""

    game: GameInfo
    view: View
    last: Sequence[Step]
    number: int
    look: Look
    say: Say

    def message(self) -> Content:
        """The board, what the last move has shown, and what to do now."""
        above, rows = self._text(), [self._buttons()]
        board = text_board.text_board(self.game, self.view, self.say)
        plain = Content(lines(above, board), rows, cards=True)
        if self.look.text:
            return plain
        points = () if self._over else _STEPS[self.number - 1].piles
        image = drawing.draw(self.game, self.view, self.last, self.look, self.say, points)
        alternative = text_board.alternative(self.game, self.view, self.say)
        attached = Attachment("lesson.png", image, alternative, (board,))
        return Content(above, rows, attached, plain, cards=True)

    @property
    def _over(self) -> bool:
        return self.number > len(_STEPS)

    def _text(self) -> Text:
        say, number = self.say, self.number
        done = [self._told(number - 1, "done")] if number > 1 else []
        if self._over:
            named = texts.of("learn", say.language)["learn.title"]
            return lines(_heading(f"{named}"), *done, say("learn.next"))
        part = max((first, kind) for kind, first in parts().items() if first <= number)[1]
        name = texts.of("learn", say.language)[f"learn.{part}"]
        title = _heading(f"{name} · {number}/{len(_STEPS)}")
        asked = Strong((self._told(number, "do"),))
        return lines(title, *filter(None, [*done, self._told(number, "why")]), asked)

    def _told(self, number: int, part: Literal["why", "do", "done"]) -> str:
        step = _STEPS[number - 1]
        named = {"card": step.card, "on": step.on}
        cards = {name: signed(card) for name, card in named.items() if card}
        return said(number, part, self.say.language, **cards)

    def _buttons(self) -> list[Button]:
        say, race = self.say, self.view.race
        if self._over:
            return [
                Button(say.label("button.todays"), id_of("play", "daily"), "success"),
                Button(say.label("button.go_on"), id_of("refresh", race), "primary"),
                Button(say.label("button.practise"), id_of("practice", LESSON.game, LESSON.rules)),
            ]
        step = id_of("lesson", race, self.number)
        if not move_of(self.number):
            return [Button(say.label("button.next"), step, "primary")]
        label = self._told(self.number, "do").rstrip(".!")
        return [Button(label, step, "success")]


def _heading(words: str) -> Heading:
    return Heading(3, (f"🎓 {words}",))
