"""A player's statistics as lines: results, streaks, records, and a plot of weeks."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from bigben_protocol import PERIODS, Profile, Tally, Week
from bigben_protocol.result_time import result_time
from bigben_terminal.display import headings
from bigben_terminal.display.faces import Faces, safe
from bigben_terminal.language import say

_WEEKS: Final = 12
"""How many weeks the plot shows."""
_BAR: Final = 40
"""The width of its longest bar."""
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"


def profile_lines(profile: Profile, faces: Faces, *, plain: bool) -> list[str]:
    """The whole page; ``plain`` has sentences in place of the plot."""
    name = safe(profile.name)
    lines = [name] if profile.tallies else [say("stats.nothing", name=name)]
    lines += [" ".join(_of_tally(tally)) for tally in profile.tallies]
    if profile.weeks:
        weeks = _all_weeks(profile.weeks)
        lines.append(say("player.weeks"))
        lines += map(_in_words, weeks) if plain else _plot(weeks, faces)
    if profile.against:
        a = profile.against
        counts = {"ahead": a.ahead, "behind": a.behind, "level": a.level}
        lines.append(say("stats.against", name=safe(a.name), **counts))
    return lines


def _of_tally(tally: Tally) -> Iterator[str]:
    rules = headings.of_rules(tally.game, tally.rules)
    percent = round(100 * tally.won / tally.played) if tally.played else 0
    yield say("stats.played", rules=rules, played=tally.played, won=tally.won, percent=percent)
    if tally.best_ms:
        yield say("stats.best", time=result_time(tally.best_ms))
    if tally.fewest_moves:
        yield say("stats.fewest", count=tally.fewest_moves)
    played, won = tally.days_played, tally.days_won
    if played.longest:
        yield say("stats.streak", now=played.now, longest=played.longest)
    if won.longest:
        yield say("stats.days_won", now=won.now, longest=won.longest)
    if tally.rating:
        unsure = say("row.provisional") if tally.provisional else ""
        yield say("stats.rating", rating=tally.rating, unsure=unsure)


def _all_weeks(weeks: tuple[Week, ...]) -> list[Week]:
    """The last weeks up to the latest with a result, with those that have none."""
    known = {week.week: week for week in weeks}
    spans = PERIODS["weekly"]
    latest: date = spans.day_in(weeks[-1].week)
    days = [latest - timedelta(weeks=back) for back in range(_WEEKS - 1, -1, -1)]
    all_ = [known.get(spans.of(day), Week(spans.of(day), 0, 0, 0)) for day in days]
    first = next(at for at, week in enumerate(all_) if week.played)
    return all_[first:]


def _plot(weeks: list[Week], faces: Faces) -> list[str]:
    most = max(1, *(week.home for week in weeks))
    return [f"{week.week}  {_bar(week.home / most, faces)} {week.home}" for week in weeks]


def _bar(part: float, faces: Faces) -> str:
    """A bar of blocks, in eighths of a column.

    >>> _bar(0.5, Faces(ascii=True)), _bar(0.01, Faces())
    ('####################', '▍')
    """
    if faces.ascii:
        return "#" * round(_BAR * part)
    whole, rest = divmod(round(_BAR * 8 * part), 8)
    return "█" * whole + _EIGHTHS[rest].strip()


def _in_words(week: Week) -> str:
    races = say("races", count=week.played)
    return say("stats.week", week=week.week, home=week.home, races=races, won=week.won)
