"""What a client sends: one tagged struct for each message. Add new fields last, with a default."""

from typing import Annotated

import msgspec
from msgspec import Meta

from bigben_protocol.board_types import By, GroupId, Player
from bigben_protocol.periods import Period
from bigben_protocol.seasons import Change, Plan, SeasonId
from bigben_protocol.types import (
    GRACE_MS,
    Count,
    Name,
    Nonce,
    NonceHash,
    Notation,
    Race,
    Ref,
    Strength,
)


class Hello(msgspec.Struct, frozen=True, tag="hello", omit_defaults=True):
    """The first message of every connection. Answered by Welcome, or Refused and close 1008.

    Without a token the server makes a new guest called ``name``. With a token, ``name`` renames the
    player.
    """

    name: Name = ""
    token: Annotated[str, Meta(max_length=2048)] = ""
    """From an earlier Welcome, or from a front end's issuer."""
    client: Annotated[str, Meta(max_length=64)] = ""
    """The front end and its version, for the operator's figures."""
    keeps_rules: bool = False
    """The client knows the rules and finds the legal moves itself: Diffs for this connection have
    no ``legal``, and only every tenth has a ``digest``. Snapshots have both."""
    announcements: bool = False
    """Whether the client shows Announcements; it is sent none otherwise."""
    cheers: bool = False
    """Whether the client shows Cheers; it is sent none otherwise, but for answers."""
    elsewhere: bool = False
    """Whether the client connects again when Elsewhere says so; it is sent none otherwise."""
    challenges: bool = False
    """Whether the client shows Challenges; it is sent none otherwise, but for answers."""


class Create(msgspec.Struct, frozen=True, tag="create", omit_defaults=True):
    """Open a live room or a practice game. Answered by Room; the player has joined it."""

    game: Annotated[str, Meta(max_length=32)] = "bigben"
    rules: Annotated[str, Meta(max_length=64)] = "standard"
    limit_ms: Annotated[int, Meta(ge=0, le=86_400_000)] = 3_600_000
    """At most a day; 0 means the longest limit that the server allows."""
    undo: bool = False
    """Whether moves may be taken back in this race."""
    invite_only: bool = False
    """Only players with the invitation may join, see ``Room.invite``."""
    practice: bool = False
    """A game for one player, with undo, that counts on no board."""
    seed: Annotated[str, Meta(max_length=64)] = ""
    """For practice: 64 hex digits, or empty for a random deal."""
    ref: Ref = 0
    spectate: bool = True
    """Whether others than its players may follow the race before it is closed."""
    grace_ms: Annotated[int, Meta(ge=10_000, le=86_400_000)] = GRACE_MS
    """In a live race: how long a player may be away once all others have finished."""
    deadline_at: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """For a race in which each player starts their own clock until then, at most seven days from
    now; 0 for a live room. Such a race has no nonces, and one attempt for each player."""
    daily: Race = ""
    """For practice with the cards of a closed daily race: its whole id."""
    winnable: bool = False
    """Ask for a deal for which the server knows moves that win; see ``Room.choosing``."""
    grade: Annotated[str, Meta(max_length=32)] = ""
    """Ask for a winnable deal that is ``easy``, ``medium``, ``hard`` or ``fiendish``; empty for any
    grade."""


class Join(msgspec.Struct, frozen=True, tag="join", omit_defaults=True):
    """Take a seat or return to it. Answered by Room, and a Snapshot if its clock has started.

    Until the race is closed, a seat takes the name that its player has by now.
    """

    race: Race
    ref: Ref = 0


class Watch(msgspec.Struct, frozen=True, tag="watch", omit_defaults=True):
    """Follow a race without a seat. Answered by Room, and Standings and Reveal if it is closed."""

    race: Race
    ref: Ref = 0


class Leave(msgspec.Struct, frozen=True, tag="leave", omit_defaults=True):
    """Stop following a race; before the start, also give up the seat. Answered by Left."""

    race: Race
    ref: Ref = 0


class Ready(msgspec.Struct, frozen=True, tag="ready", omit_defaults=True):
    """Live: be ready for the countdown. Others: show the cards and start the player's own clock.

    Answered by Room.
    """

    race: Race
    nonce: Nonce = ""
    """Leave it out if you send ``nonce_hash``."""
    ref: Ref = 0
    nonce_hash: NonceHash = ""
    """If Welcome offers it: the hash of a nonce that you keep, and send with SendNonce."""


