"""The sentences of the bot: the table ``chat`` of every language, beside those about games."""

from collections.abc import Mapping
from functools import cache

from bigben_protocol import texts
from bigben_protocol.texts import DEFAULT


class Say:
    """One language: texts by their keys, ``board.title``, filled in."""

    def __init__(self, language: str, said: Mapping[str, str]) -> None:
        self.language = language
        self.texts = said

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of ``key``. Values are put in as they are; names are escaped by the caller."""
        return self.texts[key].format(**values)

    def game_text(self, text_id: str, **values: object) -> str:
        """A text of the catalogue that all front ends share: the name of a game, of its rules."""
        return texts.text(text_id, self.language, **values)

    def house_text(self, strength: str) -> str:
        """How a house player plays."""
        return str(texts.of("house", self.language)[f"house.{strength}"])

    def table(self, name: str) -> list[str]:
        """The keys of a table of texts, in its order."""
        return [key.removeprefix(f"{name}.") for key in self.texts if key.startswith(f"{name}.")]

    def sentence(self, english: str) -> str:
        """A sentence of the server in this language; unchanged where there is no translation."""
        return texts.sentence(english, self.language)


@cache
def languages() -> Mapping[str, Say]:
    """Every language by its code."""
    return {code: Say(code, chat_texts(code)) for code in texts.languages()}


def chat_texts(code: str) -> Mapping[str, str]:
    """The texts of one language by their keys. None of them has several forms."""
    return {key: text for key, text in texts.of("chat", code).items() if isinstance(text, str)}


def say_in(locale: str) -> Say:
    """The language for a locale of Discord: ``en-GB`` is English, and English is the default."""
    known = languages()
    return known.get(locale) or known.get(locale.split("-")[0]) or known[DEFAULT]
