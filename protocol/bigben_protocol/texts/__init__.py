"""What players read, in every language that has a file here, for all front ends.

A language is one TOML file, ``de.toml``, named by the code that browsers and Discord have for it.
All have the keys of ``en.toml``, so that adding a language is adding its file. A table belongs to
one front end, or to all: ``games``, and ``sentences``, by the ids that the server sends; ``client``
has those that a client says by itself, ``fairness`` what it finds at the end of a race. What two
front ends or more say in the same words is in ``shared``. Keys of tables in tables are joined with
dots: ``button.join``.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from bigben_protocol.sentence import Said, Sentence

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


def said(sentence: Said, language: str = DEFAULT) -> str:
    """What a sentence says. Raises KeyError if it has no text here, or values are missing.

    >>> said(Sentence("race.full", {"most": 100}), "de")
    'Alle 100 Plätze sind besetzt.'
    """
    words = _sentences(language)
    either = str(words["or"])
    values = {
        name: either.join(value) if isinstance(value, tuple) else value
        for name, value in sentence.values.items()
    }
    return fill(words[sentence.id], **values)


def all_said(sentences: Iterable[Said], language: str = DEFAULT) -> str:
    """What these say one after the other. Raises KeyError, as ``said``."""
    return " ".join(said(one, language) for one in sentences)


def told(sentences: Iterable[Said], text: str, language: str) -> str:
    """What the server says in another language, which it sends in English as ``text`` too.

    A newer one may send an id or values without a text here, and an older one sends none.
    """
    try:
        return all_said(sentences, language) or text
    except KeyError:
        return text


def plain(text: str) -> Sentence:
    """A sentence that comes as plain text, where there is no place for an id.

    Those are the reasons of closed connections and of void races, and the bodies of HTTP answers.
    What is not known among them is said as it came.

    >>> plain("You may not play here.")
    Sentence(id='plain.banned', values={})
    """
    known = {english: text_id for text_id, english in plain_texts(DEFAULT).items()}
    return Sentence(known[text]) if text in known else Sentence("other", {"text": text})


def plain_texts(language: str) -> Mapping[str, str]:
    """The sentences that come as plain text, by their ids."""
    table = of("sentences", language)
    return {key: str(text) for key, text in table.items() if key.startswith("plain.")}


@cache
def _sentences(language: str) -> Mapping[str, Text]:
    tables = ("sentences", "client", "fairness")
    return {key: text for table in tables for key, text in of(table, language).items()}


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
