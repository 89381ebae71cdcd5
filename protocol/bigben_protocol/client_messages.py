"""What a client sends. One tagged struct a message; new fields go last and have a default."""

from typing import Annotated

import msgspec
from msgspec import Meta

from bigben_protocol.board_types import By, GroupId, Period, Player
from bigben_protocol.types import Count, Name, Nonce, Notation, Race, Ref


class Hello(msgspec.Struct, frozen=True, tag="hello", omit_defaults=True):
    """The first message of every connection. Answered by Welcome, or Refused and close 1008.

    Without a token the server makes a new guest called ``name``. With one, ``name`` renames.
    """

    name: Name = ""
    token: Annotated[str, Meta(max_length=2048)] = ""
    """From an earlier Welcome, or of a front end's issuer."""
    client: Annotated[str, Meta(max_length=64)] = ""
    """The front end and its version, for the operator's figures."""


class Create(msgspec.Struct, frozen=True, tag="create", omit_defaults=True):
    """Open a live room, or a practice game alone. Answered by Room; its maker has joined it."""

    game: Annotated[str, Meta(max_length=32)] = "bigben"
    rules: Annotated[str, Meta(max_length=64)] = "standard"
    limit_ms: Annotated[int, Meta(ge=0, le=86_400_000)] = 3_600_000
    """At most a day; 0 means the longest the server allows."""
    undo: bool = False
    """Whether moves may be taken back in this race."""
    invite_only: bool = False
    """Only those who were given the code may join; the room is in no list."""
    practice: bool = False
    """Alone, on no board; undo is allowed."""
    seed: Annotated[str, Meta(max_length=64)] = ""
    """For practice: 64 hex digits, or empty for any."""
    ref: Ref = 0


class Join(msgspec.Struct, frozen=True, tag="join", omit_defaults=True):
    """Take a seat, or come back to it. Answered by Room, and Snapshot if the seat has begun."""

    race: Race
    ref: Ref = 0


class Watch(msgspec.Struct, frozen=True, tag="watch", omit_defaults=True):
    """Follow a race without a seat. Answered by Room; Standings and Reveal come if it is closed."""

    race: Race
    ref: Ref = 0


class Leave(msgspec.Struct, frozen=True, tag="leave", omit_defaults=True):
    """Give the seat up before the start, or stop following. Answered by Left."""

    race: Race
    ref: Ref = 0


class Ready(msgspec.Struct, frozen=True, tag="ready", omit_defaults=True):
    """Live: ready for the countdown. Daily and practice: show the cards, start my clock."""

    race: Race
    nonce: Nonce = ""
    ref: Ref = 0


class Unready(msgspec.Struct, frozen=True, tag="unready", omit_defaults=True):
    """Take Ready back, before the countdown."""

    race: Race
    ref: Ref = 0


class Start(msgspec.Struct, frozen=True, tag="start", omit_defaults=True):
    """The host starts the countdown with those who are ready; the others lose their seats."""

    race: Race
    ref: Ref = 0


class Rematch(msgspec.Struct, frozen=True, tag="rematch", omit_defaults=True):
    """A new room by the same rules for the people of a closed race. Answered by Room."""

    race: Race
    ref: Ref = 0


class Move(msgspec.Struct, frozen=True, tag="move"):
    """Move ``n`` of this seat: 1, 2, 3 … Answered by Diff(n) once durable, or Refused(ref=n).

    Sent again with the same n and text, it gets its original Diff.
    """

    race: Race
    n: Count
    """One more than that of the seat's last move."""
    move: Notation


class Resume(msgspec.Struct, frozen=True, tag="resume", omit_defaults=True):
    """Back on a new connection: all since move ``since``.

    Answered by Room, then the missed Diffs, or a Snapshot where that is shorter.
    """

    race: Race
    since: Count = 0
    """The ``n`` of the last Snapshot or Diff seen; 0 for none."""
    ref: Ref = 0


