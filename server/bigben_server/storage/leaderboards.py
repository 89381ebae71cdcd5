"""Results and boards in Redis.

A result is written once, and then put on boards, which is idempotent. Every method raises StoreLost
if Redis fails.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.ranking import pack
from bigben_server.scoring.boards import Board, daily_boards
from bigben_server.scoring.profiles import HistoryEntry, Pool, read_entry, write_entry
from bigben_server.scoring.ratings import Rating, read_rating
from bigben_server.scoring.results import (
    BOTS,
    GUESTS,
    PEOPLE,
    Division,
    Finish,
    RaceSummary,
    Ranked,
    Result,
    division_of,
    is_bot,
    is_division,
)
from bigben_server.storage import keys
from bigben_server.storage.client import (
    Command,
    Connection,
    Damaged,
    chunks,
    reading,
    script,
)

AT_ONCE: Final = 500
"""The most results in one pipeline; more would delay other commands."""

_PAGE: Final = script("page")

_results = msgspec.json.Decoder(Result)
_summaries = msgspec.json.Decoder(RaceSummary)
_encode = msgspec.json.Encoder().encode


class Row(NamedTuple):
    """One player on a board."""

    player: PlayerId
    name: str
    """Empty for a player without one."""
    place: int
    score: int
    result: Result | None
    """On a daily board."""
    rating: Rating | None
    """On a board by rating: the player's present one."""


class Page(NamedTuple):
    """A part of a board, the player's own row, and the number of all rows."""

    total: int
    start: int
    rows: list[Row]
    mine: Row | None


