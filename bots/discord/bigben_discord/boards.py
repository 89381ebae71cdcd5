"""The players' own boards on Discord: shows them, plays on them, keeps those that are open fresh.

A board is always ephemeral: Discord shows it to its player and to nobody else.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import aiohttp
import discord

from bigben_discord import current, memory
from bigben_discord.answers import Answer, Sent, Sorry
from bigben_discord.board import Board
from bigben_discord.controls import Content, Tap, id_of
from bigben_discord.edits import Edits
from bigben_discord.memory import Memory
from bigben_discord.picture import Look
from bigben_discord.players import Player
from bigben_discord.telling import day_of, race_name
from bigben_discord.texts import Say
from bigben_protocol import View

_log = logging.getLogger(__name__)

TOKEN_S: Final = 14.5 * 60
"""For so long a board can be changed without its player doing anything."""

Refuse = Callable[[View], str]
"""Why this is not to be played on the board as it stands now; nothing if it is."""


@dataclass
class _Screen:
    """An ephemeral message with a board on it, or with none yet."""

    sent: Sent
    say: Say
    shown: tuple[int, str] | None = None
    """The move and the state that it shows."""


class Boards:
    """All boards that are open."""

    def __init__(self, kept: Memory, *, tick: float) -> None:
        self._memory = kept
        self._edits = Edits(every=tick)
        self._screens: dict[tuple[int, str], _Screen] = {}

    async def close(self) -> None:
        """Refresh nothing any more."""
        await self._edits.close()

    def look(self, user: int) -> Look:
        """How the user wants their boards."""
        kept = self._memory.get("player", user, memory.Player) or memory.Player()
        return Look(kept.four_colours, kept.text)

    async def show(self, answer: Answer, player: Player, race: str, notice: str = "") -> None:
        """Answer with the player's board. Raises Sorry where they have none."""
        view = await self._view(player, race, answer.say)
        content = await self._drawn(self._board(player, view, answer.say), notice)
        sent = await answer.show(content)
        self._keep(player, race, _Screen(sent, answer.say, (view.n, view.state)))
        current.saw(self._memory, player.user, race)

    async def play(
        self, answer: Answer, player: Player, race: str, move: str, refuse: Refuse
    ) -> None:
        """Play a move and answer with the board; where ``refuse`` says why not, with that."""
        async with player.lock:
            view = await self._view(player, race, answer.say)
            notice = refuse(view)
            if not notice:
                await player.move(race, move)
            await self.show(answer, player, race, notice)

    async def pick(self, answer: Answer, player: Player, race: str, n: int, source: str) -> None:
        """Take up the card of a pile: at once to where it goes, if that is one place alone."""
        async with player.lock:
            view = await self._view(player, race, answer.say)
            board = self._board(player, view, answer.say)
            moves = [move for move in view.legal if move.startswith(f"{source} ")]
            if view.n != n or not moves:
                await self.show(answer, player, race, answer.say("board.older"))
            elif len(moves) > 1:
                await answer.show(board.picked(source), keep_picture=True)
                current.saw(self._memory, player.user, race)
            else:
                await player.move(race, moves[0])
                await self.show(answer, player, race)

    async def ask_if_sure(self, answer: Answer, player: Player, race: str) -> None:
        """Ask whether the player wants to give up; what is over is shown as it is."""
        view = await self._view(player, race, answer.say)
        if view.state != "playing":
            await self.show(answer, player, race)
            return
        board = self._board(player, view, answer.say)
        await answer.show(board.sure(), keep_picture=answer.kind == "change")
        current.saw(self._memory, player.user, race)

    async def wait(self, answer: Answer, player: Player, race: str) -> None:
        """A message to the player alone, which becomes their board once the race begins."""
        say = answer.say
        text = say("board.wait", race=race_name(race, say))
        sent = await answer.follow_up(Content(text), private=True)
        self._keep(player, race, _Screen(sent, say))

    def intro(self, race: str, say: Say) -> Content:
        """What a player is told before their clock starts."""
        begin = Tap(say("button.begin"), id_of("begin", race), "success")
        return Content(say("board.intro", race=race_name(race, say)), [[begin]])

    def changed(self, player: Player, race: str) -> None:
        """The player's game has news: bring an open board up to date."""
        key = player.user, race
        if key in self._screens:
            self._edits.ask(key, key, lambda: self._refresh(player, race))

    def _keep(self, player: Player, race: str, screen: _Screen) -> None:
        """Refresh this one from now on, and none whose token has ended."""
        self._screens.pop((player.user, race), None)
        self._screens[player.user, race] = screen
        for key, oldest in list(self._screens.items()):
            if oldest.sent.age < TOKEN_S:
                break
            del self._screens[key]

    async def _refresh(self, player: Player, race: str) -> None:
        async with player.lock:
            screen = self._screens.get((player.user, race))
            view = player.client.views.get(race)
            if screen is None or view is None:
                return
            view = player.ended(view)
            if screen.shown == (view.n, view.state):
                return
            if screen.sent.age > TOKEN_S:
                del self._screens[player.user, race]
                return
            content = await self._drawn(self._board(player, view, screen.say), "")
            try:
                await screen.sent.change(content)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                _log.info("A board could not be refreshed: %s", error)
                self._screens.pop((player.user, race), None)
            else:
                if screen.shown is None:  # It has come by itself, where there was no board.
                    current.saw(self._memory, player.user, race)
                screen.shown = view.n, view.state

    async def _view(self, player: Player, race: str, say: Say) -> View:
        view = await player.view(race)
        if view is None:
            seated = await player.seat(race)
            missing = "wrong.not_begun" if day_of(race) else "wrong.no_cards"
            raise Sorry(say(missing if seated else "wrong.no_seat"))
        return player.ended(view)

    def _board(self, player: Player, view: View, say: Say) -> Board:
        return Board(view, player.last.get(view.race, ()), self.look(player.user), say)

    async def _drawn(self, board: Board, notice: str) -> Content:
        # In a thread: while one board is drawn, others are answered.
        return await asyncio.to_thread(board.message, notice=notice)