class GetStandings(msgspec.Struct, frozen=True, tag="get-standings", omit_defaults=True):
    """Ask for Standings: up to a hundred seats, the best first."""

    race: Race
    ref: Ref = 0
    start: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    """How many of the best to pass over."""
    only: Annotated[tuple[Player, ...], Meta(max_length=100)] = ()
    """These players alone, with the places they have among all; empty for everybody."""


class GetRecord(msgspec.Struct, frozen=True, tag="get-record", omit_defaults=True):
    """Ask for every move of a seat: of one's own at any time, of others once the race is closed."""

    race: Race
    player: Annotated[str, Meta(max_length=128)] = ""
    """Empty for one's own."""
    ref: Ref = 0


class GetLeaderboard(msgspec.Struct, frozen=True, tag="get-leaderboard", omit_defaults=True):
    """Ask for a page of a board: of a day, or of a longer period. Answered by Leaderboard."""

    date: Annotated[str, Meta(max_length=10)] = ""
    """Any day of the period, ``2026-11-21``, or ``2026-W47``, ``2026-11``; empty for today (UTC).
    All time has none."""
    game: Annotated[str, Meta(max_length=32)] = "bigben"
    """A game's name."""
    rules: Annotated[str, Meta(max_length=64)] = "standard"
    """A preset: ``standard``, ``book``, ``open``; every rules have boards of their own."""
    start: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    """How many rows to pass over."""
    count: Annotated[int, Meta(ge=1, le=100)] = 20
    """How many rows to show at the most."""
    ref: Ref = 0
    period: Period = "daily"
    by: By = "points"
    group: GroupId = ""
    """Only members of this group; empty for everybody, ``bots`` for bots, and ``guests`` for guests
    where the operator ranks them apart."""
    around: bool = False
    """The page in whose middle one's own row is, in place of ``start``; the first page if there
    is none."""


class GetProfile(msgspec.Struct, frozen=True, tag="get-profile", omit_defaults=True):
    """Ask for a player's streaks, records and ratings. Answered by Profile."""

    player: Player = ""
    """Empty for one's own."""
    against: Player = ""
    """Also how the two stand against each other."""
    ref: Ref = 0


class CreateGroup(msgspec.Struct, frozen=True, tag="create-group", omit_defaults=True):
    """Make a group of friends, to have boards of one's own. Answered by Groups, with its code."""

    name: Name
    """No other group is called so."""
    ref: Ref = 0


class JoinGroup(msgspec.Struct, frozen=True, tag="join-group", omit_defaults=True):
    """Belong to a group from now on. Answered by Groups."""

    code: Annotated[str, Meta(max_length=32)]
    """As a member was told it."""
    ref: Ref = 0


class LeaveGroup(msgspec.Struct, frozen=True, tag="leave-group", omit_defaults=True):
    """Leave a group; results made until now stay on its boards. Answered by Groups."""

    group: GroupId
    ref: Ref = 0


class GetGroups(msgspec.Struct, frozen=True, tag="get-groups", omit_defaults=True):
    """Ask for the groups one belongs to. Answered by Groups."""

    ref: Ref = 0


class GetLink(msgspec.Struct, frozen=True, tag="get-link", omit_defaults=True):
    """Ask for a one-time token: whoever says hello with it first is the same player."""

    ref: Ref = 0


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Answered by Pong at once, to measure the way and the offset of the clocks."""

    sent: Annotated[int, Meta(ge=0, le=2**53)]
    """Any number of the client's, usually its clock in ms."""


ClientMessage = (
    Hello
    | Create
    | Join
    | Watch
    | Leave
    | Ready
    | Unready
    | Start
    | Rematch
    | Move
    | Resume
    | GetStandings
    | GetRecord
    | GetLeaderboard
    | GetProfile
    | CreateGroup
    | JoinGroup
    | LeaveGroup
    | GetGroups
    | GetLink
    | Ping
)
