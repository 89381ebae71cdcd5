"""Hello: which player a connection belongs to, and how many connections a player may have.

A hello without a token makes a new guest.
"""

from collections import Counter
from collections.abc import Callable

from bigben_protocol import Hello, PlayerId, Welcome
from bigben_server.accounts.names import BadName, display_name
from bigben_server.accounts.tokens import GUEST, LINK, LINK_S, Issuers
from bigben_server.race.events import Player, Refusal
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.session import Session
from bigben_server.scoring.results import is_guest
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store


class Login:
    """The players of this process's connections, counted."""

    def __init__(
        self,
        issuers: Issuers,
        store: Store,
        random_bytes: Callable[[int], bytes],
        quotas: Quotas,
        most: int,
    ) -> None:
        self._issuers = issuers
        self._players = People(store)
        self._random_bytes = random_bytes
        self._admission = quotas
        self._most = most
        self._here: Counter[PlayerId] = Counter()

    def is_link(self, hello: Hello, now: int) -> bool:
        """Whether this hello uses a one-time link, so that Redis must be asked. Raises Refusal."""
        return bool(hello.token and self._issuers.check_once(hello.token, now)[1])

    def hello(self, session: Session, hello: Hello, now: int) -> None:
        """Welcome a player with a lasting token, or a new guest. Raises Refusal."""
        self._check_new(session)
        player = self._issuers.check(hello.token, now) if hello.token else None
        if player is None or (hello.name and is_guest(player.id)):
            name = _name(hello)
            if player is None:
                self._admission.check_guest(session.address, now)
            player = Player(player.id if player else self._new_guest(), name)
        token = self._issuers.mint(GUEST, player, now) if is_guest(player.id) else hello.token
        self._welcome(session, player, token, now)

    async def hello_by_link(self, session: Session, hello: Hello, now: int) -> None:
        """Welcome the first user of a one-time link. Raises Refusal, and StoreLost."""
        self._check_new(session)
        player, once = self._issuers.check_once(hello.token, now)
        if not await self._players.spend(once, 2 * LINK_S):
            raise Refusal("token", "This link has been used; ask for a new one.")
        if session.gone:
            return
        self._check_new(session)  # it may have said hello twice
        issuer = GUEST if is_guest(player.id) else LINK
        self._welcome(session, player, self._issuers.mint(issuer, player, now), now)

    def link(self, player: Player, now: int) -> str:
        """A one-time token for the same player on another device, valid for ``LINK_S``."""
        return self._issuers.link(player, now, self._random_bytes(16).hex())

    def leave(self, session: Session) -> None:
        """A connection has closed."""
        self._admission.left(session)
        if session.player:
            self._here[session.player.id] -= 1
            if not self._here[session.player.id]:
                del self._here[session.player.id]

    def _check_new(self, session: Session) -> None:
        if session.player is not None:
            raise Refusal("hello", "You have said hello already.")

    def _new_guest(self) -> PlayerId:
        return PlayerId(f"{GUEST}:{self._random_bytes(12).hex()}")

    def _welcome(self, session: Session, player: Player, token: str, now: int) -> None:
        if self._here[player.id] >= self._most:
            raise Refusal("limit", f"You have {self._most} connections open; close one first.")
        self._here[player.id] += 1
        session.player = player
        self._admission.came(session)
        session.tell(Welcome(player.id, player.name, token, now))


def _name(hello: Hello) -> str:
    try:
        return display_name(hello.name)
    except BadName as error:
        raise Refusal("name", str(error)) from None
