"""Plays one seat in a terminal: sends what the player types, and answers it.

The server checks the moves, and the client's view is the position.
"""

import asyncio
from collections.abc import Sequence

from bigben_client import Client, RefusedError
from bigben_protocol import GameInfo, Room, View, house_player
from bigben_protocol.cheer_lines import cheer_list
from bigben_solver.hints.best import hint
from bigben_terminal.after_race import share_card
from bigben_terminal.display import headings, position_text, race_text
from bigben_terminal.display.faces import printable, with_spoken
from bigben_terminal.display.screen import Screen
from bigben_terminal.finishing import next_home
from bigben_terminal.following import Following
from bigben_terminal.hinting import advice, seen_by_player
from bigben_terminal.language import house_lines, in_words, language, say, told
from bigben_terminal.local_files.evidence import Evidence
from bigben_terminal.typed_commands import Command, Do, Send, Unclear, understand


class Playing:
    """A race in one player's terminal, until they leave."""

    def __init__(
        self,
        client: Client,
        screen: Screen,
        room: Room,
        game: GameInfo,
        evidence: Evidence,
        *,
        friends: str = "",
        back: str = "",
        plain: bool = False,
    ) -> None:
        """``game`` is the room's; ``friends``, ``back``: the options with which friends join and
        the player returns."""
        self._client = client
        self._screen = screen
        self._evidence = evidence
        self._back = back
        self._following = Following(
            client, screen, room, game, evidence, friends=friends, plain=plain
        )
        self._asked_to_start = False
        """Whether the next line may confirm a start."""

    @property
    def way_back(self) -> str:
        """The command with which the player returns to this game; empty if it is over."""
        room, view = self._following.room, self._following.view
        over = view and view.state != "playing"
        if not self._following.seated or over or room.phase in ("closed", "cancelled"):
            return ""
        return f"bigben play {printable(room.race)}{self._back}"

    async def run(self) -> None:
        """Play until the player quits or there is no more input. Raises ClientClosed."""
        self._following.greet()
        self._say(say("says.welcome"))
        following = asyncio.create_task(self._following.run())
        obeying = asyncio.create_task(self._obey())
        try:
            await asyncio.wait((following, obeying), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended = [task for task in (obeying, following) if task.done()]
            following.cancel()
            obeying.cancel()
            # The events of the last move may be unread.
            self._evidence.write_down(self._race)
        for task in ended:
            task.result()

    @property
    def _race(self) -> str:
        return self._following.race

    async def _obey(self) -> None:
        if self._following.room.kind == "practice" and self._following.view is None:
            await self._do("ready")
        while (line := await self._screen.line()) is not None:
            try:
                if self._asked_to_start and await self._answered(line):
                    continue
                match understand(line, self._following.screen.game):
                    case Do("quit"):
                        return
                    case Do(command, words):
                        await self._do(command, words)
                    case Send(move):
                        await self._send(move)
                    case Unclear(why):
                        self._say(why)
                    case None:
                        pass
            except RefusedError as refused:
                self._say(told(refused))

    async def _send(self, move: str) -> None:
        if self._following.view is None:
            next_ = race_text.what_next(self._following.room, self._client.player)
            self._say(f"{say('says.no_cards')} {next_}")
            return
        self._following.show_diff(await self._client.move(self._race, move))

    async def _do(self, command: Command, words: Sequence[str] = ()) -> None:
        client, race, view = self._client, self._race, self._following.view
        following = self._following
        match command:
            case "ready":
                await self._ready()
            case "unready":
                await client.unready(race)
            case "house":
                await self._house(*words)
            case "cheer":
                await self._cheer(*words)
            case "start":
                await self._ask_to_start()
            case "rematch":
                following.enter(await client.rematch(race))
            case "standings":
                following.show_standings(await client.standings_and_own(race))
            case "leaderboard":
                await self._leaderboard()
            case "board" if view:
                following.draw(view)
            case "words" if view:
                following.screen.words(view)
            case "moves" if view:
                self._say(position_text.moves(view.legal))
            case "hint" if view:
                await self._hint(view)
            case "why" if view:
                await self._explain(words)
            case "finish" if view:
                await self._finish()
            case "board" | "words" | "moves" | "hint" | "why" | "finish":
                self._say(race_text.what_next(following.room, client.player))
            case "fairness":
                self._say(*await self._evidence.all_of_it(race))
            case "final":
                await self._final()
            case "share":
                await self._share(copied="copy" in words)
            case "help":
                following.screen.help()
            case "quit":
                raise AssertionError("quit ends the loop")

    async def _ready(self) -> None:
        client, race = self._client, self._race
        await client.ready(race)
        if self._following.room.kind != "live":
            await self._following.until_cards()
        elif client.rooms[race].phase == "open":
            self._say(race_text.what_next(client.rooms[race], client.player))
        self._say(*self._evidence.when_ready(race))

    async def _house(self, strength: str = "") -> None:
        """Add the house player of this strength, or take it out again; without one, list them."""
        if not strength:
            self._say(*house_lines())
            return
        room, player = self._client.rooms[self._race], house_player(strength)
        if any(seat.player == player for seat in room.seats):
            await self._client.remove_house(self._race, strength)
        else:
            await self._client.add_house(self._race, strength)

    async def _cheer(self, cheer: str = "") -> None:
        """Call this to all who follow the race; without one, list what can be called."""
        if not cheer:
            self._say(*cheer_list(language()))
        elif self._client.cheers:
            await self._client.cheer(self._race, cheer)
        else:
            self._say(say("says.no_cheers"))

    async def _ask_to_start(self) -> None:
        room, me = self._client.rooms[self._race], self._client.player
        if room.kind != "live" or room.phase != "open" or room.host != me:
            await self._client.start(self._race)  # the server says why not
            return
        self._asked_to_start = True
        self._say(race_text.before_start(room, me))

    async def _answered(self, line: str) -> bool:
        """Start if the line says yes. Whether the line was an answer."""
        self._asked_to_start = False
        answer = line.strip().lower()
        if answer in say("start.yes").split():
            room = self._client.rooms[self._race]
            mine = next(seat for seat in room.seats if seat.player == self._client.player)
            if mine.state == "joined":
                await self._ready()
            if self._client.rooms[self._race].phase == "open":
                await self._client.start(self._race)
            return True
        self._say(say("start.waiting"))
        return not answer or answer in say("start.no").split()

    async def _leaderboard(self) -> None:
        rules, screen = self._following.room.rules, self._following.screen
        page = await self._client.leaderboard(game=rules.game, rules=rules.rules)
        board = headings.of_board(page.board, screen.faces.dot)
        self._say(say("board.in_all", board=board, total=page.total))
        screen.places(page.rows)

    async def _explain(self, words: Sequence[str]) -> None:
        piles = {slot.kind: slot.pile for slot in self._following.screen.game.slots}
        source, target = (*(piles["waste"] if word == "waste" else word for word in words), "", "")[
            :2
        ]
        if not source:
            self._say(say("says.why_what"))
            return
        reason = await self._client.explain(self._race, source, target)
        self._say(with_spoken(in_words(reason.said, reason.text)))

    async def _hint(self, view: View) -> None:
        """Say what can be done, and in practice what is best. The server remembers what the player
        has seen before; if it can't think about it now, this machine does."""
        room, game = self._following.room, self._following.screen.game
        self._say(*position_text.can_do(game, view))
        if room.kind != "practice" or view.state != "playing":
            return
        if not game.decides:
            self._say(say("hints.luck"))
            return
        self._say(say("hints.thinking"))
        try:
            self._say(advice(await self._client.hint(self._race, view.n)))
        except RefusedError as refused:
            if refused.code != "busy":
                raise
            best = await asyncio.to_thread(hint, seen_by_player(room.rules, view))
            self._say(advice(best))

    async def _finish(self) -> None:
        """Play all that is left, if only moves home are left; each is a move of its own."""
        game, rules = self._following.screen.game, self._following.room.rules
        played = 0
        while (view := self._following.view) and (move := next_home(game, rules, view)):
            self._following.show_diff(await self._client.move(self._race, move))
            played += 1
        if not played:
            self._say(say("says.not_finishing"))

    async def _share(self, *, copied: bool) -> None:
        room = self._client.rooms[self._race]
        card = await share_card(self._client, room, self._following.screen.game)
        self._say(*(card.split("\n") if card else [say("sharing.no_seat")]))
        if card and copied:
            self._screen.copy(card)
            self._say(say("sharing.copied"))

    async def _final(self) -> None:
        if self._following.room.phase == "closed":
            await self._following.show_final_boards(await self._client.standings(self._race))
        else:
            self._say(say("says.final_later"))

    def _say(self, *lines: str) -> None:
        self._following.say(*lines)
