"""The best move of a position: legal, always the same, and made from what is seen."""

from itertools import permutations
from random import Random

import pytest
from tests.rules.support import board, every_game
from tests.support.torture import often

from bigben_protocol import texts
from bigben_rules import GAMES, Game, Position, shuffle
from bigben_rules.bigben.layout import FOUNDATION, HOURS
from bigben_rules.germanclock import Position as GermanClock
from bigben_rules.sentence import sentence
from bigben_solver.hints import plans
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.best import LUCK, ONLY, STUCK, TAKE_BACK, WON, hint
from bigben_solver.hints.why import SAMPLED
from bigben_solver.solution import Solution

TURN = sentence("hint.turn_next")
OTHERS = sorted(set(texts.languages()) - {texts.DEFAULT})


def asked(
    position: Position, game: str, *, rules: str = "standard", can_undo: bool = False
) -> Asked:
    return Asked.of(GAMES[game], rules, position, can_undo=can_undo)


ORDERS = [
    "".join(order) for order in permutations("CDHS") if {*order[::2]} in ({"C", "S"}, {"D", "H"})
]


def played_at_once(position: Position, suits: str) -> int:
    """The cards home if all that fits is played, or only what keeps to this order of suits."""
    while True:
        afters = [position.apply(move)[0] for move in position.legal_moves()]
        fits = [one for one in afters if not suits or suits.startswith(one.suits)]  # type: ignore[attr-defined] # of German Clock
        if not fits:
            return position.progress
        position = fits[0]


@every_game
def test_it_is_legal_and_the_same_for_who_asks_again(game: Game) -> None:
    random = Random(8)
    position = game.deal(shuffle(game.pack, random.randbytes(32)), "standard")
    for _ in range(3):
        found = hint(asked(position, game.name))
        assert found == hint(asked(position, game.name))
        assert found.move in position.reading().legal
        for language in OTHERS:
            assert texts.all_said(found.why, language) != texts.all_said(found.why)
        for move in random.sample(position.legal_moves(), 1):
            position, _ = position.apply(move)


@pytest.mark.parametrize("game", ["clock", "travellers", "hideandseek"])
def test_a_game_without_choices_says_so(game: str) -> None:
    position = GAMES[game].deal(shuffle(GAMES[game].pack, b"1" * 32), "standard")
    assert hint(asked(position, game)) == ("turn", (TURN, LUCK))


def test_the_only_move_is_not_praised() -> None:
    position = GAMES["watch"].deal(shuffle(GAMES["watch"].pack, b"1" * 32), "standard")
    assert hint(asked(position, "watch")) == ("turn", (TURN, ONLY))


def test_the_king_is_exchanged_for_the_deepest_card() -> None:
    position = GAMES["watch"].read(
        "watch standard KS AC/-/-/-/-/-/-/-/-/-/-/-/KH,KD,KC "
        "AD,AH,AS/2C,2D,2H,2S/3C,3D,3H,3S/4C,4D,4H,4S/5C,5D,5H,5S/6C,6D,6H,6S/7C,7D,7H,7S/"
        "8C,8D,8H,8S/9C,9D,9H,9S/10C,10D,10H,10S/JC,JD,JH,JS/QC,QD,QH,QS/- 1"
    )
    found = hint(asked(position, "watch"))
    assert found.move == "swap 2 4"
    assert texts.all_said(found.why) == (
        "Exchange KS for card 4 of pile 2, counted from its top. "
        "The king must be turned last, so it goes under as many cards as possible."
    )


