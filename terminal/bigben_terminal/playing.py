"""Plays one seat in a terminal: sends what the player types, and shows what the server says.

The server checks the moves, and the client's view is the position.
"""

import asyncio
from collections.abc import Sequence

from rich.text import Text

from bigben_client import Back, Client, Event, Lost, RefusedError
from bigben_protocol import (
    Diff,
    PlayerId,
    Progress,
    Refused,
    Reveal,
    Room,
    Snapshot,
    Standing,
    Standings,
    Step,
    View,
)
from bigben_rules.bigben.layout import TOTAL
from bigben_terminal.display import headings, news, position_text
from bigben_terminal.display.board import WIDTH, board, listed
from bigben_terminal.display.faces import printable, safe
from bigben_terminal.display.help_text import help_lines
from bigben_terminal.display.screen import Screen
from bigben_terminal.display.tables import NARROW, clock, places
from bigben_terminal.kept.evidence import Evidence
from bigben_terminal.own_rules import with_legal_moves
from bigben_terminal.typed_commands import Command, Do, Send, Unclear, understand


class Playing:
    """A race in one player's terminal, until they leave."""

    def __init__(
        self,
        client: Client,
        screen: Screen,
        room: Room,
        evidence: Evidence,
        *,
        friends: str = "",
        back: str = "",
        plain: bool = False,
    ) -> None:
        """``friends``, ``back``: the options with which friends join and the player returns."""
        self._client = client
        self._screen = screen
        self._room = room
        self._evidence = evidence
        self._friends = friends
        self._back = back
        self._plain = plain
        """Whether to show words instead of pictures."""
        self._standings: dict[PlayerId, Standing] = {}
        self._shown = -1
        """The number of the move after which the board was last shown."""
        self._seed = ""
        """The Reveal, once it has come."""
        self._changed = asyncio.Event()

    @property
    def way_back(self) -> str:
        """The command with which the player returns to this game; empty if it is over."""
        mine = any(seat.player == self._client.player for seat in self._room.seats)
        over = self._view and self._view.state != "playing"
        if not mine or over or self._room.phase in ("closed", "cancelled"):
            return ""
        return f"bigben play {printable(self.race)}{self._back}"

    @property
    def race(self) -> str:
        """The current race; a rematch changes it."""
        return self._room.race

    async def run(self) -> None:
        """Play until the player quits or there is no more input. Raises ClientClosed."""
        self._greet()
        self._say("Type help for all commands, quit to leave.")
        following = asyncio.create_task(self._follow())
        obeying = asyncio.create_task(self._obey())
        try:
            await asyncio.wait((following, obeying), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended = [task for task in (obeying, following) if task.done()]
            following.cancel()
            obeying.cancel()
            # The events of the last move may be unread.
            self._evidence.write_down(self.race)
        for task in ended:
            task.result()

    # What the player types

    async def _obey(self) -> None:
        if self._room.kind == "practice" and self._view is None:
            await self._do("ready")
        while (line := await self._screen.line()) is not None:
            try:
                match understand(line):
                    case Do("quit"):
                        return
                    case Do(command):
                        await self._do(command)
                    case Send(move):
                        await self._send(move)
                    case Unclear(why):
                        self._say(why)
                    case None:
                        pass
            except RefusedError as refused:
                self._say(refused.text)

    async def _send(self, move: str) -> None:
        if self._view is None:
            self._say(
                f"The cards are not dealt yet. {news.what_next(self._room, self._client.player)}"
            )
            return
        self._show_diff(await self._client.move(self.race, move))

    async def _do(self, command: Command) -> None:
        client, race, view = self._client, self.race, self._view
        match command:
            case "ready":
                await client.ready(race)
                if self._room.kind != "live":
                    await self._until_cards()
                elif client.rooms[race].phase == "open":
                    self._say(news.what_next(client.rooms[race], client.player))
                self._say(*self._evidence.when_ready(race))
            case "unready":
                await client.unready(race)
            case "start":
                await client.start(race)
            case "rematch":
                self._enter(await client.rematch(race))
            case "standings":
                self._show_standings(await client.standings_and_own(race))
            case "leaderboard":
                page = await client.leaderboard(rules=self._room.rules.rules)
                dot = self._screen.faces.dot
                self._say(f"{headings.of_board(page.board, dot)}: {page.total} in all")
                self._show_places(page.rows)
            case "board" if view:
                self._draw(view)
            case "words" if view:
                self._say(*position_text.position(view))
            case "moves" if view:
                self._say(position_text.moves(view.legal))
            case "board" | "words" | "moves":
                self._say(news.what_next(self._room, client.player))
            case "fairness":
                self._say(*await self._evidence.all_of_it(race))
            case "help":
                self._say(*help_lines(self._screen.console.width))
            case "quit":
                raise AssertionError("quit ends the loop")

    def _enter(self, room: Room) -> None:
        self._room, self._standings, self._shown = room, {}, -1
        self._greet()

    async def _until_cards(self) -> None:
        while self._view is None:
            self._changed.clear()
            await self._changed.wait()

    # What the server says

    async def _follow(self) -> None:
        async for message in self._client.events():
            self._hear(message)
            self._evidence.write_down(self.race)
            self._changed.set()
            match message:
                case Standings() if message.final and not message.ref and message.race == self.race:
                    self._say(*await self._evidence.verdict(self.race))
                case _:
                    pass

    def _hear(self, message: Event) -> None:
        if getattr(message, "race", self.race) != self.race:
            return
        match message:
            case Room():
                self._hear_room(message)
            case Snapshot():
                self._show_snapshot()
            case Diff():
                self._show_diff(message)
            case Progress():
                self._hear_progress(message)
            case Standings() if message.final and not message.ref:
                self._show_standings(message)
            case Reveal() if message.seed != self._seed:  # sent again after a reconnect
                self._seed = message.seed
                self._say(f"The deal's seed: {message.seed}")
            case Refused():
                self._say(message.text)
            case Lost():
                self._say("The connection is lost; trying again.")
            case Back():
                self._say("Connected again.")
            case _:
                pass  # answers to another client of this player

    def _hear_room(self, room: Room) -> None:
        self._say(*news.of_room(self._room, room, self._client.player))
        self._room = room
        self._count(room.seats)

    def _hear_progress(self, progress: Progress) -> None:
        ends, others = news.of_progress(self._standings, progress.seats, self._client.player)
        self._count(progress.seats)
        # A status line, if there is one, shows the rest.
        self._say(*ends, *([] if self._screen.editing else others))

    def _count(self, seats: tuple[Standing, ...]) -> None:
        self._standings.update((seat.player, seat) for seat in seats)
        self._screen.status(
            news.status(self._standings.values(), self._client.player, self._screen.faces)
        )

    # What is shown

    @property
    def _view(self) -> View | None:
        view = self._client.views.get(self.race)
        return view and with_legal_moves(view, self._room.rules.rules)

    def _greet(self) -> None:
        self._say(news.heading(self._room, self._screen.faces.dot))
        others = [s.name for s in self._room.seats if s.player != self._client.player]
        if others and self._room.kind == "live":
            self._say(f"Here: {', '.join(map(safe, others))}.")
        self._say(*news.invitation(self._room, self._client.player, self._friends))
        self._say(*self._evidence.at_first(self.race))
        self._count(self._room.seats)
        if self._view is None and self._room.kind != "practice":
            self._say(news.what_next(self._room, self._client.player))

    def _show_snapshot(self) -> None:
        view = self._view
        if view and view.n != self._shown:
            self._draw(view)
            self._say(*news.of_end(view))

    def _show_diff(self, diff: Diff) -> None:
        view = self._view
        # A diff comes twice, as an answer and as an event, and a later one may be here already.
        if view is None or diff.n <= self._shown or diff.race != self.race:
            return
        self._shown = diff.n
        if self._plain:
            self._say(position_text.what_happened(diff.move, diff.steps, view))
        elif diff.steps:
            self._draw(view, diff.steps)
        self._say(*news.of_end(view))

    def _draw(self, view: View, last: tuple[Step, ...] = ()) -> None:
        self._shown = view.n
        if self._plain:
            self._say(*position_text.position(view))
            return
        faces = self._screen.faces
        facts = (f"  move {view.n}", f"{view.home} of {TOTAL} home", clock(view.ms))
        width = self._screen.console.width
        picture = (board if width >= WIDTH else listed)(view, faces, last)
        wide = min(width, WIDTH)
        hints = (
            position_text.hints(view.legal, faces, width=wide) if view.state == "playing" else []
        )
        self._screen.show(
            Text(f" {faces.dot} ".join(facts), "dim"),
            picture,
            Text("\n".join(["", *hints]), "dim"),
        )

    def _show_standings(self, standings: Standings) -> None:
        rows = standings.rows
        self._say("The race is over:" if standings.final else "So far:")
        self._show_places(rows)
        if standings.players > len(rows):
            self._say(f"And {standings.players - len(rows)} more.")
        seated = any(row.player == self._client.player for row in rows)
        if standings.final and seated and self._room.kind == "live":
            self._say("Type rematch to race the same players again.")

    def _show_places(self, rows: Sequence[Standing]) -> None:
        faces = self._screen.faces
        if rows:
            plain = self._plain or self._screen.console.width < NARROW
            self._screen.show(places(rows, self._client.player, faces, plain=plain))
        else:
            self._say("Nobody yet.")

    def _say(self, *lines: str) -> None:
        if lines:
            self._screen.show(*(Text(printable(line)) for line in lines))
