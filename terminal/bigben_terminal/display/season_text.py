"""A season as tables and words: pure functions of the messages."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from bigben_protocol import Alike, Changed, PlayerId, Season, SeasonInfo, SeasonRow, SeasonWeek
from bigben_protocol.seasons import (
    POINT,
    ChangeWeek,
    EndSeason,
    NameOrganiser,
    PutBack,
    TakeOut,
    VoidWeek,
)
from bigben_terminal.display import headings
from bigben_terminal.display.faces import Faces, safe
from bigben_terminal.display.race_text import moment
from bigben_terminal.display.tables import framed
from bigben_terminal.language import say


def head(season: Season, now: int, dot: str, options: str) -> Iterator[str]:
    """What the season is, and what can be played now."""
    plan = season.plan
    group = safe(season.group_name or season.group)
    yield say("season.heading", name=safe(plan.name), dot=dot, group=group)
    counts = say("club.counts", count=plan.weeks, counted=plan.counted)
    scale = say(f"season.scale_{season.scale}" if season.scale else "club.scale_open")
    yield f"{headings.of_rules(plan.game, plan.rules)}. {counts} {scale}"
    left = [week for week in season.weeks if week.closes_at > now and week.phase != "void"]
    for week in left[:1]:
        if week.phase == "open":
            yield f"{say('week.open', week=week.number, day=moment(week.closes_at))}."
            yield say("season.play", race=week.race, options=options)
        else:
            yield f"{say('club.opens', week=week.number, when=moment(week.opens_at))}."
    if season.phase == "over":
        yield f"{say('club.over')}."


def notes(season: Season) -> Iterator[str]:
    """What the table does not say by itself."""
    for week in season.weeks:
        if week.phase == "void":
            yield f"{say('season.week', week=week.number)}: {say('club.is_void')}. {week.void}"
        if week.phase == "missed":
            yield say("season.missed", week=week.number)
        for one in week.results:
            if one.out:
                name = _name(season, one.player)
                why = say("club.taken_out", reason=one.out)
                yield f"{say('season.week', week=week.number)}: {name} {why}"
    if any(row.struck for row in season.rows):
        yield say("season.struck")
    totals = [row.total for row in season.rows if row.place]
    if len({*totals}) < len(totals):
        yield say("club.level_many")
    yield say("season.id", season=season.season)


def table(season: Season, me: PlayerId, faces: Faces, *, plain: bool) -> RenderableType:
    """The rows, the best first; ``plain`` means words."""
    if not season.rows:
        return Text(say("club.nobody_yet"))
    if plain:
        return Text("\n".join(_in_words(row) for row in season.rows))
    shown = framed(faces)
    shown.add_column("", justify="right")
    shown.add_column("")
    shown.add_column(say("table.player"))
    shown.add_column(say("table.points"), justify="right")
    for week in season.weeks:
        shown.add_column(_heading(week), justify="right")
    for row in season.rows:
        cells = (Text(points(row, n), _style(row, n)) for n in range(1, len(season.weeks) + 1))
        shown.add_row(
            Text(str(row.place or "-")),
            _moved(row, faces),
            Text(safe(row.name)),
            Text(_number(row.total)),
            *cells,
            style="bold" if row.player == me else "",
        )
    return shown


def points(row: SeasonRow, week: int) -> str:
    """The points of a week, in brackets if they don't count; a dash for none."""
    one = row.points[week - 1] if week <= len(row.points) else -1
    if one < 0:
        return "-"
    return f"({_number(one)})" if week in row.struck else _number(one)


def changes(season: Season) -> Iterator[str]:
    """Every change with its time, the latest last."""
    for changed in season.changes:
        yield f"{moment(changed.at)}: {_did(changed)}"


