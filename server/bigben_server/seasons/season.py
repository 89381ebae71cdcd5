"""A season as the fold of its log, and what organisers and members may change of it.

The log begins with ``Made``. An event that is appended must be stored as the next one of the
log; if the store refuses it, the season must be read again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hmac import digest
from typing import Final

import msgspec

from bigben_protocol import Create, Grade, PlayerId, RaceId, Rules
from bigben_protocol.board_types import GroupId
from bigben_protocol.seasons import (
    AddMember,
    Change,
    ChangeWeek,
    EndSeason,
    LeaveSeason,
    NameOrganiser,
    Plan,
    PutBack,
    Replan,
    SeasonPhase,
    TakeOut,
    VoidWeek,
)
from bigben_protocol.sentence import sentence
from bigben_rules import commitment
from bigben_server.race import choosing
from bigben_server.race.daily import rules_named
from bigben_server.race.events import Opened, Refusal
from bigben_server.race.weeks import WEEK
from bigben_server.seasons.plan import Window, check_window, checked

ENDED: Final = "The season was ended."
"""Why a week counts for nothing that was to come, if its organiser gave no reason."""
OPENING_MS: Final = 10_000
"""So long before a week opens it is not changed any more: another server may be ahead."""
MOST_CHANGES: Final = 500
"""The most entries of a season's log that changes make."""
MOST_ORGANISERS: Final = 10
MOST_ADDED: Final = 250
MOST_DEALS: Final = 9
"""The most deals that a week can have, of which only the last counts."""


class Made(msgspec.Struct, frozen=True, tag="made"):
    """Always the first entry."""

    group: GroupId
    plan: Plan
    by: PlayerId
    name: str
    """That of the maker."""
    at: int
    secret: str
    """64 hex digits, from which the seeds of all weeks follow; never told."""
    windows: tuple[Window, ...]
    """When the weeks of the plan are open: they stay, whatever becomes of summer time."""


class Logged(msgspec.Struct, frozen=True, tag="changed", omit_defaults=True):
    """Somebody has changed the season."""

    change: Change
    by: PlayerId
    name: str
    at: int
    about: str = ""
    """The name of the player whom the change is about."""
    windows: tuple[Window, ...] = ()
    """Those of another plan."""


Event = Made | Logged


@dataclass(slots=True)
class Week:
    """A week, with the deal of it that counts."""

    number: int
    opens_at: int
    closes_at: int
    game: str
    rules: str
    grade: Grade
    limit_ms: int
    deal: int = 1
    void: str = ""
    """Why it counts for nothing."""
    out: dict[PlayerId, str] = field(default_factory=dict)
    """The players whose results were taken out, and why."""

    def is_open(self, now: int) -> bool:
        return self.opens_at <= now < self.closes_at


