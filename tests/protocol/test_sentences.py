"""What the server says has an id and values, from which each front end makes the sentence."""

import ast
import string
from collections.abc import Iterator

import pytest
from tests.support.paths import ROOT

from bigben_protocol import texts
from bigben_protocol.sentence import Sentence, Value, sentence
from bigben_protocol.texts import DEFAULT, all_said, languages, of, plain, said, told

SPEAKERS = {
    ("sentences",): ("rules/bigben_rules", "rules/bigben_solver", "server/bigben_server"),
    ("client", "fairness"): ("client/bigben_client",),
}
"""Whose code says the sentences of some tables."""


def sentences(tables: tuple[str, ...], code: str = DEFAULT) -> dict[str, texts.Text]:
    return {key: text for table in tables for key, text in of(table, code).items()}


def constants(tables: tuple[str, ...]) -> set[str]:
    """Every text in the code of those who say the sentences of some tables."""
    return {
        node.value
        for tree in trees(tables)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def trees(tables: tuple[str, ...]) -> Iterator[ast.Module]:
    for folder in SPEAKERS[tables]:
        for file in (ROOT / folder).rglob("*.py"):
            yield ast.parse(file.read_text(encoding="utf-8"))


def calls(tables: tuple[str, ...]) -> dict[str, set[str]]:
    """The names of the values with which each sentence is said, by its id."""
    found = dict[str, set[str]]()
    for tree in trees(tables):
        for node in ast.walk(tree):
            match node:
                case ast.Call(ast.Name("sentence"), [ast.Constant(str(text_id))], keywords):
                    if all(keyword.arg for keyword in keywords):  # no values from elsewhere
                        found[text_id] = {str(keyword.arg) for keyword in keywords}
                case _:
                    pass
    return found


def holes(text: texts.Text) -> set[str]:
    forms = [text] if isinstance(text, str) else text.values()
    return {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name}


@pytest.mark.parametrize("tables", SPEAKERS)
def test_a_sentence_is_said_with_the_values_that_its_text_has(tables: tuple[str, ...]) -> None:
    wanted = {key: holes(text) for key, text in sentences(tables).items()}
    found = calls(tables)
    assert found
    assert found == {key: wanted.get(key) for key in found}


@pytest.mark.parametrize("tables", SPEAKERS)
def test_every_sentence_of_a_table_is_said_somewhere(tables: tuple[str, ...]) -> None:
    """Some ids are put together: of a place on the board, or of what can be written."""
    known = constants(tables)
    begun = {one for one in known if one.startswith(("hint.", "unclear."))}
    unsaid = {
        key
        for key in sentences(tables)
        if key not in known and not any(key.startswith(one) for one in begun)
    }
    assert unsaid <= {"or", "other"}


@pytest.mark.parametrize("code", sorted(languages()))
def test_every_language_fills_in_what_english_does(code: str) -> None:
    for tables in SPEAKERS:
        there = sentences(tables, code)
        for key, text in sentences(tables).items():
            assert holes(there[key]) <= holes(text)


def test_a_sentence_is_said_in_every_language() -> None:
    full = sentence("race.full", most=100)
    assert said(full) == "The room is full: 100 seats are taken."
    assert said(full, "de") == "Alle 100 Plätze sind besetzt."


def test_of_several_values_each_will_do() -> None:
    can = sentence("why.move", card="3C", moves=("3 f9", "3 5"))
    assert said(can) == "3C can move: write 3 f9 or 3 5."
    assert said(can, "de") == "3C kann anderswohin: Schreib 3 f9 oder 3 5."


def test_sentences_follow_each_other() -> None:
    both = [sentence("hint.turn"), sentence("hint.only")]
    assert all_said(both) == "Turn a card. It is the only move."


@pytest.mark.parametrize(
    "what",
    [
        (),
        (Sentence("race.not_known_here"),),
        (Sentence("race.full", {"other": 1}),),
        (sentence("hint.turn"), Sentence("race.not_known_here")),
    ],
)
def test_what_has_no_text_here_is_said_in_english(what: tuple[Sentence, ...]) -> None:
    """An older server sends no ids, and a newer one may send others."""
    assert told(what, "No.", "de") == "No."


def test_a_value_may_have_any_name() -> None:
    values: dict[str, Value] = {"most": 5, "text": "x", "language": "y"}
    assert told([Sentence("race.full", values)], "No.", "de") == "Alle 5 Plätze sind besetzt."


def test_plain_text_is_known_if_it_is_one_of_the_sentences_that_come_so() -> None:
    assert said(plain("You may not play here."), "de") == "Du darfst hier nicht spielen."
    assert said(plain("Cheating {most}."), "de") == "Cheating {most}."
