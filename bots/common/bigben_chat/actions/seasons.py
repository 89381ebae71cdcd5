"""A group's season: showing it, reminders, and what its organisers make and change."""

import asyncio
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from bigben_chat.actions.playing import COMPLETION_S
from bigben_chat.chat import Chat
from bigben_chat.connections.identity import ChatUser
from bigben_chat.messages import seasons as messages
from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.moves import Choice
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import SeasonRecord, Wish
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_chat.tree import Name, lines
from bigben_client import Client, ClientError
from bigben_protocol import Plan, Season
from bigben_protocol.seasons import Change


async def show(bot: Chat, answer: Answer, typed: str) -> None:
    """Answer with the table of the season that was typed, or of this group's."""
    async with bot.players.connected(answer.user) as player:
        season = await player.client.season(await _named(bot, answer, player.client, typed))
        await answer.show(_shown(bot, answer, season, player.client))


async def wish(bot: Chat, answer: Answer, season: str) -> None:
    """Remind the user of the weeks of a season, or no longer."""
    key, user = f"{season}:{answer.user.id}", answer.user
    if bot.store.get("wish", key, Wish) is not None:
        bot.store.drop("wish", key)
        await answer.tell(answer.say("season.no_wish"))
        return
    since = round(answer.asked_at.timestamp() * 1000)
    if bot.store.get("season", season, SeasonRecord) is None:
        bot.store.put("season", season, SeasonRecord(group=user.group, since=since))
    bot.store.put("wish", key, Wish(season, user.id, since, answer.say.language))
    bot.season_posts.poster.wake()
    await answer.tell(answer.say("season.wish"))


async def make(bot: Chat, answer: Answer, plan: Plan, place: ChatId) -> None:
    """Make a season of this group, whose news go to ``place``; 0 for nowhere."""
    if not answer.user.group:
        raise Sorry(answer.say("wrong.no_guild"))
    async with bot.players.organising(answer.user) as client:
        season = await client.make_season(bot.issuer.group(answer.user.group), plan)
        _post_in(bot, answer, season, place)
        await answer.show(_shown(bot, answer, season, client, done=True))


async def change(
    bot: Chat, answer: Answer, typed: str, make: Callable[[Season, Say], Change]
) -> None:
    """Change a season as its plan asks for, and show it."""
    async with bot.players.organising(answer.user) as client:
        named = await _named(bot, answer, client, typed)
        season = await client.season(named)
        season = await client.change_season(named, make(season, answer.say))
        bot.season_posts.poster.wake()
        await answer.show(_shown(bot, answer, season, client, done=True))


async def post_in(bot: Chat, answer: Answer, typed: str, place: ChatId) -> None:
    """Post the news of a season there; 0 for nowhere."""
    async with bot.players.organising(answer.user) as client:
        season = await client.season(await _named(bot, answer, client, typed))
        if season.group != bot.issuer.group(answer.user.group):
            raise Sorry(answer.say("wrong.season"))
        if not (answer.user.manages or client.player in season.organisers):
            raise Sorry(answer.say("wrong.not_organiser"))
        _post_in(bot, answer, season, place)
        await answer.show(_shown(bot, answer, season, client, done=True))


async def ask_to_delete(bot: Chat, answer: Answer, typed: str) -> None:
    """Say what goes with a season, and ask whether to go on."""
    async with bot.players.organising(answer.user) as client:
        season = await client.season(await _named(bot, answer, client, typed))
        if client.player not in season.organisers:
            raise Sorry(answer.say("wrong.not_organiser"))
    say = answer.say
    button = Button(
        say.label("button.delete_season"), id_of("delete-season", season.season), "danger"
    )
    told = say("season.ask", name=Name(season.plan.name))
    await answer.show(Content(told, [[button]]))


async def delete(bot: Chat, answer: Answer, season: str) -> None:
    """Delete a season, after the question."""
    async with bot.players.organising(answer.user) as client:
        await client.delete_season(season)
    bot.season_posts.forget(season)
    await answer.show(Content(answer.say("season.deleted")))


async def complete(bot: Chat, user: ChatUser, typed: str) -> list[Choice]:
    """Complete the user's seasons."""
    try:
        async with asyncio.timeout(COMPLETION_S), bot.players.connected(user) as player:
            found = (await player.client.seasons()).seasons
    except (ClientError, TimeoutError):
        return []
    return _choices([Choice(one.name, one.season) for one in found], typed)


async def complete_player(bot: Chat, user: ChatUser, season: str, typed: str) -> list[Choice]:
    """Complete the players in the table of a season."""
    try:
        async with asyncio.timeout(COMPLETION_S), bot.players.connected(user) as player:
            named = season or await _usual(bot, user, player.client)
            rows = (await player.client.season(named)).rows if named else ()
    except (ClientError, TimeoutError):
        return []
    return _choices([Choice(row.name, row.player) for row in rows if len(row.player) <= 100], typed)


def _choices(found: Sequence[Choice], typed: str) -> list[Choice]:
    wanted = typed.strip().casefold()
    return [one for one in found if wanted in f"{one.label} {one.value}".casefold()]


async def _named(bot: Chat, answer: Answer, client: Client, typed: str) -> str:
    """The season that was typed by its id or its name, or this group's. Raises Sorry for none."""
    if wanted := typed.strip():
        known = (await client.seasons()).seasons
        named = (one.season for one in known if one.name.casefold() == wanted.casefold())
        return next(named, wanted.upper())
    usual = await _usual(bot, answer.user, client)
    if not usual:
        raise Sorry(answer.say("wrong.no_season"))
    return usual


async def _usual(bot: Chat, user: ChatUser, client: Client) -> str:
    """The season of the user's group that runs, or else the next one or the last; or empty."""
    found = (await client.seasons()).seasons
    here = bot.issuer.group(user.group)
    return next((one.season for one in found if not here or one.group == here), "")


def _post_in(bot: Chat, answer: Answer, season: Season, place: ChatId) -> None:
    before = bot.store.get("season", season.season, SeasonRecord)
    since = before.since if before else round(answer.asked_at.timestamp() * 1000)
    record = replace(
        before or SeasonRecord(since=since),
        channel=place, by=answer.user.id, told=False, group=answer.user.group,
    )  # fmt: skip
    bot.store.put("season", season.season, record)
    bot.season_posts.poster.wake()


def _shown(
    bot: Chat, answer: Answer, season: Season, client: Client, *, done: bool = False
) -> Content:
    """The table; after a change also that it was made, and where the news of the season go."""
    content = messages.table(season, client.player, answer.say, page=bot.browser_page)
    if not done:
        return content
    record = bot.store.get("season", season.season, SeasonRecord)
    where = messages.posted_in(record.channel if record else 0, answer.say)
    return Content(lines(answer.say("season.done"), content.text, where), content.rows)
