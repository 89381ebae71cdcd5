"""The daily post: at a group's hour, yesterday's podium and today's race with a button.

When is decided by pure functions, which a task calls again and again. There is one post for each
day of the race, and days are UTC days.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from bigben_chat.connections.identity import Issuer
from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.messages import formatting
from bigben_chat.messages.leaderboards import standing_line
from bigben_chat.platform import Away, Gone, NotAllowed, Platform, PlatformError
from bigben_chat.posts.race_post import in_few
from bigben_chat.posts.race_posts import RacePosts
from bigben_chat.records import GroupRecord, group_record
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say, say_in
from bigben_chat.tree import Name, Place, Text, lines
from bigben_client import ClientError, RefusedError

_log = logging.getLogger(__name__)

LONGEST_WAIT_S: Final = 3600.0
"""Clocks are corrected and time zones change, so it looks again after this long at the latest."""
AGAIN_S: Final = 30.0
"""Until a failed post is tried again."""
REFUSED_AGAIN_S: Final = 600.0
"""The same where the platform has refused it; sooner if permissions have changed."""


def moment_on(record: GroupRecord, day: date) -> datetime:
    """When the group's clock shows its hour during this UTC day."""
    try:
        zone = ZoneInfo(record.zone)
    except (ZoneInfoNotFoundError, ValueError):
        zone = ZoneInfo("UTC")  # It existed when it was chosen: zones are renamed.
    hour = time.fromisoformat(record.time)
    for offset in (-1, 0, 1):
        moment = datetime.combine(day + timedelta(days=offset), hour, tzinfo=zone).astimezone(UTC)
        if moment.date() == day:
            return moment
    # An hour that this day's change of clocks leaves out.
    return datetime.combine(day, time(), tzinfo=UTC)


def is_due(record: GroupRecord, now: datetime) -> bool:
    """Whether today's post must be made now."""
    if not record.channel or record.posted == str(now.date()):
        return False
    return not record.posted or now >= moment_on(record, now.date())


def next_at(record: GroupRecord, now: datetime) -> datetime | None:
    """When to look again; None where nothing is ever posted."""
    if not record.channel:
        return None
    today = moment_on(record, now.date())
    return today if today > now else moment_on(record, now.date() + timedelta(days=1))


