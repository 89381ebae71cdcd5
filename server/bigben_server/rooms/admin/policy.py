"""The operator's directives as this process knows them, and what they forbid."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Final

from bigben_protocol import HOUSE_PLAYERS, PlayerId, house_player, texts
from bigben_protocol.sentence import sentence
from bigben_server.accounts.bans import Bans, told
from bigben_server.race.events import Player, Refusal
from bigben_server.race.state import Race
from bigben_server.rooms.session import Session
from bigben_server.scoring.results import is_guest
from bigben_server.storage.admin.directives import Directives, NowAs

UPDATE_SOON: Final = sentence("server.update_soon")
DELETED: Final = sentence("plain.deleted")
LOGGED_OUT: Final = Refusal("token", sentence("token.logged_out"))
NO_HOUSE: Final = sentence("house.away")
MOVES_AWAY: Final = texts.said(sentence("plain.moves_away"))
COMES_BACK: Final = texts.said(sentence("plain.one_player"))


@dataclass(slots=True, eq=False)
class Policy:
    clock: Callable[[], int]
    """ms since 1970."""
    orders: Directives = field(default_factory=Directives)
    bans: Bans = field(default_factory=Bans)
    names: Mapping[PlayerId, str] = field(default_factory=dict)
    """The names that the operator has given to players."""
    deleted: Mapping[str, int] = field(default_factory=dict)
    """See ``Directives``."""
    tied: Mapping[PlayerId, NowAs] = field(default_factory=dict)
    """See ``Directives``."""
    out: Mapping[PlayerId, int] = field(default_factory=dict)
    """See ``Directives``."""
    is_draining: bool = False
    """Whether this process is drained: no game begins here."""
    house: frozenset[PlayerId] = frozenset()
    """The house players who have a connection to any process, as they last reported."""
    has_house: bool = False
    """Whether this server keeps the house players beside it, also before they have connected."""
    others_serve: bool = False
    """Whether a living process is not drained, and can take players."""

    @property
    def sends_away(self) -> bool:
        """Whether players are sent to another process.

        If there is none, those who lose their connection must be able to return to their games.
        """
        return self.is_draining and self.others_serve

    def check_begin(self) -> None:
        """Raises Refusal if no game may begin now."""
        if self.is_draining:
            raise Refusal("busy", UPDATE_SOON)

    def check_ready(self, race: Race, player: PlayerId) -> None:
        """Raises Refusal if a game of this player would begin by Ready or Start, and none may."""
        seat = race.seats.get(player)
        begins = not race.live and seat and not seat.status.begun_at
        if begins or race.phase(self.clock()) == "open":
            self.check_begin()

    def check_house(self, strength: str, here: Container[PlayerId]) -> None:
        """Raises Refusal unless this house player is connected ``here`` or to a peer, or will be.

        One that runs beside this server finds its seat when it connects.
        """
        player = house_player(strength)
        is_expected = self.has_house or player in here or player in self.house
        if player in HOUSE_PLAYERS and not is_expected:
            raise Refusal("busy", NO_HOUSE)

    def banned(self, address: str, *players: PlayerId) -> Refusal | None:
        """Why this address, or who has these ids, may not connect; None if they may."""
        now = self.clock()
        bans = (self.bans.of_player(player, now) for player in players)
        ban = self.bans.of_address(address, now) or next(filter(None, bans), None)
        # A code after which no client forgets its token or comes back by itself.
        return Refusal("seat", told(ban)) if ban else None

    def check(self, address: str, *players: PlayerId) -> None:
        """Raises Refusal if they are banned."""
        if banned := self.banned(address, *players):
            raise banned

    def called(self, player: Player) -> Player:
        """The player with the name that the operator has given them, if there is one."""
        return player._replace(name=self.names.get(player.id, player.name))

    def gone(self, player: PlayerId, token_at: int, out_at: int = 0) -> Refusal | None:
        """Why a token of this time does not hold any more; None if it does.

        ``out_at``: when the player has logged out, as it is stored, unless only what has happened a
        short time ago matters.
        """
        if player in self.tied and is_guest(player):
            return tied_guest(self.tied[player].name)
        return LOGGED_OUT if token_at < max(self.out.get(player, 0), out_at) else None

    def check_session(self, session: Session) -> None:
        """Raises Refusal if the player of a session was deleted after they said hello."""
        if not self.deleted and not session.deleted:
            return  # as for most servers and players
        marks = session.player.marks if session.player else ()
        times = [self.deleted[mark] for mark in marks if mark in self.deleted]
        if session.deleted or (times and (0 in times or session.gone)):
            raise Refusal("token", DELETED)

    def check_token(self, player: Player, issued_at: Callable[[], int]) -> None:
        """Raises Refusal for the token of a deleted player. ``issued_at``: ms since 1970.

        With a later token of another issuer they are a new player.
        """
        times = [self.deleted[mark] for mark in player.marks if mark in self.deleted]
        if times and (0 in times or is_guest(player.id) or issued_at() <= max(times)):
            raise Refusal("token", DELETED)


def tied_guest(name: str) -> Refusal:
    """Why no token of a guest holds who is tied to the account with this name."""
    return Refusal("token", sentence("token.tied", name=name))
