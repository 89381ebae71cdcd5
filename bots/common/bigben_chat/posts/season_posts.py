"""The news of seasons: a week has opened, a week has closed; and reminders on request.

What is due is decided by pure functions. The server opens and closes the weeks.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple
from zlib import crc32

from msgspec.structs import replace

from bigben_chat.connections.identity import Issuer, player_of
from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.messages import seasons
from bigben_chat.messages.public_message import race_rows
from bigben_chat.platform import Away, Platform, PlatformError
from bigben_chat.posts.poster import AGAIN_S, Due, Look, Poster
from bigben_chat.posts.race_post import in_few
from bigben_chat.posts.race_posts import RacePosts
from bigben_chat.records import SeasonRecord, Wish
from bigben_chat.store import Store
from bigben_chat.texts import say_in
from bigben_client import ClientError, RefusedError
from bigben_protocol import Season, SeasonWeek

_log = logging.getLogger(__name__)

LOOK_S: Final = 600.0
"""Organisers may change a season anywhere, so it is read again after this long at the latest."""
SOON_S: Final = 2.0
"""Until it looks again for what the server is about to do."""
DAY_MS: Final = 86_400_000
LATE_MS: Final = 60_000
"""So long after its close a week waits for the results of all who have begun."""
KEPT_MS: Final = 30 * DAY_MS
"""An organiser may replace a week of a season that is over; later than this nobody hears of it."""


class News(NamedTuple):
    """Something to post about a week."""

    what: Literal["opened", "closed"]
    week: SeasonWeek

    @property
    def mark(self) -> str:
        """By which the record knows it."""
        return self.week.race if self.what == "opened" else f"{self.week.race} closed"


def news(season: Season, record: SeasonRecord) -> list[News]:
    """What must be posted now, if the results are there."""
    if not record.channel:
        return []
    found: list[News] = []
    for week in season.weeks:
        if week.phase == "open" and week.race:
            found.append(News("opened", week))
        elif week.phase == "closed" and week.closes_at > record.since:
            found.append(News("closed", week))
    return [one for one in found if one.mark not in record.posted]


def remind_at(week: SeasonWeek) -> int:
    """A day before a week closes, or half of the week before, ms since 1970."""
    return week.closes_at - min(DAY_MS, (week.closes_at - week.opens_at) // 2)


def to_remind(season: Season, wish: Wish, now: int) -> Iterator[SeasonWeek]:
    """The weeks of which the user must be reminded now, unless they have played."""
    for week in season.weeks:
        at = remind_at(week)
        # Who wishes it later than that has just looked at the season.
        is_time = week.phase == "open" and wish.since <= at <= now < week.closes_at
        if is_time and week.race not in ("", wish.reminded):
            yield week


def next_look(season: Season, now: int) -> int:
    """In how many ms there may be something to do; negative if the server is late."""
    times = [LOOK_S * 1000]
    for week in season.weeks:
        if week.phase == "to come" or (week.phase == "open" and not week.race):
            times.append(week.opens_at - now)
        elif week.phase == "open":
            times.append(week.closes_at - now)
            if remind_at(week) > now:
                times.append(remind_at(week) - now)
    return int(min(times))


class SeasonPosts:
    """Posts the news of all seasons that the bot knows, and reminds."""

    def __init__(
        self,
        poster: Callable[[Look], Poster],
        platform: Platform,
        store: Store,
        issuer: Issuer,
        feed: RaceFeed,
        posts: RacePosts,
    ) -> None:
        self.poster = poster(self._look)
        self._platform = platform
        self._store = store
        self._issuer = issuer
        self._feed = feed
        self._posts = posts

    def forget(self, season: str) -> None:
        """Post and remind no more."""
        self._store.drop("season", season)
        self._store.drop_under("wish", f"{season}:")

    def _now(self) -> int:
        return round(self.poster.now().timestamp() * 1000)

    async def _look(self) -> float:
        """Do what is due. Return the seconds until it must look again."""
        waits = [LOOK_S]
        for key, _ in list(self._store.all("season", SeasonRecord)):
            try:
                async with asyncio.timeout(self.poster.server_patience):
                    season = await (await self._feed.client()).season(key)
                waits.append(await self._see_to(season))
            except RefusedError as error:
                if error.code == "unknown":
                    self.forget(key)
                else:
                    _log.warning("Season %s can't be read: %s", key, error)
                    waits.append(AGAIN_S)
            except (ClientError, OSError) as error:
                _log.warning("Season %s can't be read: %s", key, error)
                waits.append(AGAIN_S)
            except Exception:
                # Our mistake, and in this season alone.
                _log.exception("the news of season %s went wrong", key)
        return min(waits)

    async def _see_to(self, season: Season) -> float:
        waits = [max(next_look(season, self._now()) / 1000, SOON_S)]
        record = self._store.get("season", season.season, SeasonRecord)
        if record is None:
            return LOOK_S
        for one in news(season, record):
            if one.what == "closed" and not await self._has_results(one.week):
                waits.append(SOON_S)
                break  # The later ones come after it.
            waits.append(await self.poster.post(self._due(season, one, record)))
        for _, wish in list(self._store.all("wish", Wish, prefix=f"{season.season}:")):
            for week in to_remind(season, wish, self._now()):
                waits.append(await self._remind(season, week, wish))
        last = max((week.closes_at for week in season.weeks), default=season.ended_at)
        if season.phase == "over" and last + KEPT_MS < self._now():
            self.forget(season.season)
        return min(waits)

    async def _has_results(self, week: SeasonWeek) -> bool:
        """Whether the results of a closed week are all there, as far as the server will tell."""
        if self._now() > week.closes_at + LATE_MS:
            return True
        there = {one.player for one in week.results}
        async with asyncio.timeout(self.poster.server_patience):
            places = await (await self._feed.client()).all_standings(week.race)
        begun = {row.player for row in places.rows if row.state not in ("joined", "ready")}
        return places.final and begun <= there

    def _due(self, season: Season, one: News, record: SeasonRecord) -> Due[SeasonRecord]:
        def mark(record: SeasonRecord) -> SeasonRecord:
            return replace(record, posted=(*record.posted, one.mark))

        def unmark(record: SeasonRecord) -> SeasonRecord:
            return replace(record, posted=tuple(m for m in record.posted if m != one.mark))

        async def make() -> None:
            # At most 25 letters; the same in every try of this post.
            nonce = f"{crc32(one.mark.encode()):x}-{in_few(record.channel)}"
            await (self._opened if one.what == "opened" else self._closed)(
                season, one.week, record, nonce
            )

        key = season.season
        return Due("season", key, SeasonRecord, record.group, make, mark, unmark)

    async def _opened(
        self, season: Season, week: SeasonWeek, record: SeasonRecord, nonce: str
    ) -> None:
        say = self.poster.say(record.group)
        room = await self._feed.look(week.race)
        head = seasons.opened(season, week, say)
        await self._posts.write(record.channel, room, head, say.language, nonce=nonce)

    async def _closed(
        self, season: Season, week: SeasonWeek, record: SeasonRecord, nonce: str
    ) -> None:
        say, client = self.poster.say(record.group), await self._feed.client()
        room, final = await self._feed.look(week.race), await client.all_standings(week.race)
        names: dict[str, str] = {row.player: row.name for row in final.rows}
        content = seasons.closed(season, week, names, say)
        if len(rows := race_rows(room, final)) > 1:
            content = await self._posts.with_picture(content, room, rows, say, is_final=True)
        await self._platform.send(record.channel, content, nonce=nonce)

    async def _remind(self, season: Season, week: SeasonWeek, wish: Wish) -> float:
        """Remind a user who has not played. Return the seconds until a retry, if one is needed."""
        key, say = f"{wish.season}:{wish.user}", say_in(wish.language)
        me = player_of(self._store, self._issuer, wish.user)
        async with asyncio.timeout(self.poster.server_patience):
            client = await self._feed.client()
            places = await client.standings(week.race, only=[me])
        # Stored first: a bot that dies while writing does not write twice.
        self._store.put("wish", key, replace(wish, reminded=week.race))
        if any(row.player == me and row.state not in ("joined", "ready") for row in places.rows):
            return LOOK_S
        nonce = f"{crc32(f'{week.race}:{wish.user}'.encode()):x}-wish"
        content = seasons.reminder(season, week, say)
        try:
            await self._platform.tell(wish.user, content, nonce=nonce)
        except (Away, OSError) as error:
            _log.warning("User %s can't be reminded yet: %s", wish.user, error)
            if self._store.get("wish", key, Wish) is not None:
                self._store.put("wish", key, wish)
            return AGAIN_S
        except PlatformError as error:
            _log.info("User %s could not be reminded: %s", wish.user, error)  # No messages.
        return LOOK_S
