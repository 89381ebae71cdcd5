"""What the server sends: one tagged struct for each message. Add new fields last, with a default.

Times are the server's: ``…_at`` in ms since 1970 (UTC), ``ms`` on a seat's own clock.
"""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from bigben_protocol.board_types import Form, Group, HeadToHead, PastRace, Ranked, Tally, Week
from bigben_protocol.games import GameInfo
from bigben_protocol.seasons import (
    AlikePair,
    Changed,
    Plan,
    Scale,
    SeasonInfo,
    SeasonPhase,
    SeasonRow,
    SeasonWeek,
)
from bigben_protocol.sentence import Sentence, Value
from bigben_protocol.types import (
    FIRST_DEAL,
    AnalysedSeat,
    ChallengeInfo,
    Cheered,
    Chosen,
    Code,
    Curve,
    Grade,
    Kind,
    NonceState,
    Phase,
    Pile,
    PlayerId,
    RaceId,
    RaceInfo,
    Ref,
    Rules,
    Standing,
    State,
    Step,
)


class Welcome(msgspec.Struct, frozen=True, tag="welcome", omit_defaults=True):
    """The answer to Hello: who you are."""

    player: PlayerId
    name: str
    token: str
    """Keep it: a Hello with it is this player again."""
    now_at: int
    """The server's clock."""
    house: bool = False
    """Whether hosts can add house players to their rooms here."""
    nonce_hashes: bool = False
    """Whether Ready may have a ``nonce_hash``. Clients that can use it should."""
    cheers: bool = False
    """Whether you can send Cheer here. Told only if Hello said ``cheers``."""


class Room(msgspec.Struct, frozen=True, tag="room", omit_defaults=True):
    """A race and its seats. Sent to all who follow it when more than the progress has changed."""

    race: RaceId
    kind: Kind
    phase: Phase
    rules: Rules
    commitment: str
    """A SHA-256 that binds the server to its seed; it is published before anybody is ready."""
    opened_at: int
    host: PlayerId = PlayerId("")
    starts_at: int = 0
    """When the countdown ends, the same for all; 0 before the countdown."""
    closes_at: int = 0
    """The latest time at which the race ends; 0 while unknown."""
    seats: tuple[Standing, ...] = ()
    """In seat order; in a running daily, the best hundred."""
    since: int = 0
    """Grows with every change of the room."""
    rematch: str = ""
    """The race that followed this one, if any."""
    ref: Ref = 0
    invite: str = ""
    """The code to join an invite-only room with, ``K7QPXM-4TZ8QN``; only its players receive it."""
    players: int = 0
    """The number of seats taken."""
    void: str = ""
    """Why the operator has made the race void: its results count nowhere. Empty if they count."""
    counter: int = 0
    """Not 0 if the cards of this daily were dealt again, and higher each time: the seconds since
    00:00 UTC at which that was decided. The commitment is a new one."""
    grade: Grade = ""
    """The grade of the deal, as far as it was announced before the start: a daily's is its
    weekday's, and a room's the one that its rules ask for. Empty if the deal is not graded."""
    choosing: bool = False
    """In a countdown: the server looks for a deal as the rules ask for it, 15 seconds, and longer
    while it rules out deals. ``starts_at`` is 0 until then."""
    certified: bool = False
    """Whether a deal was found as the rules ask for it. If not, it may be any deal, which is not
    graded."""
    par: int = 0
    """The number of moves of the shortest line that is known to win the deal. Told once the race is
    closed; 0 if none is known. ``GetRecord`` of ``certificate`` shows the line."""
    nonce_hashes: tuple[str, ...] = ()
    """In a live race: of each seat the hash of its nonce, in seat order, or empty. From the
    countdown on they and the seats stay as they are."""
    mixing: bool = False
    """In a countdown: the server waits for the nonces, three seconds. ``starts_at`` is 0 until all
    are mixed."""
    unmixed: bool = False
    """The race was cancelled because no nonce came."""


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot", omit_defaults=True):
    """Your own game after move ``n``, as you see it; face-down cards are only counted."""

    race: RaceId
    n: int
    state: State
    home: int
    """Cards on the foundations."""
    ms: int
    """The time of your last move, on your clock."""
    piles: dict[str, Pile]
    """Always in the same order; the game's notation says what each pile is."""
    legal: tuple[str, ...]
    """Every legal move in the game's notation, including stock moves, without undo and resign."""
    digest: int
    """The digest of the piles; see ``View.digest``."""
    begun_at: int = 0
    """When your clock started."""
    can_undo: bool = False
    """Whether ``undo`` is legal now."""
    home_ms: int = 0
    """Once your game is over, what decides your place: see Standing."""


