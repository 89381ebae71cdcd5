"""The players' own boards: shows them, plays on them, keeps open ones up to date.

A board is always private: the platform shows it to its player and to nobody else.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Final

from bigben_chat.boards import current_race, pending
from bigben_chat.boards.positions import Positions, fits
from bigben_chat.connections.identity import ChatUser
from bigben_chat.connections.player import Player
from bigben_chat.connections.player_pool import PlayerPool
from bigben_chat.drawing_queue import DrawingQueue
from bigben_chat.edit_queue import EditQueue
from bigben_chat.evidence import promise, verdict
from bigben_chat.messages import formatting
from bigben_chat.messages.board import Board
from bigben_chat.messages.cheers import called
from bigben_chat.messages.content import Content
from bigben_chat.messages.moves import dealing, still_fits
from bigben_chat.picture.drawing import Look
from bigben_chat.platform import Answer, Platform, PlatformError, Sent, Sorry
from bigben_chat.records import PendingBoard, player_record
from bigben_chat.refusals import said
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say, say_in
from bigben_chat.tree import Text, lines
from bigben_client import ClientError, Finding, RefusedError
from bigben_protocol import View

_log = logging.getLogger(__name__)

MOST_OPEN: Final = 1000
"""The most boards that are kept up to date; of more, the ones shown longest ago are not."""
AGAIN_S: Final = 5.0
"""Seconds until the server is asked again for a board that a player waits for."""


@dataclass
class _OpenBoard:
    """A private message with a board on it, or with none yet."""

    message: Sent
    say: Say
    shown: tuple[int, str, Sequence[Finding]] | str
    """The move, the state and the findings; before the cards are dealt, the state of the seat."""


class Boards:
    """All boards that are open."""

    def __init__(
        self, platform: Platform, store: Store, drawing: DrawingQueue, *, tick: float
    ) -> None:
        self._platform = platform
        self._store = store
        self._drawing = drawing
        self._edits = EditQueue(every=tick)
        self._open: dict[tuple[ChatId, str], _OpenBoard] = {}
        self._positions = Positions(store)

    def __len__(self) -> int:
        return len(self._open)

    async def close(self) -> None:
        """Stop editing boards."""
        await self._edits.close()
        self._positions.flush()

    def look(self, user: ChatId) -> Look:
        """How the user wants their boards."""
        record = player_record(self._store, user)
        return Look(record.four_colours, record.text, record.hints)

    async def show(self, answer: Answer, player: Player, race: str) -> None:
        """Answer with the player's board; before a live race begins, with what becomes it.

        Raises Sorry where they have none.
        """
        async with answer.alone(player.lock):
            await self._show(answer, player, race)

    async def _show(self, answer: Answer, player: Player, race: str, notice: Text = ()) -> None:
        view = await player.view(race)
        if (
            view is None
            and not formatting.day_of(race)
            and pending.state_of(player, race) == "ready"
        ):
            await self.wait(answer, player, race)
            return
        view = await self._view(player, race, answer.say)
        found = await player.judge(race)
        board = await self._board(player, view, answer.say)
        async with answer.unhurried():
            content = await self._drawn(board, notice)
        with self._seeing(player, race):
            sent = await answer.show(content)
        self._positions.note(player.user, view, sent.shown_at)
        self._put(player, race, _OpenBoard(sent, answer.say, (view.n, view.state, found)))

    async def play(
        self,
        answer: Answer,
        player: Player,
        race: str,
        move: str,
        *,
        n: int | None,
        card: str = "",
    ) -> None:
        """Play the move of a button, and answer with the board.

        ``n`` is the position that the button was made for; None to give up in any. A button of an
        older position plays only if its ``card`` is still there and the move is legal.
        """
        async with answer.alone(player.lock):
            view = await self._view(player, race, answer.say)
            notice: Text = ()
            # The board of a game that is over may still have its buttons; it is shown as it is.
            if view.state == "playing":
                older = n is not None and view.n != n and not still_fits(view, move, card)
                if older or not await self._move(player, view, move):
                    notice = answer.say("board.older")
            await self._show(answer, player, race, notice)

    async def play_typed(self, answer: Answer, player: Player, race: str, move: str) -> None:
        """Play a move that was typed, for the position that its player saw; answer with the board.

        Raises Sorry for a pile alone, with the reason why its card goes nowhere.
        """
        async with answer.alone(player.lock):
            view = await self._view(player, race, answer.say)
            notice: Text = ()
            if view.state == "playing":
                shown = self._positions.typed_for(answer.user.id, race, answer.asked_at)
                if fits(shown, view, move) and (why := await player.why_not(view, move)):
                    raise Sorry(said(why.said, why.text, answer.say))
                if not fits(shown, view, move) or not await self._move(player, view, move):
                    notice = answer.say("board.typed")
            await self._show(answer, player, race, notice)

    async def _move(self, player: Player, view: View, move: str) -> bool:
        """Play in this position; False if the game has gone on since. Raises ClientError."""
        text = dealing(player.game(view.race), view) if move == "deal" else move
        try:
            await player.move(view.race, text, after=None if move == "resign" else view.n)
        except RefusedError as error:
            if error.code != "conflict":
                raise
            return False
        except BaseException:
            self._positions.note_failure(player.user, view.race)
            raise
        return True

    async def pick(self, answer: Answer, player: Player, race: str, n: int, source: str) -> None:
        """Pick up the card of a pile: it moves at once if it can go to one place only."""
        async with answer.alone(player.lock):
            view = await self._view(player, race, answer.say)
            moves = [move for move in view.legal if f"{move} ".startswith(f"{source} ")]
            if view.n != n or not moves:
                await self._show(answer, player, race, answer.say("board.older"))
            elif len(moves) > 1:
                picked = (await self._as_it_is(answer, player, view)).picked(source)
                with self._seeing(player, race):
                    await answer.show(picked, keep_picture=True)
            else:
                played = await self._move(player, view, moves[0])
                notice = () if played else answer.say("board.older")
                await self._show(answer, player, race, notice)

    async def ask_if_sure(self, answer: Answer, player: Player, race: str) -> None:
        """Ask whether the player wants to give up; a game that is over is shown as it is."""
        async with answer.alone(player.lock):
            view = await self._view(player, race, answer.say)
            if view.state != "playing":
                await self._show(answer, player, race)
                return
            sure = (await self._as_it_is(answer, player, view)).sure()
            with self._seeing(player, race):
                await answer.show(sure, keep_picture=answer.kind == "change")

    async def wait(self, answer: Answer, player: Player, race: str, *, extra: bool = False) -> None:
        """Answer with a message that becomes the player's board once the race begins.

        ``extra``: it comes besides the answer.
        """
        line = promise(player.client.kept.get(race), answer.say)
        content = pending.message(race, "ready", answer.editable_until, answer.say, line)
        showing = answer.follow_up(content, private=True) if extra else answer.show(content)
        sent = await showing
        self._put(player, race, _OpenBoard(sent, answer.say, "ready"))
        pending.put(self._store, answer.user, race, sent, answer.say.language)
        # The race may have begun while this was being sent.
        self.changed(player, race)

    def changed(self, player: Player, race: str) -> None:
        """The player's game has changed: edit its board if one is open."""
        key = player.user, race
        if key in self._open:
            self._edits.ask(key, key, lambda: self._refresh(player, race))

    def forget(self, user: ChatId) -> None:
        """Edit no board of this user any more."""
        for key in [key for key in self._open if key[0] == user]:
            del self._open[key]
        self._positions.forget(user)
        pending.drop_all(self._store, user)

    async def restore(self, players: PlayerPool) -> None:
        """Make boards of the messages that were pending when the bot was stopped or killed."""
        async with asyncio.TaskGroup() as tasks:
            for board, sent in pending.all_pending(self._store, self._platform):
                tasks.create_task(self._restore(board, sent, players))

    async def _restore(self, board: PendingBoard, sent: Sent, players: PlayerPool) -> None:
        while sent.editable:
            try:
                async with (
                    asyncio.timeout(AGAIN_S),
                    players.connected(
                        ChatUser(board.user, board.name, board.guild), board.race
                    ) as player,
                ):
                    if await player.seat(board.race):
                        await player.client.join(board.race)
                    await player.view(board.race)
                    if (board.user, board.race) not in self._open:
                        say = say_in(board.language)
                        self._open[board.user, board.race] = _OpenBoard(sent, say, "ready")
                        self.changed(player, board.race)
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
        pending.drop(self._store, board.user, board.race)

    def _put(self, player: Player, race: str, board: _OpenBoard) -> None:
        """Keep this one up to date from now on, and forget those that can't be edited any more."""
        self._forget((player.user, race))
        self._open[player.user, race] = board
        for key, oldest in list(self._open.items()):
            if oldest.message.editable and len(self._open) <= MOST_OPEN:
                break
            self._forget(key)

    def _forget(self, key: tuple[ChatId, str]) -> None:
        board = self._open.pop(key, None)
        if board is not None and isinstance(board.shown, str):
            pending.drop(self._store, *key)

    async def _refresh(self, player: Player, race: str) -> None:
        async with player.lock:
            key = player.user, race
            board = self._open.get(key)
            if board is None:
                return
            view = player.client.views.get(race)
            view = player.ended(view) if view else None
            # A Reveal that comes late changes the findings of a board that could not be checked.
            found = await player.judge(race)
            shown = (view.n, view.state, found) if view else pending.state_of(player, race)
            if shown is None or board.shown == shown:
                return
            if not board.message.editable:
                self._forget(key)
                return
            content = await self._content(player, race, board)
            # A board that appears by itself is the one that the player sees last.
            appears = view is not None and isinstance(board.shown, str)
            seeing = self._seeing(player, race) if appears else nullcontext()
            try:
                with seeing:
                    at = await board.message.edit(content)
            except PlatformError as error:
                _log.info("A board could not be refreshed: %s", error)
                self._forget(key)
                return
            if view is not None:
                self._positions.note_edit(player.user, view, at)
            if appears:
                pending.drop(self._store, player.user, race)
            board.shown = shown

    async def _content(self, player: Player, race: str, open_board: _OpenBoard) -> Content:
        """The content that the message should have now."""
        if view := player.client.views.get(race):
            board = await self._board(player, player.ended(view), open_board.say)
            return await self._drawn(board, ())
        state = pending.state_of(player, race)
        assert state is not None, "the caller has asked"
        line = promise(player.client.kept.get(race), open_board.say)
        return pending.message(race, state, open_board.message.editable_until, open_board.say, line)

    async def _view(self, player: Player, race: str, say: Say) -> View:
        view = await player.view(race)
        if view is None:
            seated = await player.seat(race)
            own = player.client.rooms[race].kind == "deadline"
            waiting = "wrong.not_begun" if formatting.day_of(race) else "wrong.no_cards"
            missing = "wrong.not_begun_own" if own else waiting
            raise Sorry(say(missing if seated else "wrong.no_seat"))
        return player.ended(view)

    def _seeing(self, player: Player, race: str) -> AbstractContextManager[None]:
        return current_race.seeing(self._store, player.user, race)

    async def _board(self, player: Player, view: View, say: Say) -> Board:
        kept, found = player.client.kept.get(view.race), player.findings.get(view.race, ())
        last = player.last.get(view.race, ())
        game, room = player.game(view.race), player.client.rooms[view.race]
        said = formatting.exceptions(room, say), formatting.par(room, view, say)
        record = player_record(self._store, player.user)
        heard = player.cheers.recent(room.race) if record.cheers else ()
        cheers = called(heard, room, player.id, say)
        told = lines(*filter(None, (*said, verdict(kept, found, say), *cheers)))
        look, rules = self.look(player.user), room.rules.rules
        result = ""
        if view.state != "playing" and room.kind != "practice":
            with suppress(RefusedError, ValueError):  # The board is shown without it.
                result = (await player.result(view.race)).text(say.language)
        frames = self._platform.opens_frames
        return Board(game, view, last, look, say, told, room.kind, result, rules, frames)

    async def _as_it_is(self, answer: Answer, player: Player, view: View) -> Board:
        """The board for an edit that keeps its picture: a text board where there is none."""
        board = await self._board(player, view, answer.say)
        there = answer.kind == "change" and not answer.pressed_picture
        return replace(board, look=replace(board.look, text=True)) if there else board

    async def _drawn(self, board: Board, notice: Text) -> Content:
        return await self._drawing.drawn(lambda: board.message(notice=notice))
