"""A second connection, which is made for a race while the first one still serves it."""

import asyncio
from collections.abc import Awaitable, Callable

from bigben_client.connection.wire import Unreachable, Wire
from bigben_client.errors import ClientError


class ChangeOver:
    """Connects beside a connection, which goes on until the new one can take its place at once."""

    def __init__(self, dial: Callable[[str], Awaitable[Wire]], ready: Callable[[], None]) -> None:
        """``dial`` connects for a race. ``ready`` is called once that has come to an end."""
        self._dial = dial
        self._ready = ready
        self._race = ""
        self._dialling: asyncio.Task[Wire | None] | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether there is something to ``take``, or will be."""
        return self._dialling is not None

    def begin(self, race: str) -> None:
        """Connect for this race, unless that was begun."""
        if race != self._race:
            self._race = race
            self._dialling = asyncio.create_task(self._dialled(race))
            self._dialling.add_done_callback(self._dialled_up)

    def take(self) -> Wire | None:
        """The new connection, once it is there. It is the caller's then."""
        if self._dialling is None or not self._dialling.done():
            return None
        wire, self._dialling = self._dialling.result(), None
        return wire

    async def end(self) -> None:
        """Close it, because nobody takes it any more. Idempotent."""
        dialling, self._dialling, self._race = self._dialling, None, ""
        if dialling is not None:
            dialling.cancel()
            (wire,) = await asyncio.gather(dialling, return_exceptions=True)
            if isinstance(wire, Wire):
                await wire.close()

    def _dialled_up(self, dialling: asyncio.Task[Wire | None]) -> None:
        if dialling is self._dialling:
            self._ready()

    async def _dialled(self, race: str) -> Wire | None:
        try:
            return await self._dial(race)
        except (Unreachable, ClientError):
            return None  # where the client is, everything works as well
