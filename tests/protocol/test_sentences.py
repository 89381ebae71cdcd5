"""What the rules say to a player can be read in every language."""

from random import Random

import pytest
from tests.rules.support import every_game

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
