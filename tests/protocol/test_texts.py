"""Every language says the same things, with the same parts to fill in, for all front ends."""

import re
import string
from collections import defaultdict
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from bigben_protocol import GameInfo, Grade
from bigben_protocol.texts import (
    DEFAULT,
    FRONT_ENDS,
    Text,
    catalogues,
    fill,
    languages,
    of,
    text,
)
from bigben_server.rooms.descriptions import games

CODES = sorted(catalogues())
SHARED = of("shared", DEFAULT).keys()
CODE = {
    "page": (("bigben_web",), "*.js"),
    "chat": (("bigben_chat", "bigben_discord"), "*.py"),
    "terminal": (("bigben_terminal",), "*.py"),
}
"""The packages of each front end."""


def named(game: GameInfo) -> Iterator[str]:
    """The text ids of a game."""
    yield from (f"game.{game.name}", f"game.{game.name}.goal", f"game.{game.name}.how")
    if not game.decides:
        yield f"game.{game.name}.luck"
    yield from (f"rules.{game.name}.{preset}" for preset in game.presets)
    for choice in game.choices:
        yield f"rules.{game.name}.{choice.field}"
        yield from (f"rules.{game.name}.{choice.field}.{value}" for value in choice.values)
    yield from (typed.says for typed in game.moves)
    for slot in game.slots:
        yield f"kind.{slot.kind}.{slot.place}" if slot.kind == "tableau" else f"kind.{slot.kind}"


def test_the_texts_of_the_games_are_those_that_the_games_name() -> None:
    wanted = {text_id for game in games().games for text_id in named(game)}
    shared = ("grade", "choosing", "number")
    others = {key for key in of("games", DEFAULT) if key.split(".")[0] in shared}
    assert set(of("games", DEFAULT)) == wanted | others


def test_whatever_a_room_asks_of_its_deal_has_its_texts() -> None:
    texts = of("games", DEFAULT)
    for wanted in (*filter(None, get_args(Grade)), "winnable"):
        assert {f"grade.{wanted}", f"choosing.{wanted}"} <= texts.keys()


@pytest.mark.parametrize("code", CODES)
def test_a_language_has_every_text_with_the_same_parts_to_fill_in(code: str) -> None:
    assert {*catalogues()[code]} == {*catalogues()[DEFAULT]}
    for table, english in catalogues()[DEFAULT].items():
        other = of(table, code)
        assert set(other) == set(english), table
        for key, said in english.items():
            if table == "sentences":  # a value is left out where it is an English word
                assert _parts(other[key]) <= _parts(said), key
            else:
                assert _parts(other[key]) == _parts(said), (table, key)


@pytest.mark.parametrize("code", CODES)
def test_apostrophes_and_quotes_are_those_of_print(code: str) -> None:
    for table, said in catalogues()[code].items():
        for key, one in said.items():
            forms = [one] if isinstance(one, str) else one.values()
            assert not {*"".join(forms)} & {*"'\""}, (table, key)


def _parts(said: Text) -> set[str]:
    forms = [said] if isinstance(said, str) else said.values()
    return {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name}


def test_what_two_front_ends_say_in_the_same_words_stands_once() -> None:
    """A translation that differs for one of them keeps texts apart."""
    stands: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for table in ("shared", *FRONT_ENDS):
        for key in of(table, DEFAULT).keys() - (SHARED if table != "shared" else ()):
            stands[tuple(str(of(table, code)[key]) for code in CODES)][table] = key
    by_chance = {"page": "boards.moves", "terminal": "help.moves"}  # a column, and a chapter
    assert [found for found in stands.values() if len(found) > 1] == [by_chance]


@pytest.mark.parametrize("code", CODES)
def test_a_front_end_has_no_other_text_under_the_key_of_a_shared_one(code: str) -> None:
    for table in FRONT_ENDS:
        assert of("shared", code).items() <= of(table, code).items()


def test_every_shared_text_is_said_by_two_front_ends() -> None:
    sources = [_source(front_end) for front_end in FRONT_ENDS]
    for key in SHARED:
        start = key.rpartition(".")[0]  # a key may be put together: f"rank.{rank}"
        begun = rf"|{start}\.\$?{{" if start else ""
        named = re.compile(rf"""["'`](?:{key}["'`]{begun})""")
        assert sum(bool(named.search(source)) for source in sources) >= 2, key


def _source(front_end: str) -> str:
    """The code of a front end; a text stands in it by its key."""
    packages, names = CODE[front_end]
    found = [file for package in packages for file in Path(str(files(package))).rglob(names)]
    return "\n".join(file.read_text(encoding="utf-8") for file in found)


def test_a_language_is_one_file() -> None:
    assert set(catalogues()) == set(languages())
    assert languages()["de"] == "Deutsch"
    for folder in ("bigben_web", "bigben_chat", "bigben_discord", "bigben_terminal"):
        for code in languages():
            assert not [*Path(str(files(folder))).rglob(f"{code}.*")], folder


def test_a_text_of_several_forms_has_one_for_every_count() -> None:
    cards = {"one": "1 card", "other": "{count} cards"}
    assert [fill(cards, count=n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert fill({"other": "{count} Karten"}, count=1) == "1 Karten"


def test_a_text_that_is_not_known_shows_what_its_id_ends_with() -> None:
    assert text("kind.tableau.outer", "de", label="3") == "Fächer 3"
    assert text("game.bigben", "tlh") == "Big Ben"
    assert text("rules.bigben.laps-always-foundations") == "laps-always-foundations"
