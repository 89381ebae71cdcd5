"""Answers requests about boards, profiles and races in short."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import product
from typing import Final, TypeVar

import msgspec

import bigben_protocol as wire
from bigben_protocol import HOUSE_PLAYERS, GetLeaderboard, GetProfile, PlayerId, RaceId
from bigben_protocol.sentence import sentence
from bigben_server.leaderboards.past_races import latest
from bigben_server.race import daily, lobby, views
from bigben_server.race.daily import today
from bigben_server.race.events import Closed, Player, Refusal, RoomEvent, Voided
from bigben_server.race.state import Race
from bigben_server.scoring import form, profiles
from bigben_server.scoring.boards import asked_for
from bigben_server.scoring.results import (
    DELETED,
    DELETED_PREFIX,
    GUESTS,
    Ranked,
    divisions_of,
)
from bigben_server.sharing.turns import Turns
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Damaged, reading
from bigben_server.storage.forms import ratings_by_week
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.tasks import all_set

_AT_ONCE: Final = 16
"""Reads under way. The pipelines that are left are for what the server itself has to do."""
_EACH: Final = 8
"""Of them for one address, or player of another issuer."""
MOST_WAITING: Final = 1_000
_MOST_WITH_FORM: Final = 20
"""Rows with fourteen days each, so that they cost no more than the longest page without."""
_FULL: Final = sentence("server.full")
_Row = TypeVar("_Row", wire.Standing, wire.Ranked)
_TAIL = 4
"""How many characters of an id distinguish players with the same name."""


def _turns() -> Turns:
    """The turns to ask the store, of one server process. No move waits for them."""
    return Turns(at_once=_AT_ONCE, each=_EACH, most_waiting=MOST_WAITING, full=_FULL)


@dataclass(eq=False)
class Queries:
    """Answers requests. ``asker`` is empty for a request without a login."""

    store: Store
    clock: Callable[[], int]
    ranked: Ranked = "all"
    recording: Collection[asyncio.Event] = ()
    """Answers wait for these: see ``Recorder.under_way``."""
    boards: Boards | None = None
    """Those that the recorder writes, so that what it has recorded is shown; None for others."""
    reads: Turns = field(default_factory=_turns)
    """Have a turn when you ask."""

    def __post_init__(self) -> None:
        self._boards = self.boards or Boards(self.store, self.ranked)
        self._people = People(self.store)

    async def leaderboard(self, asker: str, wanted: GetLeaderboard) -> wire.Leaderboard:
        """A page of a board, with every result that was acknowledged here.

        Raises Refusal, and StoreLost.
        """
        await all_set(self.recording)
        board, start = asked_for(wanted, self.clock()), wanted.start
        most = _MOST_WITH_FORM if wanted.form else wanted.count
        last = board.day or today(self.clock())
        page = await self._boards.page(
            *(board, start, min(wanted.count, most), asker),
            around=wanted.around,
            form_on=last if wanted.form else None,
            only=wanted.only[:_MOST_WITH_FORM] if wanted.form else wanted.only,
        )
        if page is not None:
            return _with_names(msgspec.structs.replace(page, ref=wanted.ref))
        if wanted.group == GUESTS:
            raise Refusal("board", sentence("board.guests"))
        text = sentence("group.unknown", group=repr(wanted.group[:40]))
        raise Refusal("unknown", text)

    async def profile(
        self, asker: PlayerId, wanted: GetProfile, *, own_name: str = ""
    ) -> wire.Profile:
        """Raises Refusal, and StoreLost. ``own_name``: the asker's, who may have no result yet."""
        await all_set(self.recording)
        player, other = await self._accounts(PlayerId(wanted.player) or asker, wanted.against)
        everyone = [player, other] if other else [player]
        histories = await self._boards.histories(*everyone)
        names = await self._people.names(everyone)
        void = await Ledger(self.store).voided()
        for who, history, name in zip(everyone, histories, names, strict=True):
            if not (history or name or who == asker):
                shown = "".join(filter(str.isprintable, who[:40]))
                raise Refusal("unknown", sentence("board.no_player", player=shown))
        pools = {(entry.game, entry.rules) for entry in histories[0]}
        day = today(self.clock())
        ratings = await self._boards.ratings(player, pools)
        tallies = profiles.tallies(histories[0], ratings, day, void)
        past: tuple[wire.PastRace, ...] = ()
        if wanted.form:
            rated = product(ratings, divisions_of(player, self.ranked))
            by_week = await ratings_by_week(self.store, player, rated, form.weeks_to(day))
            tallies = form.added(tallies, histories[0], ratings, by_week, day)
            own = player == asker
            past = await latest(self._boards, player, histories[0], rooms_too=own)
        against = None
        if other:
            mine, theirs = histories
            against = profiles.head_to_head(mine, theirs, other, called(other, names[1]))
        return wire.Profile(
            player,
            called(player, names[0] or (own_name if player == asker else "")),
            tallies,
            against,
            wanted.ref,
            profiles.weeks(histories[0]),
            past,
        )

    async def _accounts(self, *players: str) -> list[PlayerId]:
        """The players, with their accounts in the place of those who are tied."""
        aliases = await Aliases(self.store).of([PlayerId(player) for player in players])
        return [PlayerId(a.account if a else who) for who, a in zip(players, aliases, strict=True)]

    async def races(self, player: Player, ref: int) -> wire.Races:
        """The races that a player has a seat in and that are not closed, also under tied ids.

        A house player sees the rooms first that wait for their start, and no game that is over.
        Raises StoreLost.
        """
        found = [info for who in (player.id, *player.tied) for info in await self._races(who)]
        if player.id in HOUSE_PLAYERS:
            found.sort(key=lambda info: info.phase != "open")
        return wire.Races(tuple(found), ref)

    async def _races(self, player: PlayerId) -> list[wire.RaceInfo]:
        listed, found, over = await self._people.open_races(player), list[wire.RaceInfo](), []
        for race in listed:
            try:
                info = await self._info(race, player)
            except Damaged as damaged:
                self.store.report(damaged)
                continue
            if info and info.state and info.phase not in ("closed", "cancelled"):
                found.append(info)
            else:
                over.append(race)
        await self._people.forget_races(over, [player])
        return found

    async def race(self, name: str) -> wire.RaceInfo:
        """The race in short for anybody who has this name of it, which may be an invitation.

        Raises Refusal, StoreLost and Damaged.
        """
        if daily.is_daily(name):
            code, invite = daily.daily_named(name, self.clock()).id, ""
        else:
            code, invite = lobby.code_named(name), lobby.invite_named(name)
        if info := await self._info(code, invite=invite):
            return info
        raise lobby.unknown(code)

    async def _info(
        self, code: RaceId, player: PlayerId | None = None, *, invite: str = ""
    ) -> wire.RaceInfo | None:
        """The race as the store has it; None if there is none, or if only its player may see it.

        ``player`` has a seat, as far as is known. Raises Refusal, StoreLost and Damaged.
        """
        now = self.clock()
        if daily.is_daily(code):
            return await self._daily(code, player, now)
        events = await self.store.events(code)
        if not events:
            return None
        with reading(self.store.keys.log(code)):
            race = Race(code, events)
        if player and player in race.seats:
            for status in (await self.store.statuses(code, [player])).values():
                race.take_status(player, status)
            return views.info(race, now, player)
        if race.opened.kind == "practice":
            return None
        if invite:
            lobby.check_invite(race.opened, invite)
        return views.info(race, now, invited=bool(invite) or not race.opened.invite)

    async def _daily(self, code: RaceId, player: PlayerId | None, now: int) -> wire.RaceInfo | None:
        """A daily, whose log may be too long to be read for each who asks.

        Today's has no events until a process opens it. All others are those of seats, but Closed.
        """
        first = daily.opened(daily.daily_named(code, now), b"")
        found = await self._people.end_of_daily(code)
        if found is None and not daily.is_today(code, now):
            return None
        count, last = found or (1, first)
        ends: list[RoomEvent] = [last] if isinstance(last, Closed) else []
        if isinstance(last, Voided):
            ends = [Closed(last.at), last]
        with reading(self.store.keys.log(code)):
            info = views.info(Race(code, [first, *ends]), now)
        state: wire.State | None = None
        if player:
            statuses = await self.store.statuses(code, [player])
            state = statuses[player].state if player in statuses else "joined"
        return msgspec.structs.replace(info, players=count - 1 - len(ends), state=state)


