"""The daily post: at a guild's hour, yesterday's podium and today's race with a button.

When is decided by pure functions, which a task calls again and again. There is one post for each
day of the race, and days are UTC days.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import aiohttp
import discord
import msgspec

from bigben_chat.connections.identity import Issuer
from bigben_chat.connections.race_feed import RaceFeed
from bigben_chat.messages import formatting
from bigben_chat.messages.leaderboards import standing_line
from bigben_chat.store import Store
from bigben_chat.texts import Say, say_in
from bigben_chat.tree import Name, Place, Text, lines
from bigben_client import ClientError, RefusedError
from bigben_discord.interactions.markdown import markdown
from bigben_discord.posts.race_posts import RacePosts
from bigben_discord.records import Guild

_log = logging.getLogger(__name__)

LONGEST_WAIT_S: Final = 3600.0
"""Clocks are corrected and time zones change, so it looks again after this long at the latest."""
AGAIN_S: Final = 30.0
"""Until a failed post is tried again."""
REFUSED_AGAIN_S: Final = 600.0
"""The same where Discord has refused it; sooner if it says that permissions have changed."""


def moment_on(guild: Guild, day: date) -> datetime:
    """When the guild's clock shows its hour during this UTC day."""
    try:
        zone = ZoneInfo(guild.zone)
    except (ZoneInfoNotFoundError, ValueError):
        zone = ZoneInfo("UTC")  # It existed when it was chosen: zones are renamed.
    hour = time.fromisoformat(guild.time)
    for offset in (-1, 0, 1):
        local = datetime.combine(day + timedelta(days=offset), hour, tzinfo=zone)
        moment = local.astimezone(UTC)
        if moment.date() == day:
            return moment
    # An hour that this day's change of clocks leaves out.
    return datetime.combine(day, time(), tzinfo=UTC)


def is_due(guild: Guild, now: datetime) -> bool:
    """Whether today's post must be made now."""
    if not guild.channel or guild.posted == str(now.date()):
        return False
    return not guild.posted or now >= moment_on(guild, now.date())


def next_at(guild: Guild, now: datetime) -> datetime | None:
    """When to look again; None where nothing is ever posted."""
    if not guild.channel:
        return None
    today = moment_on(guild, now.date())
    return today if today > now else moment_on(guild, now.date() + timedelta(days=1))


