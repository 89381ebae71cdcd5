"""``bigben season``: a club's seasons: their tables, and what organisers and members change."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from typing import Final, get_args

import msgspec
from rich.text import Text

from bigben_client import Client
from bigben_protocol import Alike, Grade, Plan, PlayerId, Season, Seasons
from bigben_protocol.seasons import (
    AddMember,
    Change,
    ChangeWeek,
    EndSeason,
    LeaveSeason,
    NameOrganiser,
    PutBack,
    Replan,
    Scale,
    TakeOut,
    VoidWeek,
)
from bigben_protocol.sheet import season_csv
from bigben_terminal import times
from bigben_terminal.complaint import Complaint
from bigben_terminal.display import season_text
from bigben_terminal.display.faces import add_faces, faces_for, printable
from bigben_terminal.display.screen import make_console
from bigben_terminal.language import say
from bigben_terminal.servers.connecting import (
    add_game,
    add_rules,
    add_server,
    confirmed,
    connected,
    group_named,
    options,
    run_online,
)
from bigben_terminal.servers.players import player_named

_USAGE: Final = "bigben season [WORD] [ID] [...] [options]"
_DESCRIPTION: Final = """A season is a club's table over some weeks: in each everybody races the
same deal when they find time. Without words: your seasons. With the eight letters of one: its
table."""
_EPILOG: Final = """what organisers do:
  new GROUP NAME --first-day 2026-10-02    make a season of a group
  change ID                  change the plan before the first week opens, by the options below
  week ID WEEK               move a week before it opens (--from, --until), or change what it plays
  void ID WEEK REASON        let a week count for nothing; with --from and --until play another deal
  take-out ID WEEK PLAYER REASON           let a result count for nothing
  put-back ID WEEK PLAYER [REASON]         let it count again
  add ID PLAYER              let somebody race who is not in the group
  organiser ID PLAYER        name another organiser; with --no-more take that back
  end ID [REASON]            open no more weeks
  delete ID                  delete the season for good
  alike ID                   which attempts of closed weeks are suspiciously alike; proves nothing

what members do:
  leave ID                   leave a season

