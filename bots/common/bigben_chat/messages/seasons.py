"""A club's season as messages: its table, the news of its weeks, and the reminder."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bigben_chat.messages import formatting
from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_chat.tree import (
    Block,
    Link,
    Listed,
    Name,
    Place,
    Rest,
    Small,
    Strong,
    Text,
    Time,
    lines,
    text,
)
from bigben_protocol import PlayerId, Season, SeasonRow, SeasonWeek
from bigben_protocol.result_time import result_time
from bigben_protocol.seasons import POINT, WeekResult

MOST_ROWS: Final = 15
"""Of the table, beside one's own."""
HEAD: Final = 5
"""Of the table and of a week's result where a week closes."""
WIDEST: Final = 18
"""Columns of a name in the table."""
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def table(season: Season, own: PlayerId, say: Say, *, page: str) -> Content:
    """The season for one user; ``page`` is where browsers can see all of it, if they can."""
    week = current_week(season)
    told = [_title(season), _when(season, week, say)]
    if week is not None and week.phase == "open" and week.results:
        told.append(say("season.played", count=len(week.results)))
    told.append(_leading(season, say))
    if season.rows:
        told.append((Block(_columns(season, own, week, say)),))
    told.append((Small(say("season.counts", count=season.plan.counted)),))
    if page:
        told.append(say("season.page", link=Link(f"{page}/#season={season.season}")))
    return Content(lines(*filter(None, told)), [_buttons(season, own, week, say)])


def opened(season: Season, week: SeasonWeek, say: Say) -> Text:
    """What stands above the race of a week that has opened."""
    opens = say("season.opens", week=week.number, weeks=len(season.weeks))
    return lines(*filter(None, [_title(season), opens, _leading(season, say)]))


def closed(season: Season, week: SeasonWeek, names: Mapping[str, str], say: Say) -> Content:
    """The result of a week, and the head of the table; ``names`` are those who raced."""
    names = {**names, **{row.player: row.name for row in season.rows}}
    results = [_result(one, names, say) for one in week.results if one.place]
    told = [_title(season), say("season.closed", week=week.number, weeks=len(season.weeks))]
    told.append(_listed(results, say) or say("season.nobody"))
    if season.phase == "over":
        told.append(say("season.won", names=_first(season)) if season.rows else ())
    elif (following := current_week(season)) is not None:
        told.append(_when(season, following, say))
    if season.rows:
        block = "\n".join(_row(row, None, say) for row in season.rows[:HEAD])
        told += [say("season.table"), (Block(block),)]
    buttons = [_table_button(season.season, say)]
    return Content(lines(*filter(None, told)), [buttons])


def reminder(season: Season, week: SeasonWeek, say: Say) -> Content:
    """That a week closes soon, for a user who has not played."""
    told = say(
        "season.reminder",
        name=Name(season.plan.name),
        week=week.number,
        at=Time(week.closes_at, "date"),
        left=Time(week.closes_at),
    )
    play = Button(say.label("club.play"), id_of("play", week.race), "success")
    return Content(told, [[play, _wish_button(season.season, say)]])


def posted_in(place: ChatId, say: Say) -> Text:
    """Where the news of a season go."""
    posted = say("season.posted", channel=Place(place)) if place else say("season.not_posted")
    return (Small(posted),)


def week_buttons(season: str, say: Say) -> list[Button]:
    """What is under the public message of a week's race, beside the race's own buttons."""
    return [_wish_button(season, say), _table_button(season, say)]


def current_week(season: Season) -> SeasonWeek | None:
    """The week that is open, or else the next one."""
    left = [week for week in season.weeks if week.phase in ("open", "to come")]
    return min(left, key=lambda week: week.opens_at, default=None)


def points(hundredths: int, say: Say) -> str:
    """Points as people write them.

    >>> from bigben_chat.texts import say_in
    >>> points(1200, say_in("en")), points(633, say_in("en")), points(4150, say_in("de"))
    ('12', '6.33', '41,5')
    """
    whole, part = divmod(hundredths, POINT)
    return f"{whole}{say.label('season.comma')}{part:02}".rstrip("0") if part else f"{whole}"


def _title(season: Season) -> Text:
    return text("🏁 ", Strong((Name(season.plan.name),)))


