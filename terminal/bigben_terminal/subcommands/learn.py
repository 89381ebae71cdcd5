"""``bigben learn``: the lesson, played by the rules on this machine; no server is needed."""

from argparse import ArgumentParser, Namespace
from typing import Final, Literal

import msgspec
from rich.text import Text

from bigben_protocol import GameInfo, Pile, Step, View
from bigben_protocol.lesson import LESSON, LessonStep, said
from bigben_rules import GAMES, IllegalMove, NotationError, Position, seed_from_hex, shuffle
from bigben_terminal.display import position_text
from bigben_terminal.display.board import picture
from bigben_terminal.display.faces import Faces, add_faces, faces_for, spoken
from bigben_terminal.display.screen import make_console
from bigben_terminal.language import add_language, game_text, in_words, language, say

_GAME: Final = GAMES[LESSON.game]
_INFO: Final = msgspec.convert(_GAME.description, GameInfo, from_attributes=True)


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = """Learn Big Ben in two minutes: ten moves of a prepared deal, each of
    which teaches one thing. It needs no server, and nothing is recorded."""
    add_language(parser)
    add_faces(parser)


def run(arguments: Namespace) -> int:
    """Teach until the last step, or until the player quits. Returns the exit code."""
    _Lesson(ascii_wanted=arguments.ascii, plain=arguments.plain).run()
    return 0


class _Lesson:
    """The lesson on one terminal."""

    def __init__(self, *, ascii_wanted: bool, plain: bool) -> None:
        self._console = make_console()
        self._faces: Faces = faces_for(self._console.file, ascii_wanted=ascii_wanted)
        self._plain = plain
        self._at = 0
        """The number of the current step, from 0."""

    def run(self) -> None:
        self._say(f"{game_text('game.bigben')}. {game_text('game.bigben.goal')}", say("learn.keys"))
        self._board()
        self._step()
        while self._at < len(LESSON.steps):
            try:
                line = input("> ")
            except EOFError:
                return
            if not self._obey(" ".join(line.lower().split())):
                return
        self._say("", say("lesson.over"), say("learn.next"))

    def _obey(self, line: str) -> bool:
        """Do what is typed; whether the lesson goes on."""
        match line:
            case "quit" | "q" | "exit":
                return False
            case "back" | "b":
                self._at = max(0, self._at - 1)
                self._board()
                self._step()
            case "help" | "?":
                self._say(say("learn.keys"))
                self._step()
            case "words" | "board":
                self._board(words=line == "words")
            case "":
                self._play()
            case _:
                if self._fits(line):
                    self._play()
        return True

    def _fits(self, line: str) -> bool:
        """Whether this is the step's move; if not, it is said why not."""
        wanted = LESSON.steps[self._at].move
        why = "" if line == wanted else say("learn.not_yet")
        if line not in (wanted, "undo"):
            position = self._position()
            try:
                move = position.parse(line)
                position.apply(move)
                why = "" if position.format(move) == wanted else why
            except (IllegalMove, NotationError) as error:
                why = in_words([error.said])
        if why:
            self._say(f"{why} {self._text('do')}")
        return not why

    def _play(self) -> None:
        step = LESSON.steps[self._at]
        done = self._text("done")
        self._at += 1
        if step.move and self._plain:
            self._say(position_text.what_happened(_INFO, step.move, self._steps(), self._view()))
        elif step.move:
            self._board()
        if done:
            self._say(done)
        if self._at < len(LESSON.steps):
            self._step()

    # What is shown

    def _step(self) -> None:
        step = LESSON.steps[self._at]
        count = say("learn.step", at=self._at + 1, total=len(LESSON.steps))
        how = say("learn.type", move=_typed(step)) if step.move else say("learn.enter")
        self._say("", f"{count} {self._text('why')}", f"{self._text('do')} {how}")

    def _board(self, *, words: bool = False) -> None:
        if words or self._plain:
            self._say(*position_text.position(_INFO, self._view()))
            return
        width = self._console.width
        self._console.print(picture(_INFO, self._view(), self._faces, width, self._steps()))

    def _text(self, part: Literal["why", "do", "done"]) -> str:
        step = LESSON.steps[self._at]
        named = spoken if self._plain else self._faces.card
        cards = {"card": step.card and named(step.card), "on": step.on and named(step.on)}
        return said(self._at + 1, part, language(), **cards)

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._console.print(Text(line), soft_wrap=self._plain)

    # The position, by the rules

    def _history(self) -> tuple[list[Position], list[tuple[Step, ...]]]:
        """The positions that undo can return to, the current one last, and the moves' steps."""
        positions = [_GAME.deal(shuffle(_GAME.pack, seed_from_hex(LESSON.seed)), LESSON.rules)]
        moved: list[tuple[Step, ...]] = [()]
        for step in LESSON.steps[: self._at]:
            if step.move == "undo":
                positions.pop()
                moved[-1] = tuple(Step(s.target, s.source, s.card) for s in moved[-1])
            elif step.move:
                position, transfers = positions[-1].apply(positions[-1].parse(step.move))
                positions.append(position)
                moved.append(tuple(Step(*transfer) for transfer in transfers))
        return positions, moved

    def _position(self) -> Position:
        return self._history()[0][-1]

    def _steps(self) -> tuple[Step, ...]:
        return self._history()[1][-1]

    def _view(self) -> View:
        position = self._position()
        piles = {str(name): Pile(*cards) for name, cards in position.piles().items()}
        return View("", self._at, "playing", position.progress, 0, piles, position.reading().legal)


def _typed(step: LessonStep) -> str:
    """The move as one types it: ``4 fdn`` for ``4 f1``."""
    source, _, target = step.move.partition(" ")
    return f"{source} fdn" if target.startswith("f") else step.move
