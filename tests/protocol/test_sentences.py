"""What the rules and the server say to a player can be read in every language."""

import ast
from collections.abc import Iterator
from itertools import chain
from random import Random

import pytest
from tests.rules.support import every_game
from tests.support.paths import ROOT

from bigben_protocol import texts
from bigben_rules import Game, IllegalMove, NotationError, Position, shuffle

OTHERS = sorted(set(texts.languages()) - {texts.DEFAULT})
TYPED = (
    "3 fdn",
    "w fdn",
    "w 5",
    "turn",
    "refill",
    "redeal",
    "swap 7",
    "swap 7 2",
    "3 3",
    "abc",
    "12",
)


def sentences(game: Game, rules: str, random: Random) -> set[str]:
    """What a player of a random game hears who tries and asks for everything."""
    position = game.deal(shuffle(game.pack, random.randbytes(32)), game.rules(rules))
    said = set()
    for n in range(160):
        if n % 20 == 0:
            said |= tried(position)
        legal = position.legal_moves()
        if not legal:
            break
        position, _ = position.apply(random.choice(legal))
    return said | tried(position)


def tried(position: Position) -> set[str]:
    said = set()
    piles = list(position.piles())
    for source in piles:
        for target in ("", "fdn", *piles):
            said.add(position.explain(source, target).text)
            said.add(refusal(position, f"{source} {target}"))
    return (said | {refusal(position, text) for text in TYPED}) - {""}


def refusal(position: Position, text: str) -> str:
    try:
        position.apply(position.parse(text))
    except IllegalMove as illegal:
        return illegal.reason
    except NotationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("language", OTHERS)
@every_game
def test_every_sentence_of_the_rules_has_a_twin_in_every_language(
    game: Game, language: str
) -> None:
    random = Random(12)
    for rules in game.variants[:2]:
        for english in sorted(sentences(game, rules, random)):
            there = texts.sentence(english, language)
            assert there != english
            assert " or " not in there, english
            assert not {"write", "goes", "wants"} & set(there.split()), english


SPOKEN = ("race", "rooms", "accounts", "leaderboards", "scoring", "transport")
"""The folders of the server that speak to players."""
TO_OPERATORS = ("proxies", "bans")
"""Modules whose sentences are for the log, or put together: bans have four, each with a twin."""


def written(text: str) -> Iterator[str]:
    """The sentences of a module, with {} for what is filled in: all literals but docstrings."""
    tree = ast.parse(text)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
             for part in node.values}  # fmt: skip
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in parts | docstrings:
            continue
        match node:
            case ast.Constant(value=str(said)):
                pass
            case ast.JoinedStr(values=values):
                said = "".join(
                    str(v.value) if isinstance(v, ast.Constant) else "{}" for v in values
                )
            case _:
                continue
        if said.endswith(".") and said.count(" ") > 1 and (said[0].isupper() or said[0] == "{"):
            yield said


IN_PARTS = (
    "{} goes on {}.",
    "{} goes {}, or to an empty column.",
    "Your move {} was {}; the record {}.",
)
"""What is filled in here is words; the games above say these sentences as a whole."""
TO_DEVELOPERS = "The client is not connected; enter it with `async with` first."
"""Of the client library."""


def all_written() -> set[str]:
    server = ROOT / "server/bigben_server"
    folders = [
        ROOT / "rules/bigben_rules",
        ROOT / "client/bigben_client",
        *(server / folder for folder in SPOKEN),
    ]
    files = chain.from_iterable(folder.rglob("*.py") for folder in folders)
    spoken = (file.read_text("utf-8") for file in files if file.stem not in TO_OPERATORS)
    return {said for text in spoken for said in written(text)} - {*IN_PARTS, TO_DEVELOPERS}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_that_is_written_for_players_has_a_twin(language: str) -> None:
    english = {said.replace("{}", "7") for said in all_written()}
    assert len(english) > 100
    assert sorted(said for said in english if texts.sentence(said, language) == said) == []


URL = "ws://127.0.0.1:9"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            f"The server at {URL} can't be reached: nothing listens there. "
            "Check the address and that the server runs, then try again.",
            f"Der Server {URL} ist nicht zu erreichen: dort läuft keiner. "
            "Prüfe die Adresse und ob der Server läuft, und versuche es noch einmal.",
        ),
        (
            f"{URL} is not a Big Ben server of this version: it answers with HTTP 404. "
            "Check the address.",
            f"{URL} ist kein Server von Big Ben in dieser Version: er antwortet mit HTTP 404. "
            "Prüfe die Adresse.",
        ),
        (
            "The connection was closed for good: You have 8 connections open; close one first.",
            "Die Verbindung wurde endgültig beendet: "
            "Du hast 8 offene Verbindungen; schließ erst eine davon.",
        ),
        (
            f"{URL} refuses this connection: a reason that nobody has translated.",
            f"{URL} nimmt diese Verbindung nicht an: a reason that nobody has translated.",
        ),
    ],
)
def test_a_sentence_inside_a_sentence_has_its_twin_too(english: str, german: str) -> None:
    assert texts.sentence(english, "de") == german
