"""What players read, in every language that has a file here, for all front ends.

A language is one TOML file, ``de.toml``, named by the code that browsers and Discord have for it.
All have the keys of ``en.toml``, so that adding a language is adding its file. A table belongs to
one front end, or to all: ``games``, and ``sentences``, by the ids that the server sends. ``said``
has other sentences of the server, by their English. What two front ends or more say in the same
words is in ``shared``. Keys of tables in tables are joined with dots: ``button.join``.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Protocol

DEFAULT: Final = "en"
FRONT_ENDS: Final = ("page", "chat", "terminal")
"""The tables that have, beside their own texts, those of ``shared``."""
PLURAL: Final = "other"
"""A text of several forms, which ``count`` chooses, is a table with this form and perhaps others:
``{ one = "1 card", other = "{count} cards" }``. The names are those of Unicode's plural rules."""

Text = str | Mapping[str, str]
"""A text, or its forms by plural rule."""


@cache
def catalogues() -> Mapping[str, Mapping[str, Mapping[str, Text]]]:
    """The texts of each language by its code, in tables, by their keys in each."""
    return {code: _tables(document) for code, document in _documents().items()}


@cache
def languages() -> Mapping[str, str]:
    """The name of each language in itself, by its code: ``{"de": "Deutsch"}``."""
    return {code: document["language"] for code, document in _documents().items()}


def of(table: str, language: str) -> Mapping[str, Text]:
    """One table of texts, in English where the language is unknown."""
    return catalogues()[language if language in catalogues() else DEFAULT].get(table, {})


def text(text_id: str, language: str = DEFAULT, **values: object) -> str:
    """A text about games with ``values`` filled in; in English where the language is unknown.

    A server may be newer than these texts. Of an id without a text, its last part is shown.

    >>> text("game.grandfathersclock", "de"), text("kind.tableau.outer", label=3)
    ('Großvaters Uhr', 'Fan 3')
    >>> text("rules.bigben.laps-always-foundations")
    'laps-always-foundations'
    """
    return fill(of("games", language).get(text_id, text_id.rpartition(".")[2]), **values)


def fill(text: Text, /, **values: object) -> str:
    """A text with ``values`` filled in; of several forms the one for ``count``.

    Here only 1 has a form of its own, as in English and German.
    """
    return form(text, values.get("count")).format(**values)


def form(text: Text, count: object) -> str:
    """The form of a text for this count."""
    if isinstance(text, str):
        return text
    return text.get("one", text[PLURAL]) if count == 1 else text[PLURAL]


class Sentence:
    """What the server says to players: the id of a text, and what is filled into it."""

    def __init__(self, text_id: str, /, **values: str | int) -> None:
        self.id: Final = text_id
        self.values: Final = values

    def __str__(self) -> str:
        return fill(of("sentences", DEFAULT)[self.id], **self.values)


class Refusal(Protocol):
    """A ``Refused``, or the exception that the client makes of it."""

    @property
    def id(self) -> str: ...
    @property
    def values(self) -> Mapping[str, str | int]: ...
    @property
    def text(self) -> str: ...


def refused(refusal: Refusal, language: str) -> str:
    """Why the server has refused something, in another language.

    An older server sends no id, and a newer one may send an id or values without a text here.

    >>> from bigben_protocol import Refused
    >>> refused(Refused("limit", "…", id="race.full", values={"most": 100}), "de")
    'Alle 100 Plätze sind besetzt.'
    """
    try:
        return fill(of("sentences", language)[refusal.id], **refusal.values)
    except KeyError:
        return sentence(refusal.text, language)


def sentence(english: str, language: str) -> str:
    """What the server says in another language; unchanged where there is no translation.

    The table ``said`` has its sentences, with ``{}`` for the parts that differ, and the words that
    list moves in them. A part may be such a sentence without its stop.
    """
    parts = [_part(one, language) for one in _SENTENCES.split(english)]
    return _part(english, language) or (english if None in parts else " ".join(map(str, parts)))


_SENTENCES: Final = re.compile(r"(?<=\.) (?=[A-Z\d])")


def _part(english: str, language: str) -> str | None:
    for pattern, translation in _patterns(language):
        if found := pattern.fullmatch(english):
            return translation.format(*(_inside(part, language) for part in found.groups()))
    return None


def _inside(phrase: str, language: str) -> str:
    """What fills a hole: a sentence without its stop, or words that may list moves."""
    if " " in phrase and (sentence := _part(f"{phrase}.", language)):
        return sentence.removesuffix(".")
    return phrase.replace(_OR, str(of("said", language).get(_OR, _OR)))


_OR: Final = " or "


@cache
def said(language: str) -> Mapping[str, str]:
    """The sentences of the server by their English, with ``{}`` for each part that differs.

    Those with ids are among them, for older servers and for the reasons of closed connections.
    """
    found = {key: str(text) for key, text in of("said", language).items()}
    if language != DEFAULT:
        for text_id, english in of("sentences", DEFAULT).items():
            names = _NAMED.findall(str(english))
            numbered = {name: f"{{{number}}}" for number, name in enumerate(names)}
            translation = str(of("sentences", language)[text_id])
            found[_NAMED.sub("{}", str(english))] = translation.format(**numbered)
    return found


_NAMED: Final = re.compile(r"\{(\w+)\}")


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """What the server says, the most exact first: ``Fan {} is empty.`` before ``{} is empty.``

    A part that differs has no sentence's end in it: two sentences are two.
    """
    known = [(key, text) for key, text in said(language).items() if key != _OR]
    exact = sorted(known, key=lambda one: (-len(one[0].replace("{}", "")), one[0].count("{}")))
    return [(re.compile(_HOLE.join(map(re.escape, key.split("{}")))), text) for key, text in exact]


_HOLE: Final = r"((?:(?!\. [A-Z\d])(?s:.))+)"


@cache
def _documents() -> Mapping[str, Mapping[str, Any]]:
    # Any: what a TOML file may hold.
    return {
        file.name.removesuffix(".toml"): tomllib.loads(file.read_text(encoding="utf-8"))
        for file in sorted(files(__name__).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    }


def _tables(document: Mapping[str, Any]) -> Mapping[str, Mapping[str, Text]]:
    tables = {name: dict(_flat(table)) for name, table in document.items() if name != "language"}
    return tables | {name: tables["shared"] | tables[name] for name in FRONT_ENDS}


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Text]]:
    for name, value in table.items():
        if isinstance(value, str) or PLURAL in value:
            yield before + name, value
        else:
            yield from _flat(value, f"{before}{name}.")
