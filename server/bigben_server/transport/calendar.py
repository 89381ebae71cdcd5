"""The weeks of a season as a calendar (RFC 5545), which others subscribe to or import.

An event keeps its id when its week moves, and its SEQUENCE grows with each change.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from icalendar import Alarm, Calendar, Event, vText

from bigben_protocol import Changed, Season, texts
from bigben_protocol.seasons import ChangeWeek, EndSeason, Replan, VoidWeek
from bigben_server.seasons.plan import Window, windows

PRODUCT: Final = "-//Big Ben race server//Seasons//EN"
REMIND: Final = timedelta(hours=3)
"""So long before the close an alarm reminds of a week, or when half of a shorter one is over."""
REFRESH: Final = timedelta(hours=1)


def season_calendar(season: Season, page: str = "", language: str = texts.DEFAULT) -> bytes:
    """The same bytes for the same season. Events link to ``page``, if its address is known."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("uid", f"{season.season}@bigben")
    for name in ("name", "x-wr-calname"):  # of RFC 7986, and what all took before
        calendar.add(name, vText(season.plan.name))
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    for event in _events(season, page, language):
        calendar.add_component(event)
    written: bytes = calendar.to_ical()
    return written


def _events(season: Season, page: str, language: str) -> Iterator[Event]:
    about = {"name": season.plan.name, "weeks": season.plan.weeks}

    def say(key: str, **values: object) -> str:
        return texts.fill(texts.of("calendar", language)[key], **about, **values)

    for week in season.weeks:
        window = Window(week.opens_at, week.closes_at)
        event = _event(season, week.number, window)
        summary = say("week", week=week.number)
        if week.void:
            event.add("status", "CANCELLED")
            summary = say("void", week=week.number, why=week.void)
        else:
            event.add("status", "CONFIRMED")
            event.add_component(_alarm(window, say("closes", week=week.number)))
        event.add("summary", summary)
        game = texts.text(f"game.{week.game}", language)
        rules = texts.text(f"rules.{week.game}.{week.rules}", language)
        event.add("description", say("about", game=game, rules=rules))
        if page:
            event.add("url", f"{page}/#season={season.season}")
        yield event
    if season.ended_at:
        for number in range(len(season.weeks) + 1, season.plan.weeks + 1):
            event = _event(season, number, windows(season.plan)[number - 1])
            event.add("status", "CANCELLED")
            event.add("summary", say("ended", week=number))
            yield event


def _event(season: Season, number: int, window: Window) -> Event:
    changes = [one.at for one in season.changes if _changes(one, number)]
    event = Event()
    event.add("uid", f"{season.season}.{number}@bigben")
    event.add("sequence", len(changes))
    event.add("dtstamp", _time(max(changes, default=season.made_at)))
    event.add("dtstart", _time(window.opens_at))
    event.add("dtend", _time(window.closes_at))
    event.add("transp", "TRANSPARENT")  # one may do other things meanwhile
    return event


def _changes(changed: Changed, number: int) -> bool:
    """Whether a change is one of this week, or of all."""
    match changed.change:
        case ChangeWeek(week) | VoidWeek(week):
            return week == number
        case Replan() | EndSeason():
            return True
        case _:
            return False


def _alarm(window: Window, text: str) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", text)
    before = min(REMIND, timedelta(milliseconds=window.closes_at - window.opens_at) / 2)
    alarm.add("trigger", -before, parameters={"RELATED": "END"})
    return alarm


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC)