class Diff(msgspec.Struct, frozen=True, tag="diff", omit_defaults=True):
    """The acknowledgement of Move ``n``: it is durable, and these cards have moved."""

    race: RaceId
    n: int
    move: str
    """As it is in the log, with ``refill`` or ``turn`` for ``deal``, and ``f9`` for ``fdn``."""
    steps: tuple[Step, ...]
    """The cards that moved, in this order; a stock move may have several."""
    state: State
    home: int
    ms: int
    legal: tuple[str, ...] | UnsetType = UNSET
    """Missing only if Hello said ``keeps_rules``."""
    digest: int | UnsetType = UNSET
    """Missing only if Hello said ``keeps_rules``, and then in nine of ten Diffs."""
    can_undo: bool = False
    home_ms: int = 0
    """If this ends your game, what decides your place: see Standing."""


class Refused(msgspec.Struct, frozen=True, tag="refused", omit_defaults=True):
    """A request was refused, and nothing has changed."""

    code: Code
    text: str
    """What is wrong and what to do next; safe to show to the player."""
    race: str = ""
    """The race as the refused request named it."""
    ref: Ref = 0
    """The ``ref`` of the refused request; for a Move its ``n``."""
    id: str = ""
    """Names the sentence in every language (table ``sentences`` of the texts)."""
    values: dict[str, Value] = {}
    """What is filled into the sentence, by name."""


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """Seats that have changed since the last Progress; it names no card.

    Of a race with up to a hundred seats, all of them. Of a larger race, those among the best twelve
    or within three places of your own, and after your own move the seats around it; request others
    with GetStandings.
    """

    race: RaceId
    seats: tuple[Standing, ...]


class Standings(msgspec.Struct, frozen=True, tag="standings", omit_defaults=True):
    """The places in a race, the best first. ``final`` once the race is closed."""

    race: RaceId
    rows: tuple[Standing, ...]
    """At most a hundred; use GetStandings for others."""
    final: bool = False
    ref: Ref = 0
    players: int = 0
    """How many players have a place, including those without a row here."""


class Reveal(msgspec.Struct, frozen=True, tag="reveal", omit_defaults=True):
    """The seed of the deal, for everybody who follows the race. Sent only once it is closed."""

    race: RaceId
    commitment: str
    server_seed: str
    """The seed behind the commitment, 64 hex digits."""
    seed: str
    """The seed of the shuffle: that of the ``chosen`` deal, from the server seed, which is mixed
    with the nonces in a live race."""
    nonces: tuple[str, ...] = ()
    """The racers' nonces in seat order."""
    chosen: Chosen = FIRST_DEAL
    """Which deal of that seed was played, with par; ``seed`` is its own."""
    kept_until: int = 0
    """When the server deletes the race, because it counts on no board and for no rating, ms since
    1970; 0 for never."""
    nonce_states: tuple[NonceState, ...] = ()
    """What became of each seat's nonce; empty in a race in which none came after Ready."""
    mixed_at: int = 0
    """When the nonces were mixed, if some came after Ready."""


class Record(msgspec.Struct, frozen=True, tag="record", omit_defaults=True):
    """Every move of one seat, for a replay."""

    race: RaceId
    standing: Standing
    order: tuple[str, ...]
    """The shuffled cards, first dealt first; empty until the race is closed."""
    moves: tuple[tuple[int, str], ...]
    """Each move's time in ms on the seat's clock, and the move as it is in the log."""
    ref: Ref = 0
    begun_at: int = 0
    """When the seat's clock started; 0 before."""
    piles: dict[str, Pile] = {}
    """What the player saw before their first move, as in a Snapshot; empty before their start."""
    steps: tuple[tuple[Step, ...], ...] = ()
    """The cards that each move moved, as in its Diff; with them a replay needs no rules."""
    rules: Rules = Rules()
    """The race's own, which name the game and so its layout."""


