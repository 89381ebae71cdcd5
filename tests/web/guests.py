"""Players who open rooms and play before they have a page, with what no form offers. No tests."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from msgspec import UNSET
from playwright.sync_api import Browser, Page
from tests.web.chromium import person
from tests.web.hands import moved
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bigben_protocol import (
    CODECS,
    JSON,
    ClientMessage,
    Create,
    Diff,
    Hello,
    Join,
    Move,
    RaceId,
    Ready,
    Room,
    Snapshot,
    Welcome,
)

Told = TypeVar("Told")

_CODEC: Final = CODECS[JSON]

TO_LAST_KING: Final = ("turn",) * 20
EARLY_KINGS: Final[Mapping[str, Any]] = {"game": "watch", "seed": "0f" * 32}
"""A deal of Watch whose fourth king comes after these moves, while most piles have several
face-down cards."""


class Guest:
    """A player called Ada who has no page yet: with ``token`` a person's pages are theirs."""

    def __init__(self, address: str) -> None:
        self._url = address.replace("http:", "ws:")
        self.token = ""
        with self._connection():
            pass

    def opens(self, **wanted: Any) -> RaceId:
        """The code of a new room; the fields are those of Create."""
        with self._connection() as line:
            return _asked(line, Create(**wanted), Room).race

    def plays(self, race: RaceId, moves: Sequence[str]) -> int:
        """Play these moves of a practice game. Returns the number of the last one."""
        with self._connection() as line:
            last: Snapshot | Diff = _begun(line, race)
            for move in moves:
                last = _asked(line, Move(race, last.n + 1, move), Diff)
            return last.n

    def plays_on(self, race: RaceId, most: int, wish: str) -> int:
        """Play on in a practice game; moves that fit ``wish`` come first.

        Returns the number of the last move.
        """
        with self._connection() as line:
            last: Snapshot | Diff = _begun(line, race)
            for i in range(most):
                assert last.legal is not UNSET, "a client that did not refuse them gets them"
                offered = [move for move in last.legal if re.search(wish, move)] or last.legal
                if not offered:
                    break
                move = offered[i * 7 % len(offered)]
                last = _asked(line, Move(race, last.n + 1, move), Diff)
            return last.n

    @contextmanager
    def _connection(self) -> Iterator[ClientConnection]:
        with connect(self._url, subprotocols=[Subprotocol(JSON)], proxy=None) as line:
            hello = Hello(token=self.token) if self.token else Hello(name="Ada")
            self.token = _asked(line, hello, Welcome).token
            yield line


def _begun(line: ClientConnection, race: RaceId) -> Snapshot:
    _asked(line, Join(race), Room)
    return _asked(line, Ready(race), Snapshot)


def _asked(line: ClientConnection, message: ClientMessage, kind: type[Told]) -> Told:
    """The first message of this kind from now on."""
    line.send(_CODEC.encode(message), text=True)
    while not isinstance(told := _CODEC.decode_server(line.recv()), kind):
        pass
    return told


@contextmanager
def practising(
    browser: Browser,
    address: str,
    moves: Sequence[str] = (),
    *,
    looks: dict[str, Any] | None = None,
    **wanted: Any,
) -> Iterator[Page]:
    """The table of a practice game after these moves; ``looks`` are the options of ``person``."""
    guest = Guest(address)
    race = guest.opens(practice=True, **wanted)
    n = guest.plays(race, moves)
    with person(browser, address, token=guest.token, **(looks or {})) as ada:
        page = ada.page(f"#room={race}")
        moved(page, n)
        yield page
