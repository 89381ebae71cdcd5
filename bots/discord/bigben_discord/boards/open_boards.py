"""The players' own boards on Discord: shows them, plays on them, keeps those that are open fresh.

A board is always ephemeral: Discord shows it to its player and to nobody else.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Final

import aiohttp
import discord

from bigben_chat import store
from bigben_chat.connections.identity import Visitor
from bigben_chat.connections.player_pool import Player, Players
from bigben_chat.edit_queue import Edits
from bigben_chat.evidence import promise, verdict
from bigben_chat.picture.drawing import Look
from bigben_chat.store import Memory, Wait
from bigben_chat.texts import Say, say_in
from bigben_client import ClientError, RefusedError
from bigben_discord.actions.races import visitor
from bigben_discord.board import Board
from bigben_discord.boards import current_race, pending
from bigben_discord.boards.pending import TOKEN_S
from bigben_discord.controls import Content, Tap, id_of
from bigben_discord.interactions.answers import Answer, Sorry
from bigben_discord.interactions.editable_message import Restored, Sent
from bigben_discord.telling import day_of, race_name
from bigben_protocol import View

_log = logging.getLogger(__name__)

AGAIN_S: Final = 5.0
"""Seconds until the server is asked again for a board that a player waits for."""

Refuse = Callable[[View], str]
"""Why this is not to be played on the board as it stands now; nothing if it is."""


@dataclass
class _Screen:
    """An ephemeral message with a board on it, or with none yet."""

    sent: Sent | Restored
    say: Say
    shown: tuple[int, str, bool] | str
    """The move, the state and whether there is a verdict; before the cards are out, how the seat
    waits."""


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
        kept = self._memory.get("player", user, store.Player) or store.Player()
        return Look(kept.four_colours, kept.text)

    async def show(self, answer: Answer, player: Player, race: str) -> None:
        """Answer with the player's board; before a live race begins, with what becomes it.

        Raises Sorry where they have none.
        """
        async with answer.alone(player.lock):
            await self._show(answer, player, race)

    async def _show(self, answer: Answer, player: Player, race: str, notice: str = "") -> None:
        view = await player.view(race)
        if view is None and not day_of(race) and pending.how(player, race) == "ready":
            await self.wait(answer, player, race)
            return
        view = await self._view(player, race, answer.say)
        judged = bool(await player.judge(race))
        async with answer.unhurried():
            content = await self._drawn(self._board(player, view, answer.say), notice)
        with self._seeing(player, race):
            sent = await answer.show(content)
        self._keep(player, race, _Screen(sent, answer.say, (view.n, view.state, judged)))

    async def play(
        self, answer: Answer, player: Player, race: str, move: str, refuse: Refuse
    ) -> None:
        """Play a move and answer with the board; where ``refuse`` says why not, with that."""
        async with answer.alone(player.lock):
            view = await self._view(player, race, answer.say)
            # What is over is shown as it is: its board may have had its buttons still.
            notice = refuse(view) if view.state == "playing" else ""
            if view.state == "playing" and not notice:
                await player.move(race, move)
            await self._show(answer, player, race, notice)

    async def pick(self, answer: Answer, player: Player, race: str, n: int, source: str) -> None:
        """Take up the card of a pile: at once to where it goes, if that is one place alone."""
        async with answer.alone(player.lock):
            view = await self._view(player, race, answer.say)
            moves = [move for move in view.legal if move.startswith(f"{source} ")]
            if view.n != n or not moves:
                await self._show(answer, player, race, answer.say("board.older"))
            elif len(moves) > 1:
                picked = self._as_it_is(answer, player, view).picked(source)
                with self._seeing(player, race):
                    await answer.show(picked, keep_picture=True)
            else:
                await player.move(race, moves[0])
                await self._show(answer, player, race)

    async def ask_if_sure(self, answer: Answer, player: Player, race: str) -> None:
        """Ask whether the player wants to give up; what is over is shown as it is."""
        async with answer.alone(player.lock):
            view = await self._view(player, race, answer.say)
            if view.state != "playing":
                await self._show(answer, player, race)
                return
            sure = self._as_it_is(answer, player, view).sure()
            with self._seeing(player, race):
                await answer.show(sure, keep_picture=answer.kind == "change")

    async def wait(self, answer: Answer, player: Player, race: str, *, extra: bool = False) -> None:
        """Answer with a message that becomes the player's board once the race begins.

        ``extra``: it comes besides the answer.
        """
        line = promise(player.client.kept.get(race), answer.say)
        content = pending.message(race, "ready", answer.interaction.created_at, answer.say, line)
        follows = answer.follow_up(content, private=True) if extra else answer.show(content)
        sent = await follows
        self._keep(player, race, _Screen(sent, answer.say, "ready"))
        who = visitor(answer.interaction)
        pending.keep(self._memory, who, race, sent, answer.say.language)
        # While this was on its way the race may have begun.
        self.changed(player, race)

    def intro(self, player: Player, race: str, say: Say) -> Content:
        """What a player is told before their clock starts."""
        begin = Tap(say("button.begin"), id_of("begin", race), "success")
        intro = say("board.intro", race=race_name(race, say))
        line = promise(player.client.kept.get(race), say)
        return Content(f"{intro}\n{line}".strip(), [[begin]])

    def changed(self, player: Player, race: str) -> None:
        """The player's game has news: bring an open board up to date."""
        key = player.user, race
        if key in self._screens:
            self._edits.ask(key, key, lambda: self._refresh(player, race))

    async def restore(self, players: Players, client: discord.Client) -> None:
        """Go on with the messages that waited when the bot was stopped or killed."""
        async with asyncio.TaskGroup() as tasks:
            for wait, sent in pending.all_kept(self._memory, client):
                tasks.create_task(self._restore(wait, sent, players))

    async def _restore(self, wait: Wait, sent: Restored, players: Players) -> None:
        while sent.age < TOKEN_S:
            try:
                async with (
                    asyncio.timeout(AGAIN_S),
                    players.at(Visitor(wait.user, wait.name, wait.guild)) as player,
                ):
                    if await player.seat(wait.race):
                        await player.client.join(wait.race)
                    await player.view(wait.race)
                    if (wait.user, wait.race) not in self._screens:
                        say = say_in(wait.language)
                        self._screens[wait.user, wait.race] = _Screen(sent, say, "ready")
                        self.changed(player, wait.race)
                return
            except RefusedError as error:
                _log.info("The board of a waiting player can't be fetched: %s", error)
                break
            except (ClientError, TimeoutError):
                await asyncio.sleep(AGAIN_S)
            except Exception:
                # Ours, and of this board; the others still come.
                _log.exception("the board of a waiting player can't be shown")
                break
        pending.drop(self._memory, wait.user, wait.race)

    def _keep(self, player: Player, race: str, screen: _Screen) -> None:
        """Refresh this one from now on, and none whose token has ended."""
        self._forget((player.user, race))
        self._screens[player.user, race] = screen
        for key, oldest in list(self._screens.items()):
            if oldest.sent.age < TOKEN_S:
                break
            self._forget(key)

    def _forget(self, key: tuple[int, str]) -> None:
        screen = self._screens.pop(key, None)
        if screen is not None and isinstance(screen.shown, str):
            pending.drop(self._memory, *key)

    async def _refresh(self, player: Player, race: str) -> None:
        async with player.lock:
            key = player.user, race
            screen = self._screens.get(key)
            if screen is None:
                return
            view = player.client.views.get(race)
            view = player.ended(view) if view else None
            judged = bool(await player.judge(race))
            shown = (view.n, view.state, judged) if view else pending.how(player, race)
            if shown is None or screen.shown == shown:
                return
            if screen.sent.age > TOKEN_S:
                self._forget(key)
                return
            content = await self._content(player, race, screen)
            # A board that comes by itself, where there was none, is seen.
            comes = view is not None and isinstance(screen.shown, str)
            seeing = self._seeing(player, race) if comes else nullcontext()
            try:
                with seeing:
                    await screen.sent.change(content)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                _log.info("A board could not be refreshed: %s", error)
                self._forget(key)
                return
            if comes:
                pending.drop(self._memory, player.user, race)
            screen.shown = shown

    async def _content(self, player: Player, race: str, screen: _Screen) -> Content:
        """An open message as it is to be now."""
        if view := player.client.views.get(race):
            board = self._board(player, player.ended(view), screen.say)
            return await self._drawn(board, "")
        state = pending.how(player, race)
        assert state is not None, "asked before"
        line = promise(player.client.kept.get(race), screen.say)
        return pending.message(race, state, screen.sent.made, screen.say, line)

    async def _view(self, player: Player, race: str, say: Say) -> View:
        view = await player.view(race)
        if view is None:
            seated = await player.seat(race)
            missing = "wrong.not_begun" if day_of(race) else "wrong.no_cards"
            raise Sorry(say(missing if seated else "wrong.no_seat"))
        return player.ended(view)

    def _seeing(self, player: Player, race: str) -> AbstractContextManager[None]:
        return current_race.seeing(self._memory, player.user, race)

    def _board(self, player: Player, view: View, say: Say) -> Board:
        kept, found = player.client.kept.get(view.race), player.findings.get(view.race, ())
        last = player.last.get(view.race, ())
        return Board(view, last, self.look(player.user), say, verdict(kept, found, say))

    def _as_it_is(self, answer: Answer, player: Player, view: View) -> Board:
        """The board for a change that leaves its picture: of signs where there is none."""
        board = self._board(player, view, answer.say)
        message = answer.interaction.message
        there = answer.kind == "change" and message is not None and not message.attachments
        return replace(board, look=replace(board.look, text=True)) if there else board

    async def _drawn(self, board: Board, notice: str) -> Content:
        # In a thread: while one board is drawn, others are answered.
        return await asyncio.to_thread(board.message, notice=notice)
