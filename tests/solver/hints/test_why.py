"""The sentences of a hint, made from facts on the board; each has a twin in every language."""

from random import Random

import pytest
from tests.rules.support import board, every_game, play

from bigben_protocol import texts
from bigben_rules import GAMES, Game, Position, shuffle
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.why import Why

OTHERS = sorted(set(texts.languages()) - {texts.DEFAULT})
GRANDFATHER = GAMES["grandfathersclock"]


def why(position: Position, move: str, game: str = "bigben") -> tuple[str, str]:
    """What is said of a move, to a player who sees no hidden card."""
    seen = Asked.of(GAMES[game], "standard", position).seen()
    one = Why(GAMES[game], seen)
    return one.action(seen.parse(move)), one.reason(seen.parse(move))


def reason(fans: dict[int, str], move: str, *, waste: str = "") -> str:
    """The reason in a position with these fans alone; nothing can be built on the others."""
    alone = {hour: fans.get(hour, "") for hour in range(1, 13)}
    return why(board(fans=alone, waste=waste), move)[1]


@pytest.mark.parametrize(
    ("fans", "said"),
    [
        ({3: "JS 4C 3C"}, "Under it, 4C can go home too."),
        ({3: "JS KD 3C", 5: "2S 4C"}, "Then 4C can follow from fan 5."),
        (
            {3: "4H 10S 3C", 5: "2S 2D JS"},
            "Under it lies 10S, which can then go on JS in fan 5.",
        ),
        (
            {3: "JS JS JC 6H 3C", 5: "2S 2D 5H"},
            "Under it lies 6H, on which 5H can then go from fan 5.",
        ),
        ({3: "4H 4H 6D 2S 3C"}, "6D waits in fan 3: a foundation needs it next."),
        ({3: "JS JS 3C"}, "A refill then brings a new card to fan 3."),
        ({3: "JS 3C"}, "A refill then brings a new card to fan 3."),
        ({3: "JS JS 2S 2S 3C"}, "A card at home is out of the way."),
        # What matters more comes first.
        ({3: "JS 4C 3C", 5: "2S 2D 4C"}, "Under it, 4C can go home too."),
        ({3: "6D 10S 3C", 5: "2S 4C", 6: "2D 2D JS"}, "Then 4C can follow from fan 5."),
    ],
)
def test_a_card_that_goes_home_says_what_it_opens(fans: dict[int, str], said: str) -> None:
    assert reason(fans, "3 f9") == said


@pytest.mark.parametrize(
    ("fans", "said"),
    [
        ({3: "JS 3C 2H"}, "Under it, 3C can go home too."),
        ({3: "JS JS 2H"}, "A refill then brings a new card to fan 3."),
        ({3: "JS 8D JD 2S 2H"}, "They lie in the order in which they go home."),
        (
            {3: "JS AH 2H"},
            "Under it lies AH, which can then go on 2H in fan 5.",
        ),
    ],
)
def test_a_card_that_is_built_says_what_it_opens(fans: dict[int, str], said: str) -> None:
    assert reason({5: "9D 10D 3H", **fans}, "3 5") == said


def test_the_waste_is_named() -> None:
    assert reason({3: "JS KD 3C"}, "3 f9", waste="4C") == "Then 4C can follow from the waste."
    assert reason({}, "w f9", waste="4C 3C") == "Under it, 4C can go home too."
    waits = "6D waits in the waste: a foundation needs it next."
    assert reason({}, "w f9", waste="6D 2S 3C") == waits
    lies = "Under it lies 6H, on which 5H can then go from the waste."
    assert reason({3: "JS JS JC 6H 3C"}, "3 f9", waste="5H") == lies


def test_the_stock_has_two_reasons() -> None:
    nothing = board(fans=dict.fromkeys(range(1, 13), ""))
    assert why(nothing, "refill") == ("Refill the gaps.", "No card can move now.")
    assert why(board(), "turn") == (
        "Turn a card.",
        "No other move does better.",
    )


def test_what_is_done_is_said_first() -> None:
    fans = dict.fromkeys(range(1, 13), "") | {3: "JS 3C 2H", 5: "9D 10D 3H"}
    assert why(board(fans=fans), "3 5")[0] == "Build 2H on 3H."
    assert why(board(fans={**fans, 3: "JS 3C"}), "3 f9")[0] == "Play 3C home."


def test_columns_are_emptied_and_filled() -> None:
    rest = [card for card in GRANDFATHER.pack if card != "JH"]
    columns: list[list[str]] = [
        ["JH"],
        *(list[str](rest[at : at + 6]) for at in range(0, len(rest), 6)),
    ]
    lines = "/".join(",".join(column) for column in columns)
    homes = "10H,JS,QD,KC,2H,3S,4D,5C,6H,7S,8D,9C"
    position = GRANDFATHER.read(f"grandfathersclock standard {homes} {lines}")
    emptied = "Column 1 is then empty, and takes any card."
    assert why(position, "1 f1", GRANDFATHER.name) == ("Play JH home.", emptied)
    after = play(position, "1 f1")
    put, opened = why(after, "2 1", GRANDFATHER.name)
    assert put == f"Put {columns[1][-1]} into the empty column 1."
    assert opened


def test_an_exchange_names_the_place_of_the_card() -> None:
    position = GAMES["watch"].read(
        "watch standard KS -/-/-/-/-/-/-/-/-/-/-/-/KH,KD,KC 4?/4?/4?/4?/4?/4?/4?/4?/4?/4?/4?/4?/- 1"
    )
    assert why(position, "swap 7", "watch") == ("Exchange KS for the top card of pile 7.", "")
    deep = "Exchange KS for card 4 of pile 7, counted from its top."
    assert why(position, "swap 7 4", "watch") == (deep, "")


@pytest.mark.parametrize("language", OTHERS)
@every_game
def test_every_sentence_has_a_twin_and_every_move_a_sentence(game: Game, language: str) -> None:
    random = Random(3)
    for rules in game.variants[:3]:
        position = game.deal(shuffle(game.pack, random.randbytes(32)), rules)
        for _ in range(60):
            legal = position.legal_moves()
            if not legal:
                break
            seen = Asked.of(game, rules, position).seen()
            one = Why(game, seen)
            for move in legal:
                english = f"{one.action(move)} {one.reason(move)}".strip()
                there = texts.sentence(english, language)
                assert not {"fan", "can", "the", "Play", "card"} & set(there.split()), english
            position, _ = position.apply(random.choice(legal))
