"""What organisers make and change of seasons, from what was typed."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from bigben_chat.actions import seasons, variants
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import group_record, zone_named
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_protocol import Plan, PlayerId, Season
from bigben_protocol.seasons import Change, ChangeWeek, PutBack, Replan, TakeOut, VoidWeek

_MOMENT: Final = re.compile(r"(mon|tue|wed|thu|fri|sat|sun) ([01]?[0-9]|2[0-3]):([0-5][0-9])")
Wanted: TypeAlias = Callable[[Season, Say], Change]
"""The change of a season that a command asks for."""


async def make(
    bot: Chat,
    answer: Answer,
    name: str,
    place: ChatId,
    *,
    game: str,
    rules: str,
    minutes: int | None,
    **given: Any,
) -> None:
    """Make a season of this group, whose news go to ``place`` (Any: fields of a plan).

    What was not typed is as this group usually plays, from tomorrow on and by its clock.
    """
    chosen = await variants.variant(bot, answer, game, rules)
    group = group_record(bot.store, answer.user.group)
    tomorrow = answer.asked_at.astimezone(zone_named(group.zone)).date() + timedelta(days=1)
    usual = Plan(name, str(tomorrow), zone=group.zone, game=group.game, rules=group.rules)
    plan = _wished(
        usual, answer.say, **chosen._asdict(), limit_ms=minutes and minutes * 60_000, **given
    )
    await seasons.make(bot, answer, plan, place)


async def replan(
    bot: Chat,
    answer: Answer,
    season: str,
    *,
    game: str,
    rules: str,
    minutes: int | None,
    **given: Any,
) -> None:
    """Change the plan of a season to what was typed (Any: fields of a plan)."""
    chosen = await _chosen(bot, answer, game, rules)
    limit = minutes and minutes * 60_000

    def changed(found: Season, say: Say) -> Change:
        return Replan(_wished(found.plan, say, **chosen, limit_ms=limit, **given))

    await seasons.change(bot, answer, season, changed)


async def change_week(
    bot: Chat,
    answer: Answer,
    season: str,
    week: int,
    *,
    opens: str,
    closes: str,
    game: str,
    rules: str,
    grade: str,
    minutes: int,
) -> None:
    """Move a week that is to come, or change what it plays."""
    chosen = await _chosen(bot, answer, game, rules)

    def moved(found: Season, say: Say) -> Change:
        window = _time_in(opens, found, say), _time_in(closes, found, say)
        changed: Any = {"grade": grade or None, "limit_ms": minutes * 60_000, **chosen}
        return ChangeWeek(week, *window, **changed)

    await seasons.change(bot, answer, season, moved)


def voided(week: int, reason: str, opens: str, closes: str) -> Wanted:
    """A week counts for nothing; with times another deal of it is played."""
    return lambda season, say: VoidWeek(
        week, reason, _time_in(opens, season, say), _time_in(closes, season, say)
    )


def taken_out(week: int, player: str, reason: str) -> Wanted:
    """A result is taken out of a week."""
    return lambda season, _: TakeOut(week, _player_in(season, player), reason)


def put_back(week: int, player: str) -> Wanted:
    """A result counts again."""
    return lambda season, _: PutBack(week, _player_in(season, player))


def _wished(plan: Plan, say: Say, **given: Any) -> Plan:
    """The plan with what was typed; None and an empty text say nothing (Any: of its fields).

    Raises Sorry for a time in the week that can't be meant.
    """
    changes = {name: value for name, value in given.items() if value not in (None, "")}
    for moment in ("opens", "closes"):
        if moment in changes:
            changes[moment] = _moment(changes[moment], say)
    if "weeks" in changes and plan.counted == max(1, plan.weeks - 2):
        changes.setdefault("counted", 0)  # They are all but two, of however many.
    return replace(plan, **changes)


async def _chosen(bot: Chat, answer: Answer, game: str, rules: str) -> dict[str, str]:
    """The game and the rules that were typed; nothing if none were."""
    if not (game.strip() or rules.strip()):
        return {}
    return (await variants.variant(bot, answer, game, rules))._asdict()


def _time_in(typed: str, season: Season, say: Say) -> int:
    """``2026-10-09 18:00`` by the season's clock, in ms since 1970; 0 for nothing. Raises Sorry."""
    if not typed.strip():
        return 0
    try:
        local = datetime.strptime(typed.strip(), "%Y-%m-%d %H:%M")
        at = local.replace(tzinfo=zone_named(season.plan.zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Sorry(say("wrong.date")) from None
    # The server takes no time before 1970; a week that opened so long ago is refused all the same.
    return max(1, round(at.timestamp() * 1000))


def _player_in(season: Season, typed: str) -> PlayerId:
    """The player of the table who was typed, by id or by name; or what was typed."""
    wanted = typed.strip().casefold()
    for row in season.rows:
        if wanted in (row.player.casefold(), row.player.partition(":")[2].casefold()):
            return row.player
    named = (row.player for row in season.rows if row.name.casefold() == wanted)
    return next(named, PlayerId(typed))


def _moment(typed: str, say: Say) -> str:
    found = _MOMENT.fullmatch(typed.strip().lower())
    if found is None:
        raise Sorry(say("wrong.moment"))
    day, hour, minute = found.groups()
    return f"{day} {int(hour):02}:{minute}"