class SendNonce(msgspec.Struct, frozen=True, tag="nonce", omit_defaults=True):
    """Send the nonce whose hash you sent with Ready, while ``Room.mixing``. Answered by Room.

    First check that ``Room.nonce_hashes`` has your hash at your seat, and keep all of them.
    """

    race: Race
    nonce: Nonce
    ref: Ref = 0


class Unready(msgspec.Struct, frozen=True, tag="unready", omit_defaults=True):
    """Take Ready back before the countdown. Answered by Room."""

    race: Race
    ref: Ref = 0


class Start(msgspec.Struct, frozen=True, tag="start", omit_defaults=True):
    """Start the countdown, as the host, even alone. Players who are not ready lose their seats.

    Answered by Room.
    """

    race: Race
    ref: Ref = 0


class Rematch(msgspec.Struct, frozen=True, tag="rematch", omit_defaults=True):
    """Open a new room with the rules of a live race, for its players, once your own game is over.

    Answered by Room. All who ask come to the same room.
    """

    race: Race
    ref: Ref = 0


class Move(msgspec.Struct, frozen=True, tag="move"):
    """Move ``n`` of this seat: 1, 2, 3 … Answered by Diff(n) once durable, or Refused(ref=n).

    If it is sent again with the same n and text, the answer is the original Diff.
    """

    race: Race
    n: Count
    """One more than the ``n`` of the seat's last move."""
    move: Notation


class Resume(msgspec.Struct, frozen=True, tag="resume", omit_defaults=True):
    """Ask for everything after move ``since``, usually on a new connection.

    Answered by Room, then the missed Diffs, or a Snapshot if there are many.
    """

    race: Race
    since: Count = 0
    """The ``n`` of the last Snapshot or Diff seen; 0 for none."""
    ref: Ref = 0


class GetStandings(msgspec.Struct, frozen=True, tag="get-standings", omit_defaults=True):
    """Ask for up to a hundred seats, the best first. Answered by Standings."""

    race: Race
    ref: Ref = 0
    start: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    """How many of the best seats to skip."""
    only: Annotated[tuple[Player, ...], Meta(max_length=100)] = ()
    """Only these players, with their places among all players; empty for everybody."""


class GetRecord(msgspec.Struct, frozen=True, tag="get-record", omit_defaults=True):
    """Ask for every move of a seat: your own at any time, others once the race is closed.

    Answered by Record.
    """

    race: Race
    player: Annotated[str, Meta(max_length=128)] = ""
    """Empty for your own seat."""
    ref: Ref = 0


class GetLeaderboard(msgspec.Struct, frozen=True, tag="get-leaderboard", omit_defaults=True):
    """Ask for a page of a board. Answered by Leaderboard."""

    date: Annotated[str, Meta(max_length=10)] = ""
    """Any day of the period, ``2026-11-21``, or ``2026-W47``, ``2026-11``; empty for today (UTC).
    The all-time board has no date."""
    game: Annotated[str, Meta(max_length=32)] = "bigben"
    """A game's name."""
    rules: Annotated[str, Meta(max_length=64)] = "standard"
    """A rule set such as ``standard`` or ``book``; each has its own boards."""
    start: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    """How many rows to skip."""
    count: Annotated[int, Meta(ge=1, le=100)] = 20
    """The most rows to return."""
    ref: Ref = 0
    period: Period = "daily"
    by: By = "points"
    group: GroupId = ""
    """Only members of this group; empty for everybody, ``bots`` for bots, and ``guests`` for guests
    where the operator ranks them apart."""
    around: bool = False
    """Return the page with your own row in its middle, instead of ``start``; the first page if you
    have no row."""
    form: bool = False
    """Return also how the players of the page have done lately, and how all did on the day. The
    page has at most twenty rows then."""
    only: Annotated[tuple[Player, ...], Meta(max_length=100)] = ()
    """Instead of a page, the rows of those of these players who are on the board."""


class GetProfile(msgspec.Struct, frozen=True, tag="get-profile", omit_defaults=True):
    """Ask for a player's streaks, records and ratings. Answered by Profile."""

    player: Player = ""
    """Empty for yourself."""
    against: Player = ""
    """A second player to compare the first with."""
    ref: Ref = 0
    form: bool = False
    """Return also what each tally is made of, by week and by cards home."""


