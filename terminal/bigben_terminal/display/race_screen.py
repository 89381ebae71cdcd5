"""What a player reads of one race: positions, moves and places, as pictures or in words."""

from collections.abc import Sequence

from rich.text import Text

from bigben_protocol import GameInfo, PlayerId, Standing, Standings, Step, View
from bigben_terminal.display import position_text
from bigben_terminal.display.board import WIDTH, picture
from bigben_terminal.display.faces import printable
from bigben_terminal.display.help_text import help_lines
from bigben_terminal.display.screen import Screen
from bigben_terminal.display.tables import NARROW, clock, in_words, places
from bigben_terminal.language import say


class RaceScreen:
    """One game on a player's screen."""

    def __init__(self, screen: Screen, game: GameInfo, me: PlayerId, *, plain: bool) -> None:
        """``plain``: words instead of pictures."""
        self.game = game
        self.faces = screen.faces
        self._screen = screen
        self._me = me
        self._plain = plain

    def say(self, *lines: str) -> None:
        """Print lines."""
        if lines:
            self._screen.show(*(Text(printable(line)) for line in lines))

    def help(self) -> None:
        """Print what can be typed."""
        self.say(*help_lines(self.game, self._screen.console.width))

    def position(self, view: View, last: Sequence[Step] = ()) -> None:
        """Print the position and the legal moves. ``last`` are the steps of the last move."""
        if self._plain:
            self.words(view)
            return
        home = say("row.playing", home=view.home, total=self.game.total)
        facts = (f"  {say('words.move', n=view.n)}", home, clock(view.ms))
        width = self._screen.console.width
        hints = []
        if view.state == "playing":
            hints = position_text.hints(self.game, view.legal, self.faces, width=min(width, WIDTH))
        self._screen.show(
            Text(f" {self.faces.dot} ".join(facts), "dim"),
            picture(self.game, view, self.faces, width, last),
            Text("\n".join(["", *hints]), "dim"),
        )

    def words(self, view: View) -> None:
        """Print the position in words."""
        self.say(*position_text.position(self.game, view))

    def move(self, move: str, steps: Sequence[Step], view: View) -> None:
        """Print what a move has changed; ``view`` is after it."""
        if self._plain:
            self.say(position_text.what_happened(self.game, move, steps, view))
        elif steps:
            self.position(view, steps)

    def final(self, standing: Standing, view: View) -> None:
        """Print the last board of a player."""
        self.say(say("standings.board", row=in_words(standing, self.game)))
        if self._plain:
            self.words(view)
        else:
            self._screen.show(picture(self.game, view, self.faces, self._screen.console.width))

    def standings(self, standings: Standings) -> None:
        """Print how far everybody is."""
        self.say(say("standings.final" if standings.final else "standings.so_far"))
        self.places(standings.rows)
        if standings.players > len(standings.rows):
            self.say(say("others", count=standings.players - len(standings.rows)))

    def places(self, rows: Sequence[Standing]) -> None:
        """Print rows with their places."""
        if rows:
            plain = self._plain or self._screen.console.width < NARROW
            self._screen.show(places(rows, self._me, self.game, self.faces, plain=plain))
        else:
            self.say(say("nobody"))
