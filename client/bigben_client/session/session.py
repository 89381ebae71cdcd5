"""The client's state that survives connections: followed races and unanswered requests.

Methods return effects, which ``reconnector.py`` carries out in order. Call ``lost`` after each loss
of a connection, and ``resume`` on the next one.
"""

from collections.abc import Iterable
from itertools import count
from typing import Final

import msgspec

from bigben_client.errors import Hangup
from bigben_client.evidence.kept import Kept, with_deal, with_promise
from bigben_client.session.effects import Answer, Effect, Send, Tell
from bigben_client.session.followed_race import FollowedRace, no_cards
from bigben_client.session.home import may_change_over, race_of
from bigben_protocol import (
    AddHouse,
    Alike,
    Analysis,
    Announcement,
    AnswerChallenge,
    Challenge,
    Challenges,
    ChangeSeason,
    Cheer,
    Cheers,
    Code,
    Create,
    CreateGroup,
    Curves,
    Deal,
    DeleteSeason,
    Diff,
    Elsewhere,
    Explain,
    Games,
    GetAlike,
    GetAnalysis,
    GetChallenges,
    GetCurves,
    GetGames,
    GetGroups,
    GetHint,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRaces,
    GetRecord,
    GetSeason,
    GetSeasons,
    GetStandings,
    Groups,
    Hint,
    Join,
    JoinGroup,
    Leaderboard,
    Leave,
    LeaveGroup,
    Left,
    Link,
    LoggedOut,
    LogOut,
    MakeSeason,
    Ping,
    PlayerId,
    Pong,
    Profile,
    Progress,
    Races,
    Ready,
    Reason,
    Record,
    Refused,
    Rematch,
    RemoveHouse,
    Reveal,
    Room,
    Season,
    Seasons,
    ServerMessage,
    SetWebhook,
    Snapshot,
    Standings,
    Start,
    Tie,
    Tied,
    Unready,
    View,
    Watch,
    Webhook,
    Welcome,
)

Request = (
    Create
    | Join
    | Watch
    | Leave
    | Ready
    | Unready
    | Start
    | Rematch
    | GetStandings
    | GetRecord
    | GetLeaderboard
    | GetProfile
    | CreateGroup
    | JoinGroup
    | LeaveGroup
    | GetGroups
    | GetGames
    | GetRaces
    | GetCurves
    | GetAnalysis
    | Explain
    | GetLink
    | AddHouse
    | RemoveHouse
    | GetHint
    | Cheer
    | Tie
    | LogOut
    | MakeSeason
    | ChangeSeason
    | GetSeason
    | GetSeasons
    | DeleteSeason
    | GetAlike
    | SetWebhook
    | Challenge
    | AnswerChallenge
    | GetChallenges
)

FIRST_TICKET: Final = 2**32
"""Above every number of a move, so that the ``ref`` of a refusal is never ambiguous."""

MOST_KEPT: Final = 64
"""Races whose evidence is kept. Beyond this the oldest race that is not followed is dropped."""

LATER: Final[tuple[Code, ...]] = ("rate", "busy", "limit")
"""Refusals after which the same request may succeed later."""


_BRING_CARDS: Final = (Create, Join, Ready, Rematch)
"""Requests answered by Room, and by Snapshot if the player's clock has started."""


