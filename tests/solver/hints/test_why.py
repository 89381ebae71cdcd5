"""The sentences of a hint, made from facts on the board; each has a twin in every language."""

from collections import Counter
from random import Random

import pytest
from tests.rules.support import board, every_game, play

from bigben_protocol import texts
from bigben_rules import GAMES, Card, Game, Position, shuffle
from bigben_rules.bigben.layout import FOUNDATION
from bigben_rules.cards import PACK
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.why import DEEP, SAMPLED, Why

OTHERS = sorted(set(texts.languages()) - {texts.DEFAULT})
GRANDFATHER = GAMES["grandfathersclock"]
TOPS = ("4C", "4C", "6H", "6H", "KH", "KH", "2D", "2D", "9H", "9H", "JS", "5D")
"""Cards of which none can go home or on another at first."""


def why(position: Position, move: str, game: str = "bigben") -> tuple[str, str]:
    """What is said of a move, to a player who sees no hidden card."""
    seen = Asked.of(GAMES[game], "standard", position).seen()
    one = Why(GAMES[game], seen, tried=game == "bigben")
    reason = one.reason(seen.parse(move))
    return texts.said(one.action(seen.parse(move))), texts.said(reason) if reason else ""


def quiet(**changed: str) -> Position:
    """A position with full fans in which no card can move but those of the fans that are named,
    like ``fan1="3C"``: three cards of which this is the top, or what is written with spaces."""
    tops = dict(enumerate(TOPS, 1))
    whole = {int(fan[3:]): cards for fan, cards in changed.items()}
    left = Counter(PACK + PACK)
    left.subtract(cards[0] for cards in FOUNDATION.values())
    left.subtract(Card(card) for fan, card in tops.items() if fan not in whole)
    left.subtract(card for cards in whole.values() for card in map(Card, cards.split()))
    others = left.elements()
    return board(
        fans={
            fan: whole.get(fan) or f"{next(others)} {next(others)} {top}"
            for fan, top in tops.items()
        }
    )


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


def test_the_stock_comes_first_where_no_card_can_go_home() -> None:
    nothing = board(fans=dict.fromkeys(range(1, 13), ""))
    assert why(nothing, "refill") == ("Refill the gaps.", "No card can move now.")
    assert why(quiet(), "turn") == ("Turn a card.", "No card can move now.")
    assert why(quiet(fan1="QC QD 3S"), "turn")[1] == "No card can move now."
    assert why(quiet(fan1="QC QD AH"), "turn")[1] == (
        "No card can go home now, and a new card helps more than a build."
    )


def test_the_stock_comes_before_a_card_that_can_wait() -> None:
    """It says so, and why: newcomers see the card that can go home."""
    assert why(quiet(fan1="QC QD 3C"), "turn")[1] == (
        "3C can still go home afterwards; now it would open a gap, and then no card can be turned."
    )
    assert why(quiet(fan1="QC QD 10D 3C"), "turn")[1] == "3C can still go home afterwards."
    assert why(quiet(fan1="QC QD 3C", fan2="QC"), "refill")[1] == "3C can still go home afterwards."
    assert why(quiet(fan1="QC 3C"), "refill")[1] == texts.said(SAMPLED), "the refill covers it"


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
    assert why(position, "swap 7", "watch") == (
        "Exchange KS for the top card of pile 7.",
        texts.said(DEEP),
    )
    deep = "Exchange KS for card 4 of pile 7, counted from its top."
    assert why(position, "swap 7 4", "watch") == (deep, texts.said(DEEP))


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
            one = Why(game, seen, tried=game.name == "bigben")
            for move in legal:
                said = [one.action(move), *filter(None, [one.reason(move)])]
                there = texts.all_said(said, language)
                assert there != texts.all_said(said)
                assert not {"fan", "can", "the", "Play", "card"} & set(there.split()), there
            position, _ = position.apply(random.choice(legal))
