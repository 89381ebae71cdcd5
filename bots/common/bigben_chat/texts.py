"""The sentences of the bot: ``chat`` and ``shared`` of every language, beside those about games."""

from collections.abc import Iterable, Mapping
from functools import cache

from bigben_chat.notation import Value, filled, plain
from bigben_chat.tree import Text
from bigben_protocol import texts
from bigben_protocol.sentence import Said
from bigben_protocol.texts import DEFAULT


class Say:
    """One language: texts by their keys, ``board.title``, filled in."""

    def __init__(self, language: str, said: Mapping[str, texts.Text]) -> None:
        self.language = language
        self.texts = said

    def __call__(self, key: str, /, **values: Value) -> Text:
        """The text of ``key``. What others wrote is a ``Name`` or ``Quoted``, never a ``str``."""
        return filled(texts.form(self.texts[key], values.get("count")), values)

    def label(self, key: str, /, **values: str | int) -> str:
        """The same where nothing can be formatted: on a button, in a menu, in a completion."""
        return plain(self(key, **values))

    def game_text(self, text_id: str, **values: object) -> str:
        """A text of the catalogue that all front ends share: the name of a game, of its rules."""
        return texts.text(text_id, self.language, **values)

    def house_text(self, strength: str) -> str:
        """How a house player plays."""
        return str(texts.of("house", self.language)[f"house.{strength}"])

    def told(self, said: Iterable[Said], english: str) -> str:
        """What the server says, in this language; of a newer one in English if need be."""
        return texts.told(said, english, self.language)


@cache
def languages() -> Mapping[str, Say]:
    """Every language by its code."""
    return {code: Say(code, texts.of("chat", code)) for code in texts.languages()}


def say_in(locale: str) -> Say:
    """The language for a locale: ``en-GB`` is English, and English is the default."""
    known = languages()
    return known.get(locale) or known.get(locale.split("-")[0]) or known[DEFAULT]