class Leaderboard(msgspec.Struct, frozen=True, tag="leaderboard", omit_defaults=True):
    """A page of a board. Equal keys share a place. A page beyond the end has no rows."""

    board: str
    """``daily.2026-11-21.bigben.standard``, ``weekly.2026-W47.bigben.book.points@the-aces``."""
    total: int
    """The number of players on the board."""
    rows: tuple[Standing, ...] = ()
    """The rows of a daily board."""
    start: int = 0
    """The number of players before the first row."""
    mine: Standing | None = None
    """Your own row of a daily board, even if it is on another page."""
    ref: Ref = 0
    ranked: tuple[Ranked, ...] = ()
    """The rows of a board for a longer period."""
    my_rank: Ranked | None = None
    """Your own row of a board for a longer period, even if it is on another page."""
    form: tuple[Form, ...] = ()
    """Of each player with a row here, if GetLeaderboard asked for it."""
    homes: tuple[int, ...] = ()
    """How many players of a daily board have how many cards home: thirteen columns, each for a
    thirteenth of the cards; the last one has also those with all cards home. If GetLeaderboard
    asked for ``form``, and the page has a row."""


class Profile(msgspec.Struct, frozen=True, tag="profile", omit_defaults=True):
    """A player's results, streaks, records and ratings."""

    player: PlayerId
    name: str
    tallies: tuple[Tally, ...] = ()
    """One for each game and rule set in which the player has a result, sorted by name."""
    against: HeadToHead | None = None
    """The comparison, if GetProfile asked for one."""
    ref: Ref = 0
    weeks: tuple[Week, ...] = ()
    """Weeks with a result, the latest last, at most 53."""
    latest: tuple[PastRace, ...] = ()
    """The last five races, the latest first, over all games and rules, if GetProfile asked for
    ``form``; of other players only dailies."""


class Groups(msgspec.Struct, frozen=True, tag="groups", omit_defaults=True):
    """Your groups."""

    groups: tuple[Group, ...] = ()
    ref: Ref = 0


class Games(msgspec.Struct, frozen=True, tag="games", omit_defaults=True):
    """Every game of this server, the main one first."""

    games: tuple[GameInfo, ...]
    ref: Ref = 0


class Races(msgspec.Struct, frozen=True, tag="races", omit_defaults=True):
    """The races that you have a seat in and that are not closed, the latest first."""

    races: tuple[RaceInfo, ...] = ()
    ref: Ref = 0


class Curves(msgspec.Struct, frozen=True, tag="curves", omit_defaults=True):
    """The curves of seats that have finished; no card is named."""

    race: RaceId
    curves: tuple[Curve, ...] = ()
    ref: Ref = 0


class Analysis(msgspec.Struct, frozen=True, tag="analysis", omit_defaults=True):
    """How the seats of a closed race were played; before that, how much of it is computed."""

    race: RaceId
    done: int
    of: int
    """``done`` is ``of`` in the last of these messages, which has the rest."""
    seats: tuple[AnalysedSeat, ...] = ()
    par: int = 0
    """The moves of the shortest winning line that was found; 0 if none was found."""
    grade: Grade = ""
    """How hard the deal is for people; empty if it is not graded."""
    ref: Ref = 0


class Reason(msgspec.Struct, frozen=True, tag="reason", omit_defaults=True):
    """Why a card can't move, in a sentence, with what your own game shows."""

    race: RaceId
    source: str
    text: str
    cards: tuple[str, ...] = ()
    """The cards that it waits for: it goes on them, or they must come home before it."""
    ref: Ref = 0
    target: str = ""
    said: tuple[Sentence, ...] = ()
    """What ``text`` says, for other languages."""


class Left(msgspec.Struct, frozen=True, tag="left", omit_defaults=True):
    """You no longer follow this race."""

    race: RaceId
    ref: Ref = 0


class Link(msgspec.Struct, frozen=True, tag="link", omit_defaults=True):
    """A token for one Hello, with which a player continues on another front end.

    Put it into the fragment of an address, ``https://…/#link=TOKEN``, never into the query.
    """

    token: str
    expires_at: int
    ref: int = 0


class Announcement(msgspec.Struct, frozen=True, tag="announcement", omit_defaults=True):
    """What the operator of the server tells everybody, instead of what was announced before.

    Sent only if Hello said ``announcements``: after Welcome if something is announced then, and at
    once when it is announced or withdrawn.
    """

    text: str
    """One line for the player, as text and in the operator's language; empty if it is withdrawn."""
    at: int = 0
    """When it was announced, ms since 1970."""
    until: int = 0
    """Show it until then, ms since 1970."""


class Elsewhere(msgspec.Struct, frozen=True, tag="elsewhere"):
    """The race that the player has just entered is served better on another connection.

    Sent only if Hello said ``elsewhere``, and only on a connection whose address did not name the
    race: connect again to an address that does, as soon as that costs nobody anything. On the old
    connection everything works meanwhile.
    """

    race: RaceId


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """The answer to Ping."""

    sent: int
    now_at: int


