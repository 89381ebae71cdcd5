"""The option ``race`` of commands, and the commands that have no other."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import playing
from bigben_chat.boards.current_race import Seated
from bigben_chat.chat import Chat
from bigben_chat.platform import Answer, Kind
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.translator import text
from bigben_discord.commands.variant import choices
from bigben_discord.interactions.interaction import say_to, user_of

RaceOption: TypeAlias = app_commands.Range[str, 0, 64]
"""A code, or a race's whole name."""
Action: TypeAlias = Callable[[Chat, Answer, str], Awaitable[None]]
"""What a command does about the race that was typed, if one was."""
Callback = TypeVar("Callback", bound=Callable[..., Any])
"""Any: the options differ from command to command."""

_SUGGESTED: Final[Mapping[str, Callable[[Seated], bool]]] = {
    "race": lambda one: True,
    "race_to_play": lambda one: one.playing,
    "race_to_leave": lambda one: one.waiting,
}
"""Which of the user's races are suggested, by the text that describes the option."""


def names_race(described: str = "race") -> Callable[[Callback], Callback]:
    """Describe and complete the option ``race`` of a command."""

    async def complete(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
        bot, user, wanted = interaction.client.chat, user_of(interaction), _SUGGESTED[described]
        return choices(await playing.complete_race(bot, user, typed, say_to(interaction), wanted))

    def decorate(command: Callback) -> Callback:
        app_commands.autocomplete(race=complete)(command)
        return app_commands.describe(race=text(f"option.{described}"))(command)

    return decorate


def race_command(
    name: str, act: Action, described: str = "race", *, kind: Kind = "private"
) -> None:
    """Add a command whose only option is the race."""

    @GROUP.command(name=name, description=text(f"command.{name}"))
    @names_race(described)
    async def command(interaction: BotInteraction, race: RaceOption = "") -> None:
        async with answering(interaction, kind) as (bot, answer):
            await act(bot, answer, race)


def or_last(act: Action) -> Action:
    """Act on the race that the user joined or saw last where none was typed."""
    return lambda bot, answer, race: act(bot, answer, playing.typed_or_last(bot, answer, race))
