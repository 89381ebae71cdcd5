"""``standings``, ``share``, ``leaderboard``, ``stats``, ``verify`` and ``analyse``."""

from typing import Final, cast

from bigben_chat.actions import analysing, leaderboards, sharing, verification
from bigben_chat.chat import Chat
from bigben_chat.messages.leaderboards import BoardPage
from bigben_chat.platform import Answer, Sorry
from bigben_chat.typed.command import Choice, Command, Given, Option
from bigben_chat.typed.shared_options import GAME, RULES, of_race, or_last, variant
from bigben_protocol import PERIODS, By, Period

_SCOPES: Final = tuple(Choice(one, f"period.{one}", "periods") for one in PERIODS)
_GROUPS: Final = tuple(Choice(one, f"group.{one}") for one in ("everybody", "here"))
_BY: Final = (Choice("points", "boards.score"), Choice("rating", "player.rating"))


async def _leaderboard(chat: Chat, answer: Answer, given: Given) -> None:
    here = given.text("group") == "here"
    if here and not answer.user.group:
        raise Sorry(answer.say("wrong.no_guild"))
    chosen = await variant(chat, answer, given)
    scope, by = given.text("scope") or "daily", given.text("by") or "points"
    wanted = BoardPage(cast(Period, scope), here, *chosen, by=cast(By, by))
    await leaderboards.leaderboard(chat, answer, wanted)


async def _stats(chat: Chat, answer: Answer, given: Given) -> None:
    player = await given.person(chat, answer, "player")
    await leaderboards.profile(chat, answer, (player or answer.user).id)


COMMANDS: Final = (
    of_race("standings", or_last(leaderboards.standings), where="here"),
    of_race("share", sharing.text),
    Command(
        "leaderboard",
        _leaderboard,
        (
            Option("scope", "choice", choices=_SCOPES),
            Option("group", "choice", choices=_GROUPS),
            GAME,
            RULES,
            Option("by", "choice", choices=_BY),
        ),
        where="here",
    ),
    Command("stats", _stats, (Option("player", "person", longest=200),), where="here"),
    of_race("verify", or_last(verification.verify)),
    of_race("analyse", or_last(analysing.analyse)),
)