def _when(season: Season, week: SeasonWeek | None, say: Say) -> Text:
    if week is None:
        return () if season.rows else say("season.over")
    is_open = week.phase == "open"
    until = week.closes_at if is_open else week.opens_at
    return say(
        "season.open" if is_open else "season.next",
        week=week.number,
        weeks=len(season.weeks),
        rules=formatting.variant_name(week.game, week.rules, say),
        at=Time(until, "date"),
        left=Time(until),
    )


def _leading(season: Season, say: Say) -> Text:
    if season.phase == "over":
        return say("season.won", names=_first(season)) if season.rows else ()
    first = next(iter(season.rows), None)
    if first is None or not first.place:
        return ()
    return say("season.leads", names=_first(season), points=points(first.total, say))


def _first(season: Season) -> Text:
    """Who share the first place: all of them."""
    first = tuple((Strong((Name(row.name),)),) for row in season.rows if row.place == 1)
    return (Listed(first, (" … +", Rest()), most=HEAD, between=", "),) if first else ("–",)


def _listed(rows: Sequence[Text], say: Say) -> Text:
    if not rows:
        return ()
    more = text("\n", say("public.more", count=Rest()))
    return (Listed(tuple(rows), more, most=HEAD),)


def _result(one: WeekResult, names: Mapping[str, str], say: Say) -> Text:
    """``🥇 Ada · 🏆 9:41.3 · 12 pts``."""
    place = _MEDALS.get(one.place, f"{one.place}.")
    home = f"🏆 {result_time(one.home_ms)}".rstrip()
    how: Text = (home,) if one.state == "won" else say("cards.home", home=one.home)
    earned = say("table.points", points=points(one.points, say))
    named = Strong((Name(names.get(one.player, "?")),))
    return text(f"{place} ", named, " · ", how, " · ", earned)


def _columns(season: Season, own: PlayerId, week: SeasonWeek | None, say: Say) -> str:
    """The first rows, and one's own, in columns."""
    shown = [
        _row(row, week, say)
        for n, row in enumerate(season.rows)
        if n < MOST_ROWS or row.player == own
    ]
    if left := len(season.rows) - len(shown):
        shown.append(say.label("public.more", count=left))
    return "\n".join(shown)


def _row(row: SeasonRow, week: SeasonWeek | None, say: Say) -> str:
    """`` 1. ▲1   Ada      46  to play``: the last column is about an open ``week``."""
    place = f"{row.place}." if row.place else "–"
    moved = f"{'▲' if row.moved > 0 else '▼'}{abs(row.moved)}" if row.moved else ""
    moved = say.label("club.new") if row.new else moved
    said = f"{place:>4} {moved:<4} {_fitted(row.name)} {points(row.total, say):>7}"
    if week is None or week.phase != "open":
        return said
    worth = row.points[week.number - 1]
    return f"{said}  {say.label('season.to_play') if worth < 0 else '+' + points(worth, say)}"


def _fitted(name: str) -> str:
    """A name in as many columns as the table has for it."""
    shown = ""
    for letter in name:
        if _columns_of(shown + letter) > WIDEST:
            break
        shown += letter
    padding = " " * (WIDEST - _columns_of(shown))
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in shown):
        shown = f"\u2068{shown}\u2069"  # Written from the right, it turns nothing around it.
    return shown + padding


def _columns_of(letters: Iterable[str]) -> int:
    return sum(
        0 if unicodedata.combining(one) else 1 + (unicodedata.east_asian_width(one) in "WF")
        for one in letters
    )


def _buttons(season: Season, own: PlayerId, week: SeasonWeek | None, say: Say) -> list[Button]:
    buttons = []
    is_over = week is None or any(one.player == own for one in week.results)
    if week is not None and week.race and season.plays and not is_over:
        buttons = [Button(say.label("club.play"), id_of("play", week.race), "success")]
    if season.phase != "over":
        buttons.append(_wish_button(season.season, say))
    return buttons


def _wish_button(season: str, say: Say) -> Button:
    return Button(say.label("button.wish"), id_of("wish", season))


def _table_button(season: str, say: Say) -> Button:
    return Button(say.label("button.season"), id_of("season", season))
