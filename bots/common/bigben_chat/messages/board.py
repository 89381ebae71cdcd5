"""A player's own board as a message: the picture, the text above it, the moves below it.

A pure function of what the player sees.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bigben_chat.cards import signed
from bigben_chat.messages import formatting, happened, moves, text_board
from bigben_chat.messages.content import (
    Attachment,
    Button,
    Content,
    Menu,
    Option,
    Row,
    id_of,
    play_here,
)
from bigben_chat.messages.moves import Move
from bigben_chat.picture import drawing
from bigben_chat.picture.drawing import Look
from bigben_chat.records import STANDARD
from bigben_chat.texts import Say
from bigben_chat.tree import Block, Part, Small, Strong, Text, Time, lines, text
from bigben_protocol import GameInfo, Kind, Step, View
from bigben_protocol.result_time import result_time

_MOST_ROWS: Final = 5
_MOST_BUTTONS: Final = 10
"""The most buttons for moves, two rows of five; plays to foundations are in the menu too."""


@dataclass(frozen=True)
class Board:
    """A player's own game, and how they want it shown."""

    game: GameInfo
    view: View
    last: Sequence[Step]
    look: Look
    say: Say
    verdict: Text = ()
    """Whether the closed race is the one that the player saw."""
    kind: Kind = "live"
    result: str = ""
    """What the player can share once their game is over; it names no card."""
    rules: str = STANDARD
    frames: bool = False
    """Whether the page can be opened in a frame."""

    def message(self, *, notice: Text = ()) -> Content:
        """The board, with ``notice`` above it."""
        above = self._text(notice)
        rows = self._rows()
        if self.look.text:
            return Content(above, rows, cards=True)
        image = drawing.draw(
            self.game, self.view, self.last, self.look, self.say, self._can_go_home()
        )
        alternative = text_board.alternative(self.game, self.view, self.say)
        board = text_board.text_board(self.game, self.view, self.say, self._can_go_home())
        attached = Attachment("board.png", image, alternative, (board,))
        return Content(above, rows, attached, self._plain(notice), cards=True)

    def _plain(self, notice: Text) -> Content:
        """The board without a picture."""
        board = replace(self, look=replace(self.look, text=True))
        told = lines(board._text(notice), self.say("board.no_pictures"))
        return Content(told, board._rows(), cards=True)

    def picked(self, source: str) -> Content:
        """The board without its picture, with a menu of places for the card of ``source``."""
        chosen = moves.by_source(self.game, self.view).get(source, ())
        return Content(self._text(()), self._rows(chosen), cards=True)

    def sure(self) -> Content:
        """The board without its picture, with the question whether to give up."""
        say, view = self.say, self.view
        yes = Button(say.label("button.sure"), id_of("giveup", view.n, view.race), "danger")
        no = Button(say.label("button.back"), id_of("refresh", view.race), "primary")
        return Content(lines(self._text(()), say("sure.resign")), [[yes, no]], cards=True)

    def _text(self, notice: Text) -> Text:
        say, view = self.say, self.view
        if self.kind == "practice":
            name = say.label("race.practice", code=view.race)
        else:
            name = formatting.race_name(view.race, say)
        rows: list[Part | Text] = [say("public.title", race=name), self._status()]
        if self.last and view.state == "playing":
            rows.append(say("board.last", moves=happened.happened(self.game, self.last, say)))
        if not self.game.decides:
            rows.append(Small((say.game_text(f"game.{self.game.name}.luck"),)))
        if self.verdict:
            rows.append(self.verdict)
        if self.result:
            rows.append(Block(self.result))
        if notice:
            rows.append(text("⚠️ ", notice))
        if self.look.text:
            rows.append(text_board.text_board(self.game, view, say, self._can_go_home()))
        return lines(*rows)

    def _can_go_home(self) -> Collection[str]:
        """The piles whose top cards can go home, where the player wants to see them."""
        if not self.look.hints or self.view.state != "playing":
            return ()
        return {move.pile for move in moves.pile_moves(self.game, self.view) if move.home}

    def _status(self) -> Text:
        say, view = self.say, self.view
        moves = formatting.counted_moves(view.n, view.state, say)
        counts = say("board.counts", home=view.home, total=self.game.total, moves=moves)
        if view.state == "playing":
            stuck = () if view.legal else text(" · ", say("board.only_undo"))
            return text(counts, " · ", say("board.started", at=Time(view.begun_at)), stuck)
        key = view.state.replace(" ", "_")
        time = result_time(view.home_ms)
        if time and view.state == "won":
            return text(Strong(say("over.won_in", time=time)), " · ", counts)
        last = text(" ", say("over.last_home", time=time)) if time else ()
        return text(Strong(text(say(f"over.{key}"), last)), " · ", counts)

    def _rows(self, picked: Sequence[Move] = ()) -> list[Row]:
        if self.view.state != "playing":
            return self._foot()
        rows = [*self._plays(), *self._menus(picked), *self._foot()]
        if self.frames and len(rows) < _MOST_ROWS:
            rows.append([play_here(self.view.race, self.say)])
        return rows

    def _plays(self) -> list[Row]:
        """Commands first, such as to turn a card, then what may go home."""
        say, view = self.say, self.view
        buttons: list[Button] = []
        for number, command in enumerate(moves.commands(view)):
            label = moves.command_label(self.game, view, command, say)
            first = id_of("deal", view.n, view.race)
            other = id_of("move", view.n, view.race, "", command)
            buttons.append(Button(label, other if number else first, "primary"))
        home = [move for move in moves.pile_moves(self.game, view) if move.home]
        for move in home[: _MOST_BUTTONS - max(1, len(buttons))]:
            label = say.label("button.home", pile=move.source.upper(), card=signed(move.card))
            buttons.append(Button(label, _play(view, move), "success"))
        return [buttons[start : start + 5] for start in range(0, len(buttons), 5)]

    def _menus(self, picked: Sequence[Move]) -> list[Row]:
        """What is moved, and once that is chosen, where it goes."""
        say, view, game = self.say, self.view, self.game
        sources = moves.by_source(game, view)
        if not sources:
            return []
        options = [
            Option(
                moves.source_label(game, chosen, say),
                source,
                " · ".join(moves.target_label(game, move, say) for move in chosen),
            )
            for source, chosen in sources.items()
        ]
        cards = any(move.card for chosen in sources.values() for move in chosen)
        ask = say.label("menu.from" if cards else "menu.pile")
        menus: list[Row] = [Menu(ask, id_of("from", view.n, view.race), options)]
        if picked:
            first = picked[0]
            targets = [Option(moves.target_label(game, move, say), move.text) for move in picked]
            named = moves.pile_name(game, first.pile, say)
            place = (
                say.label("menu.to", pile=named, card=signed(first.card)) if first.card else named
            )
            menus.append(Menu(place, id_of("to", view.n, view.race, first.card), targets))
        return menus

    def _foot(self) -> list[Row]:
        """Buttons that are not moves of the game: what may follow it, and more about it."""
        say, view = self.say, self.view
        about: list[Button] = []
        if view.can_undo:
            about.append(Button(say.label("button.undo"), id_of("undo", view.n, view.race)))
        look = "picture" if self.look.text else "text"
        about.append(Button(say.label(f"button.{look}"), id_of("look", look, view.race)))
        if self.kind == "practice" and view.state == "playing":
            if self.game.decides:
                about.append(Button(say.label("button.hint"), id_of("hint", view.race)))
        else:
            about.append(Button(say.label("button.standings"), id_of("standings", view.race)))
        if view.state == "playing":
            about.append(Button(say.label("button.resign"), id_of("resign", view.race), "danger"))
            about.append(Button("?", id_of("help", self.game.name)))
            return [about]
        about.append(Button(say.label("button.verify"), id_of("verify", view.race)))
        return [self._after(), about]

    def _after(self) -> list[Button]:
        """What a player can go on with when their game is over."""
        say, race = self.say, self.view.race
        share = Button(say.label("button.share"), id_of("share", race), "primary")
        if self.kind == "practice":
            another = id_of("practice", self.game.name, self.rules)
            return [Button(say.label("button.another"), another, "success")]
        if self.kind == "live":
            return [Button(say.label("button.rematch"), id_of("rematch", race), "success"), share]
        if self.view.state == "timed out" and formatting.day_of(race):
            todays = id_of("play", formatting.todays(race))
            return [Button(say.label("button.todays"), todays, "success"), share]
        return [share]


def _play(view: View, move: Move) -> str:
    """The id of a button that plays a card. It names the card, so it plays no other."""
    return id_of("move", view.n, view.race, move.card, move.text)