class Hint(msgspec.Struct, frozen=True, tag="hint", omit_defaults=True):
    """The best move in a position, as far as its player can see. The same for all who ask.

    Hints that are followed come to an end: none leads back to where the player was before.
    """

    race: RaceId
    n: int
    """The number of moves before it."""
    move: str
    """In the game's notation; empty if no move brings the game nearer to its end."""
    why: str
    """Sentences for the player that say what the move does and why it is good."""
    ref: Ref = 0
    player: str = ""
    """As GetHint named it."""
    said: tuple[Sentence, ...] = ()
    """What ``why`` says, for other languages."""


class Cheers(msgspec.Struct, frozen=True, tag="cheers", omit_defaults=True):
    """What was cheered in a race that you follow since the last Cheers.

    At most one such message comes in a second, with fifteen cheers; of more the latest are told.
    """

    race: RaceId
    cheers: tuple[Cheered, ...] = ()
    """Empty in the answer to Cheer."""
    ref: Ref = 0


class Tied(msgspec.Struct, frozen=True, tag="tied", omit_defaults=True):
    """The other player, most often a guest, is tied to you: their results count as yours."""

    guest: PlayerId
    ref: Ref = 0


class LoggedOut(msgspec.Struct, frozen=True, tag="logged-out", omit_defaults=True):
    """You are logged out everywhere but on this connection."""

    ref: Ref = 0


class Season(msgspec.Struct, frozen=True, tag="season", omit_defaults=True):
    """A club's season: its plan, its weeks, its table, and what was changed.

    ``GET /api/seasons/ID`` gives the same to anybody, without what is about the asker.
    """

    season: str
    """Its id, of eight letters."""
    group: str
    group_name: str
    """Empty for a front end's own group: the front end knows its name."""
    plan: Plan
    phase: SeasonPhase
    weeks: tuple[SeasonWeek, ...]
    rows: tuple[SeasonRow, ...] = ()
    """The table, the best first; players without a result come last."""
    organisers: tuple[PlayerId, ...] = ()
    changes: tuple[Changed, ...] = ()
    """The oldest first."""
    scale: Scale | Literal[""] = ""
    """That of the points so far; empty while nothing says which."""
    made_at: int = 0
    ended_at: int = 0
    """When an organiser ended it before its time; 0 if nobody did."""
    organises: bool = False
    """Whether you are an organiser."""
    plays: bool = False
    """Whether you may race."""
    ref: Ref = 0


class Seasons(msgspec.Struct, frozen=True, tag="seasons", omit_defaults=True):
    """Your seasons: those that run, then those to come, then those that are over."""

    seasons: tuple[SeasonInfo, ...] = ()
    ref: Ref = 0


class Alike(msgspec.Struct, frozen=True, tag="alike", omit_defaults=True):
    """Which attempts of a season are suspiciously alike; before that, how much is computed."""

    season: str
    done: int
    of: int
    """``done`` is ``of`` in the last of these messages, which has the pairs."""
    pairs: tuple[AlikePair, ...] = ()
    """The most alike first."""
    ref: Ref = 0
    compared: int = 0
    """How many pairs of players raced the same deals."""
    one_in: int = 0
    """Of so many pairs who know nothing of each other, about one is told by chance."""


class Webhook(msgspec.Struct, frozen=True, tag="webhook", omit_defaults=True):
    """Where a season's news are sent from now on."""

    season: str
    url: str = ""
    secret: str = ""
    """The key of the signatures. It is told in this answer and never again."""
    ref: Ref = 0


class Challenges(msgspec.Struct, frozen=True, tag="challenges", omit_defaults=True):
    """The challenges that concern you, the latest first.

    If Hello said ``challenges``, also sent when somebody challenges you, or answers you.
    """

    received: tuple[ChallengeInfo, ...] = ()
    """Those that wait for your answer, and those that you have accepted within a day."""
    sent: tuple[ChallengeInfo, ...] = ()
    """Yours, for a day after they were declined or have expired."""
    ref: Ref = 0


ServerMessage = (
    Welcome
    | Room
    | Snapshot
    | Diff
    | Refused
    | Progress
    | Standings
    | Reveal
    | Record
    | Leaderboard
    | Profile
    | Groups
    | Games
    | Races
    | Curves
    | Reason
    | Left
    | Link
    | Announcement
    | Elsewhere
    | Pong
    | Hint
    | Analysis
    | Cheers
    | Tied
    | LoggedOut
    | Season
    | Seasons
    | Alike
    | Webhook
    | Challenges
)
