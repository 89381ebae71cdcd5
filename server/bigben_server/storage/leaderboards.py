"""Results and boards in Redis.

A result is written once, and then put on boards, which is idempotent. Every method raises StoreLost
if Redis fails.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import chain, islice
from typing import Any, Final

import msgspec

import bigben_protocol as wire
from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import SeatStatus
from bigben_server.race.ranking import pack
from bigben_server.scoring.boards import Board, boards_of
from bigben_server.scoring.profiles import HistoryEntry, Pool, read_entry, write_entry
from bigben_server.scoring.ratings import Rating, read_rating
from bigben_server.scoring.results import (
    PEOPLE,
    Finish,
    RaceSummary,
    Ranked,
    Result,
    divisions_of,
    is_bot,
    is_division,
)
from bigben_server.sharing.once import Once
from bigben_server.storage.aliases import Aliases, read_tied
from bigben_server.storage.client import (
    Connection,
    Damaged,
    Stored,
    chunks,
    read_each,
    reading,
    script,
    sound,
)
from bigben_server.storage.entries import status_in
from bigben_server.storage.exchange import Command
from bigben_server.storage.forms import Forms
from bigben_server.storage.keys import BOT, RACED, groups_in, race_of
from bigben_server.storage.log_reading import Part, read_logs

AT_ONCE: Final = 500
"""The most results in one pipeline; more would delay other commands."""

FRESH_S: Final = 1.0
"""How long a page is shown again without asking Redis."""
_MOST_PAGES: Final = 500

_results = msgspec.json.Decoder(Result)
_summaries = msgspec.json.Decoder(RaceSummary)
write: Final = msgspec.json.Encoder().encode
"""A result or a race as it is stored."""


@dataclass(slots=True, eq=False)
class Boards(Stored):
    """Results and boards, through pipelines."""

    ranked: Ranked = "all"
    fresh_s: float = 0.0
    """How old a page may be. What is recorded here is on every page from then on; what others have
    changed is seen later by as much."""
    _pages: Once[tuple[object, ...], wire.Leaderboard | None] = field(init=False)
    _aliases: Aliases = field(init=False)

    def __post_init__(self) -> None:
        self._aliases = Aliases(self.store)
        self._pages = Once(_MOST_PAGES, for_s=self.fresh_s)

    async def record(self, finishes: Sequence[Finish]) -> None:
        """Record how seats ended, and put the results on daily boards. Idempotent.

        A result counts for the groups that its player is in when it is first recorded. Results that
        were recorded before and can't be read are reported, and come to no board.
        """
        for each in chunks(finishes, AT_ONCE):
            some, void = await self._looked_up(each)
            about = await self.store.ask(
                *(("HGETALL", self.keys.player(one.counts_for)) for one in some)
            )
            commands: list[Command] = []
            for (race, summary, player, name, result, _), known in zip(some, about, strict=True):
                key, groups = self.keys.results(race), tuple(sorted(groups_in(known)))
                bot = is_bot(player) or BOT in known
                kept = msgspec.structs.replace(result, groups=groups, bot=bot)
                commands += [
                    ("HSETNX", key, RACED, write(summary)),
                    ("HSETNX", key, player, write(kept)),
                    ("HSETNX", self.keys.names, player, name),
                    ("HGET", key, player),
                ]
            written = (await self.store.ask(*commands))[3::4]
            recorded: list[Finish] = []
            for one, text in zip(some, written, strict=True):
                try:
                    result = self._result(one.race, one.player, text)
                    if one.race not in void:
                        recorded.append(one._replace(result=result))
                except Damaged as damaged:
                    self.store.report(damaged)
            await self._place_recorded(recorded)

    async def _place_recorded(self, recorded: Sequence[Finish]) -> None:
        """Place those that count: not that of a tied player whose account has one in the race."""
        tied = [one for one in recorded if one.alias]
        keys = ((self.keys.results(one.race), one.counts_for) for one in tied)
        has_own = await self.store.ask(*(("HEXISTS", *key) for key in keys))
        counts_not = {one for one, own in zip(tied, has_own, strict=True) if own}
        placed = [one for one in recorded if one not in counts_not]
        await self.place(placed)
        # Again: one that became void in between, or whose player was tied, would stay on boards.
        again, void = await self._looked_up(placed)
        both = [*zip(placed, again, strict=True)]
        await self.displace([one for one, now in both if one.race in void or one != now])
        if tied := [now for one, now in both if one != now and one.race not in void]:
            await self._place_recorded(tied)

    async def _looked_up(self, finishes: Sequence[Finish]) -> tuple[list[Finish], set[RaceId]]:
        """These results with the aliases of their players, and the void races among theirs."""
        races = list({one.race for one in finishes})
        players = {one.player for one in finishes}
        found = await self.store.ask(
            *(("HEXISTS", self.keys.void, race) for race in races),
            *(("HEXISTS", self.keys.aliases, player) for player in players),
        )
        void = {race for race, is_void in zip(races, found, strict=False) if is_void}
        if any(found[len(races) :]):
            return await self._aliases.counted_for(finishes), void
        return [one._replace(alias=None) for one in finishes], void

    async def displace(self, recorded: Sequence[Finish]) -> None:
        """Take results of void races off the day's boards and out of their players' histories."""
        for some in chunks(recorded, AT_ONCE):
            commands: list[Command] = []
            for one in some:
                boards, who = boards_of(one, self.ranked, "key"), one.counts_for
                commands += [("ZREM", self.keys.board(board.name), who) for board in boards]
                commands.append(("HDEL", self.keys.history(who), one.race))
            await self.store.ask(*commands)
            self._pages.clear()

    async def place(self, recorded: Sequence[Finish]) -> None:
        """Put results that are recorded on the day's boards and into their players' histories."""
        for some in chunks(recorded, AT_ONCE):
            scores: dict[str, list[str | int]] = {}
            commands: list[Command] = []
            for one in some:
                for board in boards_of(one, self.ranked, "key"):
                    score = (pack(one.key), one.counts_for)
                    scores.setdefault(self.keys.board(board.name), []).extend(score)
                history = self.keys.history(one.counts_for)
                commands.append(("HSET", history, one.race, write_entry(one)))
            commands += [("ZADD", key, *pairs) for key, pairs in scores.items()]
            await self.store.ask(*commands)
            self._pages.clear()

    async def results(self, race: RaceId, *, closed: bool = False) -> list[Finish]:
        """All that is recorded of a race. Raises Damaged, also if a closed race has nothing."""
        (found,) = await self.results_of([race], closed=closed)
        if isinstance(found, Damaged):
            raise found
        return found

    async def results_of_player(
        self, player: PlayerId, tied: Sequence[PlayerId] = ()
    ) -> list[Finish]:
        """All results in the player's history. Those that can't be read are reported.

        ``tied``: who is tied to the player. Raises Damaged if the history can't be read.
        """
        (history,) = await self.histories(player)
        races, same, found = [entry.race for entry in history], (player, *tied), list[Finish]()
        for some in chunks(races, AT_ONCE):
            asked = (("HMGET", self.keys.results(race), RACED, *same) for race in some)
            for race, (raced, *texts) in zip(some, await self.store.ask(*asked), strict=True):
                theirs = {who.encode(): text for who, text in zip(same, texts, strict=True) if text}
                if raced and theirs:
                    with suppress(Damaged):
                        kept = {RACED.encode(): raced, **theirs}
                        found += self._finishes(race, kept, closed=True)
        return found

    async def sizes_of(self, races: Sequence[RaceId]) -> list[int]:
        """How many results each of these races has; 0 if they can't be read. Raises StoreLost."""
        sizes = await self.store.ask_each(*(("HLEN", self.keys.results(race)) for race in races))
        return [size if isinstance(size, int) else 0 for size in sizes]

    async def results_of(
        self, races: Sequence[RaceId], *, closed: bool = False
    ) -> list[list[Finish] | Damaged]:
        """The same of several races in one pipeline; Damaged for one that can't be read."""
        keys = [self.keys.results(race) for race in races]
        found = read_each(
            keys,
            await self.store.ask_each(*(("HGETALL", key) for key in keys)),
            lambda key, found: self._finishes(race_of(key), found, closed=closed),
        )
        sound = (each for each in found if not isinstance(each, Damaged))
        known = iter(await self._aliases.counted_for([*chain(*sound)]))
        return [
            each if isinstance(each, Damaged) else [*islice(known, len(each))] for each in found
        ]

    def _finishes(self, race: RaceId, found: dict[bytes, bytes], *, closed: bool) -> list[Finish]:
        """What the hash of a race's results says. Raises Damaged."""
        raced = found.pop(RACED.encode(), None)
        if raced is None and closed:
            raise Damaged(self.keys.results(race), "the race is closed and has no results")
        if raced is None:
            return []
        with reading(f"{self.keys.results(race)} {RACED}"):
            summary = _summaries.decode(raced)
        texts = ((PlayerId(player.decode()), text) for player, text in found.items())
        return [
            Finish(race, summary, who, "", self._result(race, who, text)) for who, text in texts
        ]

    async def page(
        self,
        board: Board,
        start: int,
        count: int,
        player: str,
        *,
        around: bool = False,
        form_on: date | None = None,
        only: tuple[str, ...] = (),
    ) -> wire.Leaderboard | None:
        """``count`` rows after the first ``start``, or those around ``player``, and their own row.

        Or the rows of ``only`` these players. With the form of all of them on the day ``form_on``.
        Names are as stored, maybe empty. None for the board of a group that does not exist.
        """
        asked = (board, start, count, player, around, form_on, only)
        return await self._pages.get(asked, lambda: self._page(*asked))

    async def _page(
        self,
        board: Board,
        start: int,
        count: int,
        player: str,
        around: bool,
        form_on: date | None,
        only: tuple[str, ...],
    ) -> wire.Leaderboard | None:
        commands: list[Command] = [
            (
                "EVAL",
                script("page"),
                1,
                self.keys.board(board.name),
                start,
                count,
                player,
                int(around),
                *only,
            )
        ]
        if not is_division(board.scope, self.ranked):
            commands.append(("EXISTS", self.keys.group(board.scope)))
        (total, start, found, mine), *exists = await self.store.ask(*commands)
        if exists == [0]:
            return None
        form = Forms(self.keys, board, self._division(board), form_on) if form_on else None
        rows, told = await self._rows(board, [*found, *mine], form)
        shown, own = rows[: len(found)], rows[-1] if mine else None
        page = wire.Leaderboard(
            board.name,
            total,
            tuple(row for row in shown if isinstance(row, wire.Standing)),
            start,
            own if isinstance(own, wire.Standing) else None,
            ranked=tuple(row for row in shown if isinstance(row, wire.Ranked)),
            my_rank=own if isinstance(own, wire.Ranked) else None,
        )
        players = [member for member, _, _ in (*found, *mine)]
        return form.added(page, players, told) if form else page

    def _division(self, board: Board) -> str:
        """The division whose players are on a board."""
        return board.scope if is_division(board.scope, self.ranked) else PEOPLE

    def forget_pages(self) -> None:
        """Show no page again without asking Redis."""
        self._pages.clear()

    async def histories(self, *players: PlayerId) -> list[list[HistoryEntry]]:
        """The results of each player. Raises Damaged."""
        histories: list[list[HistoryEntry]] = []
        for found in await self.histories_of(players):
            if isinstance(found, Damaged):
                raise found
            histories.append(found)
        return histories

    async def histories_of(self, players: Sequence[PlayerId]) -> list[list[HistoryEntry] | Damaged]:
        """The results of each player; Damaged for one whose history can't be read."""
        keys = [self.keys.history(player) for player in players]
        answers = await self.store.ask_each(*(("HGETALL", key) for key in keys))
        return read_each(keys, answers, lambda _, history: _entries(history))

    async def ratings(self, player: PlayerId, pools: Iterable[Pool]) -> dict[Pool, Rating]:
        """The ratings of a player in those games and rules in which they have one."""
        both = divisions_of(player, self.ranked)
        wanted = [(pool, division) for pool in pools for division in both]
        texts = await self.store.ask(
            *(("HGET", self.keys.ratings(*p, d), player) for p, d in wanted)
        )
        rated = ((pool, text) for (pool, _), text in zip(wanted, texts, strict=True) if text)
        return {pool: read_rating(text.decode()) for pool, text in rated}

    def _result(self, race: RaceId, player: PlayerId, text: bytes) -> Result:
        with reading(f"{self.keys.results(race)} {player}"):
            return _results.decode(text)

    async def _rows(
        self, board: Board, found: Sequence[tuple[bytes, bytes, int]], form: Forms | None
    ) -> tuple[list[wire.Standing | wire.Ranked | None], list[Any]]:
        """The rows of these members, scores and places, and what is stored of their form.

        None for players who are just being deleted, and for those whose result can't be read, which
        was reported when it was recorded.
        """
        if not found:
            return [], []
        players = [member for member, _, _ in found]
        commands: list[Command] = [("HMGET", self.keys.names, *players)]
        if board.order == "key":
            commands.append(("HMGET", self.keys.results(board.race), *players))
        elif board.order == "rating":
            ratings = self.keys.ratings(board.game, board.rules, self._division(board))
            commands.append(("HMGET", ratings, *players))
        answers = await self.store.ask(*commands, *(form.commands(players) if form else ()))
        (names, *more), told = answers[: len(commands)], answers[len(commands) :]
        texts = more[0] if more else [None] * len(players)
        if board.order == "key" and None in texts:
            texts = await self._with_tied(board.race, players, texts)
        return [_row(board, *each) for each in zip(found, names, texts, strict=True)], told

    async def _with_tied(
        self, race: RaceId, players: Sequence[bytes], texts: Sequence[bytes | None]
    ) -> list[bytes | None]:
        """The results, with those that players have under ids that were tied to them."""
        without = [who for who, text in zip(players, texts, strict=True) if text is None]
        (found,) = await self.store.ask(("HMGET", self.keys.tied, *without))
        tied = dict(zip(without, map(read_tied, found), strict=True))
        if not (names := [*chain(*tied.values())]):
            return [*texts]
        (told,) = await self.store.ask(("HMGET", self.keys.results(race), *names))
        as_tied = {one: text for one, text in zip(names, told, strict=True) if text}
        return [
            text or next((as_tied[one] for one in tied[who] if one in as_tied), None)
            for who, text in zip(players, texts, strict=True)
        ]


