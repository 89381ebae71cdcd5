"""What is about the user and the group: ``learn``, ``link``, ``language``, ``settings``."""

from collections.abc import Awaitable, Callable
from typing import Final

from msgspec.structs import replace

from bigben_chat.actions import forgetting, learning, linking, settings
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer
from bigben_chat.records import GroupRecord, group_record, player_record, say_of
from bigben_chat.store import ChatId
from bigben_chat.typed.command import Choice, Command, Given, Option
from bigben_chat.typed.shared_options import GAME, RULES
from bigben_protocol import texts

_LANGUAGES: Final = (
    *(Choice(code, name=name) for code, name in texts.languages().items()),
    Choice(settings.BY_GROUP, "settings.by_guild"),
)


def _alone(name: str, act: Callable[[Chat, Answer], Awaitable[None]]) -> Command:
    """A command without options."""
    return Command(name, lambda chat, answer, _: act(chat, answer))


async def _language(chat: Chat, answer: Answer, given: Given) -> None:
    user, chosen = answer.user, given.text("language")
    if chosen:
        before = player_record(chat.store, user.id)
        language = "" if chosen == settings.BY_GROUP else chosen
        chat.store.put("player", user.id, replace(before, language=language))
        answer.say = say_of(chat.store, user.id, user.group)
    await answer.tell(answer.say("typed.language"))


async def _settings(chat: Chat, answer: Answer, given: Given) -> None:
    nowhere = not group_record(chat.store, answer.user.group).channel
    here = given.text("channel") or (given.yes("post") and nowhere)
    after = await settings_wanted(chat, answer, given, answer.place if here else None)
    await settings.store_and_show(chat, answer, after, may_write=True)


async def settings_wanted(
    chat: Chat, answer: Answer, given: Given, place: ChatId | None
) -> GroupRecord:
    """The settings with what was typed, and this place. Raises Sorry."""
    return await settings.wanted(
        chat,
        answer,
        game=given.text("game"),
        rules=given.text("rules"),
        time=given.text("time"),
        zone=given.text("timezone"),
        language=given.text("language"),
        place=place,
        post=given.yes("post"),
    )


COMMANDS: Final = (
    _alone("learn", learning.begin),
    _alone("link", linking.link),
    Command(
        "language", _language, (Option("language", "choice", "own_language", choices=_LANGUAGES),)
    ),
    Command(
        "settings",
        _settings,
        (
            Option("channel", "choice", "channel_here", choices=(Choice("here", "typed.here"),)),
            Option("post", "yes"),
            Option("time", "time"),
            Option("timezone", "zone"),
            GAME,
            RULES,
            Option("language", "choice", choices=_LANGUAGES),
        ),
        where="here",
    ),
    Command("forget-me", lambda chat, answer, _: forgetting.ask(chat, answer), in_full=True),
)