def test_a_game_that_is_over_has_no_move() -> None:
    won = GAMES["germanclock"].read(
        "germanclock standard HCDS AS,2S,3S,4S,5S,6S,7S,8S,9S,10S,JS,QS,KS - - 0"
    )
    assert hint(asked(won, "germanclock")) == ("", (WON,))
    lost = GAMES["clock"].read(
        "clock standard KS AC/-/-/-/-/-/-/-/-/-/-/-/KH,KD,KC "
        "AD,AH,AS/2C,2D,2H,2S/3C,3D,3H,3S/4C,4D,4H,4S/5C,5D,5H,5S/6C,6D,6H,6S/7C,7D,7H,7S/"
        "8C,8D,8H,8S/9C,9D,9H,9S/10C,10D,10H,10S/JC,JD,JH,JS/QC,QD,QH,QS/- 0"
    )
    assert hint(asked(lost, "clock")) == ("", (STUCK,))
    assert hint(asked(lost, "clock", can_undo=True)) == ("", (STUCK, TAKE_BACK))


def test_a_redeal_that_is_spent_is_not_proposed() -> None:
    """No pile shows how many are left, but the legal moves do."""
    position = GAMES["germanclock"].deal(shuffle(GAMES["germanclock"].pack, b"2" * 32), "standard")
    last = position
    while moves := position.legal_moves():
        last, (position, _) = position, position.apply(moves[-1])
    assert "redeal" not in last.reading().legal
    assert hint(asked(last, "germanclock")).move in last.reading().legal
    assert hint(asked(position, "germanclock")) == ("", (STUCK,))


@pytest.mark.longer
def test_the_order_of_the_stock_is_known_after_a_redeal() -> None:
    """Then cards of the suit that is better in the end may be waited for."""
    game, waited = GAMES["germanclock"], 0
    for number in range(often(8, 60)):
        position = game.deal(shuffle(game.pack, number.to_bytes(32, "big")), "1")
        while not isinstance(position, GermanClock) or not position.redealt:
            position, _ = position.apply(position.legal_moves()[-1])  # nothing is played at first
        homes = {suits: played_at_once(position, suits) for suits in ("", *ORDERS)}
        end = position
        while (found := hint(asked(end, "germanclock", rules="1"))).move:
            end, _ = end.apply(end.parse(found.move))
        assert end.progress == max(homes.values())
        waited += end.progress > homes[""]
    assert waited, "to play at once whatever fits was always best"


def test_the_stock_is_not_known_before_a_redeal() -> None:
    game = GAMES["germanclock"]
    order = shuffle(game.pack, b"3" * 32)
    other = [*order[:5], *reversed(order[5:])]
    one, two = (game.deal(cards, "standard") for cards in (order, other))
    for _ in range(5):
        one, two = (position.apply(position.legal_moves()[-1])[0] for position in (one, two))
    assert asked(one, "germanclock") == asked(two, "germanclock")


HOMES = {hour: FOUNDATION[hour][-1] for hour in HOURS}
EMPTY = dict.fromkeys(HOURS, "")


def test_a_line_that_wins_is_followed_once_no_card_is_hidden() -> None:
    fans = EMPTY | {3: "9C 8C 7C", 5: "10H 9H 8H"}
    found = hint(asked(board(home=HOMES | {9: "6C", 10: "7H"}, fans=fans), "bigben"))
    assert found.move in ("3 f9", "5 f10")
    assert texts.all_said(found.why).endswith(
        " can go home too. All cards are seen: 6 moves win from here."
    )


def test_a_position_that_is_lost_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "solve", lambda *_, **__: Solution("lost", (), 1))
    fans = EMPTY | {3: "8C 7C 9C", 5: "10H 9H 8H 7H", 6: "8D 7D"}
    homes = HOMES | {9: "6C", 10: "6H", 8: "6D"}
    found = hint(asked(board(home=homes, fans=fans), "bigben"))
    assert found.move in ("5 f10", "6 f8")
    assert texts.all_said(found.why).endswith(" All cards are seen, and no line wins any more.")


def test_hints_that_are_followed_win_grandfathers_clock() -> None:
    """Each is found anew, and none takes back what another has done."""
    game = GAMES["grandfathersclock"]
    position = game.deal(shuffle(game.pack, Random(5).randbytes(32)), "standard")
    for _ in range(100):
        if position.won:
            break
        found = hint(asked(position, game.name))
        assert SAMPLED not in found.why
        position, _ = position.apply(position.parse(found.move))
    assert position.won
