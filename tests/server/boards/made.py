"""Races and results by hand, and a plain model of what boards show. Starts nothing."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from msgspec.structs import replace

from bigben_protocol import PlayerId, RaceId, State
from bigben_server.leaderboards.settler import Settler
from bigben_server.race.ranking import Key
from bigben_server.scoring.results import Finish, RaceSummary, Ranked, Result
from bigben_server.storage.client import StoreLost
from bigben_server.storage.exchange import Command
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store

TOTAL: Final = 104
"""Cards of Big Ben."""
DAY: Final = "2026-11-21"
"""A Saturday, in week 47."""


def player(name: str) -> PlayerId:
    return PlayerId(name if ":" in name else f"guest:{name}")


def daily_id(day: str = DAY, rules: str = "standard") -> RaceId:
    return RaceId(f"daily.{day}.bigben.{rules}")


def daily(day: str = DAY, rules: str = "standard") -> RaceSummary:
    return RaceSummary("daily", "bigben", rules, day)


def live(day: str = DAY, rules: str = "standard", *, undo: bool = False) -> RaceSummary:
    return RaceSummary("live", "bigben", rules, day, undo)


def result(key: Key, *, moves: int = 100, at: int = 0) -> Result:
    """How a seat ended that has this key."""
    state: State = "blocked" if key.missing else "won"
    home = TOTAL - key.missing
    return Result(state, moves, home, key.home_ms, key.home_ms, at or key.home_ms)


def won(ms: int, *, moves: int = 100) -> Result:
    return result(Key(0, ms), moves=moves)


def stuck(home: int, ms: int) -> Result:
    return result(Key(TOTAL - home, ms))


def at(day: str, how: Result) -> Result:
    """The same result of a game that ended at noon of that day."""
    ended = int(datetime.fromisoformat(f"{day}T12:00:00+00:00").timestamp()) * 1000
    return replace(how, at=ended)


def finish(
    who: str, how: Result, race: RaceId | None = None, summary: RaceSummary | None = None
) -> Finish:
    """A seat that is over: of the day's daily, unless another race is given."""
    return Finish(race or daily_id(), summary or daily(), player(who), who.title(), how)


class Dies(Store):
    """Fails at its n-th round trip, and from then on."""

    def __init__(self, client: Any, at: int) -> None:
        super().__init__(client)
        self.left = at

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        self.left -= 1
        if self.left <= 0:
            raise StoreLost("died")
        return await super().ask(*commands, raise_on_error=raise_on_error)


class Season:
    """Races that are recorded, closed and settled as the server does it."""

    def __init__(self, store: Store, *, ranked: Ranked = "all") -> None:
        self.boards = Boards(store, ranked)
        self.ledger = Ledger(store)
        self.settler = Settler(self.boards, self.ledger)

    async def race(self, race: RaceId, summary: RaceSummary, results: dict[str, Result]) -> None:
        """A race from its first finish to its close."""
        await self.boards.record([finish(who, how, race, summary) for who, how in results.items()])
        await self.ledger.close(race)

    async def day(self, day: str, results: dict[str, Result], rules: str = "standard") -> None:
        """A daily race, closed and settled."""
        await self.race(daily_id(day, rules), daily(day, rules), results)
        await self.settler.settle()

    async def room(self, code: str, results: dict[str, Result], day: str = DAY) -> None:
        """A live race, closed and settled."""
        await self.race(RaceId(code), live(day), results)
        await self.settler.settle()


def by_hand(keys: Iterable[tuple[Key, str]]) -> list[tuple[str, Key, int]]:
    """Who has which place, found with nothing but sorting: 1, 2, 2, 4."""
    rows = sorted(keys)
    return [(who, key, 1 + sum(other < key for other, _ in rows)) for key, who in rows]
