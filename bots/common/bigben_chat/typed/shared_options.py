"""The options that several commands have, and the commands that have no other than the race."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, get_args

from bigben_chat.actions import playing, variants
from bigben_chat.actions.variants import Variant
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer
from bigben_chat.typed.command import Choice, Command, Given, Option, Where
from bigben_protocol import STRENGTHS, Grade

GAME: Final = Option("game", "game")
RULES: Final = Option("rules", "rules")
GRADE: Final = Option(
    "grade",
    "choice",
    choices=tuple(Choice(one, f"grade.{one}", "games") for one in get_args(Grade) if one),
)
HOUSE: Final = Option(
    "house", "choice", choices=tuple(Choice(one, f"house.{one}") for one in STRENGTHS)
)
RACE: Final = Option("race")
RACE_TO_PLAY: Final = Option("race", described="race_to_play")

Action: TypeAlias = Callable[[Chat, Answer, str], Awaitable[None]]
"""What a command does about the race that was typed, if one was."""


def of_race(name: str, act: Action, option: Option = RACE, *, where: Where = "direct") -> Command:
    """A command whose only option is the race."""
    return Command(
        name, lambda chat, answer, given: act(chat, answer, given.text("race")), (option,), where
    )


def or_last(act: Action) -> Action:
    """Act on the race that the user joined or saw last where none was typed."""
    return lambda chat, answer, race: act(chat, answer, playing.typed_or_last(chat, answer, race))


def or_here(act: Action) -> Action:
    """Act on the room that is open in this place where none was typed, or else on the last race."""
    return lambda chat, answer, race: or_last(act)(
        chat, answer, race.strip() or chat.posts.open_room(answer.place)
    )


async def variant(chat: Chat, answer: Answer, given: Given) -> Variant:
    """The game and the rules that were typed, or what this group plays."""
    return await variants.variant(chat, answer, given.text("game"), given.text("rules"))