class Session:
    """The state of one client across its connections."""

    def __init__(self, kept: Iterable[Kept] = ()) -> None:
        self.player = PlayerId("")
        self.house = False
        """Whether hosts can add house players there."""
        self.nonce_hashes = False
        """Whether Ready may have the hash of a nonce there."""
        self.cheers = False
        """Whether Cheer may be sent there."""
        self.rooms: dict[str, Room] = {}
        """The followed races."""
        self.views: dict[str, View] = {}
        """The player's own games in them."""
        self.kept: dict[str, Kept] = {one.race: one for one in kept}
        """What the player saw of their own races, also after these are no longer followed."""
        self.deals: dict[str, Deal] = {}
        """Where the cards of each game are dealt, once the server has been asked for its games."""
        self.reveals: dict[str, Reveal] = {}
        """The Reveals of followed races that are closed."""
        self.analysing: dict[str, Analysis] = {}
        """How far the analyses are that calls wait for, by race."""
        self._elsewhere = ""
        self._wants_reveal: dict[int, str] = {}
        self._followed: dict[str, FollowedRace] = {}
        self._asked: dict[int, Request | Ping] = {}
        self._tickets = count(FIRST_TICKET)

    @property
    def race(self) -> str:
        """The race for which the next connection is made; empty for none."""
        return race_of(self.player, self.rooms.values())

    @property
    def elsewhere(self) -> str:
        """The race that is served better on a connection made for it, while it may change over to
        one as soon as ``is_idle``; empty for none.
        """
        race = self._elsewhere
        return race if race and may_change_over(self.player, self.rooms, race) else ""

    @property
    def is_idle(self) -> bool:
        """Whether everything is answered."""
        return not self._asked and all(one.is_idle for one in self._followed.values())

    # Requests of the front end

    def ticket(self) -> int:
        """A number for one call; its Answer has the same number. Also the ``ref`` on the wire."""
        return next(self._tickets)

    def ask(self, ticket: int, request: Request) -> list[Effect]:
        """Send a request, again on each new connection until it is answered."""
        self._asked[ticket] = request = msgspec.structs.replace(request, ref=ticket)
        return [Send(request)]

    def ping(self, ticket: int) -> list[Effect]:
        """Answered by Pong."""
        self._asked[ticket] = ping = Ping(ticket)
        return [Send(ping)]

    def move(self, ticket: int, race: str, text: str, after: int | None = None) -> list[Effect]:
        """Play in the player's own game of ``race``. Answered by Diff or Refused."""
        followed = self._followed.get(race)
        return followed.move(ticket, text, after) if followed else [no_cards(race, ticket)]

    def reveal(self, ticket: int, race: str) -> list[Effect]:
        """Answered by the Reveal, which the server sends once a followed race is closed."""
        if race in self.reveals:
            return [Answer(ticket, self.reveals[race])]
        self._wants_reveal[ticket] = race
        return []

    def promise(self, race: str, nonce: str) -> Kept | None:
        """Keep the nonce of a live race before its hash is sent; None if there is no seat."""
        followed = self._followed.get(race)
        if followed is None or followed.kept is None:
            return None
        followed.kept = with_promise(followed.kept, nonce)
        self._kept(followed, [])
        return followed.kept

    def forget(self, ticket: int) -> None:
        """Nobody waits for this answer any more. A move that was sent may still be played.

        It is not sent again.
        """
        self._wants_reveal.pop(ticket, None)
        self._asked.pop(ticket, None)
        for followed in self._followed.values():
            followed.forget(ticket)

    # The connection

    def lost(self) -> None:
        """The connection is lost, and with it all messages under way."""
        self._elsewhere = ""
        for followed in self._followed.values():
            followed.lost()

    def resume(self) -> list[Effect]:
        """What to send first on a new connection, after Welcome."""
        effects: list[Effect] = []
        for followed in self._followed.values():
            effects += followed.resume()
        effects += map(Send, self._asked.values())
        for followed in self._followed.values():
            effects += followed.send_again()
        return effects

    def receive(self, message: ServerMessage) -> list[Effect]:
        """Apply a message from the server. Raises Hangup if it makes no sense."""
        match message:
            case Room() | Snapshot() | Diff():
                return self._fold(message)
            case Progress(race):
                followed = self._followed.get(race)
                return self._kept(followed, followed.progress(message)) if followed else []
            case Refused():
                return self._refused(message)
            case Left():
                return [*self._drop(message.race), *self._answered(message.ref, message)]
            case Standings():
                return [Tell(message), *self._answered(message.ref, message)]
            case Games():
                self.deals |= {game.name: game.deal for game in message.games if game.deal}
                return self._answered(message.ref, message)
            case (
                Record()
                | Leaderboard()
                | Profile()
                | Groups()
                | Link()
                | Races()
                | Curves()
                | Reason()
                | Hint()
                | Tied()
                | LoggedOut()
                | Season()
                | Seasons()
                | Webhook()
            ):
                return self._answered(message.ref, message)
            case Alike(_, done, of) if done < of:
                return []
            case Alike():
                return self._answered(message.ref, message)
            case Analysis(race, done, of) if done < of:
                self.analysing[race] = message
                return []
            case Analysis(race):
                self.analysing.pop(race, None)
                return self._answered(message.ref, message)
            case Pong():
                return self._answered(message.sent, message)
            case Announcement():
                return [Tell(message)]
            case Elsewhere(race):
                self._elsewhere = race
                return []
            case Cheers(ref=ref) | Challenges(ref=ref):
                return self._answered(ref, message) if ref else [Tell(message)]
            case Reveal(race):
                self.reveals[race] = message
                wanting = [t for t, wanted in self._wants_reveal.items() if wanted == race]
                return [Tell(message), *(Answer(ticket, message) for ticket in wanting)]
            case Welcome():
                raise Hangup(1002, "the server says welcome a second time")

    # How

    def _fold(self, message: Room | Snapshot | Diff) -> list[Effect]:
        race = message.race
        if race not in self._followed:
            kept = self.kept.get(race)
            # Evidence of another player who used this front end before is not this player's.
            mine = kept if kept and kept.player == self.player else None
            self._followed[race] = FollowedRace(race, self.player, self.ticket, mine)
        followed = self._followed[race]
        begins = isinstance(message, Room) and message.phase == "countdown"
        if race == self._elsewhere and (begins or isinstance(message, Diff)):
            self._elsewhere = ""  # from now on it would cost time
        match message:
            case Room():
                resumed = followed.resumes(message.ref)
                brings_cards = isinstance(self._asked.get(message.ref), _BRING_CARDS)
                asked = message.ref in self._asked
                effects = self._kept(followed, followed.enter(message, asked=asked))
                answers = self._answered(message.ref, message)
                effects += followed.with_cards(answers) if brings_cards else answers
                return effects + (followed.with_cards(self._come_true(message)) if resumed else [])
            case Snapshot():
                return self._kept(followed, followed.see(message))
            case Diff():
                return self._kept(followed, followed.follow(message))

    def _kept(self, followed: FollowedRace, effects: list[Effect]) -> list[Effect]:
        """Update what front ends can see of this race, and return the effects."""
        if followed.room:
            self.rooms[followed.race] = followed.room
        self.views.pop(followed.race, None)  # its cards may have been dealt again
        if followed.view:
            self.views[followed.race] = followed.view
        if followed.kept:
            deal = self.deals.get(followed.kept.rules.game)
            self.kept[followed.race] = followed.kept = with_deal(followed.kept, deal)
            if len(self.kept) > MOST_KEPT:
                oldest = next((race for race in self.kept if race not in self._followed), None)
                self.kept.pop(oldest or next(iter(self.kept)))
        return effects

    def _answered(self, ref: int, message: ServerMessage) -> list[Effect]:
        request = self._asked.pop(ref, None)
        if isinstance(request, Ready) and isinstance(message, Room) and not request.nonce_hash:
            followed = self._followed[message.race]
            followed.readied(request.nonce)
            self._kept(followed, [])
        return [Answer(ref, message)] if request else []

    def _come_true(self, room: Room) -> list[Effect]:
        """Answers to requests that took effect just before the connection was lost.

        They were sent again, but the server may refuse them the second time.
        """
        own = next((seat.state for seat in room.seats if seat.player == self.player), "joined")
        effects: list[Effect] = []
        for ticket, request in list(self._asked.items()):
            match request:
                case Ready(race) if race == room.race and own != "joined":
                    effects += self._answered(ticket, room)
                case Start(race) if race == room.race and room.phase != "open":
                    effects += self._answered(ticket, room)
                case _:
                    pass
        return effects

    def _refused(self, refused: Refused) -> list[Effect]:
        if refused.ref in self._asked:
            return self._answered(refused.ref, refused)
        followed = self._followed.get(refused.race)
        if followed and (effects := followed.refused(refused)):
            return effects
        if followed and followed.resumes(refused.ref):
            if refused.code in LATER:
                raise Hangup(1013, refused.text)
            return [*self._drop(refused.race), Tell(refused)]
        # The answer to a forgotten call is not an event.
        return [Tell(refused)] if refused.ref < FIRST_TICKET else []

    def _drop(self, race: str) -> list[Effect]:
        """Stop following this race."""
        self.rooms.pop(race, None)
        self.views.pop(race, None)
        self.reveals.pop(race, None)
        followed = self._followed.pop(race, None)
        return followed.drop() if followed else []