def _entries(history: Mapping[bytes, bytes]) -> list[HistoryEntry]:
    return [read_entry(RaceId(race.decode()), text.decode()) for race, text in history.items()]


async def progress(
    store: Connection, race: RaceId, players: Sequence[PlayerId]
) -> dict[PlayerId, list[SeatStatus]]:
    """Every status that was written of each of these seats, in order. Raises StoreLost.

    A log that can't be read is reported, and its seat is left out.
    """
    found = await read_logs(store, [Part(race, player) for player in players])
    statuses: dict[PlayerId, list[SeatStatus]] = {}
    for player, log in zip(players, found, strict=True):
        try:
            with reading(store.keys.seat_log(race, player)):
                statuses[player] = [status_in(words) for _, words in sound(log)]
        except Damaged as damaged:
            store.report(damaged)
        await asyncio.sleep(0)  # a long game takes a while, and moves come in between
    return statuses


def _row(
    board: Board, found: tuple[bytes, bytes, int], name: bytes | None, text: bytes | None
) -> wire.Standing | wire.Ranked | None:
    with suppress(Damaged), reading(board.name):
        player, called, place = PlayerId(found[0].decode()), (name or b"").decode(), found[2]
        if board.order == "key":
            return _results.decode(text).standing(player, called, place) if text else None
        if board.order == "points":
            return wire.Ranked(player, called, place, points=-int(found[1]))
        unsure = text is not None and read_rating(text.decode()).provisional
        return wire.Ranked(player, called, place, rating=-int(found[1]), provisional=unsure)
    return None
