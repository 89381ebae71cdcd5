"""What the server says has an id and values, from which each front end makes the sentence."""

import ast
import string

import pytest
from tests.support.paths import ROOT

from bigben_protocol import Refused
from bigben_protocol.texts import DEFAULT, Sentence, languages, of, refused

SERVER = ROOT / "server/bigben_server"


def said() -> dict[str, set[str]]:
    """The names of the values of each sentence in the server's code, by its id."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in SERVER.rglob("*.py")]
    return {
        text_id: {str(keyword.arg) for keyword in keywords}
        for node in (node for tree in trees for node in ast.walk(tree))
        for text_id, keywords in (_of(node),)
        if text_id
    }


def _of(node: ast.AST) -> tuple[str, list[ast.keyword]]:
    match node:
        case ast.Call(ast.Name("Sentence"), [ast.Constant(str(text_id))], keywords):
            return text_id, keywords
        case _:
            return "", []


def test_the_sentences_are_those_that_the_server_says_with_its_values() -> None:
    wanted = {
        key: {name for _, name, _, _ in string.Formatter().parse(str(text)) if name}
        for key, text in of("sentences", DEFAULT).items()
    }
    assert said() == wanted


@pytest.mark.parametrize("code", sorted(languages()))
def test_no_sentence_stands_in_two_tables(code: str) -> None:
    assert not {*of("said", code)} & {str(text) for text in of("sentences", DEFAULT).values()}


def test_a_sentence_is_said_in_every_language() -> None:
    full = Sentence("race.full", most=100)
    refusal = Refused("limit", str(full), id=full.id, values=full.values)
    assert refused(refusal, "en") == "The room is full: 100 seats are taken."
    assert refused(refusal, "de") == "Alle 100 Plätze sind besetzt."


def test_a_refusal_of_an_older_or_newer_server_is_said_by_its_text() -> None:
    assert refused(Refused("limit", "No."), "de") == "No."
    assert refused(Refused("limit", "No.", id="race.not_known_here"), "de") == "No."
    assert refused(Refused("limit", "No.", id="race.full", values={"other": 1}), "de") == "No."
    named = Refused("limit", "No.", id="race.full", values={"most": 5, "text": "x"})
    assert refused(named, "de") == "Alle 5 Plätze sind besetzt."
