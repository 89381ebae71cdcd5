"""Sends a client's requests, and waits for their answers across lost connections."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from bigben_client.connection.reconnector import Reconnector
from bigben_client.errors import ClientClosed
from bigben_client.evidence.kept import Kept
from bigben_client.session.effects import Effect
from bigben_client.session.session import Request
from bigben_protocol import Reveal, ServerMessage
from bigben_protocol.sentence import sentence

Answered = TypeVar("Answered", bound=ServerMessage)

NONCE_BYTES: Final = 32

MOST_NONCES: Final = 100
"""Beyond this the nonce that was used longest ago is dropped. No player is in as many live races at
once, so a running race keeps its nonce.
"""


class Asking:
    """What ``Calls`` needs for each request. It also chooses the nonces of live races."""

    def __init__(
        self,
        reconnector: Reconnector,
        nonce_source: Callable[[int], bytes],
        keep: Callable[[Kept], object] | None,
    ) -> None:
        self._reconnector = reconnector
        self._nonce_source = nonce_source
        self._keep = keep
        self._nonces: dict[str, str] = {}

    @property
    def nonces(self) -> Mapping[str, str]:
        """The nonces in hex that this client sent for its last live races.

        A Reveal must repeat them.
        """
        return self._nonces

    async def _reveal(self, race: str) -> Reveal:
        """The Reveal, which the server sends by itself to all who follow a closed race."""
        return await self._answered(lambda t: self._reconnector.session.reveal(t, race), Reveal)

    async def _ask(self, request: Request, kind: type[Answered]) -> Answered:
        return await self._answered(lambda t: self._reconnector.session.ask(t, request), kind)

    async def _answered(
        self, begin: Callable[[int], list[Effect]], kind: type[Answered]
    ) -> Answered:
        """Wait for the answer to a call, which ``begin`` begins with its ticket."""
        self._reconnector.check_open()
        ticket = self._reconnector.session.ticket()
        answer = await self._reconnector.answer(ticket, begin(ticket))
        if not isinstance(answer, kind):
            got, wanted = type(answer).__name__, kind.__name__
            raise ClientClosed(sentence("client.out_of_date", got=got, wanted=wanted))
        return answer

    def _promise(self, race: str) -> str:
        """Keep a nonce for a live race, and return its hash, which ``ready`` sends in its place.

        The same hash each time, until a countdown has begun and dealt no cards. Empty if the player
        has no seat there, if it is no live race, or if the server asks for no hashes.
        """
        session = self._reconnector.session
        room, kept = session.rooms.get(race), session.kept.get(race)
        mine = kept and kept.player == session.player
        if not session.nonce_hashes or room is None or room.kind != "live" or not mine:
            return ""
        if kept and kept.nonce_hash:
            return kept.nonce_hash
        own = next((seat for seat in room.seats if seat.player == session.player), None)
        if own is None or own.state != "joined":
            return ""  # another device has promised one, which this one must not put in its place
        nonce = self._nonce_source(NONCE_BYTES).hex()
        promised = session.promise(race, nonce)
        if promised is None:
            return ""
        self._note(race, nonce)
        if self._keep:
            self._keep(promised)
        return promised.nonce_hash

    def _nonce(self, race: str) -> str:
        """The nonce for a race. It stays the same for this client's life or while it is kept."""
        kept = self._reconnector.session.kept.get(race)
        if kept and kept.nonce and kept.player == self._reconnector.session.player:
            nonce = kept.nonce
        else:
            nonce = self._nonces.get(race) or self._nonce_source(NONCE_BYTES).hex()
        self._note(race, nonce)
        return nonce

    def _note(self, race: str, nonce: str) -> None:
        self._nonces.pop(race, None)
        self._nonces[race] = nonce  # as the last one
        if len(self._nonces) > MOST_NONCES:
            del self._nonces[next(iter(self._nonces))]
