"""Replays a recorded conversation with the current server."""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.compatibility.conversation import Frame, Line, Names, encoded, frame_of
from tests.compatibility.relay import dialled, get, server
from tests.compatibility.stopped_clock import StoppedClock
from tests.support.patience import PATIENCE_S
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

SETTLING = ("get-leaderboard", "get-profile")
"""Requests answered from boards, which follow the moves a moment later."""


class Replay:
    """One conversation, with a server on this data folder."""

    def __init__(self, data: Path, folder: Path) -> None:
        self.clock = StoppedClock(folder / "clock")
        self._server = server(data, folder / "clock")
        self._names = Names()
        self._open: dict[int, tuple[ClientConnection, str]] = {}
        self._asked: dict[int, Frame] = {}
        self._early: dict[int, list[Frame]] = defaultdict(list)

    async def run(self, lines: Iterable[Line]) -> None:
        """Raises AssertionError with the first line whose answer is different."""
        try:
            for number, line in enumerate(lines, start=1):
                try:
                    if problems := await self._do(line):
                        raise AssertionError("; ".join(problems))
                except (AssertionError, TimeoutError, ConnectionClosed) as problem:
                    raise AssertionError(f"line {number}, {line}: {problem!r}") from problem
        finally:
            await self._server.stop()  # which also stops its Redis

    async def _do(self, line: Line) -> list[str]:
        match line:
            case {"clock": now}:
                self.clock.set(now)
            case {"start": True}:
                await self._server.start()
            case {"stop": True}:
                said = await self._server.stop()
                assert self._server.exit_code == 0, said
            case {"get": path, "answer": answer}:
                return await self._get(self._names.translated(path), answer)
            case {"open": one, "codec": codec}:
                self._open[one] = await dialled(self._server.url, codec), codec
            case {"say": one, "frame": frame}:
                self._asked[one] = frame
                await self._say(one, frame)
            case {"hear": one, "frame": frame}:
                return await self._hear(one, frame)
            case {"leave": one}:
                return await self._leave(one)
            case {"closed": one, "code": code}:
                return await self._closed(one, code)
            case _:
                raise AssertionError("no such line")
        return []

    async def _get(self, path: str, answer: Frame) -> list[str]:
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while True:
            found = await asyncio.to_thread(get, self._server.url, path)
            problems = self._names.missing(answer, found)
            if not problems or asyncio.get_running_loop().time() > deadline:
                return problems
            await asyncio.sleep(0.05)

    async def _say(self, one: int, frame: Frame) -> None:
        socket, codec = self._open[one]
        await socket.send(encoded(self._names.translated(frame), codec))

    async def _hear(self, one: int, frame: Frame) -> list[str]:
        """Receive until this frame has come. Answers to different requests come in any order.

        A board is requested again until it is as it was.
        """
        asked = self._asked[one]
        settles = asked["type"] in SETTLING and asked.get("ref") == frame.get("ref")
        early = self._early[one]
        for i, found in enumerate(early):
            if not self._names.missing(frame, found):
                del early[i]
                return []
        try:
            async with asyncio.timeout(PATIENCE_S):
                while self._names.missing(frame, found := await self._next(one)):
                    if settles:
                        await asyncio.sleep(0.05)
                        await self._say(one, asked)
                    else:
                        early.append(found)
        except TimeoutError:
            return min((self._names.missing(frame, each) for each in early), key=len, default=["-"])
        return []

    async def _next(self, one: int) -> Frame:
        socket, codec = self._open[one]
        return frame_of(await socket.recv(), codec)

    async def _closed(self, one: int, code: int) -> list[str]:
        """Whether nothing more comes, and the server closes with this code."""
        with contextlib.suppress(ConnectionClosed):
            async with asyncio.timeout(PATIENCE_S):
                self._early[one].append(await self._next(one))
        found = self._open[one][0].close_code
        return [*await self._leave(one), *([f"it closes with {found}"] if found != code else [])]

    async def _leave(self, one: int) -> list[str]:
        """Messages on this connection that were not recorded."""
        socket, _ = self._open.pop(one)
        await socket.close()
        away: set[str] = set()
        early = self._early.pop(one, [])
        return [f"it says {frame}" for frame in early if not _is_presence(frame, away)]


def _is_presence(frame: Frame, away: set[str]) -> bool:
    """Whether a Progress tells who is away or back, for an older client a repetition.

    ``away``: the players of whom this was told before.
    """
    if frame["type"] != "progress":
        return False
    players = {seat["player"] for seat in frame["seats"]}
    if any(seat.get("away") for seat in frame["seats"]):
        away |= players
        return True
    return players <= away