docs/seasons.md says how points are reckoned and what each change does."""

_ID: Final = 16
_REASON: Final = 200
"""What the server takes; longer ones are cut."""


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.usage = _USAGE
    parser.description = _DESCRIPTION
    parser.epilog = _EPILOG
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.add_argument("words", nargs="*", metavar="WORD", help="a season's id, or see below")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="the figures of the server, as JSON")
    shown.add_argument("--csv", action="store_true", help="a line for each result")
    shown.add_argument("--changes", action="store_true", help="what was changed, by whom and why")
    shown.add_argument("--against", default="", metavar="PLAYER", help="you against this player")
    parser.add_argument("--no-more", action="store_true", help="for organiser")
    parser.add_argument("--yes", action="store_true", help="for delete: do not ask")
    for name, to, of in (("from", "opens_at", "opening"), ("until", "closes_at", "close")):
        parser.add_argument(
            f"--{name}",
            dest=to,
            type=times.deadline,
            default=0,
            metavar="TIME",
            help=f"for week and void: the {of}, such as 2026-10-02T18:00",
        )
    _add_plan(parser)
    add_server(parser)
    add_faces(parser)


def _add_plan(parser: ArgumentParser) -> None:
    """The options that say what a season is, for ``new`` and ``change``."""
    parser.add_argument("--called", metavar="NAME", help="for change: another name")
    parser.add_argument("--first-day", metavar="DAY", help="2026-10-02")
    parser.add_argument("--weeks", type=int, help="1 to 26 (8)")
    parser.add_argument(
        "--zone", metavar="ZONE", help="the clock of the season: Europe/Berlin (UTC)"
    )
    parser.add_argument("--opens", metavar="TIME", help='"fri 18:00" is usual')
    parser.add_argument("--closes", metavar="TIME", help='"mon 18:00" is usual')
    parser.add_argument("--counted", type=int, help="how many results count (all but two)")
    add_game(parser, "")
    add_rules(parser, "")
    parser.add_argument("--grade", choices=[one for one in get_args(Grade) if one])
    parser.add_argument("--limit", type=times.duration, metavar="TIME", help="of an attempt (1h)")
    parser.add_argument("--scale", choices=get_args(Scale), help="points by place or by share")
    parser.add_argument("--verified", action="store_true", default=None, help="no guests")


def run(arguments: Namespace) -> int:
    """Show the season after the change. Returns the exit code. Raises Complaint."""
    return run_online(_run(arguments))


async def _run(arguments: Namespace) -> None:
    async with connected(arguments.server, arguments.name) as client:
        match arguments.words:
            case []:
                _show_all(await client.seasons(), arguments)
            case [season]:
                _show(await client.season(season[:_ID]), client, arguments)
            case ["new", group, name]:
                plan = _planned(Plan(name, arguments.first_day or ""), arguments)
                of = await group_named(client, group) or group[:96]
                _show(await client.make_season(of, plan), client, arguments)
            case ["delete", season]:
                await _delete(client, season, arguments)
            case ["alike", season]:
                _show_alike(await client.alike(season[:_ID]), arguments)
            case [word, season, *others]:
                found = await client.season(season[:_ID])
                change = await _change(client, found, word, others, arguments)
                changed = await client.change_season(found.season, change)
                if isinstance(change, LeaveSeason):
                    print(say("club.left_it"))
                _show(changed, client, arguments)
            case words:
                raise _not_known(words)


async def _change(
    client: Client, season: Season, word: str, others: list[str], arguments: Namespace
) -> Change:
    """The change that the words mean. Raises Complaint."""
    window = arguments.opens_at, arguments.closes_at
    match word, others:
        case "change", []:
            return Replan(_planned(season.plan, arguments))
        case "week", [week]:
            game, rules, grade = arguments.game, arguments.rules, arguments.grade
            return ChangeWeek(_number(week), *window, game, rules, grade, arguments.limit or 0)
        case "void", [week, reason]:
            return VoidWeek(_number(week), reason[:_REASON], *window)
        case "take-out", [week, player, reason]:
            who = await _player(client, season, player)
            return TakeOut(_number(week), who, reason[:_REASON])
        case "put-back", [week, player, *reason]:
            who = await _player(client, season, player)
            return PutBack(_number(week), who, " ".join(reason)[:_REASON])
        case "add", [player]:
            return AddMember(await _player(client, season, player))
        case "organiser", [player]:
            return NameOrganiser(await _player(client, season, player), arguments.no_more)
        case "leave", []:
            return LeaveSeason()
        case "end", reason:
            return EndSeason(" ".join(reason)[:_REASON])
        case _:
            raise _not_known([word, season.season, *others])


def _planned(plan: Plan, arguments: Namespace) -> Plan:
    """The plan with what the options say. Raises Complaint."""
    names = ("first_day", "weeks", "zone", "opens", "closes", "counted", "grade", "scale")
    said = {name: getattr(arguments, name) for name in (*names, "verified", "game", "rules")}
    said |= {"name": arguments.called, "limit_ms": arguments.limit}
    given = {name: value for name, value in said.items() if value not in (None, "")}
    if "weeks" in given and plan.counted == max(1, plan.weeks - 2):
        given = {"counted": 0, **given}  # all but two of these too
    if given.get("game", plan.game) != plan.game:
        given = {"rules": "standard", **given}
    try:
        return msgspec.convert(msgspec.structs.asdict(plan) | given, Plan)
    except msgspec.ValidationError as error:
        raise Complaint(str(error)) from None


def _number(text: str) -> int:
    """Raises Complaint."""
    if text not in map(str, range(1, 27)):
        raise _not_known([text])
    return int(text)


def _not_known(words: list[str]) -> Complaint:
    return Complaint(say("season.usage", words=printable(" ".join(words)[:80])))


async def _player(client: Client, season: Season, name: str) -> str:
    """The id of a player of the season by name, or of one on a board. Raises Complaint."""
    wanted = name.casefold()
    found = (row.player for row in season.rows if wanted in (row.name.casefold(), row.player))
    return next(found, "") or (await player_named(client, name, season.plan.game))[:128]


async def _delete(client: Client, named: str, arguments: Namespace) -> None:
    season = await client.season(named[:_ID])
    if arguments.yes or confirmed(say("season.sure", name=printable(season.plan.name))):
        await client.delete_season(season.season)
        print(say("season.deleted"))


def _show_alike(report: Alike, arguments: Namespace) -> None:
    if arguments.json:
        print(msgspec.json.encode(report).decode())
    else:
        print(*map(printable, season_text.alike(report)), sep="\n")


def _show_all(seasons: Seasons, arguments: Namespace) -> None:
    if arguments.json:
        print(msgspec.json.encode(seasons).decode())
        return
    shown = options(arguments.server, arguments.name)
    for line in (
        season_text.listed(seasons.seasons, shown) if seasons.seasons else [say("season.none")]
    ):
        print(printable(line))


def _show(season: Season, client: Client, arguments: Namespace) -> None:
    """Raises Complaint for an unknown player."""
    if arguments.json:
        print(msgspec.json.encode(season).decode())
    elif arguments.csv:
        print(season_csv(season), end="")
    elif arguments.changes:
        print(*map(printable, season_text.changes(season)), sep="\n")
    elif arguments.against:
        other = _row(season, arguments.against)
        print(printable(season_text.against(season, client.player, other)))
    else:
        _show_table(season, client, arguments)


def _show_table(season: Season, client: Client, arguments: Namespace) -> None:
    console = make_console()
    faces = faces_for(console.file, ascii_wanted=arguments.ascii)
    shown = options(arguments.server, arguments.name)
    for line in season_text.head(season, client.now_at(), faces.dot, shown):
        console.print(Text(printable(line)), soft_wrap=True)
    table = season_text.table(season, client.player, faces, plain=arguments.plain)
    if console.measure(table).maximum > console.width:
        table = season_text.table(season, client.player, faces, plain=True)
    console.print(table)
    for line in season_text.notes(season):
        console.print(Text(printable(line)), soft_wrap=True)


def _row(season: Season, name: str) -> PlayerId:
    """Raises Complaint."""
    wanted = name.casefold()
    for row in season.rows:
        if wanted in (row.name.casefold(), row.player):
            return row.player
    raise Complaint(say("season.unknown", name=printable(name[:40])))
