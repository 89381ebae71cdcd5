"""The names of games, rules and choices in every language, as people type them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bigben_chat.typed.command import Choice, Option
from bigben_protocol import GameInfo, texts

_APOSTROPHES: Final = re.compile("['’‘`]")
_BETWEEN: Final = re.compile(r"[\W_]+")
SHORTEST: Final = 2
"""The fewest letters that begin a name."""


def plain(typed: str) -> str:
    """A name without what people leave out: ``grandfathers clock``, ``hide and seek``."""
    return _BETWEEN.sub(" ", _APOSTROPHES.sub("", typed.casefold())).strip()


def names_of(option: Option, games: Iterable[GameInfo]) -> Mapping[str, str]:
    """The values that have a name, by all their names."""
    match option.kind:
        case "game":
            return _named((game.name, (f"game.{game.name}",)) for game in games)
        case "rules":
            presets = {(game.name, preset) for game in games for preset in game.presets}
            return _named((preset, (f"rules.{game}.{preset}",)) for game, preset in sorted(presets))
        case _:
            return _chosen(option.choices)


def found(names: Mapping[str, str], words: Sequence[str]) -> tuple[str, int] | None:
    """The value that the longest beginning of these words names, and how many words that are."""
    for count in range(min(len(words), 6), 0, -1):
        value = names.get(plain(" ".join(words[:count])))
        if value is not None:
            return value, count
    return None


def begun(names: Mapping[str, str], words: Sequence[str]) -> tuple[str, int] | None:
    """The one value of which these words begin a name, and how many words that are."""
    for count in range(min(len(words), 6), 0, -1):
        start = plain(" ".join(words[:count]))
        values = {value for name, value in names.items() if name.startswith(start)}
        if len(start) >= SHORTEST and len(values) == 1:
            return values.pop(), count
    return None


def _named(values: Iterable[tuple[str, Iterable[str]]]) -> Mapping[str, str]:
    """By their own names, and by those of their texts about games."""
    every: dict[str, str] = {}
    for value, keys in values:
        every[plain(value)] = value
        for key in keys:
            for language in texts.languages():
                every.setdefault(plain(texts.text(key, language)), value)
    return every


def _chosen(choices: Iterable[Choice]) -> Mapping[str, str]:
    every = {plain(choice.value): choice.value for choice in choices}
    for choice in choices:
        for language in texts.languages():
            every.setdefault(plain(choice.label(language)), choice.value)
    return every
