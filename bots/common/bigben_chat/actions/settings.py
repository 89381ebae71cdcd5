"""A group's settings: what they are, and what a change of them may be."""

from datetime import time
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec.structs import replace

from bigben_chat.actions import variants
from bigben_chat.actions.variants import Variant
from bigben_chat.chat import Chat
from bigben_chat.messages import formatting
from bigben_chat.messages.content import Content
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import GroupRecord, group_record
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_chat.tree import Place, Role, Text, lines
from bigben_protocol.texts import languages

BY_GROUP: Final = "usual"
"""As a language: the one that the platform says the group has."""


async def wanted(
    bot: Chat,
    answer: Answer,
    *,
    game: str,
    rules: str,
    time: str | None,
    zone: str | None,
    language: str | None,
    place: ChatId | None,
    post: bool | None,
) -> GroupRecord:
    """The settings of the user's group with what was typed; an empty text says nothing.

    Raises Sorry for users who do not manage the group, and for what can't be meant.
    """
    if not answer.user.group:
        raise Sorry(answer.say("wrong.no_guild"))
    if not answer.user.manages:
        raise Sorry(answer.say("wrong.not_manager"))
    before = group_record(bot.store, answer.user.group)
    chosen = await variants.variant(bot, answer, game, rules)
    after = _changed(before, chosen, answer.say, time=time, zone=zone, language=language)
    if place is not None:
        after = _with_place(after, answer, place)
    return replace(after, channel=0) if post is False else after


def _changed(
    before: GroupRecord,
    chosen: Variant,
    say: Say,
    *,
    time: str | None,
    zone: str | None,
    language: str | None,
) -> GroupRecord:
    """The settings with what was typed. Raises Sorry for what can't be meant."""
    return replace(
        before,
        time=before.time if not time else _time(time, say),
        zone=before.zone if not zone else _zone(zone, say),
        game=chosen.game,
        rules=chosen.rules,
        language="" if language == BY_GROUP else language or before.language,
    )


def _with_place(before: GroupRecord, answer: Answer, place: ChatId) -> GroupRecord:
    """The settings with another place of the daily post, as its user has chosen."""
    # A new place gets its first post at once, and shows that it works.
    posted = before.posted if place == before.channel else ""
    return replace(before, channel=place, posted=posted, by=answer.user.id, told=False)


async def store_and_show(bot: Chat, answer: Answer, after: GroupRecord, *, may_write: bool) -> None:
    """Store the settings of the user's group, and show them.

    ``may_write``: whether the bot may write where the daily post goes, as far as it can know.
    """
    if after != group_record(bot.store, answer.user.group):
        bot.store.put("guild", answer.user.group, after)
        bot.daily_posts.poster.wake()
    told = _shown(after, answer.say, roles=bot.platform.has_roles)
    if after.channel and not may_write:
        told = lines(told, answer.say("settings.may_not", channel=Place(after.channel)))
    await answer.show(Content(told))


def _shown(group: GroupRecord, say: Say, *, roles: bool) -> Text:
    shown = [
        say("settings.title"),
        say("settings.channel", channel=Place(group.channel))
        if group.channel
        else say("settings.no_channel"),
        say("settings.time", time=group.time, zone=group.zone),
        say("settings.rules", rules=formatting.variant_name(group.game, group.rules, say)),
        say("settings.language", language=_language(group.language, say)),
    ]
    if group.role:
        shown.append(say("settings.reminder", role=Role(group.role)))
    elif roles:
        shown.append(say("settings.no_reminder"))
    return lines(*shown)


def _language(code: str, say: Say) -> str:
    return languages().get(code) or say.label("settings.by_guild")


def _time(typed: str, say: Say) -> str:
    hours, _, minutes = typed.strip().partition(":")
    try:
        return time(int(hours), int(minutes)).strftime("%H:%M")
    except ValueError:
        raise Sorry(say("wrong.time")) from None


def _zone(typed: str, say: Say) -> str:
    try:
        return ZoneInfo(typed.strip()).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Sorry(say("wrong.zone")) from None
