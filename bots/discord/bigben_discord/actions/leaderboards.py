"""Standings, leaderboards and profiles as messages. Asks the server; keeps nothing."""

from dataclasses import dataclass
from typing import Final, cast

from bigben_chat import store
from bigben_chat.connections.identity import group_of, player_of
from bigben_chat.connections.player_pool import Player
from bigben_chat.texts import Say
from bigben_client import RefusedError
from bigben_discord import telling
from bigben_discord.actions.races import visitor
from bigben_discord.controls import Content, Row, Tap, id_of
from bigben_discord.interactions.answers import Answer, Sorry
from bigben_protocol import By, Leaderboard, Period, Profile, Ranked, Standing, Tally

PAGE: Final = 10
"""Rows of a leaderboard."""
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


@dataclass(frozen=True)
class Wanted:
    """Which page of which leaderboard."""

    period: Period = "daily"
    here: bool = False
    """Only players of this guild."""
    rules: str = "standard"
    date: str = ""
    start: int = 0
    by: By = "points"
    """The order of all but a daily board."""

    def at(self, start: int) -> str:
        """The id of a button that leads to another page."""
        here = "here" if self.here else "all"
        return id_of("page", self.period, here, self.rules, self.date, start, self.by)

    @classmethod
    def read(cls, details: list[str]) -> "Wanted":
        """The page that such a button leads to."""
        period, here, rules, date, start, by = details
        here_only = here == "here"
        return cls(cast(Period, period), here_only, rules, date, int(start), cast(By, by))


async def leaderboard(answer: Answer, wanted: Wanted) -> None:
    """Answer with a page."""
    bot = answer.interaction.client
    group = group_of(answer.interaction.guild_id or 0) if wanted.here else ""
    async with bot.players.at(visitor(answer.interaction)) as player:
        page = await player.client.leaderboard(
            date=wanted.date,
            rules=wanted.rules,
            start=wanted.start,
            count=PAGE,
            period=wanted.period,
            by=wanted.by,
            group=group,
        )
        racing = await _racing(answer, player, page, wanted) if wanted.period == "daily" else 0
    await answer.show(page_of(page, wanted, answer.say, racing))


async def _racing(answer: Answer, player: Player, page: Leaderboard, wanted: Wanted) -> int:
    """How many of a daily board's players are in mid-game, and so not on it yet."""
    kept, guild = answer.interaction.client.memory, answer.interaction.guild_id
    try:
        places = await player.client.standings(page.board.partition("@")[0])
    except RefusedError:
        return 0  # It begins with its first player.
    if not wanted.here:
        known = sum(row.state == "playing" for row in places.rows)
        return known if len(places.rows) == places.players else places.players - page.total

    def is_here(row: Standing) -> bool:
        mine = kept.get("player", row.player.partition(":")[2], store.Player)
        return mine is not None and guild in mine.guilds

    return sum(row.state == "playing" and is_here(row) for row in places.rows)


async def standings(answer: Answer, race: str) -> None:
    """Answer with the places as they are."""
    bot, say = answer.interaction.client, answer.say
    async with bot.players.at(visitor(answer.interaction)) as player:
        places = await player.client.standings_and_own(race)
    mine = [row for row in places.rows if row.player == player.id]
    title = say("public.title", race=telling.race_name(race, say))

    def lines(most: int) -> list[str]:
        shown = {row.player: row for row in (*places.rows[:most], *mine)}
        said = [standing_line(row, say) for row in shown.values()] or [say("table.empty")]
        rest = places.players - len(shown)
        return [title, *said, *([say("public.more", count=rest)] if rest else [])]

    await answer.show(Content(telling.fitted(lines, 2 * PAGE)))