class DailyPosts:
    """Makes the posts that are due, in every guild that has them."""

    def __init__(
        self,
        bot: discord.Client,
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
        self._bot = bot
        self._store = store
        self._issuer = issuer
        self._feed = feed
        self._posts = posts
        self._now = now
        self._woken = asyncio.Event()
        self._refused: set[int] = set()
        """Guilds in which today's post is not allowed."""

    def wake(self) -> None:
        """Look now: settings or the clock have changed."""
        self._woken.set()

    def permissions_changed(self, guild: int) -> None:
        """Try again now if a post was refused there."""
        if guild in self._refused:
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
        guilds = [guild for _, guild in self._store.all("guild", Guild)]
        moments = [at for guild in guilds if (at := next_at(guild, now))]
        nearest = min(moments, default=now + timedelta(seconds=LONGEST_WAIT_S))
        return min((nearest - now).total_seconds(), LONGEST_WAIT_S)

    async def _post_all(self) -> float:
        """Make the posts that are due. Return the seconds until the next retry."""
        waits = [LONGEST_WAIT_S]
        for key, _ in list(self._store.all("guild", Guild)):
            if is_due(self._settings(key), self._now()):
                waits.append(await self._post_in(key))
        return min(waits)

    async def _post_in(self, key: str) -> float:
        """Make the post of a guild. Return the seconds until a retry, if one is needed."""
        before, now = self._settings(key), self._now()
        # Stored first: a bot that dies while posting does not post twice.
        today = str(now.date())
        self._store.put("guild", key, msgspec.structs.replace(before, posted=today))
        try:
            async with asyncio.timeout(self.server_patience):
                await self._post(int(key), before, now.date())
        except (discord.Forbidden, discord.NotFound) as error:
            self._take_back(key, before, today)
            self._refused.add(int(key))
            await self._tell(key, gone=isinstance(error, discord.NotFound))
            return REFUSED_AGAIN_S
        except (ClientError, discord.DiscordServerError, aiohttp.ClientError, OSError) as error:
            _log.warning("The daily post of guild %s waits: %s", key, error)
            self._take_back(key, before, today)
            return AGAIN_S
        except discord.HTTPException as error:
            _log.warning("The daily post of guild %s can't be made: %s", key, error)
        except Exception:
            # Our mistake, and in this guild alone; the others still get their post.
            _log.exception("the daily post of guild %s went wrong", key)
        else:
            self._refused.discard(int(key))
            if (after := self._settings(key)).told:
                self._store.put("guild", key, msgspec.structs.replace(after, told=False))
        return LONGEST_WAIT_S

    def _take_back(self, key: str, before: Guild, today: str) -> None:
        """Today's post must still be made, unless the settings say otherwise by now."""
        changed = self._settings(key)
        if changed.posted == today:
            again = msgspec.structs.replace(changed, posted=before.posted)
            self._store.put("guild", key, again)

    async def _tell(self, key: str, *, gone: bool) -> None:
        """Tell the user who chose the channel, or the owner, once how to fix it."""
        guild = self._settings(key)
        if guild.told:
            return
        self._store.put("guild", key, msgspec.structs.replace(guild, told=True))
        found = self._bot.get_guild(int(key))
        user = guild.by or (found.owner_id if found else None)
        _log.warning(
            "The daily post of guild %s waits: %s. A manager of the guild can fix it.",
            key,
            "its channel is gone" if gone else "the bot may not write in its channel",
        )
        if not user:
            return
        say = say_in(guild.language or self._guild_language(int(key)))
        name = Name(found.name) if found else key
        text = say(
            "post.gone" if gone else "post.refused", guild=name, channel=Place(guild.channel)
        )
        try:
            direct = await self._bot.create_dm(discord.Object(user))
            await direct.send(markdown(text))
        except Exception as error:
            # They accept no messages, or the bot is about to stop. Continue with other guilds.
            _log.info("User %s could not be told: %s", user, error)

    def _settings(self, key: str) -> Guild:
        """As they are now; they may change while a post is made."""
        return self._store.get("guild", key, Guild) or Guild()

    async def _post(self, guild_id: int, guild: Guild, day: date) -> None:
        language = guild.language or self._guild_language(guild_id)
        client = await self._feed.client()
        room = await client.watch(f"daily.{day}.{guild.game}.{guild.rules}")
        yesterday = day - timedelta(days=1)
        head = await self.podium(guild_id, guild, yesterday, say_in(language))
        # At most 25 letters; the same in every try of this post.
        nonce = f"{day.toordinal():x}-{guild.channel:x}"
        await self._posts.write(guild.channel, room, head, language, nonce=nonce, role=guild.role)

    async def podium(self, guild_id: int, guild: Guild, day: date, say: Say) -> Text:
        """A past day's result among the guild's players; empty before the first post."""
        client = await self._feed.client()
        title = say("post.yesterday", day=formatting.day(day, say))
        # In the first post of all there was no race here yesterday to speak of.
        nobody = lines(title, say("post.nobody")) if guild.posted else ()
        try:
            board = await client.leaderboard(
                date=str(day),
                game=guild.game,
                rules=guild.rules,
                count=3,
                group=self._issuer.group(guild_id),
            )
        except RefusedError:
            # A group begins with its first player.
            return nobody
        if not board.rows:
            return nobody
        rows = [standing_line(row, say) for row in board.rows]
        more = say("public.more", count=board.total - len(rows)) if board.total > len(rows) else ()
        return lines(*filter(None, [title, *rows, more]))

    def _guild_language(self, guild_id: int) -> str:
        found = self._bot.get_guild(guild_id)
        return say_in(str(found.preferred_locale) if found else "").language