class CreateGroup(msgspec.Struct, frozen=True, tag="create-group", omit_defaults=True):
    """Make a group of friends with its own boards. Answered by Groups, with the group's code."""

    name: Name
    """Refused if another group has it."""
    ref: Ref = 0


class JoinGroup(msgspec.Struct, frozen=True, tag="join-group", omit_defaults=True):
    """Join a group. Answered by Groups."""

    code: Annotated[str, Meta(max_length=32)]
    """Every member receives it in Groups."""
    ref: Ref = 0


class LeaveGroup(msgspec.Struct, frozen=True, tag="leave-group", omit_defaults=True):
    """Leave a group; earlier results stay on its boards. Answered by Groups."""

    group: GroupId
    ref: Ref = 0


class GetGroups(msgspec.Struct, frozen=True, tag="get-groups", omit_defaults=True):
    """Ask for your groups. Answered by Groups."""

    ref: Ref = 0


class GetGames(msgspec.Struct, frozen=True, tag="get-games", omit_defaults=True):
    """Ask for the games of this server, as their players meet them. Answered by Games."""

    ref: Ref = 0


class GetRaces(msgspec.Struct, frozen=True, tag="get-races", omit_defaults=True):
    """Ask for the races that you have a seat in and that are not closed. Answered by Races."""

    ref: Ref = 0


class GetCurves(msgspec.Struct, frozen=True, tag="get-curves", omit_defaults=True):
    """Ask how the cards of finished seats came home, for ghosts. Answered by Curves."""

    race: Race
    players: Annotated[tuple[Player, ...], Meta(max_length=12)] = ()
    """Empty for the best twelve finished seats."""
    ref: Ref = 0


class GetAnalysis(msgspec.Struct, frozen=True, tag="get-analysis", omit_defaults=True):
    """Ask how the seats of a closed race were played, and where chances were lost.

    Answered by Analysis: some with the progress, the last one with the seats.
    """

    race: Race
    players: Annotated[tuple[Player, ...], Meta(max_length=12)] = ()
    """Empty for your own seat and the best ones, four in all."""
    ref: Ref = 0


class Explain(msgspec.Struct, frozen=True, tag="explain", omit_defaults=True):
    """Ask why the top card of one of your piles can't move, or not to ``target``.

    Answered by Reason. It changes nothing.
    """

    race: Race
    source: Annotated[str, Meta(max_length=8)]
    target: Annotated[str, Meta(max_length=8)] = ""
    """Empty for anywhere."""
    ref: Ref = 0


class GetLink(msgspec.Struct, frozen=True, tag="get-link", omit_defaults=True):
    """Ask for a one-time token: the first Hello with it is the same player. Answered by Link."""

    ref: Ref = 0


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Measure the round trip and the offset of the clocks. Answered by Pong at once."""

    sent: Annotated[int, Meta(ge=0, le=2**53)]
    """Any number, usually the client's clock in ms; Pong repeats it."""


class AddHouse(msgspec.Struct, frozen=True, tag="add-house", omit_defaults=True):
    """Give a house player a seat in a live room before its start, as the host. Answered by Room.

    Welcome says whether the server has house players. Each takes one seat in a room, and is ready
    by itself. If it is there already, nothing changes.
    """

    race: Race
    strength: Strength
    ref: Ref = 0


class RemoveHouse(msgspec.Struct, frozen=True, tag="remove-house", omit_defaults=True):
    """Take a house player out of a live room before its start, as the host. Answered by Room."""

    race: Race
    strength: Strength
    ref: Ref = 0


class GetHint(msgspec.Struct, frozen=True, tag="get-hint", omit_defaults=True):
    """Ask for the best move: in practice for the position now, in a closed race for any.

    Answered by Hint, which looks at no hidden card. Refused in every other race, and in games
    without choices.
    """

    race: Race
    n: Count
    """The number of moves before it. In a practice game that goes on, all of them."""
    player: Annotated[str, Meta(max_length=128)] = ""
    """Whose seat; empty for your own."""
    ref: Ref = 0


class Cheer(msgspec.Struct, frozen=True, tag="cheer", omit_defaults=True):
    """Cheer in a race of a room that you follow, at most once in three seconds. Stored nowhere.

    Answered by Cheers without any; yours then comes to all who follow the race, you among them.
    Send it only if Welcome says ``cheers``. Refused in dailies and practice.
    """

    race: Race
    cheer: Annotated[str, Meta(max_length=32)]
    """One of ``CHEERS``: ``luck``, ``well``, ``wow``, ``close``, ``thanks``."""
    ref: Ref = 0