async def profile(answer: Answer, user: int) -> None:
    """Answer with what a player has done, and how the asker stands against them."""
    bot = answer.interaction.client
    me = answer.interaction.user.id
    async with bot.players.at(visitor(answer.interaction)) as player:
        against = player_of(user) if user != me else ""
        try:
            mine = await player.client.profile(against=against)
            theirs = await player.client.profile(player_of(user)) if against else mine
        except RefusedError as error:
            if error.code != "unknown":
                raise
            raise Sorry(answer.say("profile.empty")) from None
    await answer.show(Content(profile_text(theirs, mine, answer.say)))


def standing_line(row: Standing, say: Say) -> str:
    """``🥇 Ada · 104 · 9:41``."""
    place = _place(row.place)
    name = telling.name(row.name)
    if row.state == "won":
        return f"{place} **{name}** · 🏆 {telling.clock_time(row.ms)}"
    return f"{place} **{name}** · {say('table.home', home=row.home)}"


def _ranked_line(row: Ranked, by: By, say: Say) -> str:
    if by == "rating":
        earned = say("table.rating", rating=_rating(row.rating, row.provisional))
    else:
        earned = say("table.points", points=row.points)
    return f"{_place(row.place)} **{telling.name(row.name)}** · {earned}"


def _rating(rating: int, provisional: bool) -> str:
    return f"{rating}?" if provisional else f"{rating}"


def _place(place: int) -> str:
    return _MEDALS.get(place, f"`{place:>3}.`")


def page_of(page: Leaderboard, wanted: Wanted, say: Say, racing: int = 0) -> Content:
    """A page. ``racing`` players of a daily are in mid-game, and on no board yet."""
    scope = say("table.here") if wanted.here else say("table.everybody")
    rules = telling.rules_name(wanted.rules, say)
    title = say(f"table.{wanted.period}", scope=scope, rules=rules)
    rows = [standing_line(row, say) for row in page.rows]
    rows += [_ranked_line(row, wanted.by, say) for row in page.ranked]
    empty = say("table.unfinished" if racing else "table.empty")
    lines = [title, *(rows or [empty])]
    shown = page.start + len(page.rows) + len(page.ranked)
    if page.mine is not None and page.mine not in page.rows:
        lines += ["…", standing_line(page.mine, say)]
    if page.my_rank is not None and page.my_rank not in page.ranked:
        lines += ["…", _ranked_line(page.my_rank, wanted.by, say)]
    if racing:
        lines.append(say("table.racing", count=racing))
    taps = [
        Tap("◀", wanted.at(max(0, page.start - PAGE)), disabled=page.start == 0),
        Tap(say("table.shown", last=shown, total=page.total), id_of("idle"), disabled=True),
        Tap("▶", wanted.at(page.start + PAGE), disabled=shown >= page.total),
    ]
    rows_below: list[Row] = [taps] if page.total > PAGE else []
    if racing:
        race = page.board.partition("@")[0]
        rows_below.append([Tap(say("button.standings"), id_of("standings", race))])
    return Content("\n".join(lines), rows_below)


def profile_text(theirs: Profile, mine: Profile, say: Say) -> str:
    lines = [say("profile.title", name=telling.name(theirs.name))]
    for tally in theirs.tallies:
        lines += _tally(tally, say)
    if not theirs.tallies:
        lines.append(say("profile.empty"))
    if mine.against is not None:
        met = mine.against
        lines.append(say("profile.against", ahead=met.ahead, behind=met.behind, level=met.level))
    return "\n".join(lines)


def _tally(tally: Tally, say: Say) -> list[str]:
    best = telling.clock_time(tally.best_ms) if tally.best_ms else "–"
    rating = _rating(tally.rating, tally.provisional) if tally.rating else "–"
    return [
        f"**{telling.rules_name(tally.rules, say)}**",
        say("profile.races", played=tally.played, won=tally.won, best=best, rating=rating),
        say(
            "profile.streaks",
            played=tally.days_played.now,
            longest=tally.days_played.longest,
            won=tally.days_won.now,
            longest_won=tally.days_won.longest,
        ),
    ]
