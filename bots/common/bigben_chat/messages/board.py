"""A player's own board as a message: the picture, the text above it, the moves below it.

A pure function of what the player sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bigben_chat import layout
from bigben_chat.cards import signed
from bigben_chat.messages import formatting, moves, text_board
from bigben_chat.messages.content import Attachment, Button, Content, Menu, Option, Row, id_of
from bigben_chat.messages.moves import Move
from bigben_chat.picture import drawing
from bigben_chat.picture.drawing import Look
from bigben_chat.texts import Say
from bigben_protocol import Step, View

_MOST_HOME: Final = 9
"""The most buttons for plays to foundations: with the stock's button, two rows of five."""


@dataclass(frozen=True)
class Board:
    """A player's own game, and how they want it shown."""

    view: View
    last: Sequence[Step]
    look: Look
    say: Say
    verdict: str = ""
    """Whether the closed race is the one that the player saw."""

    def message(self, *, notice: str = "") -> Content:
        """The board, with ``notice`` above it."""
        text = self._text(notice)
        rows = self._rows()
        if self.look.text:
            return Content(text, rows)
        image = drawing.draw(self.view, self.last, self.look, self.say)
        alternative = text_board.alternative(self.view, self.say)
        attached = Attachment("board.png", image, alternative)
        return Content(text, rows, attached, self._plain(notice))

    def _plain(self, notice: str) -> Content:
        """The board without a picture."""
        text = replace(self, look=replace(self.look, text=True))
        return Content(f"{text._text(notice)}\n{self.say('board.no_pictures')}", text._rows())

    def picked(self, source: str) -> Content:
        """The board without its picture, with a menu of places for the card of ``source``."""
        chosen = moves.by_source(self.view).get(source, ())
        return Content(self._text(""), self._rows(chosen))

    def sure(self) -> Content:
        """The board without its picture, with the question whether to give up."""
        say, view = self.say, self.view
        yes = Button(say("button.sure"), id_of("giveup", view.n, view.race), "danger")
        no = Button(say("button.back"), id_of("refresh", view.race), "primary")
        return Content(f"{self._text('')}\n{say('board.sure')}", [[yes, no]])

    def _text(self, notice: str) -> str:
        say, view = self.say, self.view
        title = say("public.title", race=formatting.race_name(view.race, say))
        lines = [title, self._status()]
        if self.last and view.state == "playing":
            lines.append(say("board.last", moves=", ".join(map(self._step, self.last))))
        if self.verdict:
            lines.append(self.verdict)
        if notice:
            lines.append(f"⚠️ {notice}")
        if self.look.text:
            lines.append(text_board.text_board(view, say))
        return "\n".join(lines)

    def _status(self) -> str:
        say, view = self.say, self.view
        moves = formatting.moves(view.n, view.state)
        counts = say("board.counts", home=view.home, total=layout.TOTAL, moves=moves)
        if view.state == "playing":
            stuck = "" if view.legal else f" · {say('board.only_undo')}"
            started = say("board.started", at=formatting.moment(view.begun_at))
            return f"{counts} · {started}{stuck}"
        key = view.state.replace(" ", "_")
        return f"**{say(f'over.{key}', time=formatting.clock_time(view.ms))}** · {counts}"

    def _step(self, step: Step) -> str:
        """``7♥ → fan 3``."""
        return f"{signed(step.card)} → {moves.pile(step.target, self.say)}"

    def _rows(self, picked: Sequence[Move] = ()) -> list[Row]:
        if self.view.state != "playing":
            return [self._foot()]
        rows: list[Row] = [*self._plays(), *self._menus(picked)]
        return [*rows, self._foot()]

    def _plays(self) -> list[Row]:
        """The stock first, then what may go home."""
        say, view = self.say, self.view
        buttons: list[Button] = []
        if stock := moves.stock_move(view):
            label = say(f"button.{stock}", count=view.piles[layout.STOCK].down)
            buttons.append(Button(label, id_of("deal", view.n, view.race), "primary"))
        home = [move for move in moves.card_moves(view) if move.home]
        for move in home[:_MOST_HOME]:
            label = say("button.home", pile=_short(move), card=signed(move.card))
            buttons.append(Button(label, _play(view, move), "success"))
        return [buttons[start : start + 5] for start in range(0, len(buttons), 5)]

    def _menus(self, picked: Sequence[Move]) -> list[Row]:
        """Where a card is taken from, and once that is chosen, where it goes."""
        say, view = self.say, self.view
        sources = moves.by_source(view)
        if not sources:
            return []
        lines = [
            Option(
                f"{moves.pile(source, say)}: {signed(chosen[0].card)}",
                source,
                " · ".join(moves.target_label(move, say) for move in chosen),
            )
            for source, chosen in sources.items()
        ]
        menus: list[Row] = [Menu(say("menu.from"), id_of("from", view.n, view.race), lines)]
        if picked:
            card, source = picked[0].card, picked[0].source
            targets = [Option(moves.target_label(move, say), move.text) for move in picked]
            place = say("menu.to", pile=moves.pile(source, say), card=signed(card))
            menus.append(Menu(place, id_of("to", view.n, view.race, card), targets))
        return menus

    def _foot(self) -> list[Button]:
        """Buttons that are not moves of the game."""
        say, view = self.say, self.view
        buttons: list[Button] = []
        if view.can_undo:
            buttons.append(Button(say("button.undo"), id_of("undo", view.n, view.race)))
        look = "picture" if self.look.text else "text"
        buttons.append(Button(say(f"button.{look}"), id_of("look", look, view.race)))
        buttons.append(Button(say("button.standings"), id_of("standings", view.race)))
        if view.state == "playing":
            buttons.append(Button(say("button.resign"), id_of("resign", view.race), "danger"))
        else:
            buttons.append(Button(say("button.verify"), id_of("verify", view.race)))
        if view.state == "timed out" and formatting.day_of(view.race):
            todays = id_of("play", formatting.todays(view.race))
            buttons.append(Button(say("button.todays"), todays, "success"))
        return buttons


def _play(view: View, move: Move) -> str:
    """The id of a button that plays a card. It names the card, so it plays no other."""
    return id_of("move", view.n, view.race, move.card, move.text)


def _short(move: Move) -> str:
    return move.source.upper() if move.source == layout.WASTE else move.source
