"""The form of the players on a page of a board, read in the same round trip as their rows."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

import msgspec

import bigben_protocol as wire
from bigben_protocol import PlayerId
from bigben_rules import game_named
from bigben_server.race.ranking import Key, pack, unpack
from bigben_server.scoring.boards import Board
from bigben_server.scoring.form import COLUMNS, days_to, homes_of, scores_of_columns
from bigben_server.scoring.profiles import Pool
from bigben_server.scoring.ratings import read_rating
from bigben_server.scoring.results import Division
from bigben_server.storage.client import Connection, Damaged, chunks, reading
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys


@dataclass(frozen=True, slots=True)
class Forms:
    """What to ask for one page, and what the answers say."""

    keys: Keys
    board: Board
    division: str
    """That of the board's players; the board of a group shows all that they have done."""
    last: date
    """The last of the fourteen days."""

    def commands(self, players: Sequence[bytes]) -> list[Command]:
        """One command for each column and each day, however many players there are."""
        game, rules = self.board.game, self.board.rules
        counted: list[Command] = [
            ("ZCOUNT", self.keys.board(self.board.name), low, high)
            for low, high in (scores_of_columns(self._total) if self._is_daily else ())
        ]
        days = [
            Board("daily", day.isoformat(), game, rules, "key", self.division).name
            for day in days_to(self.last)
        ]
        results: list[Command] = [("ZMSCORE", self.keys.board(day), *players) for day in days]
        return [
            *counted,
            ("HMGET", self.keys.ratings(game, rules, self.division), *players),
            *results,
        ]

    def added(
        self, page: wire.Leaderboard, players: Sequence[bytes], told: Sequence[Any]
    ) -> wire.Leaderboard:
        """The page with what the answers say of these players, whose order is that of the rows."""
        if not told:
            return page
        counted = COLUMNS if self._is_daily else 0
        homes, ratings, days = told[:counted], told[counted], told[counted + 1 :]
        each = zip(players, ratings, zip(*days, strict=True), strict=True)
        forms = {one[0]: form for one in each if (form := self._form(*one))}
        return msgspec.structs.replace(page, form=tuple(forms.values()), homes=tuple(homes))

    def _form(
        self, player: bytes, text: bytes | None, scores: Sequence[float | None]
    ) -> wire.Form | None:
        """None for one that can't be read."""
        with suppress(Damaged), reading(self.board.name):
            rating = read_rating(text.decode()) if text else None
            keys = [None if score is None else unpack(int(score)) for score in scores]
            return wire.Form(
                PlayerId(player.decode()),
                rating=rating.shown if rating else 0,
                provisional=rating is not None and rating.provisional,
                lately=homes_of(keys, self._total),
            )
        return None

    @property
    def _is_daily(self) -> bool:
        return self.board.order == "key"

    @property
    def _total(self) -> int:
        return game_named(self.board.game).total


async def ratings_by_week(
    store: Connection,
    player: PlayerId,
    pools: Iterable[tuple[Pool, Division]],
    weeks: Sequence[str],
) -> dict[Pool, tuple[wire.WeekRating, ...]]:
    """The player's ratings after the last race of each of these weeks. Raises StoreLost."""
    wanted = [
        (pool, week, Board("weekly", week, *pool, "rating", division))
        for pool, division in pools
        for week in weeks
    ]
    scores = await store.ask(*(("ZSCORE", store.keys.board(b.name), player) for *_, b in wanted))
    found: dict[Pool, tuple[wire.WeekRating, ...]] = {}
    for (pool, week, _), score in zip(wanted, scores, strict=True):
        if score is not None:
            found[pool] = (*found.get(pool, ()), wire.WeekRating(week, -int(score)))
    return found


async def places_on(
    store: Connection, player: PlayerId, asked: Sequence[tuple[Board, Key]]
) -> list[tuple[int, int]]:
    """The player's place with each key on its daily board, 0 if they are not on it, and how many
    are. Raises StoreLost.
    """
    commands: list[Command] = []
    for board, own in asked:
        key = store.keys.board(board.name)
        commands += [
            ("ZSCORE", key, player),
            ("ZCOUNT", key, "-inf", f"({pack(own)}"),
            ("ZCARD", key),
        ]
    each = chunks(await store.ask(*commands), 3)
    return [(0 if score is None else ahead + 1, count) for score, ahead, count in each]