class Season:
    """The fold of a season's log."""

    def __init__(self, season: str, log: Iterable[Event]) -> None:
        first, *others = log
        assert isinstance(first, Made), "a season's first event is Made"
        self.id = season
        self.made = first
        self.plan = first.plan
        self.weeks: list[Week] = []
        self.organisers: dict[PlayerId, None] = {first.by: None}
        self.added: dict[PlayerId, str] = {}
        """Players who may race though they are not in the group, with their names."""
        self.left: dict[PlayerId, int] = {}
        """Who has left, and when: a later result brings them back."""
        self.ended_at = 0
        self.has_begun = False
        """A deal was open, or as good as open, that another has replaced since."""
        self.changes: list[Logged] = []
        self._replan(first.plan, first.windows)
        for event in others:
            self.fold(event)

    # What it is

    def phase(self, now: int) -> SeasonPhase:
        if now >= max((week.closes_at for week in self.weeks), default=0):
            return "over"
        has_begun = self.has_begun or now >= min(week.opens_at for week in self.weeks)
        return "running" if has_begun else "to come"

    def race_id(self, week: Week) -> RaceId:
        """The race of a week: ``week.K7QPXM2A.3``, or ``week.K7QPXM2A.3.2`` for its second deal."""
        again = f".{week.deal}" if week.deal > 1 else ""
        return RaceId(f"{WEEK}.{self.id}.{week.number}{again}")

    def opened(self, week: Week) -> Opened:
        """The first event of a week's race, the same from every process. Its deal is not chosen."""
        secret = bytes.fromhex(self.made.secret)
        seed = digest(secret, self.race_id(week).encode(), "sha256").hex()
        is_graded = bool(week.grade)
        rules = Rules(week.game, week.rules, week.limit_ms, winnable=is_graded, grade=week.grade)
        return Opened("deadline", rules, seed, week.opens_at, closes_at=week.closes_at)

    def commitment(self, week: Week) -> str:
        """What binds the server to the deal of a week, before it is opened too."""
        return commitment(bytes.fromhex(self.opened(week).server_seed))

    def next_at(self, now: int) -> int:
        """When a week opens or closes next, ms since 1970; 0 for never."""
        times = (at for week in self.weeks for at in (week.opens_at, week.closes_at) if at > now)
        return min(times, default=0)

    # What changes it

    def decide(self, change: Change, by: PlayerId, now: int) -> Change:
        """The change as it is logged. Raises Refusal if it can't be made now, or not by them.

        Whom it is about must be looked up before.
        """
        if isinstance(change, LeaveSeason):
            # Once a week at most: so often a result can bring somebody back.
            opened = (week.opens_at for week in self.weeks if week.opens_at <= now)
            if self.left.get(by, 0) >= max(opened, default=1):
                raise Refusal("phase", sentence("season.left"))
            return change
        if by not in self.organisers:
            raise Refusal("seat", sentence("season.organisers"))
        if sum(not isinstance(one.change, LeaveSeason) for one in self.changes) >= MOST_CHANGES:
            raise Refusal("limit", sentence("season.changes", most=MOST_CHANGES))
        match change:
            case Replan(plan):
                if self.phase(now + OPENING_MS) != "to come":
                    raise Refusal("phase", sentence("season.begun"))
                return Replan(checked(plan, now))
            case ChangeWeek():
                return self._changed(self._week(change.week), change, now)
            case VoidWeek():
                self._check_void(self._week(change.week), change, now)
            case TakeOut(number, _, reason):
                _check_reason(reason)
                if now < self._week(number).opens_at:
                    raise Refusal("phase", sentence("season.not_open", week=number))
            case PutBack(number, player):
                if player not in self._week(number).out:
                    raise Refusal("phase", sentence("season.not_out"))
            case AddMember():
                if len(self.added) >= MOST_ADDED:
                    raise Refusal("limit", sentence("season.added", most=MOST_ADDED))
            case NameOrganiser(player, no_more):
                self._check_organisers(PlayerId(player), no_more=no_more)
            case EndSeason():
                if self.phase(now) == "over" or self.ended_at:
                    raise Refusal("phase", sentence("season.over"))
        return change

    def fold(self, event: Event) -> None:
        """Take an event that is stored."""
        assert isinstance(event, Logged), "a season is made once"
        self.changes.append(event)
        match event.change:
            case Replan(plan):
                self._replan(plan, event.windows)
            case ChangeWeek() as changed:
                self._set(self.weeks[changed.week - 1], changed)
            case VoidWeek(number, reason, opens_at, closes_at):
                week = self.weeks[number - 1]
                week.void = reason
                if opens_at:
                    self.has_begun = self.has_begun or event.at + OPENING_MS >= week.opens_at
                    week.deal, week.void, week.out = week.deal + 1, "", {}
                    week.opens_at, week.closes_at = opens_at, closes_at
            case TakeOut(number, player, reason):
                self.weeks[number - 1].out[PlayerId(player)] = reason
            case PutBack(number, player):
                self.weeks[number - 1].out.pop(PlayerId(player), None)
            case AddMember(player):
                self.added[PlayerId(player)] = event.about
            case NameOrganiser(player, no_more):
                if no_more:
                    self.organisers.pop(PlayerId(player), None)
                else:
                    self.organisers[PlayerId(player)] = None
            case LeaveSeason():
                self.left[event.by] = event.at
            case EndSeason(reason):
                self._end(event.at, reason)

    def _replan(self, plan: Plan, windows: Iterable[Window]) -> None:
        self.plan = plan
        self.weeks = [
            Week(n, *at, plan.game, plan.rules, plan.grade, plan.limit_ms)
            for n, at in enumerate(windows, start=1)
        ]

    def _end(self, at: int, reason: str) -> None:
        """Forget the weeks after the last one that was open; others to come count for nothing."""
        self.ended_at = at
        was_open = (week.number for week in self.weeks if week.opens_at <= at or week.deal > 1)
        self.weeks = self.weeks[: max(was_open, default=0)]
        for week in self.weeks:
            if week.opens_at > at:
                week.void = week.void or reason or ENDED

    def _set(self, week: Week, changed: ChangeWeek) -> None:
        week.opens_at = changed.opens_at or week.opens_at
        week.closes_at = changed.closes_at or week.closes_at
        week.game, week.rules = changed.game or week.game, changed.rules or week.rules
        week.grade = week.grade if changed.grade is None else changed.grade
        week.limit_ms = changed.limit_ms or week.limit_ms

    def _week(self, number: int) -> Week:
        if not 1 <= number <= len(self.weeks):
            raise Refusal("unknown", sentence("season.no_week", week=number))
        return self.weeks[number - 1]

    def _changed(self, week: Week, change: ChangeWeek, now: int) -> ChangeWeek:
        """With times and rules filled in. Raises Refusal."""
        if now + OPENING_MS >= week.opens_at:
            raise Refusal("phase", sentence("season.open"))
        game = change.game or week.game
        rules = change.rules or (week.rules if game == week.game else "standard")
        rules = rules_named(game, rules, "rules")
        grade = week.grade if change.grade is None else change.grade
        choosing.asked(Create(game, rules, grade=grade))
        window = Window(change.opens_at or week.opens_at, change.closes_at or week.closes_at)
        self._check_between(week, window, now)
        limit = change.limit_ms or week.limit_ms
        return ChangeWeek(week.number, *window, game, rules, change.grade, limit)

    def _check_between(self, week: Week, window: Window, now: int) -> None:
        """Raises Refusal for times that are not between the weeks beside it.

        Another deal of a week may be open at any time, together with other weeks.
        """
        check_window(window, now)
        if week.deal > 1:
            return
        firsts = [one for one in self.weeks if one.deal == 1]
        if any(one.closes_at > window.opens_at for one in firsts if one.number < week.number):
            raise Refusal("rules", sentence("season.too_early"))
        if any(one.opens_at < window.closes_at for one in firsts if one.number > week.number):
            raise Refusal("rules", sentence("season.too_late"))

    def _check_void(self, week: Week, change: VoidWeek, now: int) -> None:
        """Raises Refusal."""
        _check_reason(change.reason)
        if change.opens_at and week.deal >= MOST_DEALS:
            raise Refusal("limit", sentence("season.deals", most=MOST_DEALS))
        if change.opens_at:
            check_window(Window(change.opens_at, change.closes_at), now)

    def _check_organisers(self, player: PlayerId, *, no_more: bool) -> None:
        if no_more and (player not in self.organisers or len(self.organisers) == 1):
            raise Refusal("phase", sentence("season.last_organiser"))
        if not no_more and len(self.organisers) >= MOST_ORGANISERS:
            raise Refusal("limit", sentence("season.most_organisers", most=MOST_ORGANISERS))


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refusal("rules", sentence("season.reason"))
