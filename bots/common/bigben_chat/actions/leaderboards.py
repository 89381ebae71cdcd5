"""Leaderboards, standings and profiles: asks the server and shows the answer."""

from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player
from bigben_chat.messages import leaderboards
from bigben_chat.messages.content import Content
from bigben_chat.messages.leaderboards import ROWS_PER_PAGE, BoardPage
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import PlayerRecord, player_record
from bigben_chat.store import ChatId
from bigben_client import RefusedError
from bigben_protocol import Leaderboard, PlayerId


async def leaderboard(bot: Chat, answer: Answer, wanted: BoardPage) -> None:
    """Answer with a page."""
    group = bot.issuer.group(answer.user.group) if wanted.here else ""
    async with bot.players.connected(answer.user) as player:
        page = await player.client.leaderboard(
            date=wanted.date,
            game=wanted.game,
            rules=wanted.rules,
            start=wanted.start,
            count=ROWS_PER_PAGE,
            period=wanted.period,
            by=wanted.by,
            group=group,
        )
        daily = wanted.period == "daily"
        racing = await _racing(bot, answer, player, page, wanted) if daily else 0
    await answer.show(leaderboards.leaderboard(page, wanted, answer.say, racing))


async def _racing(
    bot: Chat, answer: Answer, player: Player, page: Leaderboard, wanted: BoardPage
) -> int:
    """How many players of a daily are still playing, and so not on its board yet."""
    try:
        places = await player.client.standings(page.board.partition("@")[0])
    except RefusedError:
        return 0  # A daily begins to exist with its first player.
    if not wanted.here:
        known = sum(row.state == "playing" for row in places.rows)
        return known if len(places.rows) == places.players else places.players - page.total

    rows = [row for row in places.rows if row.state == "playing"]
    return sum(_is_here(bot, answer.user.group, row.player) for row in rows)


def _is_here(bot: Chat, group: ChatId, player: PlayerId) -> bool:
    """Whether a player is in a group, as far as the bot knows."""
    issuer, _, user = player.partition(":")
    if issuer == bot.issuer.name:
        return group in player_record(bot.store, user).groups
    # A user may be tied to a player of another platform, and nobody to a guest.
    records = bot.store.all("player", PlayerRecord) if issuer != "guest" else ()
    return any(one.player == player and group in one.groups for _, one in records)


async def standings(bot: Chat, answer: Answer, race: str) -> None:
    """Answer with the current places."""
    async with bot.players.connected(answer.user) as player:
        places = await player.client.standings_and_own(race)
    await answer.show(leaderboards.standings(places, player.id, race, answer.say))


async def profile(bot: Chat, answer: Answer, user: ChatId) -> None:
    """Answer with a player's profile, and the asker's results against them."""
    me = answer.user.id
    async with bot.players.connected(answer.user) as player:
        against = bot.issuer.player(user) if user != me else ""
        try:
            mine = await player.client.profile(against=against)
            theirs = await player.client.profile(bot.issuer.player(user)) if against else mine
        except RefusedError as error:
            if error.code != "unknown":
                raise
            raise Sorry(answer.say("profile.empty")) from None
    await answer.show(Content(leaderboards.profile(theirs, mine, answer.say)))
