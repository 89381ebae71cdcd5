"""The sentences of the terminal, in the language of this process.

The tables ``terminal`` and ``shared`` of ``bigben_protocol.texts`` have them. The language is the
one of ``--lang``, otherwise that of the locale, otherwise English.
"""

import argparse
import os
from collections.abc import Iterable

from bigben_client import ClientError
from bigben_protocol import HOUSE_NAMES, texts
from bigben_protocol.sentence import Said

_chosen = ""


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a language; it counts as soon as it is parsed."""
    parser.add_argument(
        "--lang",
        type=choose,
        choices=sorted(texts.languages()),
        help="the language (that of LC_ALL or LANG, or English)",
    )


def choose(language: str) -> str:
    """Speak this language from now on, or that of the locale if it is empty. Returns it."""
    global _chosen  # A process has one language, as it has one locale.
    _chosen = language
    return language


def language() -> str:
    """The code of the language that is spoken: ``de``."""
    return _chosen or _of_locale()


def say(key: str, /, **values: object) -> str:
    """A sentence of the terminal with ``values`` filled in; ``count`` chooses its form."""
    return texts.fill(texts.of("terminal", language())[key], **values)


def game_text(text_id: str, **values: object) -> str:
    """A text about games: the name of one, of its rules, of its piles."""
    return texts.text(text_id, language(), **values)


def house_lines() -> list[str]:
    """Every house player: how to type it, its name, and how it plays."""
    said = texts.of("house", language())
    return [f"{key}: {name}, {said[f'house.{key}']}" for key, name in HOUSE_NAMES.items()]


def bot() -> str:
    """The mark of a program."""
    return f"[{texts.of('house', language())['house.bot']}]"


def in_words(sentences: Iterable[Said], english: str = "") -> str:
    """What the server, the client or the rules say, in the chosen language.

    Of a newer server it is the ``english`` that it sends too.
    """
    return texts.told(sentences, english, language())


def told(error: ClientError) -> str:
    """What went wrong, in the chosen language."""
    return in_words(error.said, str(error))


def plain(text: str) -> str:
    """A sentence of the server that comes as plain text, in the chosen language."""
    return in_words([texts.plain(text)])


def inside(phrase: str) -> str:
    """A phrase inside a sentence, where English has no capital; German nouns keep theirs."""
    return phrase[:1].lower() + phrase[1:] if language() == "en" else phrase


def listing(names: list[str]) -> str:
    """``Ada``, ``Ada and Bob``, ``Ada, Bob and Cy``."""
    *others, last = names
    return say("and", first=", ".join(others), last=last) if others else last


def _of_locale() -> str:
    variables = ("LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next((os.environ[name] for name in variables if os.environ.get(name)), "")
    code = wanted.partition(".")[0].partition("_")[0]
    return code if code in texts.languages() else texts.DEFAULT