class DailyPosts:
    """Makes the posts that are due, in every group that has them."""

    def __init__(
        self,
        platform: Platform,
        store: Store,
        issuer: Issuer,
        feed: RaceFeed,
        posts: RacePosts,
        *,
        server_patience: float,
        now: Callable[[], datetime],
    ) -> None:
        """``server_patience``: seconds that the race server may take for a post."""
        self.server_patience = server_patience
        self._platform = platform
        self._store = store
        self._issuer = issuer
        self._feed = feed
        self._posts = posts
        self._now = now
        self._woken = asyncio.Event()
        self._refused: set[str] = set()
        """Groups in which today's post is not allowed."""

    def wake(self) -> None:
        """Look now: settings or the clock have changed."""
        self._woken.set()

    def permissions_changed(self, group: ChatId) -> None:
        """Try again now if a post was refused there."""
        if str(group) in self._refused:
            self.wake()

    async def run(self) -> None:
        """Post until cancelled."""
        while True:
            self._woken.clear()
            wait = min(await self._post_all(), self._wait())
            try:
                async with asyncio.timeout(wait):
                    await self._woken.wait()
            except TimeoutError:
                pass

    def _wait(self) -> float:
        now = self._now()
        records = [record for _, record in self._store.all("guild", GroupRecord)]
        moments = [at for record in records if (at := next_at(record, now))]
        nearest = min(moments, default=now + timedelta(seconds=LONGEST_WAIT_S))
        return min((nearest - now).total_seconds(), LONGEST_WAIT_S)

    async def _post_all(self) -> float:
        """Make the posts that are due. Return the seconds until the next retry."""
        waits = [LONGEST_WAIT_S]
        for key, _ in list(self._store.all("guild", GroupRecord)):
            if is_due(self._settings(key), self._now()):
                waits.append(await self._post_in(key))
        return min(waits)

    async def _post_in(self, key: str) -> float:
        """Make the post of a group. Return the seconds until a retry, if one is needed."""
        before, now = self._settings(key), self._now()
        # Stored first: a bot that dies while posting does not post twice.
        today = str(now.date())
        self._store.put("guild", key, msgspec.structs.replace(before, posted=today))
        try:
            async with asyncio.timeout(self.server_patience):
                await self._post(key, before, now.date())
        except (NotAllowed, Gone) as error:
            self._take_back(key, before, today)
            self._refused.add(key)
            await self._tell(key, gone=isinstance(error, Gone))
            return REFUSED_AGAIN_S
        except (ClientError, Away, OSError) as error:
            _log.warning("The daily post of group %s waits: %s", key, error)
            self._take_back(key, before, today)
            return AGAIN_S
        except PlatformError as error:
            _log.warning("The daily post of group %s can't be made: %s", key, error)
        except Exception:
            # Our mistake, and in this group alone; the others still get their post.
            _log.exception("the daily post of group %s went wrong", key)
        else:
            self._refused.discard(key)
            if (after := self._settings(key)).told:
                self._store.put("guild", key, msgspec.structs.replace(after, told=False))
        return LONGEST_WAIT_S

    def _take_back(self, key: str, before: GroupRecord, today: str) -> None:
        """Today's post must still be made, unless the settings say otherwise by now."""
        changed = self._settings(key)
        if changed.posted == today:
            self._store.put("guild", key, msgspec.structs.replace(changed, posted=before.posted))

    async def _tell(self, key: str, *, gone: bool) -> None:
        """Tell the user who chose the place, or the owner, once how to fix it."""
        record = self._settings(key)
        if record.told:
            return
        self._store.put("guild", key, msgspec.structs.replace(record, told=True))
        user = self._platform.manager_of(key, record)
        _log.warning(
            "The daily post of group %s waits: %s. A manager of the group can fix it.",
            key,
            "its place is gone" if gone else "the bot may not write in its place",
        )
        if not user:
            return
        say = say_in(record.language or self._platform.group_locale(key))
        name = Name(self._platform.group_name(key))
        text = say(
            "post.gone" if gone else "post.refused", guild=name, channel=Place(record.channel)
        )
        try:
            await self._platform.tell(user, text)
        except Exception as error:
            # They accept no messages, or the bot is about to stop. Continue with other groups.
            _log.info("User %s could not be told: %s", user, error)

    def _settings(self, key: str) -> GroupRecord:
        """As they are now; they may change while a post is made."""
        return group_record(self._store, key)

    async def _post(self, group: str, record: GroupRecord, day: date) -> None:
        language = say_in(record.language or self._platform.group_locale(group)).language
        client = await self._feed.client()
        room = await client.watch(f"daily.{day}.{record.game}.{record.rules}")
        head = await self.podium(group, record, day - timedelta(days=1), say_in(language))
        # At most 25 letters; the same in every try of this post.
        nonce = f"{day.toordinal():x}-{in_few(record.channel)}"
        await self._posts.write(record.channel, room, head, language, nonce=nonce, role=record.role)

    async def podium(self, group: ChatId, record: GroupRecord, day: date, say: Say) -> Text:
        """A past day's result among the group's players; empty before the first post."""
        client = await self._feed.client()
        title = say("post.yesterday", day=formatting.day(day, say))
        # In the first post of all there was no race here yesterday to speak of.
        nobody = lines(title, say("post.nobody")) if record.posted else ()
        try:
            board = await client.leaderboard(
                date=str(day),
                game=record.game,
                rules=record.rules,
                count=3,
                group=self._issuer.group(group),
            )
        except RefusedError:
            # A group begins with its first player.
            return nobody
        if not board.rows:
            return nobody
        rows = [standing_line(row, say) for row in board.rows]
        more = say("public.more", count=board.total - len(rows)) if board.total > len(rows) else ()
        return lines(*filter(None, [title, *rows, more]))
