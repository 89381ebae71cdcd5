"""``season …``: a club's season, its table and what its organisers change."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from bigben_chat.actions import season_changes, seasons
from bigben_chat.actions.season_changes import Wanted
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer
from bigben_chat.typed.command import Choice, Command, Given, Option
from bigben_chat.typed.shared_options import GAME, GRADE, RULES
from bigben_protocol import PlayerId
from bigben_protocol.seasons import AddMember, EndSeason, LeaveSeason, NameOrganiser

_SEASON: Final = Option("season")
_WEEK: Final = Option("week", "number", required=True, most=26)
_REASON: Final = Option("reason", "words", required=True, longest=200)
_ENTRY: Final = Option("player", "person", "entry", required=True, longest=200)
_USER: Final = Option("user", "person", "member", required=True, longest=200)
_NAME: Final = Option("name", "words", "season_name", required=True, longest=50)
_SCALES: Final = tuple(Choice(one, f"scale.{one}") for one in ("place", "share"))
_PLAYED: Final = (
    replace(GAME, described="season_game"),
    replace(RULES, described="season_rules"),
    replace(GRADE, described="season_grade"),
)
_MINUTES: Final = Option("minutes", "number", "season_minutes")
_PLAN: Final = (
    Option("first-day", "day"),
    Option("weeks", "number", most=26),
    Option("timezone", "zone"),
    Option("opens", "moment"),
    Option("closes", "moment"),
    *_PLAYED,
    Option("counted", "number", most=26),
    _MINUTES,
    Option("points", "choice", choices=_SCALES),
    Option("verified", "yes"),
)

Change: TypeAlias = Callable[[Given], Wanted]
"""The change of a season that the typed values ask for."""


def _planned(given: Given) -> dict[str, Any]:
    """The fields of a plan that were typed (Any: of its fields)."""
    return {
        "first_day": given.text("first-day"),
        "weeks": given.number("weeks"),
        "zone": given.text("timezone"),
        "opens": given.text("opens"),
        "closes": given.text("closes"),
        "game": given.text("game"),
        "rules": given.text("rules"),
        "grade": given.text("grade"),
        "counted": given.number("counted"),
        "minutes": given.number("minutes"),
        "scale": given.text("points"),
        "verified": given.yes("verified"),
    }


async def _table(chat: Chat, answer: Answer, given: Given) -> None:
    await seasons.show(chat, answer, given.text("season"))


async def _new(chat: Chat, answer: Answer, given: Given) -> None:
    place = answer.place if answer.posts_here else 0
    await season_changes.make(chat, answer, given.text("name"), place, **_planned(given))


async def _replan(chat: Chat, answer: Answer, given: Given) -> None:
    wanted = {"name": given.text("name"), **_planned(given)}
    await season_changes.replan(chat, answer, given.text("season"), **wanted)


async def _week(chat: Chat, answer: Answer, given: Given) -> None:
    await season_changes.change_week(
        chat,
        answer,
        given.text("season"),
        _number(given),
        opens=given.text("opens"),
        closes=given.text("closes"),
        game=given.text("game"),
        rules=given.text("rules"),
        grade=given.text("grade"),
        minutes=given.number("minutes") or 0,
    )


def _taken_out(given: Given) -> Wanted:
    return season_changes.taken_out(_number(given), given.text("player"), given.text("reason"))


def _number(given: Given) -> int:
    """Of the week, which is required."""
    return given.number("week") or 0


async def _member(chat: Chat, answer: Answer, given: Given) -> None:
    player = await _player(chat, answer, given)
    await seasons.change(chat, answer, given.text("season"), lambda *_: AddMember(player))


async def _organiser(chat: Chat, answer: Answer, given: Given) -> None:
    player = await _player(chat, answer, given)
    change = NameOrganiser(player, given.yes("no-more") or False)
    await seasons.change(chat, answer, given.text("season"), lambda *_: change)


async def _player(chat: Chat, answer: Answer, given: Given) -> PlayerId:
    user = await given.person(chat, answer, "user")
    assert user is not None, "it is required"
    return chat.issuer.player(user.id)


async def _post(chat: Chat, answer: Answer, given: Given) -> None:
    place = answer.place if given.text("channel") else 0
    await seasons.post_in(chat, answer, given.text("season"), place)


async def _delete(chat: Chat, answer: Answer, given: Given) -> None:
    await seasons.ask_to_delete(chat, answer, given.text("season"))


def _change(name: str, options: tuple[Option, ...], wanted: Change) -> Command:
    """A command that changes a season, and has no more to it."""

    async def do(chat: Chat, answer: Answer, given: Given) -> None:
        await seasons.change(chat, answer, given.text("season"), wanted(given))

    return _command(name, do, options)


def _command(
    name: str, do: Callable[[Chat, Answer, Given], Any], options: tuple[Option, ...] = ()
) -> Command:
    """A command under ``season``, which names the season last (Any: nothing comes of it)."""
    described = f"season_{name.replace('-', '_')}"
    return Command(f"season {name}", do, (*options, _SEASON), described=described)


COMMANDS: Final = (
    _command("table", _table),
    Command("season new", _new, (_NAME, *_PLAN), described="season_new"),
    _command("change", _replan, (replace(_NAME, required=False, by_name=True), *_PLAN)),
    _command(
        "week",
        _week,
        (
            _WEEK,
            Option("opens", "moment", "at"),
            Option("closes", "moment", "until"),
            *_PLAYED,
            replace(_MINUTES, least=0),
        ),
    ),
    _change(
        "void",
        (_WEEK, _REASON, Option("opens", "moment", "again"), Option("closes", "moment", "until")),
        lambda given: season_changes.voided(
            given.number("week") or 0,
            given.text("reason"),
            given.text("opens"),
            given.text("closes"),
        ),
    ),
    _change(
        "take-out",
        (_WEEK, _ENTRY, _REASON),
        _taken_out,
    ),
    _change(
        "put-back",
        (_WEEK, _ENTRY),
        lambda given: season_changes.put_back(_number(given), given.text("player")),
    ),
    _command("member", _member, (_USER,)),
    _command("organiser", _organiser, (_USER, Option("no-more", "yes"))),
    _command(
        "post",
        _post,
        (Option("channel", "choice", "season_here", choices=(Choice("here", "typed.here"),)),),
    ),
    _change("leave", (), lambda given: lambda *_: LeaveSeason()),
    _change(
        "end",
        (replace(_REASON, required=False),),
        lambda given: lambda *_: EndSeason(given.text("reason")),
    ),
    replace(_command("delete", _delete), in_full=True),
)
