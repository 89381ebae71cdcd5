"""The daily post: at a group's hour, yesterday's podium and today's race with a button.

When is decided by pure functions, which a task calls again and again. There is one post for each
day of the race, and days are UTC days.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

import msgspec

from bigben_chat.connections.identity import Issuer
from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.messages import formatting
from bigben_chat.messages.leaderboards import standing_line
from bigben_chat.posts.poster import LONGEST_WAIT_S, Due, Look, Poster
from bigben_chat.posts.race_post import in_few
from bigben_chat.posts.race_posts import RacePosts
from bigben_chat.records import GroupRecord, group_record, zone_named
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say
from bigben_chat.tree import Text, lines
from bigben_client import RefusedError


def moment_on(record: GroupRecord, day: date) -> datetime:
    """When the group's clock shows its hour during this UTC day."""
    zone = zone_named(record.zone)
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
        poster: Callable[[Look], Poster],
        store: Store,
        issuer: Issuer,
        feed: RaceFeed,
        posts: RacePosts,
    ) -> None:
        self.poster = poster(self._post_all)
        self._store = store
        self._issuer = issuer
        self._feed = feed
        self._posts = posts

    async def _post_all(self) -> float:
        """Make the posts that are due. Return the seconds until it must look again."""
        waits = [LONGEST_WAIT_S]
        for key, _ in list(self._store.all("guild", GroupRecord)):
            # As it is now; it may change while a post is made.
            record, now = group_record(self._store, key), self.poster.now()
            if is_due(record, now):
                waits.append(await self.poster.post(self._due(key, record, now.date())))
        now = self.poster.now()
        records = [record for _, record in self._store.all("guild", GroupRecord)]
        moments = [at for record in records if (at := next_at(record, now))]
        return min([*waits, *((at - now).total_seconds() for at in moments)])

    def _due(self, group: str, before: GroupRecord, day: date) -> Due[GroupRecord]:
        def mark(record: GroupRecord) -> GroupRecord:
            return msgspec.structs.replace(record, posted=str(day))

        def unmark(record: GroupRecord) -> GroupRecord:
            # Unless the settings say otherwise by now.
            posted = before.posted if record.posted == str(day) else record.posted
            return msgspec.structs.replace(record, posted=posted)

        return Due(
            "guild", group, GroupRecord, group, lambda: self._post(group, before, day), mark, unmark
        )

    async def _post(self, group: str, record: GroupRecord, day: date) -> None:
        say = self.poster.say(group)
        client = await self._feed.client()
        room = await client.watch(f"daily.{day}.{record.game}.{record.rules}")
        head = await self.podium(group, record, day - timedelta(days=1), say)
        # At most 25 letters; the same in every try of this post.
        nonce = f"{day.toordinal():x}-{in_few(record.channel)}"
        await self._posts.write(
            record.channel, room, head, say.language, nonce=nonce, role=record.role
        )

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