def alike(report: Alike) -> Iterator[str]:
    """What stands out when all attempts are compared; it accuses nobody."""
    if not report.pairs:
        said = "none" if report.compared else "nobody"
        yield say(f"alike.{said}", compared=report.compared)
        return
    yield say("alike.some", compared=report.compared, one_in=report.one_in)
    for pair in report.pairs:
        one, two = pair.names
        names = dict(zip(pair.players, pair.names, strict=True))
        weeks = ", ".join(map(str, pair.weeks))
        kind = pair.kind if two else "foreseen_any"
        count = pair.explained_by
        yield say(f"alike.{kind}", one=one, two=two, weeks=weeks, score=pair.score, count=count)
        for choice in pair.choices:
            name = names[choice.player]
            said = say("alike.choice", week=choice.week, n=choice.n, name=name, move=choice.move)
            yield f"  {said}"


def against(season: Season, one: PlayerId, other: PlayerId) -> str:
    """Two players, by the weeks in which both have a result that counts."""
    ahead = behind = level = 0
    for week in season.weeks:
        places = {result.player: result.place for result in week.results if result.place}
        if week.phase != "void" and one in places and other in places:
            ahead += places[one] < places[other]
            behind += places[one] > places[other]
            level += places[one] == places[other]
    names = {"name": _name(season, one), "other": _name(season, other)}
    return say("season.ahead", **names, ahead=ahead, behind=behind, level=level)


def listed(seasons: Sequence[SeasonInfo], options: str) -> Iterator[str]:
    """A line for each season, and one for what is played in it now or next."""
    for one in seasons:
        phase = say(f"club.phase.{one.phase.replace(' ', '_')}")
        name = safe(one.name)
        yield say("season.one", name=name, season=one.season, phase=phase, options=options)
        if one.race:
            yield f"  {say('week.open', week=one.week, day=moment(one.closes_at))}."
            yield f"  {say('season.play', race=one.race, options=options)}"
        elif one.week:
            yield f"  {say('club.opens', week=one.week, when=moment(one.opens_at))}."


def _did(changed: Changed) -> str:
    change = changed.change
    key = change.__struct_config__.tag
    values: dict[str, object] = {"by": safe(changed.by), "about": safe(changed.about or "?")}
    reason = ""
    match change:
        case ChangeWeek(week, opens_at, closes_at):
            key = "move" if opens_at else "week"
            values |= {"week": week, "opens": moment(opens_at), "closes": moment(closes_at)}
        case VoidWeek(week, why, opens_at):
            key = "again" if opens_at else "void"
            values |= {"week": week, "reason": why, "opens": moment(opens_at)}
        case TakeOut(week, _, why):
            values |= {"week": week, "reason": why}
        case PutBack(week, _, reason):
            values["week"] = week
        case NameOrganiser(no_more=True):
            key = "organiser_no_more"
        case EndSeason(reason):
            pass
        case _:
            pass  # nothing more is to be said
    return f"{say(f'club.did.{key}', **values)} {reason}".rstrip()


def _in_words(row: SeasonRow) -> str:
    weeks = ", ".join(points(row, n) for n in range(1, len(row.points) + 1))
    place = row.place or say("season.no_place")
    return say(
        "season.row", place=place, name=safe(row.name), total=_number(row.total), points=weeks
    )


def _moved(row: SeasonRow, faces: Faces) -> Text:
    if row.new:
        return Text(say("club.new"), "cyan")
    if not row.moved:
        return Text("")
    up, down = ("^", "v") if faces.ascii else ("▲", "▼")
    is_up = row.moved > 0
    return Text(f"{up if is_up else down}{abs(row.moved)}", "green" if is_up else "red")


def _style(row: SeasonRow, week: int) -> str:
    return "dim strike" if week in row.struck else ""


def _heading(week: SeasonWeek) -> str:
    return f"{week.number}*" if week.phase == "open" else str(week.number)


def _number(hundredths: int) -> str:
    """Points, with as many decimals as they have."""
    whole, rest = divmod(hundredths, POINT)
    return f"{whole}.{rest:02}".rstrip("0") if rest else str(whole)


def _name(season: Season, player: PlayerId) -> str:
    return safe(next((row.name for row in season.rows if row.player == player), player))
