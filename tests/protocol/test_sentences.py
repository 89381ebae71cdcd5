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


IN_PARTS = ("{} goes on {}.", "{} goes {}, or to an empty column.")
"""What is filled in here is words; the games above say these sentences as a whole."""


def all_written() -> set[str]:
    server = ROOT / "server/bigben_server"
    folders = [ROOT / "rules/bigben_rules", *(server / folder for folder in SPOKEN)]
    files = chain.from_iterable(folder.rglob("*.py") for folder in folders)
    spoken = (file.read_text("utf-8") for file in files if file.stem not in TO_OPERATORS)
    return {said for text in spoken for said in written(text)} - {*IN_PARTS}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_that_is_written_for_players_has_a_twin(language: str) -> None:
    english = {said.replace("{}", "7") for said in all_written()}
    assert len(english) > 100
    assert sorted(said for said in english if texts.sentence(said, language) == said) == []