def _with_names(page: wire.Leaderboard) -> wire.Leaderboard:
    """The page with names that tell its players apart."""
    shown = (*page.rows, page.mine, *page.ranked, page.my_rank)
    rows = {row.player: called(row.player, row.name) for row in shown if row}
    names = told_apart(rows)

    def named(row: _Row) -> _Row:
        return msgspec.structs.replace(row, name=names[row.player])

    return msgspec.structs.replace(
        page,
        rows=tuple(map(named, page.rows)),
        mine=page.mine and named(page.mine),
        ranked=tuple(map(named, page.ranked)),
        my_rank=page.my_rank and named(page.my_rank),
    )


def called(player: PlayerId, name: str) -> str:
    """What a player with this name, or without one, is called."""
    return DELETED if player.startswith(DELETED_PREFIX) else name or player


def told_apart(names: dict[PlayerId, str]) -> dict[PlayerId, str]:
    """The names on one page. Players with the same name get the ends of their ids.

    >>> told_apart({PlayerId("guest:9f3a"): "Ada", PlayerId("guest:04bb"): "Ada"})
    {'guest:9f3a': 'Ada (9f3a)', 'guest:04bb': 'Ada (04bb)'}
    """
    alike = Counter(name.casefold() for name in names.values())
    return {
        player: f"{name} ({player[-_TAIL:]})" if alike[name.casefold()] > 1 else name
        for player, name in names.items()
    }