class Boards:
    """Results and boards, through pipelines."""

    def __init__(self, store: Connection, ranked: Ranked = "all") -> None:
        self._store = store
        self.ranked: Ranked = ranked

    async def record(self, finishes: Sequence[Finish]) -> list[Damaged]:
        """Record how seats ended, and put the results on daily boards. Idempotent.

        A result counts for the groups that its player is in when it is first recorded. Returned is
        the damage in results that were recorded before, which come to no board.
        """
        unreadable: list[Damaged] = []
        for some in chunks(finishes, AT_ONCE):
            about = await self._store.ask(*(("HGETALL", keys.player(one.player)) for one in some))
            commands: list[Command] = []
            for (race, summary, player, name, result), known in zip(some, about, strict=True):
                key, groups = keys.results(race), tuple(sorted(keys.groups_in(known)))
                bot = is_bot(player) or keys.BOT in known
                kept = msgspec.structs.replace(result, groups=groups, bot=bot)
                commands += [
                    ("HSETNX", key, keys.RACED, write(summary)),
                    ("HSETNX", key, player, write(kept)),
                    ("HSETNX", keys.NAMES, player, name),
                    ("HGET", key, player),
                ]
            written = (await self._store.ask(*commands))[3::4]
            recorded: list[Finish] = []
            for one, text in zip(some, written, strict=True):
                try:
                    recorded.append(one._replace(result=_result(one.race, one.player, text)))
                except Damaged as damaged:
                    unreadable.append(damaged)
            await self.place(recorded)
        return unreadable

    async def place(self, recorded: Sequence[Finish]) -> None:
        """Put results that are recorded on the day's boards and into their players' histories."""
        for some in chunks(recorded, AT_ONCE):
            scores: dict[str, list[str | int]] = {}
            commands: list[Command] = []
            for race, summary, player, _, result in some:
                for board in daily_boards(summary, player, result, self.ranked):
                    score = (pack(result.key(summary)), player)
                    scores.setdefault(keys.board(board.name), []).extend(score)
                commands.append(("HSET", keys.history(player), race, write_entry(summary, result)))
            commands += [("ZADD", key, *pairs) for key, pairs in scores.items()]
            await self._store.ask(*commands)

    async def results(self, race: RaceId) -> tuple[RaceSummary, dict[PlayerId, Result]] | None:
        """All that is recorded of a race; None if nothing is. Raises Damaged."""
        (found,) = await self._store.ask(("HGETALL", keys.results(race)))
        summary = found.pop(keys.RACED.encode(), None)
        if summary is None:
            return None
        with reading(f"{keys.results(race)} {keys.RACED}"):
            of = _summaries.decode(summary)
        players = ((PlayerId(player.decode()), text) for player, text in found.items())
        return of, {player: _result(race, player, text) for player, text in players}

    async def results_of_closed(self, race: RaceId) -> tuple[RaceSummary, dict[PlayerId, Result]]:
        """All that is recorded of a closed race. Raises Damaged, also if nothing is."""
        found = await self.results(race)
        if found is None:
            raise Damaged(keys.results(race), "the race is closed and has no results")
        return found

    async def page(
        self, board: Board, start: int, count: int, player: str, *, around: bool = False
    ) -> Page | None:
        """``count`` rows after the first ``start``, or those around ``player``, and their own row.

        None if it is the board of a group that does not exist.
        """
        ask = ("EVAL", _PAGE, 1, keys.board(board.name), start, count, player, int(around))
        of_group = not is_division(board.scope, self.ranked)
        exists = [("EXISTS", keys.group(board.scope))] if of_group else []
        (total, start, members, place, mine, my_place), *known = await self._store.ask(ask, *exists)
        if known == [0]:
            return None
        rows: list[tuple[PlayerId, int, int]] = []
        previous = b""
        for member, score in zip(members[::2], members[1::2], strict=True):
            if rows and score != previous:  # equal scores share a place
                place = start + len(rows) + 1
            rows.append((PlayerId(member.decode()), int(score), place))
            previous = score
        mine_too = [(PlayerId(player), int(mine), my_place)] if mine else []
        found = {row.player: row for row in await self._rows(board, rows + mine_too)}
        shown = [found[who] for who, _, _ in rows if who in found]
        return Page(total, start, shown, found.get(PlayerId(player)) if mine else None)

    async def histories(self, *players: PlayerId) -> list[list[HistoryEntry]]:
        """The results of each player. Raises Damaged."""
        found = await self._store.ask(*(("HGETALL", keys.history(player)) for player in players))
        histories: list[list[HistoryEntry]] = []
        for player, history in zip(players, found, strict=True):
            with reading(keys.history(player)):
                texts = ((race.decode(), text.decode()) for race, text in history.items())
                histories.append([read_entry(RaceId(race), text) for race, text in texts])
        return histories

    async def ratings(self, player: PlayerId, pools: Iterable[Pool]) -> dict[Pool, Rating]:
        """The ratings of a player in those games and rules in which they have one."""
        both = [division_of(player, self.ranked, bot=bot) for bot in (False, True)]
        wanted = [(pool, division) for pool in pools for division in both]
        texts = await self._store.ask(*(("HGET", keys.ratings(*p, d), player) for p, d in wanted))
        rated = ((pool, text) for (pool, _), text in zip(wanted, texts, strict=True) if text)
        return {pool: read_rating(text.decode()) for pool, text in rated}

    async def _rows(self, board: Board, rows: list[tuple[PlayerId, int, int]]) -> list[Row]:
        """The rows with names and results. Left out are players who are just being deleted, and
        those whose result can't be read, which was reported when it was recorded.
        """
        if not rows:
            return []
        players = [player for player, _, _ in rows]
        commands: list[Command] = [("HMGET", keys.NAMES, *players)]
        by_key = board.order == "key"
        if by_key:
            commands.append(("HMGET", keys.results(board.race), *players))
        elif board.order == "rating":
            ratings = keys.ratings(board.game, board.rules, self._division(board))
            commands.append(("HMGET", ratings, *players))
        names, *more = await self._store.ask(*commands)
        texts: list[bytes | None] = more[0] if more else [None] * len(players)
        shown: list[Row] = []
        for (player, score, place), name, text in zip(rows, names, texts, strict=True):
            with suppress(Damaged), reading(board.name):
                result = _results.decode(text) if text and by_key else None
                rating = read_rating(text.decode()) if text and not by_key else None
                if result or not by_key:
                    called = (name or b"").decode()
                    shown.append(Row(player, called, place, score, result, rating))
        return shown

    def _division(self, board: Board) -> Division:
        """The division of the players on a board."""
        if board.scope == BOTS:
            return BOTS
        guests = board.scope == GUESTS and self.ranked == "verified"
        return GUESTS if guests else PEOPLE


def write(record: Result | RaceSummary) -> bytes:
    """A result or a race as it is stored."""
    return _encode(record)


def _result(race: RaceId, player: PlayerId, text: bytes) -> Result:
    with reading(f"{keys.results(race)} {player}"):
        return _results.decode(text)
