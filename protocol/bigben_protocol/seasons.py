"""The types of a club's season: its plan, its weeks, its table, and what organisers change."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from bigben_protocol.board_types import GroupId, Player
from bigben_protocol.types import Grade, Name, PlayerId, State

SeasonId = Annotated[str, Meta(max_length=16)]
"""Eight letters, such as ``K7QPXM2A``. Anybody who has them can look at the season."""

Reason = Annotated[str, Meta(max_length=200)]
"""A few words for all members."""

Number = Annotated[int, Meta(ge=1, le=26)]
"""Of a week: 1 is the first."""

At = Annotated[int, Meta(ge=0, le=2**53)]
"""ms since 1970."""

Moment = Annotated[
    str, Meta(pattern=r"^(mon|tue|wed|thu|fri|sat|sun) ([01][0-9]|2[0-3]):[0-5][0-9](?!\n)$")
]
"""A time in the week by the season's clock: ``fri 18:00``."""

Scale = Literal["place", "share"]
"""What a result of a week is worth: 12, 10, 8, 6, 5, 4, 3, 2, 1 by place, or a hundred times the
share of the others that one came before. Players who are level share the mean."""

SeasonPhase = Literal["to come", "running", "over"]

PLACES: Final = (12, 10, 8, 6, 5, 4, 3, 2, 1)
"""The points of the places, from the first one on."""
MOST_BY_PLACE: Final = 12
"""If more than so many play in the first week, points are by share unless the plan says."""
POINT: Final = 100
"""Points are told in hundredths, so that all sums are exact."""


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a season is. Until its first week opens organisers may change it."""

    name: Name
    first_day: Annotated[str, Meta(max_length=10)]
    """``2026-10-02``: the first week opens at the first such time on this day or after it."""
    weeks: Number = 8
    zone: Annotated[str, Meta(max_length=64)] = "UTC"
    """The clock of the season: ``Europe/Berlin``."""
    opens: Moment = "fri 18:00"
    closes: Moment = "mon 18:00"
    """The first such time after a week has opened. Equal times make weeks of seven days."""
    counted: Annotated[int, Meta(ge=0, le=26)] = 0
    """How many results of each player count, the best ones; 0 for all but two, and at least one."""
    game: Annotated[str, Meta(max_length=32)] = "bigben"
    rules: Annotated[str, Meta(max_length=64)] = "standard"
    grade: Grade = ""
    """The deals are winnable and of this grade; empty for any deal."""
    limit_ms: Annotated[int, Meta(ge=60_000, le=86_400_000)] = 3_600_000
    """The time that a player has on their own clock."""
    scale: Scale | Literal[""] = ""
    """Empty: by place, unless more than twelve play in the first week."""
    verified: bool = False
    """Only players whom another issuer than this server knows may play, and no guests."""


# What organisers change, and members: as it is sent, stored and listed.


class Replan(msgspec.Struct, frozen=True, tag="replan"):
    """Change the plan, before the first week opens."""

    plan: Plan


class ChangeWeek(msgspec.Struct, frozen=True, tag="week", omit_defaults=True):
    """Move a week or change what it plays, before it opens. What is left out stays."""

    week: Number
    opens_at: At = 0
    closes_at: At = 0
    """At most seven days later."""
    game: Annotated[str, Meta(max_length=32)] = ""
    rules: Annotated[str, Meta(max_length=64)] = ""
    grade: Grade | None = None
    limit_ms: Annotated[int, Meta(ge=0, le=86_400_000)] = 0


class VoidWeek(msgspec.Struct, frozen=True, tag="void", omit_defaults=True):
    """Let a week count for nothing, whether it is over or not; with times, play another deal."""

    week: Number
    reason: Reason
    opens_at: At = 0
    """When the other deal opens; 0 for none."""
    closes_at: At = 0


class TakeOut(msgspec.Struct, frozen=True, tag="take-out"):
    """Take a player's result out of a week: the places close up."""

    week: Number
    player: Player
    reason: Reason


class PutBack(msgspec.Struct, frozen=True, tag="put-back"):
    """Let a result count again that was taken out."""

    week: Number
    player: Player
    reason: Reason = ""


