"""Standings, leaderboards and profiles as messages."""

from dataclasses import dataclass
from typing import Final, cast

from bigben_chat.messages import formatting
from bigben_chat.messages.content import Button, Content, Row, id_of
from bigben_chat.records import MAIN, STANDARD
from bigben_chat.texts import Say
from bigben_chat.tree import Code, Listed, Name, Part, Rest, Strong, Text, lines, text
from bigben_protocol import (
    By,
    Leaderboard,
    Period,
    PlayerId,
    Profile,
    Ranked,
    Standing,
    Standings,
    Tally,
    period_name,
    span_name,
)
from bigben_protocol.result_time import result_time

ROWS_PER_PAGE: Final = 10
"""The rows on a page of a leaderboard."""
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


@dataclass(frozen=True)
class BoardPage:
    """Which page of which leaderboard."""

    period: Period = "daily"
    here: bool = False
    """Only players of this group."""
    game: str = MAIN
    rules: str = STANDARD
    date: str = ""
    start: int = 0
    by: By = "points"
    """The order of all but a daily board."""

    def at(self, start: int) -> str:
        """The id of a button that leads to another page."""
        here = "here" if self.here else "all"
        rules = self.rules if self.game == MAIN else f"{self.game}.{self.rules}"
        return id_of("page", self.period, here, rules, self.date, start, self.by)

    @classmethod
    def read(cls, details: list[str]) -> "BoardPage":
        """The page that such a button leads to."""
        period, here, rules, date, start, by = details
        here_only = here == "here"
        game, _, rules = rules.rpartition(".")
        game = game or MAIN
        return cls(cast(Period, period), here_only, game, rules, date, int(start), cast(By, by))


def standings(places: Standings, own: PlayerId, race: str, say: Say) -> Content:
    """The first places of a race, and the player's own."""
    most = 2 * ROWS_PER_PAGE
    mine = next((n for n, row in enumerate(places.rows) if row.player == own), None)
    rows = tuple(standing_line(row, say) for row in places.rows[: max(most, (mine or 0) + 1)])
    title = say("public.title", race=formatting.race_name(race, say))
    if not rows:
        return Content(lines(title, say("nobody")))
    more = text("\n", say("public.more", count=Rest()))
    return Content(lines(title, Listed(rows, more, places.players, most, mine)))


def standing_line(row: Standing, say: Say) -> Text:
    """``🥇 Ada · 🏆 9:41.3``; without the time where it does not count, and ``home_ms`` is 0."""
    named = text(_place(row.place), " ", Strong((Name(row.name),)), " · ")
    if row.state == "won":
        return text(named, f"🏆 {result_time(row.home_ms)}".rstrip())
    return text(named, say("cards.home", home=row.home), formatting.away(row, say))


def _ranked_line(row: Ranked, by: By, say: Say) -> Text:
    if by == "rating":
        earned = say("table.rating", rating=_rating(row.rating, row.provisional))
    else:
        earned = say("table.points", points=row.points)
    return text(_place(row.place), " ", Strong((Name(row.name),)), " · ", earned)


def _rating(rating: int, provisional: bool) -> str:
    return f"{rating}?" if provisional else f"{rating}"


def _place(place: int) -> Part:
    return _MEDALS.get(place) or Code(f"{place:>3}.")


def leaderboard(page: Leaderboard, wanted: BoardPage, say: Say, racing: int = 0) -> Content:
    """A page. ``racing`` is the number of a daily's players who are still playing."""
    scope = say.label("table.here" if wanted.here else "table.everybody")
    rules = formatting.variant_name(wanted.game, wanted.rules, say)
    period = period_name(wanted.period, say.language)
    if wanted.date:
        period = span_name(wanted.period, page.board.split(".")[1], say.language)
    title = say("table.title", period=period, scope=scope, rules=rules)
    rows = [standing_line(row, say) for row in page.rows]
    rows += [_ranked_line(row, wanted.by, say) for row in page.ranked]
    empty = say("table.unfinished" if racing else "nobody")
    told: list[Part | Text] = [title, *(rows or [empty])]
    shown = page.start + len(page.rows) + len(page.ranked)
    if page.mine is not None and page.mine not in page.rows:
        told += ["…", standing_line(page.mine, say)]
    if page.my_rank is not None and page.my_rank not in page.ranked:
        told += ["…", _ranked_line(page.my_rank, wanted.by, say)]
    if racing:
        told.append(say("table.racing", count=racing))
    buttons = [
        Button("◀", wanted.at(max(0, page.start - ROWS_PER_PAGE)), disabled=page.start == 0),
        Button(
            say.label("table.shown", last=shown, total=page.total), id_of("idle"), disabled=True
        ),
        Button("▶", wanted.at(page.start + ROWS_PER_PAGE), disabled=shown >= page.total),
    ]
    rows_below: list[Row] = [buttons] if page.total > ROWS_PER_PAGE else []
    if racing:
        race = page.board.partition("@")[0]
        rows_below.append([Button(say.label("button.standings"), id_of("standings", race))])
    return Content(lines(*told), rows_below)


def profile(theirs: Profile, mine: Profile, say: Say) -> Text:
    """A player's profile. ``mine`` compares the user with them."""
    told = [say("profile.title", name=Name(theirs.name))]
    for tally in theirs.tallies:
        told += _tally(tally, say)
    if not theirs.tallies:
        told.append(say("profile.empty"))
    if mine.against is not None:
        met = mine.against
        told.append(say("profile.against", ahead=met.ahead, behind=met.behind, level=met.level))
    return lines(*told)


def _tally(tally: Tally, say: Say) -> list[Text]:
    best = result_time(tally.best_ms) or "–"
    rating = _rating(tally.rating, tally.provisional) if tally.rating else "–"
    return [
        (Strong((formatting.variant_name(tally.game, tally.rules, say),)),),
        say("profile.races", played=tally.played, won=tally.won, best=best, rating=rating),
        say(
            "profile.streaks",
            played=tally.days_played.now,
            longest=tally.days_played.longest,
            won=tally.days_won.now,
            longest_won=tally.days_won.longest,
        ),
    ]
