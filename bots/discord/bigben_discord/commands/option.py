"""An option of the core's table as Discord takes it."""

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import AppCommandOptionType, app_commands
from discord.app_commands import Choice

from bigben_chat.typed.command import Option, OptionKind
from bigben_discord.commands import completions
from bigben_discord.commands.translator import translated

_TYPES: Final[Mapping[OptionKind, AppCommandOptionType]] = {
    "number": AppCommandOptionType.integer,
    "yes": AppCommandOptionType.boolean,
    "person": AppCommandOptionType.user,
}
"""All other kinds are texts."""
_OWN: Final[Mapping[str, AppCommandOptionType]] = {
    "option.channel": AppCommandOptionType.channel,
    "option.season_channel": AppCommandOptionType.channel,
    "option.role": AppCommandOptionType.role,
}
"""What only Discord has, by the keys of the descriptions."""


class _Option(app_commands.Transformer):
    """Its type, its limits and its choices; its value is left as Discord sends it."""

    def __init__(self, option: Option) -> None:
        self._option = option

    @property
    def type(self) -> AppCommandOptionType:
        usual = _TYPES.get(self._option.kind, AppCommandOptionType.string)
        return _OWN.get(self._option.key, usual)

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [discord.ChannelType.text, discord.ChannelType.news]

    @property
    def min_value(self) -> int | None:
        if self._option.choices:
            return None
        return self._option.least if self._option.kind == "number" else int(self._option.required)

    @property
    def max_value(self) -> int | None:
        if self._option.choices:
            return None
        return self._option.most if self._option.kind == "number" else self._option.longest

    @property
    def choices(self) -> list[Choice[int | float | str]] | None:
        return [
            Choice(name=translated(one.label), value=one.value) for one in self._option.choices
        ] or None

    async def transform(self, _: discord.Interaction[Any], value: Any, /) -> Any:
        return value


class _Completed(_Option):
    """A text that Discord completes while it is typed."""

    @property
    def type(self) -> AppCommandOptionType:
        return AppCommandOptionType.string

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: object, /
    ) -> list[Choice[Any]]:
        return await completions.OF[self._option.key](interaction, str(value))


def option(one: Option) -> app_commands.Transformer:
    """For the annotation of a command's parameter."""
    return _Completed(one) if one.key in completions.OF else _Option(one)