class AddMember(msgspec.Struct, frozen=True, tag="add"):
    """Let a player race who is not in the group."""

    player: Player


class NameOrganiser(msgspec.Struct, frozen=True, tag="organiser", omit_defaults=True):
    """Make a player an organiser of the season, or ``no_more``. One organiser must stay."""

    player: Player
    no_more: bool = False


class LeaveSeason(msgspec.Struct, frozen=True, tag="leave"):
    """Leave the season, as any member: one's row goes, and the others' points stay as they are.

    Racing again brings the row back.
    """


class EndSeason(msgspec.Struct, frozen=True, tag="end"):
    """Open no more weeks. An open week is played to its close."""

    reason: Reason = ""


Change = (
    Replan
    | ChangeWeek
    | VoidWeek
    | TakeOut
    | PutBack
    | AddMember
    | NameOrganiser
    | LeaveSeason
    | EndSeason
)


class Changed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One change of a season, for all who look at it."""

    at: int
    by: str
    """The name of the player who made it."""
    change: Change
    about: str = ""
    """The name of the player whom it concerns."""


# How a season stands


class WeekResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's result of a week."""

    player: PlayerId
    place: int
    """That of the receipt, without the results that were taken out; 0 if this one was."""
    points: int
    """In hundredths."""
    state: State
    home: int = 0
    home_ms: int = 0
    out: str = ""
    """Why it was taken out."""


class SeasonWeek(msgspec.Struct, frozen=True, omit_defaults=True):
    """A week of a season, the latest deal of it."""

    number: int
    opens_at: int
    closes_at: int
    phase: Literal["to come", "open", "closed", "void", "missed"]
    """``missed``: no server was there to open it."""
    race: str = ""
    """Once it is open: ``week.K7QPXM2A.3``, or ``week.K7QPXM2A.3.2`` for a second deal."""
    commitment: str = ""
    """What binds the server to the deal from the day on which the week was planned."""
    game: str = "bigben"
    rules: str = "standard"
    grade: Grade = ""
    limit_ms: int = 3_600_000
    void: str = ""
    """Why it counts for nothing."""
    results: tuple[WeekResult, ...] = ()
    """The best first. Of an open week those whose game is over; their places may still change."""


class SeasonRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player in the table of a season."""

    player: PlayerId
    name: str
    place: int = 0
    """Equal totals share a place; 0 without a result."""
    total: int = 0
    """Of the results that count, in hundredths."""
    points: tuple[int, ...] = ()
    """By week, in hundredths; -1 for none."""
    struck: tuple[int, ...] = ()
    """The numbers of the weeks whose results don't count, because others are better."""
    moved: int = 0
    """How many places up by the latest week that has results; less than 0 for down."""
    new: bool = False
    """The player had no place without that week."""


class SeasonInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A season in a list."""

    season: str
    name: str
    group: GroupId
    phase: SeasonPhase
    week: int = 0
    """The week that is open, or is next; 0 if none is."""
    opens_at: int = 0
    closes_at: int = 0
    """Of that week."""
    race: str = ""
    """Of that week, once it is open."""


class AlikeChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice that speaks for two attempts being alike."""

    week: int
    player: PlayerId
    """Whose move it is: of the attempt that began later."""
    n: int
    """The number of the move."""
    move: str


class AlikePair(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two players of a season whose attempts are suspiciously alike. It accuses nobody."""

    players: tuple[PlayerId, PlayerId]
    """If cards were foreseen, first the player who seems to have known them. The other one is empty
    if several players' attempts explain it."""
    names: tuple[str, str]
    weeks: tuple[int, ...]
    """In which both raced the same deal."""
    kind: Literal["copied", "foreseen"] = "copied"
    """``copied``: unusual choices of the one are those of the other. ``foreseen``: choices are good
    for somebody who knows cards that only the earlier attempt had turned."""
    score: int = 0
    """In percent of the limit, which ``Alike.one_in`` explains."""
    choices: tuple[AlikeChoice, ...] = ()
    """What says most, first; at most five."""
    explained_by: int = 1
    """How many players' attempts explain it equally well."""