class Tie(msgspec.Struct, frozen=True, tag="tie", omit_defaults=True):
    """Tie another player of yours to you for good: their results count as yours. Answered by Tied.

    Only for players whom another issuer than this server knows, and only once for each other
    player. Ask the player first: it can't be undone. The tokens of a guest don't hold any more, and
    with those of another platform one is you.
    """

    token: Annotated[str, Meta(max_length=2048)]
    """A guest's, or a one-time link, which is spent. It shows that you are the other player."""
    ref: Ref = 0


class LogOut(msgspec.Struct, frozen=True, tag="log-out", omit_defaults=True):
    """Log out everywhere: no token of yours that was issued before holds any more.

    Nor does a one-time link. Answered by LoggedOut; all your other connections are closed. This one
    stays open, and needs another token when it is gone.
    """

    ref: Ref = 0


class MakeSeason(msgspec.Struct, frozen=True, tag="make-season", omit_defaults=True):
    """Make a season of a group, whose organiser you are then. Answered by Season.

    Of a group that players made its longest member can, of a front end's group whom it names.
    """

    group: GroupId
    plan: Plan
    ref: Ref = 0


class ChangeSeason(msgspec.Struct, frozen=True, tag="change-season", omit_defaults=True):
    """Change a season, as an organiser; or leave it, as any member. Answered by Season."""

    season: SeasonId
    change: Change
    ref: Ref = 0


class GetSeason(msgspec.Struct, frozen=True, tag="get-season", omit_defaults=True):
    """Ask for a season: its weeks, its table and its changes. Answered by Season."""

    season: SeasonId
    ref: Ref = 0


class GetSeasons(msgspec.Struct, frozen=True, tag="get-seasons", omit_defaults=True):
    """Ask for the seasons of your groups, and of those that you organise or race in.

    Answered by Seasons.
    """

    ref: Ref = 0


class DeleteSeason(msgspec.Struct, frozen=True, tag="delete-season", omit_defaults=True):
    """Delete a season for good, as an organiser. Answered by Seasons.

    An open week's race goes on, as a race of its own.
    """

    season: SeasonId
    ref: Ref = 0


class GetAlike(msgspec.Struct, frozen=True, tag="get-alike", omit_defaults=True):
    """Ask, as an organiser, which attempts of a season's closed weeks are suspiciously alike.

    Answered by Alike: some with the progress, the last one with the pairs.
    """

    season: SeasonId
    ref: Ref = 0


class SetWebhook(msgspec.Struct, frozen=True, tag="set-webhook", omit_defaults=True):
    """Have a season's news sent to an address of yours, as an organiser. Answered by Webhook.

    Refused if the operator allows no webhooks.
    """

    season: SeasonId
    url: Annotated[str, Meta(max_length=512)] = ""
    """Empty for none any more."""
    ref: Ref = 0


class Challenge(msgspec.Struct, frozen=True, tag="challenge", omit_defaults=True):
    """Challenge a player to a live race, which opens when they accept. Answered by Challenges.

    They have a day to answer. Refused while they have not answered an earlier one of yours, and for
    a day after they have declined one.
    """

    player: Player
    game: Annotated[str, Meta(max_length=32)] = "bigben"
    rules: Annotated[str, Meta(max_length=64)] = "standard"
    ref: Ref = 0


class AnswerChallenge(msgspec.Struct, frozen=True, tag="answer-challenge", omit_defaults=True):
    """Accept or decline a challenge that you have received. Answered by Challenges.

    If you accept, a room is open then that both of you can join: see ``ChallengeInfo.race``.
    """

    challenge: Annotated[str, Meta(max_length=32)]
    """Its id."""
    accept: bool
    ref: Ref = 0


class GetChallenges(msgspec.Struct, frozen=True, tag="get-challenges", omit_defaults=True):
    """Ask for the challenges that you have received and sent. Answered by Challenges."""

    ref: Ref = 0


ClientMessage = (
    Hello
    | Create
    | Join
    | Watch
    | Leave
    | Ready
    | SendNonce
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
    | GetGames
    | GetRaces
    | GetCurves
    | Explain
    | GetLink
    | Ping
    | AddHouse
    | RemoveHouse
    | GetHint
    | GetAnalysis
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
