"""The sentences of the bot, in every language that has a file here.

A language is one TOML file named by Discord's code for it, ``de.toml``; ``en.toml`` is what all
other languages are compared with. Adding a language is adding its file.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

DEFAULT: Final = "en"


_SAID: Final = "said."


class Say:
    """One language: texts by their keys, ``board.title``, filled in."""

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self.texts = texts
        said = [key for key in texts if key.startswith(_SAID)]
        said.sort(key=len, reverse=True)  # "Fan {} is empty." before "{} is empty."
        self._said = [(_pattern(key.removeprefix(_SAID)), texts[key]) for key in said]

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of ``key``. Values are put in as they are; names are escaped by the caller."""
        return self.texts[key].format(**values)

    def table(self, name: str) -> list[str]:
        """The keys of a table of texts, in its order."""
        return [key.removeprefix(f"{name}.") for key in self.texts if key.startswith(f"{name}.")]

    def sentence(self, english: str) -> str:
        """A sentence of the server in this language; unchanged where there is no translation.

        The table ``said`` has these sentences, with ``{}`` for the parts that differ.
        """
        for pattern, text in self._said:
            if found := pattern.fullmatch(english):
                return text.format(*found.groups())
        return english


@cache
def languages() -> Mapping[str, Say]:
    """Every language by its code."""
    return {
        file.name.removesuffix(".toml"): Say(
            file.name.removesuffix(".toml"),
            dict(_flat(tomllib.loads(file.read_text(encoding="utf-8")))),
        )
        for file in sorted(files(__name__).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    }


def say_in(locale: str) -> Say:
    """The language for a locale of Discord: ``en-GB`` is English, and English is the default."""
    known = languages()
    return known.get(locale) or known.get(locale.split("-")[0]) or known[DEFAULT]


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile("(.+)".join(map(re.escape, template.split("{}"))), re.DOTALL)


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    # Any: a TOML table holds tables and, here, strings.
    for name, value in table.items():
        if isinstance(value, str):
            yield before + name, value
        else:
            yield from _flat(value, f"{before}{name}.")
