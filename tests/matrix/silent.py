"""A bot on a real homeserver with nobody who obeys: it writes down what it hears. Tests nothing."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from tests.discord.standin.changes import Changes
from tests.matrix.synapse import Account

from bigben_chat.budget import BudgetedEdits
from bigben_chat.happenings import Asked, Happening
from bigben_chat.requests import Request
from bigben_chat.store import Store
from bigben_matrix.homeserver import Homeserver
from bigben_matrix.inbox import Inbox
from bigben_matrix.platform import MatrixPlatform
from bigben_matrix.rooms import Rooms


@dataclass
class SilentBot:
    """The bot's account; it runs between ``async with`` and the end."""

    account: Account
    address: str
    folder: Path
    happened: list[Happening] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)

    async def __aenter__(self) -> Self:
        self.store = Store(self.folder / "bot.sqlite")
        self.homeserver = Homeserver(self.address, self.account.token)
        await self.homeserver.login()
        self.rooms = Rooms(self.homeserver, self.store)
        figures = self.homeserver.figures
        self.rate = BudgetedEdits(0.05, 10, lambda: (figures.events, figures.limited))
        self.platform = MatrixPlatform(self.homeserver, self.rooms, self.rate, self.store)
        inbox = Inbox(
            self.homeserver, self.rooms, self.store, self._run, lambda _: True,
            lambda: datetime.now(UTC),
        )  # fmt: skip
        self.following = asyncio.create_task(inbox.follow())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.following.cancel()
        await asyncio.wait([self.following])
        await self.platform.later.close()
        await self.homeserver.close()
        self.store.close()

    async def _run(self, request: Request, again: bool) -> None:
        assert not request.refused
        assert not again or not isinstance(request.what, Asked)
        self.happened.append(request.what)
        self.changes.notify()
